#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed against llama.cpp (PyPI llama-cpp-python), the same file, the same threads, runs alternating.

usage: peer_ratio.py --cli build/release/bin/vitrine-cli --model FILE.gguf [--peer-python PYTHON] [--threads 2] [--rounds 5]
                     [--barrier build/release/bin/kernel_bench] [--json]

Both are pinned to the first THREADS cores.  Each round runs ours, then the peer; a round with more than 1 % of stolen time is
dropped.  Printed: median tokens per second of either, their ratio, ISA, steal, and one barrier in nanoseconds before and
after each round, because a virtual machine that moves its processors changes state by it (cpu_measurements.md).
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

CASES = ("pp512", "tg128", "batch16")


def median_rate(tokens, seconds):
    return tokens / statistics.median(seconds)


def peer_main(model_path, threads, flash):
    """Runs inside the peer's Python: one JSON object of tokens per second."""
    import llama_cpp as lc
    quiet = lc.llama_log_callback(lambda *_: None)  # kept alive: the library calls it later
    lc.llama_log_set(quiet, None)
    lc.llama_backend_init()
    model = lc.llama_model_load_from_file(model_path.encode(), lc.llama_model_default_params())
    params = lc.llama_context_default_params()
    params.n_ctx, params.n_batch, params.n_ubatch, params.n_seq_max = 16 * 256 + 1024, 512, 512, 16
    params.n_threads = params.n_threads_batch = threads
    if hasattr(params, "flash_attn_type"):
        params.flash_attn_type = 1 if flash else 0
    if hasattr(params, "kv_unified"):
        params.kv_unified = True
    context = lc.llama_init_from_model(model, params)
    vocab = lc.llama_vocab_n_tokens(lc.llama_model_get_vocab(model))
    batch = lc.llama_batch_init(512, 0, 16)

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
        return decode([(i * 37 % vocab, i, sequence, i + 1 == length) for i in range(length)])

    rates = {}
    prompt(512), clear()
    seconds = []
    for _ in range(3):
        seconds.append(prompt(512))
        clear()
    rates["pp512"] = median_rate(512, seconds)
    seconds = []
    for _ in range(2):
        seconds.append(sum(decode([(i * 31 % vocab, i, 0, True)]) for i in range(128)))
        clear()
    rates["tg128"] = median_rate(128, seconds)
    for sequence in range(16):
        prompt(128, sequence)
    steps = 16
    total = sum(decode([(i * 31 % vocab, 128 + i, s, True) for s in range(16)]) for i in range(steps))
    rates["batch16"] = 16 * steps / total
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


def our_rates(document):
    rates = {}
    for result in document["results"]:
        name = result["test"] + (str(result["batch"]) if result["test"] == "batch" else "")
        rates[name] = result["tokens_per_s"]
    return rates


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli")
    parser.add_argument("--model", required=True)
    parser.add_argument("--peer-python", default=sys.executable)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--barrier")
    parser.add_argument("--flash", action="store_true", help="the peer's flash attention")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--peer-run", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer_run:
        peer_main(options.model, options.threads, options.flash)
        return
    cores = sorted(os.sched_getaffinity(0))[:options.threads]
    pinned = ["taskset", "-c", ",".join(map(str, cores))]
    ours_command = pinned + [options.cli, "bench", options.model, "--device", "cpu", "--threads", str(options.threads),
                             "--pp", "512", "--tg", "128", "--batch", "16", "--reps", "3", "--json"]
    peer_command = pinned + [options.peer_python, os.path.abspath(__file__), "--peer-run", "--model", options.model,
                             "--threads", str(options.threads)] + (["--flash"] if options.flash else [])
    barrier = (lambda: float(run(pinned + [options.barrier, "barrier"]))) if options.barrier else (lambda: 0.0)
    rounds, isa = [], ""
    for index in range(options.rounds):
        before, (stolen, total) = barrier(), jiffies()
        document = json.loads(run(ours_command))
        peer = json.loads(run(peer_command).strip().split("\n")[-1])
        now_stolen, now_total = jiffies()
        steal = 100 * (now_stolen - stolen) / max(1, now_total - total)
        ours, isa = our_rates(document), document.get("isa", "")
        kept = steal <= 1
        rounds.append({"ours": ours, "peer": peer, "steal_percent": steal, "kept": kept,
                       "barrier_ns": [before, barrier()]})
        print(f"round {index + 1}: " + "  ".join(
            f"{case} {ours.get(case, 0):.0f} / {peer[case]:.0f}" for case in CASES) +
            f"  steal {steal:.1f} %  barrier {rounds[-1]['barrier_ns'][0]:.0f} / {rounds[-1]['barrier_ns'][1]:.0f} ns" +
            ("" if kept else "  dropped"), file=sys.stderr)
    kept = [entry for entry in rounds if entry["kept"]] or rounds
    summary = {}
    for case in CASES:
        ours = statistics.median(entry["ours"].get(case, 0) for entry in kept)
        peer = statistics.median(entry["peer"][case] for entry in kept)
        summary[case] = {"ours": ours, "peer": peer, "ratio": ours / peer}
    if options.json:
        print(json.dumps({"isa": isa, "summary": summary, "rounds": rounds}))
        return
    print(f"{os.path.basename(options.model)}, {isa}, {options.threads} threads, {len(kept)} of {len(rounds)} rounds")
    for case, entry in summary.items():
        print(f"{case:8} {entry['ours']:8.1f} t/s  llama.cpp {entry['peer']:8.1f} t/s  ratio {entry['ratio']:.2f}")


main()
