#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed against llama.cpp (PyPI llama-cpp-python), the same file, the same threads, runs alternating.

usage: peer_ratio.py --cli build/release/bin/vitrine-cli --model FILE.gguf [--cases pp512,tg128,tg128@2048,batch4,batch16]
                     [--peer-python PYTHON] [--threads 2] [--rounds 5] [--isa avx2] [--probe build/ci/bin/kernel_bench]
                     [--json]

A case is ppN (a prompt of N tokens), tgN (N tokens one by one), tgN@D (the same after D tokens) or batchN (N sequences at once,
each after 128 tokens).

Both are pinned to the first THREADS cores.  Each round runs ours, then the peer; a round with more than 1 % of stolen time is
dropped.  Printed: median tokens per second of either, their ratio, ISA, steal, and with --probe one barrier in nanoseconds and
the read bandwidth before and after each round: a virtual machine that moves its processors changes state by them
(cpu_measurements.md), so a round between whose two barriers lies a factor of 2 is dropped as well.  With --probe each of our
figures is stated against its roof too, measured in the same minutes: what decoding reads (weights, and an f16 cache at the
mean context) as a share of the read bandwidth, and what a prompt multiplies in its layers as a share of the peak of 8-bit
products of our ISA on all threads.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time

import model_work

CASES = ("pp512", "tg128", "batch16")
MAX_SEQUENCES = 16
BATCH_DEPTH, BATCH_STEPS = 128, 16  # a batch: tokens of context before it, steps


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
            prompt(BATCH_DEPTH, sequence)
        return tokens * BATCH_STEPS / sum(decode([(i * 31 % vocab, BATCH_DEPTH + i, s, True) for s in range(tokens)])
                                          for i in range(BATCH_STEPS))

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
    parsed = [parse_case(case) for case in cases]
    rates, isa = {}, ""

    def bench(depth, **sizes):
        lists = [part for test in ("pp", "tg", "batch") for part in (f"--{test}", sizes.get(test) or "0")]
        document = json.loads(run(command + ["--depth", str(depth)] + lists))
        for result in document["results"]:
            name = result["test"] + (str(result["batch"]) if result["test"] == "batch" else "")
            rates[name + (f"@{depth}" if depth and name.startswith("tg") else "")] = result["tokens_per_s"]
        return document.get("isa", "")

    def listed(kind, depth=0):
        return ",".join(str(n) for k, n, d in parsed if k == kind and d == depth)
    for depth in sorted({d for k, _, d in parsed if k != "batch"}):
        isa = bench(depth, pp=listed("pp") if depth == 0 else "", tg=listed("tg", depth))
    if listed("batch"):
        isa = bench(BATCH_DEPTH, tg=str(BATCH_STEPS), batch=listed("batch"))
    return rates, isa


def share_of_roof(case, rate, work, probe, isa):
    """(percent, of what) of one of our figures."""
    kind, tokens, depth = parse_case(case)
    if kind == "pp":
        peak = probe["threads"] * probe["peak_products_per_ns"].get(isa, 0)
        return (100 * rate * work["prompt_products"] / 1e9 / peak, "of the 8-bit peak") if peak and not work["dense"] else None
    sequences = tokens if kind == "batch" else 1
    context = BATCH_DEPTH + BATCH_STEPS / 2 if kind == "batch" else depth + tokens / 2
    step_bytes = work["decode_bytes"] + sequences * context * work["kv_bytes"]
    return 100 * rate / sequences * step_bytes / 1e9 / probe["read_gb_per_s"], "of the read bandwidth"


def straddles(probes):
    """Whether the machine changed its state between two probes."""
    if not all(probes):
        return False
    slow, fast = max(p["barrier_ns"] for p in probes), min(p["barrier_ns"] for p in probes)
    return slow > 2 * max(fast, 40)


def state_text(probes):
    if not all(probes):
        return ""
    return "  barrier " + " / ".join(f"{p['barrier_ns']:.0f}" for p in probes) + " ns  read " + " / ".join(
        f"{p['read_gb_per_s']:.0f}" for p in probes) + " GB/s"


def best_probe(rounds):
    """The roofs of the kept rounds: the median barrier, the best rates (what disturbs a probe only ever slows it)."""
    probes = [probe for entry in rounds for probe in entry["probes"] if probe]
    if not probes:
        return None
    peaks = {isa: max(p["peak_products_per_ns"][isa] for p in probes) for isa in probes[0]["peak_products_per_ns"]}
    return {"threads": probes[0]["threads"], "barrier_ns": statistics.median(p["barrier_ns"] for p in probes),
            "read_gb_per_s": max(p["read_gb_per_s"] for p in probes), "peak_products_per_ns": peaks}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli")
    parser.add_argument("--model", required=True)
    parser.add_argument("--peer-python", default=sys.executable)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--probe", "--barrier", help="kernel_bench, for barriers and roofs")
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
    probe = (lambda: json.loads(run(pinned + [options.probe, "probe", str(options.threads)]))) if options.probe else (lambda: None)
    rounds, isa = [], ""
    for index in range(options.rounds):
        before, (stolen, total) = probe(), jiffies()
        ours, isa = our_rates(ours_command, cases)
        peer = json.loads(run(peer_command).strip().split("\n")[-1])
        now_stolen, now_total = jiffies()
        probes = [before, probe()]
        steal = 100 * (now_stolen - stolen) / max(1, now_total - total)
        kept = steal <= 1 and not straddles(probes)
        rounds.append({"ours": ours, "peer": peer, "steal_percent": steal, "kept": kept, "probes": probes})
        print(f"round {index + 1}: " + "  ".join(
            f"{case} {ours.get(case, 0):.0f} / {peer[case]:.0f}" for case in cases) + f"  steal {steal:.1f} %" +
            state_text(probes) + ("" if kept else "  dropped"), file=sys.stderr)
    if not any(entry["kept"] for entry in rounds):
        print("every round was disturbed: the figures below are of disturbed rounds", file=sys.stderr)
    kept = [entry for entry in rounds if entry["kept"]] or rounds
    roof = best_probe(kept)
    work = model_work.model_work(options.model) if roof else None
    summary = {}
    for case in cases:
        ours = statistics.median(entry["ours"].get(case, 0) for entry in kept)
        peer = statistics.median(entry["peer"][case] for entry in kept)
        summary[case] = {"ours": ours, "peer": peer, "ratio": ours / peer}
        share = share_of_roof(case, ours, work, roof, isa) if roof else None
        if share:
            summary[case]["percent"], summary[case]["roof"] = share
    if options.json:
        print(json.dumps({"isa": isa, "roof": roof, "summary": summary, "rounds": rounds}))
        return
    if roof:
        print(f"roofs: read {roof['read_gb_per_s']:.1f} GB/s, {roof['threads'] * roof['peak_products_per_ns'].get(isa, 0):.0f} "
              f"8-bit products/ns, barrier {roof['barrier_ns']:.0f} ns")
    print(f"{os.path.basename(options.model)}, {isa}, {options.threads} threads, {len(kept)} of {len(rounds)} rounds")
    for case, entry in summary.items():
        share = f"  {entry['percent']:.0f} % {entry['roof']}" if "percent" in entry else ""
        print(f"{case:11} {entry['ours']:8.1f} t/s  llama.cpp {entry['peer']:8.1f} t/s  ratio {entry['ratio']:.2f}{share}")


main()
