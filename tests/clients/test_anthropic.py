# SPDX-License-Identifier: GPL-3.0-or-later
"""/v1/messages with the real anthropic package."""
import anthropic
import pytest

GREEDY = {"temperature": 0}  # this version of the package has no argument for it
FRANCE = [{"role": "user", "content": "What is the capital of France?"}]
TOOL = {"name": "get_weather", "description": "Weather of a city",
        "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}


@pytest.fixture(scope="module")
def claude(server):
    return anthropic.Anthropic(base_url=server.url, api_key="none", max_retries=0)


def test_create(claude, model):
    answer = claude.messages.create(model=model, max_tokens=32, messages=FRANCE, extra_body=GREEDY, system="Be brief.")
    assert answer.id.startswith("msg_") and answer.type == "message" and answer.role == "assistant"
    assert answer.content[0].type == "text" and "Paris" in answer.content[0].text
    assert answer.stop_reason in ("end_turn", "max_tokens") and answer.usage.output_tokens > 0
    assert answer._request_id.startswith("req_")


def test_limits_and_stop_sequences(claude, model):
    cut = claude.messages.create(model=model, max_tokens=3, messages=FRANCE, extra_body=GREEDY)
    assert cut.stop_reason == "max_tokens" and cut.usage.output_tokens == 3
    whole = claude.messages.create(model=model, max_tokens=32, messages=FRANCE, extra_body=GREEDY).content[0].text
    stopped = claude.messages.create(model=model, max_tokens=32, messages=FRANCE, extra_body=GREEDY,
                                     stop_sequences=[whole[8:12]])
    assert stopped.stop_reason == "stop_sequence" and stopped.stop_sequence == whole[8:12]
    assert stopped.content[0].text == whole[:8]


def test_stream(claude, model):
    options = dict(model=model, max_tokens=24, messages=FRANCE, extra_body=GREEDY)
    with claude.messages.stream(**options) as stream:
        text = "".join(stream.text_stream)
        final = stream.get_final_message()
    whole = claude.messages.create(**options)
    assert text == final.content[0].text == whole.content[0].text
    assert final.stop_reason == whole.stop_reason and final.usage.output_tokens == whole.usage.output_tokens
    types = [event.type for event in claude.messages.create(stream=True, **options)]
    assert types[:2] == ["message_start", "content_block_start"]
    assert types[-3:] == ["content_block_stop", "message_delta", "message_stop"]


def test_count_equals_usage(claude, model):
    options = dict(model=model, messages=FRANCE, system=[{"type": "text", "text": "Be brief."}])
    count = claude.messages.count_tokens(**options).input_tokens
    usage = claude.messages.create(max_tokens=1, **options).usage
    assert usage.input_tokens + usage.cache_read_input_tokens == count


def test_tool_turn_reaches_the_prompt(claude, model):
    history = [{"role": "user", "content": "Weather in Oslo?"},
               {"role": "assistant", "content": [{"type": "text", "text": "I will look."},
                                                 {"type": "tool_use", "id": "toolu_1", "name": "get_weather",
                                                  "input": {"city": "Oslo"}}]},
               {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1",
                                             "content": [{"type": "text", "text": "7 degrees"}]}]}]
    with_result = claude.messages.count_tokens(model=model, messages=history, tools=[TOOL]).input_tokens
    history[2]["content"][0]["content"] = ""
    assert with_result > claude.messages.count_tokens(model=model, messages=history, tools=[TOOL]).input_tokens
    claude.messages.create(model=model, max_tokens=4, messages=history, tools=[TOOL], thinking={"type": "disabled"})


@pytest.mark.parametrize("change", [
    dict(messages=[]), dict(extra_body={"temperature": -1}), dict(messages=[{"role": "system", "content": "x"}]),
    dict(messages=[{"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "http://a/b"}}]}]),
    dict(messages=[{"role": "user", "content": "word " * 3000}]), dict(max_tokens=0)])
def test_bad_requests_are_typed(claude, model, change):
    with pytest.raises(anthropic.BadRequestError) as error:
        claude.messages.create(**{"model": model, "max_tokens": 4, "messages": FRANCE, **change})
    assert error.value.body["type"] == "error" and error.value.body["error"]["type"] == "invalid_request_error"
    assert error.value.body["request_id"].startswith("req_")


def test_unknown_model(claude):
    with pytest.raises(anthropic.NotFoundError) as error:
        claude.messages.create(model="no-such-model", max_tokens=4, messages=FRANCE)
    assert error.value.body["error"]["type"] == "not_found_error"


def test_models_share_the_list(claude, model):
    assert model in [entry.id for entry in claude.models.list()]
