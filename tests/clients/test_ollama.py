# SPDX-License-Identifier: GPL-3.0-or-later
"""/api/* with the real ollama package."""
import json
import math

import ollama
import pytest

FRANCE = [{"role": "user", "content": "What is the capital of France?"}]
GREEDY = {"temperature": 0, "num_predict": 24}


@pytest.fixture(scope="module")
def llama(server):
    return ollama.Client(host=server.url)


def test_list_show_ps(llama, model):
    listed = llama.list().models
    assert model in [entry.model for entry in listed]
    assert all(entry.size > 0 and len(entry.digest) == 64 and entry.modified_at for entry in listed)
    shown = llama.show(model)
    assert shown.modelinfo["general.architecture"] and "completion" in shown.capabilities
    running = llama.ps().models
    assert len(running) == 1 and running[0].model == model and running[0].expires_at


def test_chat_and_stream(llama, model):
    whole = llama.chat(model=model, messages=FRANCE, options=GREEDY)
    assert "Paris" in whole.message.content and whole.done and whole.done_reason in ("stop", "length")
    assert whole.eval_count > 0 and whole.prompt_eval_count > 0 and whole.total_duration > 0
    parts = list(llama.chat(model=model, messages=FRANCE, options=GREEDY, stream=True))
    assert "".join(part.message.content for part in parts) == whole.message.content
    assert parts[-1].done and not any(part.done for part in parts[:-1])
    assert parts[-1].eval_count == whole.eval_count


def test_generate(llama, model):
    answer = llama.generate(model=model, prompt="What is the capital of France?", system="Be brief.", options=GREEDY)
    assert "Paris" in answer.response and answer.done
    raw = llama.generate(model=model, prompt="The capital of France is", raw=True, options=GREEDY)
    assert raw.response and raw.eval_count <= 24
    assert llama.generate(model=model + ":latest", prompt="", options=GREEDY).done_reason == "load"


def test_embed(llama, model):
    answer = llama.embed(model=model, input=["one", "two"])
    assert len(answer.embeddings) == 2 and answer.prompt_eval_count > 0
    assert math.isclose(sum(x * x for x in answer.embeddings[0]), 1, rel_tol=1e-5)
    assert len(llama.embeddings(model=model, prompt="one").embedding) == len(answer.embeddings[0])
    assert llama.embed(model=model, input="word " * 3000).embeddings  # cut to the context


def test_tool_arguments_are_an_object(llama, model):
    history = [{"role": "user", "content": "Weather?"},
               {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]},
               {"role": "tool", "content": "sunny", "tool_name": "f"}]
    assert llama.chat(model=model, messages=history, options={"num_predict": 4}).done


def test_errors_are_one_string(llama, model):
    with pytest.raises(ollama.ResponseError) as error:
        llama.chat(model="no-such-model", messages=FRANCE)
    assert error.value.status_code == 404 and "no-such-model" in error.value.error
    with pytest.raises(ollama.ResponseError) as error:
        llama.chat(model=model, messages=FRANCE, options={"temperature": -1})
    assert error.value.status_code == 400


def test_raw_lines(http, model):
    with http.stream("POST", "/api/chat", json={"model": model, "messages": FRANCE, "options": {"num_predict": 3}}) as answer:
        assert answer.headers["content-type"] == "application/x-ndjson"
        lines = [json.loads(line) for line in answer.iter_lines()]
    assert lines[-1]["done"] is True and lines[-1]["done_reason"] == "length"
    assert http.get("/").text == "Ollama is running"
    assert http.get("/api/version").json()["version"].startswith("0.")
    assert http.post("/api/chat", json={"model": model, "messages": 3}).json().keys() == {"error"}
