# SPDX-License-Identifier: GPL-3.0-or-later
"""/v1/responses with the real openai package."""
import json

import openai
import pytest

QUESTION = "What is the capital of France?"
TOOL = {"type": "function", "name": "get_weather", "description": "Weather of a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}


def test_answer(client, model):
    answer = client.responses.create(model=model, input=QUESTION, temperature=0,
                                     max_output_tokens=24, metadata={"a": "b"})
    assert answer.id.startswith("resp_") and answer.object == "response" and answer.error is None
    assert "Paris" in answer.output_text and answer.metadata == {"a": "b"}
    message = answer.output[0]
    assert message.type == "message" and message.role == "assistant" and message.id.startswith("msg_")
    usage = answer.usage
    assert usage.total_tokens == usage.input_tokens + usage.output_tokens
    assert usage.input_tokens_details.cached_tokens >= 0 and usage.output_tokens_details.reasoning_tokens == 0


def test_length_is_incomplete(client, model):
    answer = client.responses.create(model=model, input="Tell a long story.", max_output_tokens=5)
    assert answer.status == "incomplete" and answer.incomplete_details.reason == "max_output_tokens"
    assert answer.output[0].status == "incomplete" and answer.usage.output_tokens == 5


def events_of(client, **options):
    return list(client.responses.create(stream=True, **options))


def test_stream_has_the_whole_sequence(client, model):
    options = dict(model=model, input=QUESTION, temperature=0, max_output_tokens=40)
    events = events_of(client, **options)
    types = [event.type for event in events]
    deltas = [event for event in events if event.type == "response.output_text.delta"]
    assert types[:4] == ["response.created", "response.in_progress", "response.output_item.added",
                         "response.content_part.added"]
    assert types[4:4 + len(deltas)] == ["response.output_text.delta"] * len(deltas)
    assert types[4 + len(deltas):-1] == ["response.output_text.done", "response.content_part.done",
                                         "response.output_item.done"]
    assert types[-1] in ("response.completed", "response.incomplete")
    assert [event.sequence_number for event in events] == list(range(len(events)))
    text = "".join(event.delta for event in deltas)
    whole = client.responses.create(**options)
    assert text == whole.output_text == events[-1].response.output_text
    assert events[-1].response.usage.output_tokens == whole.usage.output_tokens
    ids = {event.item_id for event in deltas}
    assert ids == {events[-1].response.output[0].id} and len({event.response.id for event in (events[0], events[-1])}) == 1


def test_stream_helper(client, model):
    with client.responses.stream(model=model, input=QUESTION, temperature=0, max_output_tokens=16) as stream:
        text = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
        final = stream.get_final_response()
    assert final.output_text == text


def test_items_round_trip_a_tool_result(client, model):
    history = [{"role": "user", "content": "Weather in Oslo?"},
               {"type": "function_call", "call_id": "call_1", "name": "get_weather", "arguments": '{"city":"Oslo"}'},
               {"type": "function_call_output", "call_id": "call_1", "output": "It is 7 degrees and raining."}]
    answer = client.responses.create(model=model, input=history, tools=[TOOL], max_output_tokens=24, temperature=0)
    assert answer.output and answer.tools[0].name == "get_weather"


def test_what_is_not_stored_is_refused(client, model):
    for change in (dict(previous_response_id="resp_1"), dict(background=True), dict(conversation="conv_1")):
        with pytest.raises(openai.BadRequestError) as error:
            client.responses.create(model=model, input="Hi", **change)
        assert error.value.code == "unsupported_parameter" and error.value.param == next(iter(change))


def test_edges(client, model):
    assert client.responses.create(model=model, input="", max_output_tokens=1).object == "response"
    with pytest.raises(openai.BadRequestError) as error:
        client.responses.create(model=model, input=[])
    assert error.value.param == "input"
    with pytest.raises(openai.BadRequestError) as error:
        client.responses.create(model=model, input=[{"type": "item_reference", "id": "x"}])
    assert error.value.param == "input[0].type"
    with pytest.raises(openai.BadRequestError) as error:
        client.responses.create(model=model, input="word " * 3000)
    assert error.value.code == "context_length_exceeded"
    client.responses.create(model=model, input="Hi", tools=[{"type": "web_search"}], max_output_tokens=1)


def test_input_tokens_equal_usage(client, model, http):
    body = {"model": model, "input": QUESTION}
    count = http.post("/v1/responses/input_tokens", json=body).json()
    assert count["object"] == "response.input_tokens"
    answer = client.responses.create(model=model, input=QUESTION, max_output_tokens=1)
    assert answer.usage.input_tokens == count["input_tokens"]


def test_raw_frames(http, model):
    with http.stream("POST", "/v1/responses", json={"model": model, "input": "Hi", "stream": True,
                                                    "max_output_tokens": 3}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        text = answer.read().decode()
    assert "[DONE]" not in text and text.endswith("\n\n")
    for frame in text.strip().split("\n\n"):
        name, data = frame.split("\n")
        assert json.loads(data.removeprefix("data: "))["type"] == name.removeprefix("event: ")
