#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many streams at once against vitrine-cli serve: every one must equal its solo run; prints what they cost.

  endpoint_load.py --cli build/ci/bin/vitrine-cli [--model default] [--streams 256] [--seconds 120]

Exit status 1 if a request failed or differed.  Times are printed, never judged: other work on the machine counts in.
"""
import argparse
import asyncio
import http.client
import json
import multiprocessing
import os
import re
import select
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from random import Random

WORDS = "river stone light garden winter music paper engine cloud forest bread harbour mirror clock bridge lamp".split()


def prompt(number):
    return f"Tell me something about a {WORDS[number % len(WORDS)]} and the number {number // len(WORDS)}."


class Server:
    def __init__(self, cli, model, arguments):
        self.process = subprocess.Popen([cli, "serve", model, "--port", "0", "--only", *arguments],
                                        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        for line in self.process.stderr:
            found = re.search(r"http://([\d.]+):(\d+)", line)
            if found:
                self.host, self.port = found.group(1), int(found.group(2))
                return
        sys.exit("vitrine-cli serve printed no address")


class Connection:
    """A kept connection; answers are read as bytes and parsed once they are whole, so that the client stays cheap."""

    def __init__(self, server):
        self.server = server
        self.reader = self.writer = None

    async def request(self, head, body=b""):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(self.server.host, self.server.port)
        self.writer.write(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        status = int(answer.split(b" ")[1])
        length = re.search(rb"Content-Length: (\d+)", answer)
        if length:
            return status, await self.reader.readexactly(int(length.group(1)))
        chunks = []
        while True:
            size = int(await self.reader.readuntil(b"\r\n"), 16)
            chunks.append((await self.reader.readexactly(size + 2))[:-2])
            if size == 0:
                return status, b"".join(chunks)

    async def stream(self, text, max_tokens):
        body = json.dumps({"model": self.server.model, "messages": [{"role": "user", "content": text}], "stream": True,
                           "temperature": 0, "max_tokens": max_tokens, "stream_options": {"include_usage": True}})
        status, answer = await self.request(
            b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n",
            body.encode())
        if status != 200 or answer.count(b"data: [DONE]\n\n") != 1:
            raise RuntimeError(f"{status}: {answer[:200]!r}")
        frames = [json.loads(line[6:]) for line in answer.decode().split("\n\n")[:-2] if line.startswith("data: ")]
        said = "".join(choice["delta"].get("content") or "" for frame in frames for choice in frame["choices"])
        return said, frames[-1]["usage"]["completion_tokens"]


def probe(address, process, samples, stop):
    """In a process of its own: 256 streams keep the client's interpreter busy, and that is not what is measured."""
    connection = http.client.HTTPConnection(*address, timeout=30)
    while not stop.is_set():
        began = time.monotonic()
        connection.request("GET", "/health")
        answer = connection.getresponse()
        answer.read()
        took = time.monotonic() - began
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            samples.append((began, took, int(file.read().split()[1]) * 4096 / 2**20, answer.status))
        time.sleep(0.25)


async def touch_every_block(server):
    """Prompts of their own until each block has held something: a pool's pages cost memory from their first use on, which
    would look like growth."""
    connection = Connection(server)
    random = Random(1)
    blocks = {"free": 1, "total": 0}
    for _ in range(2000):
        stats = await connection.request(b"GET /stats HTTP/1.1\r\nHost: localhost\r\n")
        blocks = json.loads(stats[1])["kv_blocks"]
        if blocks["free"] * 50 < blocks["total"]:
            return
        body = {"model": server.model, "prompt": [random.randrange(1000, 20000) for _ in range(400)], "max_tokens": 1}
        await connection.request(
            b"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n",
            json.dumps(body).encode())
    print(f"blocks never used: {blocks['free']} of {blocks['total']}", file=sys.stderr)


async def load(server, streams, seconds, max_tokens):
    await touch_every_block(server)
    solo = {}
    one = Connection(server)
    for number in range(2 * len(WORDS)):
        solo[number] = (await one.stream(prompt(number), max_tokens))[0]
    counts = {"answers": 0, "tokens": 0, "failed": 0, "differ": 0}
    manager = multiprocessing.Manager()
    samples, stop = manager.list(), manager.Event()
    watcher = multiprocessing.Process(
        target=probe, args=((server.host, server.port), server.process.pid, samples, stop))
    watcher.start()
    began = time.monotonic()

    async def client(index):
        connection = Connection(server)
        number = index
        while time.monotonic() - began < seconds:
            key = number % len(solo)
            number += 7
            try:
                said, tokens = await connection.stream(prompt(key), max_tokens)
            except (OSError, RuntimeError, asyncio.IncompleteReadError) as error:
                counts["failed"] += 1
                connection = Connection(server)
                print("failed:", error, file=sys.stderr)
                continue
            counts["answers"] += 1
            counts["tokens"] += tokens
            if said != solo[key]:
                counts["differ"] += 1
                print(f"differs: {solo[key]!r} / {said!r}", file=sys.stderr)

    await asyncio.gather(*(client(index) for index in range(streams)))
    took = time.monotonic() - began
    stop.set()
    watcher.join()
    samples = list(samples)
    health = sorted(sample[1] * 1000 for sample in samples)
    memory = [sample[2] for sample in samples]
    half = samples[len(samples) // 2:]
    growth = 60 * statistics.linear_regression([one[0] for one in half], [one[2] for one in half]).slope
    counts["failed"] += sum(sample[3] != 200 for sample in samples)
    quarter = max(1, len(memory) // 4)
    print(f"{streams} streams for {took:.0f} s: {counts['answers']} answers, {counts['tokens'] / took:.0f} tokens/s, "
          f"{counts['failed']} failed, {counts['differ']} differ from their solo run")
    print(f"/health: median {statistics.median(health):.1f} ms, 99 % {health[int(len(health) * 0.99) - 1]:.1f} ms, "
          f"largest {health[-1]:.1f} ms of {len(health)}")
    print(f"memory: second quarter {statistics.mean(memory[quarter:2 * quarter]):.0f} MiB, "
          f"last quarter {statistics.mean(memory[-quarter:]):.0f} MiB, largest {max(memory):.0f} MiB, "
          f"growth in the second half {growth:+.2f} MiB a minute")
    return counts["failed"] + counts["differ"]


def generate_rate(cli, model, arguments, texts, max_tokens):
    """tokens/s of generate: 16 prompts at once; the longest request is the whole run, loading left out."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for text in texts:
            file.write(json.dumps({"prompt": text}) + "\n")
        file.flush()
        out = subprocess.run([cli, "generate", model, "--prompts", file.name, "-n", str(max_tokens), "--temperature", "0",
                              "--json", *arguments], capture_output=True, text=True, check=True).stdout
    result = json.loads(out)
    return sum(len(one["ids"]) for one in result["sequences"]) / result["stats"]["e2e_s"]["p99"]


def serve_rate(server, texts, max_tokens):
    """tokens/s of one stream a text.  The client looks at its sockets fifty times a second and parses at the end: it shares
    the engine's cores, and what it costs is not what the endpoint costs."""
    sockets = [socket.create_connection((server.host, server.port)) for _ in texts]
    answers = {connection: bytearray() for connection in sockets}
    began = time.monotonic()
    for connection, text in zip(sockets, texts):
        body = json.dumps({"model": server.model, "prompt": text, "stream": True, "temperature": 0,
                           "max_tokens": max_tokens, "stream_options": {"include_usage": True}}).encode()
        connection.sendall(b"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                           b"Content-Length: %d\r\n\r\n" % len(body) + body)
        connection.setblocking(False)
    left = set(sockets)
    while left:
        time.sleep(0.02)
        for connection in select.select(left, [], [], 30)[0]:
            piece = connection.recv(1 << 20)
            answers[connection] += piece
            if not piece or answers[connection].endswith(b"0\r\n\r\n"):
                left.discard(connection)
    took = time.monotonic() - began
    for connection in sockets:
        connection.close()
    return sum(int(re.findall(rb'"completion_tokens":(\d+)', answer)[-1]) for answer in answers.values()) / took


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", required=True)
    parser.add_argument("--model", default="default")
    parser.add_argument("--streams", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--max-tokens", type=int, default=24)
    parser.add_argument("--answer", type=int, default=384, help="tokens of an answer there")
    parser.add_argument("--repeats", type=int, default=3, help="pairs of generate and serve at 16 streams")
    parser.add_argument("serve_arguments", nargs="*", help="after --: options of the model, such as --num-blocks 2000")
    options = parser.parse_args()
    arguments = options.serve_arguments or ["--ctx", "512", "--num-blocks", str(options.streams * 8)]
    server = Server(options.cli, options.model, arguments)
    try:
        listed = asyncio.run(Connection(server).request(b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\n"))[1]
        server.model = json.loads(listed)["data"][0]["id"]
        bad = asyncio.run(load(server, options.streams, options.seconds, options.max_tokens))
        ratios = []
        for repeat in range(options.repeats):
            texts = [f"{prompt(number)} Again {repeat}:" for number in range(16)]
            alone = generate_rate(options.cli, options.model, arguments, texts, options.answer)
            served = serve_rate(server, texts, options.answer)
            ratios.append(served / alone)
            print(f"16 streams: generate {alone:.0f} tokens/s, serve {served:.0f} tokens/s, ratio {ratios[-1]:.3f}")
        if ratios:
            print(f"median ratio {statistics.median(ratios):.3f}")
    finally:
        server.process.terminate()
        code = server.process.wait(timeout=20)
    print(f"serve ended with {code}")
    return 1 if bad or code != 0 else 0


if __name__ == "__main__":
    os.chdir(os.path.dirname(os.path.abspath(__file__)) + "/../..")
    sys.exit(main())
