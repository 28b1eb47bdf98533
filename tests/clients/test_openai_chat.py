# SPDX-License-Identifier: GPL-3.0-or-later
"""Chat completions as the real openai package sees them (conformance list of the endpoint reference)."""
import concurrent.futures
import time

import openai
import pytest

FRANCE = [{"role": "user", "content": "What is the capital of France?"}]
STORY = [{"role": "user", "content": "Tell me a short story about a fox."}]


def test_models_list_and_retrieve(client, model):
    listed = client.models.list().data[0]
    assert listed.object == "model" and isinstance(listed.created, int) and listed.owned_by
    assert client.models.retrieve(model) == listed
    with pytest.raises(openai.NotFoundError) as error:
        client.models.retrieve("no-such-model")
    assert error.value.code == "model_not_found"


def test_chat_names_paris(client, model):
    answer = client.chat.completions.create(model=model, messages=FRANCE, temperature=0, max_tokens=32)
    choice = answer.choices[0]
    assert answer.id.startswith("chatcmpl-") and answer.object == "chat.completion" and len(answer.choices) == 1
    assert "Paris" in choice.message.content and choice.message.role == "assistant"
    assert choice.finish_reason in ("stop", "length")
    usage = answer.usage
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens


def test_length_is_exact(client, model):
    answer = client.chat.completions.create(model=model, messages=STORY, max_tokens=5, temperature=0)
    assert answer.choices[0].finish_reason == "length" and answer.usage.completion_tokens == 5


@pytest.mark.parametrize("temperature", [0, 0.8])
def test_stream_equals_non_stream(client, model, temperature):
    options = dict(model=model, messages=STORY, max_tokens=24, temperature=temperature, seed=7)
    whole = client.chat.completions.create(**options)
    text, roles, finishes, usages = "", [], [], []
    for chunk in client.chat.completions.create(stream=True, stream_options={"include_usage": True}, **options):
        if chunk.usage:
            assert not chunk.choices
            usages.append(chunk.usage)
        for choice in chunk.choices:
            text += choice.delta.content or ""
            roles.append(choice.delta.role)
            finishes.append(choice.finish_reason)
    assert text == whole.choices[0].message.content
    assert roles[0] == "assistant" and not any(roles[1:])
    assert finishes[-1] == whole.choices[0].finish_reason and not any(finishes[:-1])
    assert [usage.completion_tokens for usage in usages] == [whole.usage.completion_tokens]


def test_without_usage_no_chunk_is_empty(client, model):
    for chunk in client.chat.completions.create(model=model, messages=STORY, max_tokens=3, stream=True):
        assert chunk.choices and chunk.usage is None


def test_closed_stream_frees_its_slot(client, model, http):
    stream = client.chat.completions.create(model=model, messages=STORY, max_tokens=1500, stream=True)
    next(iter(stream))
    stream.close()
    deadline = time.monotonic() + 1
    while http.get("/stats").json()["running"] and time.monotonic() < deadline:
        time.sleep(0.02)
    stats = http.get("/stats").json()
    assert stats["running"] == 0 and stats["kv_blocks"]["active"] == 0


def test_two_at_once_equal_their_solo_runs(client, model):
    def ask(text):
        answer = client.chat.completions.create(model=model, messages=[{"role": "user", "content": text}],
                                                max_tokens=40, temperature=0)
        return answer.choices[0].message.content
    questions = ["Name three rivers.", "Explain rain.", "Write a haiku about snow.", "Count to ten."]
    solo = [ask(question) for question in questions]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, questions)) == solo


def test_stop_string_over_tokens(client, model):
    plain = client.chat.completions.create(model=model, messages=FRANCE, temperature=0, max_tokens=32)
    text = plain.choices[0].message.content
    stop = text[len(text) // 2 - 3:len(text) // 2 + 3]
    cut = client.chat.completions.create(model=model, messages=FRANCE, temperature=0, max_tokens=32, stop=[stop])
    assert cut.choices[0].message.content == text[:text.index(stop)]
    assert cut.choices[0].finish_reason == "stop"
    streamed = "".join(chunk.choices[0].delta.content or "" for chunk in client.chat.completions.create(
        model=model, messages=FRANCE, temperature=0, max_tokens=32, stop=[stop], stream=True))
    assert streamed == cut.choices[0].message.content


@pytest.mark.parametrize("stream", [False, True])
def test_context_overflow_is_a_400_with_both_counts(client, model, stream):
    with pytest.raises(openai.BadRequestError) as error:
        client.chat.completions.create(model=model, stream=stream, messages=[{"role": "user", "content": "word " * 3000}])
    assert error.value.code == "context_length_exceeded"
    assert error.value.body["n_prompt_tokens"] > error.value.body["n_ctx"] == 2048


@pytest.mark.parametrize("change", [dict(temperature=-0.1), dict(temperature=2.1), dict(top_p=1.1), dict(n=0),
                                    dict(logprobs=True, top_logprobs=21), dict(messages=[])])
def test_bad_values_are_400(client, model, change):
    with pytest.raises(openai.BadRequestError):
        client.chat.completions.create(**{"model": model, "messages": FRANCE, "max_tokens": 2, **change})


def test_ignored_fields_are_200(client, model):
    client.chat.completions.create(model=model, messages=FRANCE, max_tokens=1, user="me", metadata={"a": "b"},
                                   store=True, extra_body={"no_such_field": 1})


def test_greedy_twice_and_seeds(client, model):
    def ask(**more):
        answer = client.chat.completions.create(model=model, messages=STORY, max_tokens=20, **more)
        return answer.choices[0].message.content
    assert ask(temperature=0) == ask(temperature=0)
    assert ask(temperature=1, seed=1) == ask(temperature=1, seed=1) != ask(temperature=1, seed=2)


def test_streamed_logprobs_equal_the_whole(client, model):
    options = dict(model=model, messages=FRANCE, max_tokens=6, temperature=0, logprobs=True, top_logprobs=3)
    whole = client.chat.completions.create(**options).choices[0].logprobs.content
    streamed = []
    for chunk in client.chat.completions.create(stream=True, **options):
        if chunk.choices[0].logprobs:
            streamed += chunk.choices[0].logprobs.content
    assert streamed == whole and len(whole) == 6
    for entry in whole:
        assert len(entry.top_logprobs) == 3 and entry.logprob <= 0
        assert max(top.logprob for top in entry.top_logprobs) == entry.top_logprobs[0].logprob


def test_n_choices(client, model):
    answer = client.chat.completions.create(model=model, messages=STORY, max_tokens=12, n=2, temperature=1, seed=3)
    assert [choice.index for choice in answer.choices] == [0, 1]
    assert answer.choices[0].message.content != answer.choices[1].message.content
    roles, finishes = {0: 0, 1: 0}, {0: 0, 1: 0}
    for chunk in client.chat.completions.create(model=model, messages=STORY, max_tokens=12, n=2, temperature=1,
                                                seed=3, stream=True):
        for choice in chunk.choices:
            roles[choice.index] += choice.delta.role is not None
            finishes[choice.index] += choice.finish_reason is not None
    assert roles == finishes == {0: 1, 1: 1}


def test_logit_bias(client, model, http):
    def first(bias):
        answer = client.chat.completions.create(model=model, messages=FRANCE, max_tokens=1, temperature=0,
                                                logit_bias=bias)
        return answer.choices[0].message.content
    greedy = first({})
    token = http.post("/tokenize", json={"content": greedy}).json()["tokens"][0]
    assert first({str(token): -100}) != greedy
    assert first({"260": 100}) == http.post("/detokenize", json={"tokens": [260]}).json()["content"]


def test_prefix_cache_is_reported(client, model):
    messages = [{"role": "system", "content": "You answer briefly. " * 20}, {"role": "user", "content": "Hi"}]
    client.chat.completions.create(model=model, messages=messages, max_tokens=2)
    messages[1]["content"] = "Bye"
    again = client.chat.completions.create(model=model, messages=messages, max_tokens=2)
    assert again.usage.prompt_tokens_details.cached_tokens >= 64


def test_developer_role_and_parts(http):
    def prompt(messages):
        return http.post("/apply-template", json={"messages": messages}).json()["prompt"]
    system = prompt([{"role": "system", "content": "S"}, {"role": "user", "content": "Hello world"}])
    assert system == prompt([{"role": "developer", "content": "S"}, {"role": "user", "content": [
        {"type": "text", "text": "Hello "}, {"type": "text", "text": "world"}]}])


def test_trailing_assistant_message_is_continued(http):
    prompt = http.post("/apply-template", json={"add_generation_prompt": False, "messages": [
        {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Sure, here"}]}).json()["prompt"]
    assert prompt.rstrip().endswith("Sure, here")


def test_emoji_streams_whole(client, model):
    options = dict(model=model, messages=[{"role": "user", "content": "Repeat: 👨‍👩‍👧 日本 é"}], max_tokens=24, temperature=0)
    text = "".join(chunk.choices[0].delta.content or ""
                   for chunk in client.chat.completions.create(stream=True, **options))
    assert text == client.chat.completions.create(**options).choices[0].message.content
