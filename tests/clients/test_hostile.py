# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile and broken clients on raw sockets: right status, bounded memory, others served."""
import json
import socket
import time

import httpx2 as httpx
import pytest

HEAD = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def exchange(server, data, wait=5, to_the_end=False):
    """Sends bytes, reads until the peer closes, nothing comes for a while, or one answer is whole."""
    with server.connect(timeout=wait) as peer:
        try:
            peer.sendall(data if isinstance(data, bytes) else data.encode())
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused before all was sent: the answer is there
        answer = b""
        try:
            while True:
                piece = peer.recv(65536)
                if not piece:
                    break
                answer += piece
                head, mark, body = answer.partition(b"\r\n\r\n")
                if not to_the_end and mark and b"content-length: %d\r\n" % len(body) in head.lower() + b"\r\n":
                    break
        except (TimeoutError, ConnectionResetError):
            pass
    return answer


def status(answer):
    return int(answer.split(b" ")[1]) if answer.startswith(b"HTTP/1.1 ") else None


def chat_body(model, **more):
    return {"model": model, "messages": [{"role": "user", "content": "Hi"}], "max_tokens": 2, **more}


@pytest.fixture(autouse=True)
def others_are_served(server):
    yield
    began = time.monotonic()
    assert httpx.get(server.url + "/health", timeout=5).status_code == 200
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("name, data, expected", [
    ("no host", "GET /health HTTP/1.1\r\n\r\n", 400),
    ("two hosts", "GET /health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
    ("rebinding", "GET /health HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403),
    ("rebinding by prefix", "GET /health HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n", 403),
    ("rebinding by user", "GET /health HTTP/1.1\r\nHost: localhost@evil.example\r\n\r\n", 403),
    ("case and port", "GET /health HTTP/1.1\r\nHost: LOCALHOST:1\r\n\r\n", 200),
    ("ipv6", "GET /health HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", 200),
    ("foreign ipv6", "GET /health HTTP/1.1\r\nHost: [::2]\r\n\r\n", 403),
    ("absolute target", "GET http://localhost/health HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("unknown verb", "BREW /health HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    ("unknown path", "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    ("bad escape", "GET /v1/models/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("zero byte", "GET /v1/models/%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("query", "GET /health?x=1&y= HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
    ("trailing slash", "GET //health/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
    ("head", "HEAD /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 200),
    ("options", "OPTIONS /v1/models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 204),
    ("get on post", "GET /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    ("ten thousand fields", "GET /health HTTP/1.1\r\nHost: localhost\r\n" + "a: b\r\n" * 10_000 + "\r\n", 431),
    ("endless line", "GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + "a" * 200_000, 431),
    ("long target", "GET /" + "a" * 9_000 + " HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
    ("garbage", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20, 400),
    ("two lengths", HEAD + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
    ("length and chunked", HEAD + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("chunked hidden", HEAD + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400),
    ("identity", HEAD + "Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}", 400),
    ("space before colon", "GET /health HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
    ("folded field", "GET /health HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n", 400),
    ("negative length", HEAD + "Content-Length: -1\r\n\r\n", 400),
    ("huge length", HEAD + "Content-Length: 99999999999999999999999\r\n\r\n", 400),
    ("too large", HEAD + "Content-Length: 99999999\r\n\r\n", 413),
    ("bad chunk size", HEAD + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", 400),
    ("huge chunk size", HEAD + "Transfer-Encoding: chunked\r\n\r\nffffffffff\r\n", 413),
    ("gzip bomb", HEAD + "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x01\x08\x00", 415),
    ("text body", "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
                  "Content-Length: 2\r\n\r\n{}", 415),
    ("origin", "GET /v1/models HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost.evil.com\r\n\r\n", 403),
    ("null origin", "GET /v1/models HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n\r\n", 403),
])
def test_heads(server, name, data, expected):
    assert status(exchange(server, data.encode("latin-1"))) == expected, name


@pytest.mark.parametrize("name, body, expected", [
    ("empty", b"", 400), ("array", b"[]", 400), ("number", b"3", 400), ("cut", b'{"model":', 400),
    ("utf-8", b'{"model":"\xff"}', 400), ("nan", b'{"temperature":NaN}', 400), ("deep", b"[" * 100_000, 400),
    ("deep object", b'{"a":' * 5_000 + b"1" + b"}" * 5_000, 400), ("lone surrogate", b'{"model":"\\ud800"}', 400),
    ("trailing", b'{"model":"m"} x', 400), ("huge exponent", b'{"model":"m","temperature":1e999}', 400)])
def test_bodies(server, name, body, expected):
    answer = exchange(server, HEAD.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    assert status(answer) == expected, (name, answer)
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["type"] == "invalid_request_error"


def test_bodies_that_are_fine(server, model):
    def post(body, head=HEAD):
        return status(exchange(server, head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body))
    good = json.dumps(chat_body(model)).encode()
    assert post(good) == 200
    assert post(b"\xef\xbb\xbf" + good) == 200  # a byte order mark
    assert post(good, HEAD.replace("application/json", "Application/JSON; charset=utf-8")) == 200
    assert post(good[:-1] + b',"temperature":2,"temperature":0}') == 200  # the last of a doubled key counts
    assert post(json.dumps(chat_body(model, messages=[{"role": "user", "content": "a\0b"}])).encode()) == 200
    assert post(json.dumps(chat_body(model, seed=2**63 - 1, max_tokens=1.0)).encode()) == 200


def test_expect_continue_and_chunks(server, model):
    body = json.dumps(chat_body(model)).encode()
    with server.connect() as peer:
        peer.sendall(HEAD.encode() + b"Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n")
        assert peer.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        for at in range(0, len(body), 7):
            piece = body[at:at + 7]
            peer.sendall(b"%x;ext=1\r\n%s\r\n" % (len(piece), piece))
        peer.sendall(b"0\r\nHost: evil\r\n\r\n")
        assert peer.recv(1000).startswith(b"HTTP/1.1 200 OK")
    refused = exchange(server, HEAD.replace("localhost", "evil") + "Expect: 100-continue\r\nContent-Length: 9\r\n\r\n")
    assert status(refused) == 403 and b"100 Continue" not in refused


def test_pipelined_requests_are_answered_in_order(server, model):
    body = json.dumps(chat_body(model)).encode()
    one = HEAD.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body
    last = b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    answer = exchange(server, one + one + last, wait=30, to_the_end=True)
    assert answer.count(b"HTTP/1.1 200 OK") == 3 and answer.count(b'"chat.completion"') == 2
    assert answer.rindex(b'"chat.completion"') < answer.index(b'"list"')


def test_a_refused_body_is_not_the_next_request(server):
    inner = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    data = (HEAD.replace("localhost", "evil") + f"Content-Length: {len(inner)}\r\n\r\n{inner}"
            "GET /v1/models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    answer = exchange(server, data, to_the_end=True)
    assert status(answer) == 403 and b'"status":"ok"' not in answer and answer.count(b"HTTP/1.1 200") == 1


def test_slow_loris_and_silent_clients_are_closed(server):
    began = time.monotonic()
    slow = [server.connect() for _ in range(40)]
    for peer in slow[:20]:
        peer.sendall(b"GET /health HTTP/1.1\r\nHost: loc")
    assert httpx.get(server.url + "/health", timeout=3).status_code == 200
    while time.monotonic() - began < 11:  # the deadline is 10 s for the head, whatever trickles in
        for peer in slow[:20]:
            try:
                peer.sendall(b"a")
            except OSError:
                pass
        time.sleep(1)
    for peer in slow[:20]:
        peer.settimeout(2)
        try:
            assert peer.recv(100) == b""
        except ConnectionResetError:
            pass
    for peer in slow:
        peer.close()


def test_half_closed_and_vanished_clients_free_their_slot(server, http, model):
    body = json.dumps(chat_body(model, max_tokens=1500, stream=True)).encode()
    data = HEAD.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body
    peers = [server.connect() for _ in range(4)]
    for peer in peers:
        peer.sendall(data)
    peers[0].recv(100)
    peers[0].shutdown(socket.SHUT_WR)
    peers[1].recv(100)
    peers[1].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, bytes([1, 0, 0, 0, 0, 0, 0, 0]))
    for peer in peers[1:]:
        peer.close()  # two of them before any answer
    deadline = time.monotonic() + 3
    while http.get("/stats").json()["running"] and time.monotonic() < deadline:
        time.sleep(0.05)
    stats = http.get("/stats").json()
    assert stats["running"] == stats["waiting"] == 0 and stats["kv_blocks"]["active"] == 0


def test_memory_stays_bounded(server, model):
    before = server.resident_bytes()
    deep = b"[" * 1_000_000
    for _ in range(20):
        exchange(server, HEAD.encode() + b"Content-Length: %d\r\n\r\n" % len(deep) + deep)
        exchange(server, HEAD + "Transfer-Encoding: chunked\r\n\r\n" + "1\r\n[\r\n" * 20_000 + "0\r\n\r\n")
        exchange(server, "GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + "a" * 100_000)
    long_prompt = "word " * 400_000  # one line of 2 MB
    body = json.dumps(chat_body(model, messages=[{"role": "user", "content": long_prompt}])).encode()
    answer = exchange(server, HEAD.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body, wait=60)
    assert status(answer) == 400 and b"context_length_exceeded" in answer
    assert server.resident_bytes() - before < 200 << 20


def test_keep_alive_over_a_hundred_requests(server):
    with server.connect() as peer:
        for _ in range(100):
            peer.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert peer.recv(1000).startswith(b"HTTP/1.1 200 OK")
