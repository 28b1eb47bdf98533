# SPDX-License-Identifier: GPL-3.0-or-later
"""/v1/embeddings with the real openai package."""
import math

import openai
import pytest


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def test_float_equals_base64_and_keeps_order(client, model):
    texts = ["The cat sat on the mat.", "A kitten rested on a rug.", "Interest rates rose sharply in March."]
    plain = client.embeddings.create(model=model, input=texts, encoding_format="float")
    packed = client.embeddings.create(model=model, input=texts)  # the package asks for base64
    assert [entry.index for entry in plain.data] == [0, 1, 2] and plain.object == "list"
    for one, other in zip(plain.data, packed.data):
        assert max(abs(a - b) for a, b in zip(one.embedding, other.embedding)) < 1e-6
        assert math.isclose(dot(one.embedding, one.embedding), 1, rel_tol=1e-5)
    assert plain.usage.prompt_tokens == plain.usage.total_tokens > 0
    cat, kitten, rates = (entry.embedding for entry in plain.data)
    assert dot(cat, kitten) > dot(cat, rates)
    alone = client.embeddings.create(model=model, input=texts[1], encoding_format="float").data[0].embedding
    assert dot(alone, kitten) > 0.9999


def test_token_arrays_and_dimensions(client, model, http):
    text = "The river runs."
    ids = http.post("/tokenize", json={"content": text, "add_special": True}).json()["tokens"]
    by_text = client.embeddings.create(model=model, input=text, encoding_format="float").data[0].embedding
    by_ids = client.embeddings.create(model=model, input=[ids], encoding_format="float").data[0].embedding
    assert dot(by_text, by_ids) > 0.9999
    short = client.embeddings.create(model=model, input=text, encoding_format="float", dimensions=16).data[0].embedding
    assert len(short) == 16 and math.isclose(dot(short, short), 1, rel_tol=1e-5)
    scale = math.sqrt(dot(by_text[:16], by_text[:16]))
    assert max(abs(a - b / scale) for a, b in zip(short, by_text)) < 1e-3


@pytest.mark.parametrize("change", [dict(input=""), dict(input=[]), dict(input=["a", ""]), dict(input=[[1, 10**6]]),
                                    dict(input="a", dimensions=10**6), dict(input=[[]]), dict(input="word " * 3000)])
def test_bad_inputs(client, model, change):
    with pytest.raises(openai.BadRequestError):
        client.embeddings.create(model=model, **change)


def test_a_batch_beyond_what_runs_at_once(client, model):
    answer = client.embeddings.create(model=model, input=[f"number {i}" for i in range(100)])
    assert [entry.index for entry in answer.data] == list(range(100))
