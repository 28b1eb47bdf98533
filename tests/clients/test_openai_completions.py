# SPDX-License-Identifier: GPL-3.0-or-later
"""Legacy completions with the real openai package, tokenize and detokenize."""
import random

import openai
import pytest


def test_defaults(client, model):
    answer = client.completions.create(model=model, prompt="Once upon a time", temperature=0)
    assert answer.object == "text_completion" and answer.usage.completion_tokens <= 16


def test_prompts_and_choices_in_order(client, model):
    answer = client.completions.create(model=model, prompt=["One two", "Red green"], n=2, max_tokens=3)
    assert [choice.index for choice in answer.choices] == [0, 1, 2, 3]


def test_token_list_equals_its_string(client, model, http):
    text = "The river runs through the"
    ids = http.post("/tokenize", json={"content": text}).json()["tokens"]
    options = dict(model=model, max_tokens=8, temperature=0)
    assert (client.completions.create(prompt=ids, **options).choices[0].text
            == client.completions.create(prompt=text, **options).choices[0].text)


def test_foreign_ids_are_refused(client, model):
    with pytest.raises(openai.BadRequestError):
        client.completions.create(model=model, prompt=[1, 10**6], max_tokens=1)


def test_echo_with_legacy_logprobs(client, model):
    answer = client.completions.create(model=model, prompt="Paris is in France", echo=True, logprobs=2, max_tokens=2,
                                       temperature=0)
    choice = answer.choices[0]
    logprobs = choice.logprobs
    sizes = {len(logprobs.tokens), len(logprobs.token_logprobs), len(logprobs.top_logprobs), len(logprobs.text_offset)}
    assert choice.text.startswith("Paris is in France") and len(sizes) == 1
    assert logprobs.token_logprobs[0] is None and logprobs.text_offset[0] == 0
    assert all(value <= 0 for value in logprobs.token_logprobs[1:])
    assert "".join(logprobs.tokens) == choice.text


def test_suffix_is_refused(client, model):
    with pytest.raises(openai.BadRequestError):
        client.completions.create(model=model, prompt="a", suffix="b", max_tokens=1)


def test_tokenize_detokenize_identity(http):
    source = random.Random(5)
    for _ in range(60):
        text = "".join(chr(source.choice([source.randrange(32, 127), source.randrange(160, 0x2FFF),
                                          source.randrange(0x1F300, 0x1F6FF)])) for _ in range(source.randrange(1, 40)))
        ids = http.post("/tokenize", json={"content": text, "parse_special": False}).json()["tokens"]
        assert http.post("/detokenize", json={"tokens": ids}).json()["content"] == text


def test_counts_agree(client, model, http):
    text = "Four score and seven years ago our fathers"
    count = http.post("/tokenize", json={"content": text, "add_special": True}).json()["count"]
    assert client.completions.create(model=model, prompt=text, max_tokens=1).usage.prompt_tokens == count
