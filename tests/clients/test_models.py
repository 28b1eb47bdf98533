# SPDX-License-Identifier: GPL-3.0-or-later
"""Several models behind one server: loading by name, aliases, unloading when idle."""
import concurrent.futures
import os
import pathlib
import time

import httpx2 as httpx
import ollama
import openai
import pytest

from conftest import Server

SMALL = ["--num-blocks", "64", "--ctx", "256", "--max-seqs", "4"]


def default_model():
    data = os.environ.get("VITRINE_DATA_DIR") or os.path.join(
        os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"), "vitrine")
    return pathlib.Path(data) / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf"


@pytest.fixture(scope="module")
def twins(cli, tmp_path_factory):
    """Two names of one file: loading the other is a real load."""
    folder = tmp_path_factory.mktemp("models")
    for name in ("alpha", "beta"):
        (folder / f"{name}.gguf").symlink_to(default_model())
    (folder / "broken.gguf").write_bytes(b"GGUF" + bytes(60))
    server = Server(cli, *SMALL, "--models-dir", str(folder), "--alias", "claude-local", "--alias",
                    f"second={folder / 'beta.gguf'}", model=str(folder / "alpha.gguf"))
    yield server
    assert server.stop() == 0


def ask(server, model, text="Name a river.", **more):
    client = openai.OpenAI(base_url=server.url + "/v1", api_key="none", max_retries=0)
    return client.chat.completions.create(model=model, messages=[{"role": "user", "content": text}],
                                          **{"max_tokens": 8, "temperature": 0, **more})


def loaded(server):
    models = httpx.get(server.url + "/v1/models").json()["data"]
    return [entry["id"] for entry in models if entry["meta"]["loaded"]]


def test_loads_by_name_and_echoes_it(twins):
    names = [entry["id"] for entry in httpx.get(twins.url + "/v1/models").json()["data"]]
    assert names[0] == "alpha" and {"alpha", "beta", "claude-local", "second"} <= set(names)
    first = ask(twins, "alpha").choices[0].message.content
    answer = ask(twins, "BETA.gguf")
    assert answer.model == "BETA.gguf" and answer.choices[0].message.content == first
    assert "beta" in loaded(twins) and "second" in loaded(twins)
    assert ask(twins, "claude-local").choices[0].message.content == first  # whichever is loaded


def test_unknown_names_the_known(twins):
    with pytest.raises(openai.NotFoundError) as error:
        ask(twins, "gamma")
    assert error.value.code == "model_not_found" and "alpha" in error.value.message and "beta" in error.value.message


def test_a_broken_file_is_an_error_and_the_server_goes_on(twins):
    with pytest.raises(openai.InternalServerError) as error:
        ask(twins, "broken")
    assert error.value.code == "model_load_failed" and error.value.response.headers["x-should-retry"] == "false"
    assert ask(twins, "alpha").choices


def test_two_models_asked_at_once_are_served_in_turn(twins):
    solo = ask(twins, "alpha").choices[0].message.content
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda i: ask(twins, ("alpha", "beta")[i % 2]), range(16)))
    assert [answer.choices[0].message.content for answer in answers] == [solo] * 16
    assert [answer.model for answer in answers] == ["alpha", "beta"] * 8


def test_a_client_that_leaves_while_waiting_is_forgotten(twins):
    ask(twins, "alpha")
    client = openai.OpenAI(base_url=twins.url + "/v1", api_key="none", max_retries=0)
    stream = client.chat.completions.create(model="alpha", messages=[{"role": "user", "content": "Tell a story."}],
                                            max_tokens=200, stream=True)
    next(iter(stream))
    with pytest.raises(openai.APITimeoutError):
        ask(twins, "beta", timeout=0.2)
    stream.close()
    deadline = time.monotonic() + 5
    while httpx.get(twins.url + "/stats").json()["running"] and time.monotonic() < deadline:
        time.sleep(0.05)
    assert ask(twins, "alpha").choices and "alpha" in loaded(twins)


def test_keep_alive_zero_unloads_and_the_next_request_loads_again(twins):
    llama = ollama.Client(host=twins.url)
    ask(twins, "alpha")
    assert llama.generate(model="alpha", prompt="", keep_alive=0).done_reason == "unload"
    deadline = time.monotonic() + 5
    while loaded(twins) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert loaded(twins) == [] and llama.ps().models == []
    assert httpx.get(twins.url + "/health").status_code == 200
    assert ask(twins, "beta").choices and "beta" in loaded(twins)


def test_idle_model_goes_by_itself(cli, tmp_path):
    (tmp_path / "alpha.gguf").symlink_to(default_model())
    server = Server(cli, *SMALL, "--models-dir", str(tmp_path), "--idle-unload", "1",
                    model=str(tmp_path / "alpha.gguf"))
    try:
        ask(server, "alpha")
        deadline = time.monotonic() + 10
        while loaded(server) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert loaded(server) == []
        assert ask(server, "alpha").choices
    finally:
        assert server.stop() == 0


def test_only_serves_one(cli):
    server = Server(cli, *SMALL, "--only")
    try:
        assert len(httpx.get(server.url + "/v1/models").json()["data"]) == 1
        with pytest.raises(openai.NotFoundError):
            ask(server, "alpha")
    finally:
        assert server.stop() == 0
