# SPDX-License-Identifier: GPL-3.0-or-later
"""Structured output and forced tool calls as the real openai package sees them; answers checked with jsonschema."""
import enum
import json
import re

import jsonschema
import openai
import pydantic
import pytest

ASK = [{"role": "user", "content": "Describe a fox."}]
# Tokens, not wishes, end a text at temperature 2: everything in here is short.
FOX = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 8},
        "legs": {"type": "integer", "minimum": 0, "maximum": 120},
        "weight": {"type": "number", "exclusiveMinimum": 0, "maximum": 9.5},
        "colour": {"enum": ["red", "grün", 7, None]},
        "tags": {"type": "array", "items": {"type": "string", "pattern": "^[a-z]{2,4}$"}, "maxItems": 2},
        "kit": {"anyOf": [{"$ref": "#/$defs/kit"}, {"type": "null"}]},
    },
    "required": ["name", "legs", "weight", "colour", "kit"],
    "additionalProperties": False,
    "$defs": {"kit": {"type": "object", "properties": {"born": {"type": "string", "format": "date"}},
                      "required": ["born"], "additionalProperties": False}},
}
WEATHER = {"type": "function", "function": {
    "name": "get_weather", "description": "Weather of a city",
    "parameters": {"type": "object", "properties": {"city": {"type": "string", "maxLength": 12},
                                                    "days": {"type": "integer", "minimum": 1, "maximum": 9}},
                   "required": ["city"], "additionalProperties": False}}}
STOP = {"type": "function", "function": {"name": "stop_now", "parameters": {"type": "object", "properties": {}}}}


def format_of(schema, strict=True):
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": strict, "schema": schema}}


def test_200_answers_at_temperature_2_are_valid(client, model):
    order = list(FOX["properties"])
    for round_number in range(25):
        answer = client.chat.completions.create(model=model, messages=ASK, temperature=2, n=8, seed=round_number,
                                                max_tokens=400, response_format=format_of(FOX))
        assert len(answer.choices) == 8
        for choice in answer.choices:
            assert choice.finish_reason == "stop", choice
            value = json.loads(choice.message.content)
            assert sorted(value, key=order.index) == list(value)  # the schema's order
            jsonschema.validate(value, FOX, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)


def test_json_object(client, model):
    answer = client.chat.completions.create(model=model, messages=ASK, temperature=0.7, seed=3, max_tokens=300,
                                            frequency_penalty=1, response_format={"type": "json_object"})
    text = answer.choices[0].message.content
    assert text.startswith("{")
    if answer.choices[0].finish_reason == "stop":
        assert isinstance(json.loads(text), dict)


class Size(enum.Enum):
    small = "small"
    large = "large"


class Den(pydantic.BaseModel):
    depth: int = pydantic.Field(ge=0, le=50)
    size: Size


class Animal(pydantic.BaseModel):
    legs: int = pydantic.Field(ge=0, le=100)
    size: Size
    dens: list[Den] = pydantic.Field(max_length=2)
    note: Size | None


def test_parse_gives_an_instance(client, model):
    for seed in range(4):
        parsed = client.chat.completions.parse(model=model, messages=ASK, temperature=0.5, seed=seed, max_tokens=300,
                                               response_format=Animal)
        assert parsed.choices[0].finish_reason == "stop" and isinstance(parsed.choices[0].message.parsed, Animal)


def test_stream_gives_the_same_text(client, model):
    options = dict(model=model, messages=ASK, temperature=1, seed=5, max_tokens=300, response_format=format_of(FOX))
    whole = client.chat.completions.create(**options).choices[0].message.content
    pieces = [chunk.choices[0].delta.content or "" for chunk in client.chat.completions.create(stream=True, **options)]
    assert "".join(pieces) == whole and len(pieces) > 5


@pytest.mark.parametrize("field, value, pattern", [
    ("grammar", 'root ::= "é" [0-9]{2} (" 🙂" | "!")', r"é\d\d( 🙂|!)"),
    ("guided_regex", r"(foo|ba[rz])-\d{3}", r"(foo|ba[rz])-\d{3}"),
    ("guided_choice", ["yes", "no, never"], r"yes|no, never"),
    ("guided_grammar", 'root ::= [a-c]+ "."', r"[a-c]+\."),
    ("guided_json", {"enum": ["a", 12]}, r'"a"|12'),
    ("json_schema", {"type": "boolean"}, r"true|false"),
    ("structured_outputs", {"regex": "[xyz]{4}"}, r"[xyz]{4}"),
    ("structured_outputs", {"choice": ["left", "right"]}, r"left|right"),
])
def test_other_fields(client, model, field, value, pattern):
    answer = client.chat.completions.create(model=model, messages=ASK, temperature=2, seed=1, n=4, max_tokens=60,
                                            logprobs=True, top_logprobs=2, extra_body={field: value})
    for choice in answer.choices:
        text = choice.message.content
        if choice.finish_reason == "stop":
            assert re.fullmatch(pattern, text), text
        joined = b"".join(bytes(token.bytes) for token in choice.logprobs.content)
        assert joined.decode(errors="replace").startswith(text)


def test_completions_take_a_grammar_and_end_before_min_tokens(client, model):
    answer = client.completions.create(model=model, prompt="1+1=", max_tokens=20, temperature=2,
                                       extra_body={"grammar": 'root ::= "2"', "min_tokens": 10, "ignore_eos": True})
    assert answer.choices[0].text == "2" and answer.choices[0].finish_reason == "stop"


@pytest.mark.parametrize("body, param, code", [
    ({"response_format": format_of({"type": "object", "properties": {"a": {"not": {}}}})},
     "response_format.json_schema.schema.properties.a.not", "invalid_schema"),
    ({"response_format": {"type": "json_schema", "json_schema": {"name": "x"}}},
     "response_format.json_schema.schema", "missing_required_parameter"),
    ({"response_format": {"type": "xml"}}, "response_format.type", "invalid_value"),
    ({"grammar": "root ::= x"}, "grammar", "invalid_grammar"),
    ({"guided_regex": "(?=a)"}, "guided_regex", "invalid_grammar"),
    ({"guided_choice": []}, "guided_choice", "invalid_type"),
    ({"json_schema": {"type": "array", "uniqueItems": True}}, "json_schema.uniqueItems", "invalid_schema"),
    ({"grammar": 'root ::= "a"', "guided_regex": "a"}, "guided_regex", "invalid_value"),
    ({"tool_choice": "required"}, "tool_choice", "invalid_value"),
    ({"tools": [WEATHER], "tool_choice": {"type": "function", "function": {"name": "nobody"}}}, "tool_choice", "invalid_value"),
    ({"tools": [{"type": "function", "function": {"name": "f", "parameters": {
        "type": "object", "properties": {"x": {"type": "string", "format": "iri"}}}}}], "tool_choice": "required"},
     "tools[0].function.parameters.properties.x.format", "invalid_schema"),
])
@pytest.mark.parametrize("stream", [False, True])
def test_what_cannot_be_honoured_is_a_400_with_its_path(client, model, body, param, code, stream):
    with pytest.raises(openai.BadRequestError) as error:
        client.chat.completions.create(model=model, messages=ASK, max_tokens=8, stream=stream, extra_body=body)
    assert (error.value.param, error.value.code) == (param, code)


def test_an_empty_set_ends_its_own_row_alone(client, model, http):
    good = dict(model=model, messages=ASK, max_tokens=8, temperature=0)
    before = client.chat.completions.create(**good).choices[0].message.content
    # Of "A" no token is left: every spelling that begins with it is forbidden.
    banned = [[i, -100] for i in range(49152)]
    with pytest.raises(openai.BadRequestError):
        client.chat.completions.create(extra_body={"logit_bias": banned, "grammar": 'root ::= "A"'}, **good)
    assert client.chat.completions.create(**good).choices[0].message.content == before


@pytest.mark.parametrize("choice, names", [
    ("required", {"get_weather", "stop_now"}),
    ({"type": "function", "function": {"name": "get_weather"}}, {"get_weather"}),
    ({"type": "function", "function": {"name": "stop_now"}}, {"stop_now"}),
])
def test_forced_calls(client, model, choice, names):
    answer = client.chat.completions.create(model=model, messages=ASK, temperature=2, n=6, seed=2, max_tokens=120,
                                            tools=[WEATHER, STOP], tool_choice=choice)
    for one in answer.choices:
        assert one.finish_reason == "tool_calls", one
        assert one.message.content is None and len(one.message.tool_calls) >= 1
        for call in one.message.tool_calls:
            assert call.function.name in names and re.fullmatch(r"call_[A-Za-z0-9]{24}", call.id)
            arguments = json.loads(call.function.arguments)
            if call.function.name == "get_weather":
                jsonschema.validate(arguments, WEATHER["function"]["parameters"])


def test_streamed_call_deltas(client, model):
    options = dict(model=model, messages=ASK, temperature=1, seed=4, max_tokens=120, tools=[WEATHER],
                   tool_choice="required", parallel_tool_calls=False)
    whole = client.chat.completions.create(**options).choices[0]
    ids, names, arguments, pieces, finish = [], [], "", 0, None
    for chunk in client.chat.completions.create(stream=True, **options):
        for call in chunk.choices[0].delta.tool_calls or []:
            assert call.index == 0
            ids += [call.id] if call.id else []
            names += [call.function.name] if call.function.name else []
            arguments += call.function.arguments or ""
            pieces += 1 if call.function.arguments else 0
        finish = chunk.choices[0].finish_reason or finish
    assert finish == whole.finish_reason == "tool_calls"
    assert len(ids) == 1 and names == ["get_weather"] and pieces > 2
    assert arguments == whole.message.tool_calls[0].function.arguments and json.loads(arguments)


@pytest.mark.parametrize("path, body, kind, field", [
    ("/v1/messages", {"messages": ASK, "max_tokens": 120, "tool_choice": {"type": "any"},
                      "tools": [{"name": "get_weather", "input_schema": WEATHER["function"]["parameters"]}]},
     "content_block_delta", lambda data: data["delta"].get("partial_json")),
    ("/v1/responses", {"input": "Describe a fox.", "max_output_tokens": 120, "tool_choice": "required",
                       "tools": [{"type": "function", **WEATHER["function"]}]},
     "response.function_call_arguments.delta", lambda data: data["delta"]),
])
def test_other_dialects_stream_arguments(http, model, path, body, kind, field):
    pieces = []
    with http.stream("POST", path, json={"model": model, "stream": True, "temperature": 0.5, **body}) as answer:
        for line in answer.iter_lines():
            if line.startswith("data: ") and (data := json.loads(line[6:]))["type"] == kind:
                pieces += [field(data)] if field(data) else []
    assert len(pieces) > 2
    jsonschema.validate(json.loads("".join(pieces)), WEATHER["function"]["parameters"])


def test_tool_choice_none_shows_no_tools(client, model, http):
    answer = client.chat.completions.create(model=model, messages=ASK, max_tokens=8, temperature=0, tools=[WEATHER],
                                            tool_choice="none")
    plain = client.chat.completions.create(model=model, messages=ASK, max_tokens=8, temperature=0)
    assert answer.choices[0].message.content == plain.choices[0].message.content
    assert answer.usage.prompt_tokens == plain.usage.prompt_tokens


def test_auto_answers_or_calls(client, model):
    answer = client.chat.completions.create(model=model, messages=ASK, temperature=1, seed=9, n=4, max_tokens=60,
                                            tools=[WEATHER], tool_choice="auto")
    for one in answer.choices:
        if one.finish_reason == "tool_calls":
            jsonschema.validate(json.loads(one.message.tool_calls[0].function.arguments), WEATHER["function"]["parameters"])
        elif one.finish_reason == "stop":
            assert one.message.content and not one.message.content.startswith('{"response"')
