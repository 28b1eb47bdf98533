# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys, origins, stopping and errors over real HTTP clients."""
import httpx2 as httpx
import openai
import pytest

from conftest import Server


@pytest.fixture(scope="module")
def locked(cli):
    server = Server(cli, "--num-blocks", "64", "--ctx", "256", "--api-key", "secret", "--cors", "http://localhost:*")
    yield server
    assert server.stop() == 0


def test_keys(locked):
    with pytest.raises(openai.AuthenticationError):
        openai.OpenAI(base_url=locked.url + "/v1", api_key="wrong", max_retries=0).models.list()
    for headers in ({"Authorization": "bearer secret"}, {"x-api-key": "secret"}, {"api-key": "secret"}):
        assert httpx.get(locked.url + "/v1/models", headers=headers).status_code == 200
    assert httpx.get(locked.url + "/health").status_code == 200
    assert not any("secret" in line for line in locked.log)


def test_preflight(locked):
    headers = {"Origin": "http://localhost:5173", "Access-Control-Request-Headers": "authorization,content-type"}
    answer = httpx.options(locked.url + "/v1/chat/completions", headers=headers)
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == "http://localhost:5173"
    assert "Origin" in answer.headers["vary"] and "authorization" in answer.headers["access-control-allow-headers"]
    evil = httpx.options(locked.url + "/v1/chat/completions", headers={**headers, "Origin": "http://evil.com"})
    assert evil.status_code == 403 and "access-control-allow-origin" not in evil.headers


# engine reference, section 6: context 256, prompt 8 -> 248 tokens and "length"; 255 -> 1.
@pytest.mark.parametrize("prompt, expected", [(8, 248), (255, 1)])
def test_context_end_is_length(locked, prompt, expected):
    client = openai.OpenAI(base_url=locked.url + "/v1", api_key="secret", max_retries=0)
    model = client.models.list().data[0].id
    answer = client.completions.create(model=model, prompt=[260] * prompt, max_tokens=1000, temperature=0,
                                       extra_body={"ignore_eos": True})
    assert answer.usage.completion_tokens == expected and answer.choices[0].finish_reason == "length"


@pytest.mark.parametrize("prompt", [256, 300])
def test_prompt_that_fills_the_context_is_refused(locked, prompt):
    client = openai.OpenAI(base_url=locked.url + "/v1", api_key="secret", max_retries=0)
    with pytest.raises(openai.BadRequestError) as error:
        client.completions.create(model=client.models.list().data[0].id, prompt=[260] * prompt, max_tokens=1)
    assert error.value.code == "context_length_exceeded"


@pytest.mark.parametrize("body", [b"", b"[1]", b"{", b"\xff\xfe"])
def test_bad_json(http, body):
    answer = http.post("/v1/chat/completions", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400 and answer.json()["error"]["code"] == "invalid_json"


def test_text_plain_is_refused(http):
    assert http.post("/v1/chat/completions", content="{}", headers={"content-type": "text/plain"}).status_code == 415


def test_stats_have_the_counters(http):
    stats = http.get("/stats").json()
    blocks = stats["kv_blocks"]
    assert blocks["free"] + blocks["cached"] + blocks["active"] == blocks["total"] == 400
    assert 0 <= stats["prefix_cache_hit_rate"] <= 1 and stats["model"]["kv_bytes_per_token"] == 23040
