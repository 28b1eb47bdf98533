#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Minutes of mixed requests against vitrine-cli serve in invariant mode: lengths, greedy and seeded sampling, n-gram drafts, a pool
too small for all (preemption), a quarter of the streams cut off by the client.  Whole answers must equal their solo runs and
memory must stay flat; both are judged, times are not.  A GPU records up to 256 graphs of step shapes, 3.5 MiB each in host and
device memory, within the first 15 s (measured): give it minutes, the second half is judged by the second quarter.  Sampled answers are compared without drafts alone: what a draft's
verdict draws is as likely, but not the same, and how much is drafted depends on the load.

  soak.py --cli build/ci/bin/vitrine-cli [--model default] [--device auto] [--seconds 480] [--streams 48] [--no-drafts]
          [-- SERVE OPTIONS]

Prints resident and device memory every ten seconds.  Exit status 1: a failure, a difference, blocks left over, or growth.
"""
import argparse
import asyncio
import json
import pathlib
import shutil
import subprocess
import sys
import time
from random import Random

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
from endpoint_load import WORDS, Connection, Server  # noqa: E402

NUM_WORKS = 24
ALLOWED_GROWTH_MIB = 24  # of the second half over the end of the first: allocator noise of a server that holds hundreds


def works():
    """Prompts of 10 to 300 words, half of them repetitive so that drafts are accepted; every third one is sampled from."""
    random = Random(5)
    result = []
    for number in range(NUM_WORKS):
        words = [random.choice(WORDS) for _ in range(random.randrange(10, 80))]
        text = " ".join(words * random.randrange(2, 5) if number % 2 else words)
        work = {"prompt": f"{number}. {text}", "max_tokens": random.randrange(24, 160), "temperature": 0, "ignore_eos": True}
        if number % 3 == 2:
            work |= {"temperature": 0.8, "top_p": 0.9, "seed": 1000 + number}
        result.append(work)
    return result


async def ask(server, work, cut_after=None):
    """The text, or None if the stream was cut after so many events."""
    body = json.dumps({"model": server.model, "stream": True, **work}).encode()
    reader, writer = await asyncio.open_connection(server.host, server.port)
    try:
        writer.write(b"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                     b"Content-Length: %d\r\n\r\n" % len(body) + body)
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n")[0]:
            raise RuntimeError((head + await reader.read(300)).decode(errors="replace"))
        said, events = "", 0
        async for line in reader:
            if not line.startswith(b"data: "):
                continue
            if line.startswith(b"data: [DONE]"):
                return said
            frame = json.loads(line[6:])
            if "error" in frame:
                raise RuntimeError(str(frame["error"]))
            said += "".join(choice["text"] for choice in frame["choices"])
            events += 1
            if events == cut_after:
                return None
        raise RuntimeError("the stream ended without [DONE]")
    finally:
        writer.close()


async def stats(server):
    connection = Connection(server)
    try:
        answer = await connection.request(b"GET /stats HTTP/1.1\r\nHost: localhost\r\n")
    finally:
        connection.writer.close()
    return json.loads(answer[1])


def resident_mib(process):
    with open(f"/proc/{process.pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096 / 2**20


def device_mib():
    """Used memory of the first GPU; None where there is none."""
    if shutil.which("nvidia-smi") is None:
        return None
    answer = subprocess.run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits", "--id=0"],
                            capture_output=True, text=True, check=False)
    return float(answer.stdout.split()[0]) if answer.returncode == 0 and answer.stdout.strip() else None


class Soak:
    def __init__(self, server, options):
        self.server = server
        self.options = options
        self.works = works()
        self.solo = []
        self.counts = {"whole": 0, "cut": 0, "failed": 0, "differ": 0}
        self.samples = []  # (seconds, resident, device)

    async def client(self, index, began):
        random = Random(index)
        while time.monotonic() - began < self.options.seconds:
            number = random.randrange(NUM_WORKS)
            cut = random.randrange(1, 20) if random.random() < 0.25 else None
            try:
                said = await ask(self.server, self.works[number], cut)
            except (OSError, RuntimeError, asyncio.IncompleteReadError) as error:
                self.counts["failed"] += 1
                print("failed:", error, file=sys.stderr)
                continue
            if said is None:
                self.counts["cut"] += 1
                continue
            self.counts["whole"] += 1
            if said != self.solo[number] and (self.options.no_drafts or self.works[number]["temperature"] == 0):
                self.counts["differ"] += 1
                print(f"request {number} differs: {self.solo[number]!r} / {said!r}", file=sys.stderr)

    async def watch(self, began):
        print("seconds  resident MiB  device MiB  whole  cut  preemptions  drafts accepted  graphs replayed", flush=True)
        while time.monotonic() - began < self.options.seconds:
            now = await stats(self.server)
            sample = (time.monotonic() - began, resident_mib(self.server.process), device_mib())
            self.samples.append(sample)
            print(f"{sample[0]:7.0f}  {sample[1]:12.1f}  {sample[2] if sample[2] is not None else '-':>10}  "
                  f"{self.counts['whole']:5}  {self.counts['cut']:3}  {now['preemptions_total']:11}  "
                  f"{now['accepted_tokens_total']:15}  {now['graph_replays_total']:15}", flush=True)
            await asyncio.sleep(self.options.every)

    async def run(self):
        for work in self.works:
            self.solo.append(await ask(self.server, work))
        began = time.monotonic()
        await asyncio.gather(self.watch(began), *(self.client(index, began) for index in range(self.options.streams)))
        return await self.verdict()

    def growth(self, column):
        """Largest value of the second half over the largest of the second quarter: the first fills caches, buffers, graphs."""
        values = [sample[column] for sample in self.samples if sample[column] is not None]
        quarter = len(values) // 4
        if quarter == 0:
            return 0.0
        return max(values[2 * quarter:]) - max(values[quarter:2 * quarter])

    async def verdict(self):
        for _ in range(100):  # what the last cuts left ends within a step or two
            end = await stats(self.server)
            if end["running"] == 0 and end["waiting"] == 0:
                break
            await asyncio.sleep(0.1)
        problems = [f"{self.counts[name]} {name}" for name in ("failed", "differ") if self.counts[name]]
        if end["running"] or end["waiting"] or end["kv_blocks"]["active"]:
            problems.append(f"left over: {end['running']} running, {end['waiting']} waiting, "
                            f"{end['kv_blocks']['active']} blocks")
        wanted = ["preemptions_total"] if self.options.no_drafts else ["preemptions_total", "accepted_tokens_total"]
        for name in wanted:
            if end[name] == 0:
                problems.append(f"{name} is 0: that was not exercised")
        grown = {"resident": self.growth(1), "device": self.growth(2)}
        problems += [f"{name} memory grew by {value:.0f} MiB" for name, value in grown.items()
                     if value > ALLOWED_GROWTH_MIB]
        print(f"{self.counts['whole']} whole, {self.counts['cut']} cut, {self.counts['failed']} failed, "
              f"{self.counts['differ']} different; resident {grown['resident']:+.1f} MiB, device {grown['device']:+.1f} MiB "
              f"in the second half; {end['model']['device']}: {'; '.join(problems) or 'passed'}")
        return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--model", default="default")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument("--every", type=float, default=10, help="seconds between two readings of memory")
    parser.add_argument("--streams", type=int, default=48)
    parser.add_argument("--num-blocks", type=int, help="fewer than the streams want: preemption; default: 3 a stream")
    parser.add_argument("--no-drafts", action="store_true")
    parser.add_argument("serve", nargs="*", help="further options of vitrine-cli serve, behind --")
    options = parser.parse_args()
    server = Server(options.cli, options.model, [
        "--device", options.device, "--invariant", "--ctx", "1024", "--max-seqs", "64", "--num-blocks",
        str(options.num_blocks or max(48, 3 * options.streams)), *([] if options.no_drafts else ["--draft", "ngram"]), *options.serve])
    try:
        listed = asyncio.run(Connection(server).request(b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\n"))[1]
        server.model = json.loads(listed)["data"][0]["id"]
        return asyncio.run(Soak(server, options).run())
    finally:
        server.process.terminate()
        server.process.wait()


if __name__ == "__main__":
    sys.exit(main())
