#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed against llama.cpp (PyPI llama-cpp-python), the same file, the same threads, runs alternating.

usage: peer_ratio.py --cli build/release/bin/vitrine-cli --model FILE.gguf [--cases pp512,tg128,tg128@2048,batch4,batch16]
                     [--peer-python PYTHON] [--threads 2] [--rounds 5] [--isa avx2] [--barrier build/release/bin/kernel_bench]
                     [--json]

A case is ppN (a prompt of N tokens), tgN (N tokens one by one), tgN@D (the same after D tokens) or batchN (N sequences at once,
each after 128 tokens).

Both are pinned to the first THREADS cores.  Each round runs ours, then the peer; a round with more than 1 % of stolen time is
dropped.  Printed: median tokens per second of either, their ratio, ISA, steal, and one barrier in nanoseconds before and
after each round, because a virtual machine that moves its processors changes state by it (cpu_measurements.md).
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time

CASES = ("pp512", "tg128", "batch16")
MAX_SEQUENCES = 16


def parse_case(case):
    """(kind, tokens, depth) of a case."""
    match = re.fullmatch(r"(pp|tg|batch)(\d+)(?:@(\d+))?", case)
    if match is None or (match[3] and match[1] != "tg"):
        sys.exit(f"case {case} is none of ppN, tgN, tgN@D, batchN")
    return match[1], int(match[2]), int(match[3] or 0)


def peer_main(model_path, threads, flash, cases):
    """Runs inside the peer's Python: one JSON object of tokens per second."""
    import llama_cpp as lc
    quiet = lc.llama_log_callback(lambda *_: None)  # kept alive: the library calls it later
    lc.llama_log_set(quiet, None)
    lc.llama_backend_init()
    model = lc.llama_model_load_from_file(model_path.encode(), lc.llama_model_default_params())
    if not model:
        sys.exit(f"llama.cpp does not load {model_path}")
    params = lc.llama_context_default_params()
    params.n_ctx, params.n_batch, params.n_ubatch, params.n_seq_max = MAX_SEQUENCES * 256 + 1024, 512, 512, MAX_SEQUENCES
    params.n_threads = params.n_threads_batch = threads
    if hasattr(params, "flash_attn_type"):
        params.flash_attn_type = 1 if flash else 0
    if hasattr(params, "kv_unified"):
        params.kv_unified = True
    context = lc.llama_init_from_model(model, params)
    vocab = lc.llama_vocab_n_tokens(lc.llama_model_get_vocab(model))
    batch = lc.llama_batch_init(512, 0, MAX_SEQUENCES)

    def clear():
        lc.llama_memory_clear(lc.llama_get_memory(context), True)

    def decode(entries):
        batch.n_tokens = len(entries)
        for i, (token, position, sequence, wants_logits) in enumerate(entries):
            batch.token[i], batch.pos[i], batch.n_seq_id[i] = token, position, 1
            batch.seq_id[i][0], batch.logits[i] = sequence, wants_logits
        start = time.perf_counter()
        if lc.llama_decode(context, batch) != 0:
            sys.exit("llama_decode failed")
        lc.llama_synchronize(context)
        return time.perf_counter() - start

    def prompt(length, sequence=0):
        return sum(decode([(i * 37 % vocab, i, sequence, i + 1 == length) for i in range(first, min(first + 512, length))])
                   for first in range(0, length, 512))

    def fresh_prompt(length):
        clear()
        return prompt(length)

    def measure(kind, tokens, depth):
        if kind == "pp":
            return tokens / statistics.median(fresh_prompt(tokens) for _ in range(3))
        if kind == "tg":
            if depth:
                prompt(depth)
            return tokens / sum(decode([(i * 31 % vocab, depth + i, 0, True)]) for i in range(tokens))
        for sequence in range(tokens):
            prompt(128, sequence)
        steps = 16
        return tokens * steps / sum(decode([(i * 31 % vocab, 128 + i, s, True) for s in range(tokens)]) for i in range(steps))

    rates = {}
    prompt(512)
    for case in cases:
        clear()
        rates[case] = measure(*parse_case(case))
    print(json.dumps(rates))


def jiffies():
    """(stolen, all) of all processors."""
    with open("/proc/stat", encoding="ascii") as stat:
        fields = [int(x) for x in stat.readline().split()[1:9]]
    return fields[7], sum(fields)


def run(command):
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command[:6])} ...: exit code {done.returncode}\n{done.stderr[-500:]}")
    return done.stdout


def our_rates(command, cases):
    """Ours, one `bench` per depth: ({case: tokens per second}, isa)."""
    parsed = {case: parse_case(case) for case in cases}
    rates, isa = {}, ""
    for depth in sorted({d for _, _, d in parsed.values()}):
        def listed(kind):
            return ",".join(str(n) for k, n, d in parsed.values() if k == kind and d == depth)
        document = json.loads(run(command + ["--depth", str(depth), "--pp", listed("pp") or "0", "--tg", listed("tg") or "0",
                                             "--batch", listed("batch") or "0"]))
        isa = document.get("isa", "")
        for result in document["results"]:
            name = result["test"] + (str(result["batch"]) if result["test"] == "batch" else "") + (f"@{depth}" if depth else "")
            rates[name] = result["tokens_per_s"]
    return rates, isa


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli")
    parser.add_argument("--model", required=True)
    parser.add_argument("--peer-python", default=sys.executable)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--barrier")
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--isa", default="auto", help="ours; the peer takes its best")
    parser.add_argument("--flash", action="store_true", help="the peer's flash attention")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--peer-run", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    cases = options.cases.split(",")
    if options.peer_run:
        peer_main(options.model, options.threads, options.flash, cases)
        return
    cores = sorted(os.sched_getaffinity(0))[:options.threads]
    pinned = ["taskset", "-c", ",".join(map(str, cores))]
    ours_command = pinned + [options.cli, "bench", options.model, "--device", "cpu", "--threads", str(options.threads),
                             "--isa", options.isa, "--reps", "3", "--json"]
    peer_command = pinned + [options.peer_python, os.path.abspath(__file__), "--peer-run", "--model", options.model,
                             "--threads", str(options.threads), "--cases", options.cases] + (["--flash"] if options.flash else [])
    barrier = (lambda: float(run(pinned + [options.barrier, "barrier"]))) if options.barrier else (lambda: 0.0)
    rounds, isa = [], ""
    for index in range(options.rounds):
        before, (stolen, total) = barrier(), jiffies()
        ours, isa = our_rates(ours_command, cases)
        peer = json.loads(run(peer_command).strip().split("\n")[-1])
        now_stolen, now_total = jiffies()
        steal = 100 * (now_stolen - stolen) / max(1, now_total - total)
        kept = steal <= 1
        rounds.append({"ours": ours, "peer": peer, "steal_percent": steal, "kept": kept,
                       "barrier_ns": [before, barrier()]})
        print(f"round {index + 1}: " + "  ".join(
            f"{case} {ours.get(case, 0):.0f} / {peer[case]:.0f}" for case in cases) +
            f"  steal {steal:.1f} %  barrier {rounds[-1]['barrier_ns'][0]:.0f} / {rounds[-1]['barrier_ns'][1]:.0f} ns" +
            ("" if kept else "  dropped"), file=sys.stderr)
    kept = [entry for entry in rounds if entry["kept"]] or rounds
    summary = {}
    for case in cases:
        ours = statistics.median(entry["ours"].get(case, 0) for entry in kept)
        peer = statistics.median(entry["peer"][case] for entry in kept)
        summary[case] = {"ours": ours, "peer": peer, "ratio": ours / peer}
    if options.json:
        print(json.dumps({"isa": isa, "summary": summary, "rounds": rounds}))
        return
    print(f"{os.path.basename(options.model)}, {isa}, {options.threads} threads, {len(kept)} of {len(rounds)} rounds")
    for case, entry in summary.items():
        print(f"{case:11} {entry['ours']:8.1f} t/s  llama.cpp {entry['peer']:8.1f} t/s  ratio {entry['ratio']:.2f}")


main()
