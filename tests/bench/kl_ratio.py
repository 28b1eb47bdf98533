#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mean Kullback-Leibler divergence to a float64 forward pass: ours (int8 and int8x2) and llama.cpp's, same text, same ids.

usage: kl_ratio.py --cli build/release/bin/vitrine-cli --model FILE.gguf [--text LICENSE] [--windows 2] [--window 512]
                   [--peer-python PYTHON] [--threads 2] [--isa avx2] [--json]

The reference is tests/golden/make_reference.py: numpy in double precision over exactly dequantized weights, nothing of Vitrine's
or llama.cpp's.  Needs PyPI's numpy and gguf in this Python, llama-cpp-python in the peer's.  A window is a text of its own: BOS
first if the model wants one.  Printed for each: KL(reference || it) and the share of positions with the same top token, over
all positions of all windows.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = 64  # positions compared at once


def peer_main(options):
    """Runs inside the peer's Python: for each line of ids on stdin one file of logits, f32 [ids][vocabulary]."""
    import ctypes
    import llama_cpp as lc
    quiet = lc.llama_log_callback(lambda *_: None)  # kept alive: the library calls it later
    lc.llama_log_set(quiet, None)
    lc.llama_backend_init()
    model = lc.llama_model_load_from_file(options.model.encode(), lc.llama_model_default_params())
    if not model:
        sys.exit(f"llama.cpp does not load {options.model}")
    params = lc.llama_context_default_params()
    params.n_ctx = params.n_batch = params.n_ubatch = options.window
    params.n_threads = params.n_threads_batch = options.threads
    context = lc.llama_init_from_model(model, params)
    vocab = lc.llama_vocab_n_tokens(lc.llama_model_get_vocab(model))
    for index, line in enumerate(sys.stdin):
        ids = json.loads(line)
        batch = lc.llama_batch_init(len(ids), 0, 1)
        batch.n_tokens = len(ids)
        for i, token in enumerate(ids):
            batch.token[i], batch.pos[i], batch.n_seq_id[i], batch.logits[i] = token, i, 1, True
            batch.seq_id[i][0] = 0
        lc.llama_memory_clear(lc.llama_get_memory(context), True)
        if lc.llama_decode(context, batch) != 0:
            sys.exit("llama_decode failed")
        with open(os.path.join(options.folder, f"peer{index}"), "wb") as file:
            for i in range(len(ids)):
                row = lc.llama_get_logits_ith(context, i)
                file.write(ctypes.string_at(row, 4 * vocab))
        lc.llama_batch_free(batch)


def run(command, text=None):
    done = subprocess.run(command, check=False, capture_output=True, text=True, input=text)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command[:6])} ...: exit code {done.returncode}\n{done.stderr[-500:]}")
    return done.stdout


def windows_of(options):
    """Lists of ids."""
    with open(options.text, encoding="utf-8") as file:
        text = file.read()[:16 * options.window * options.windows]
    bare = json.loads(run([options.cli, "tokenize", options.model, "--json"], text))["ids"]
    with_bos = json.loads(run([options.cli, "tokenize", options.model, "--json", "--add-bos"], text))["ids"]
    first = with_bos[:1] if len(with_bos) > len(bare) else []
    step = options.window - len(first)
    if len(bare) < step * options.windows:
        sys.exit(f"{options.text} gives {len(bare)} tokens, {options.windows} windows need {step * options.windows}")
    return [first + bare[i * step:(i + 1) * step] for i in range(options.windows)]


def compare(reference, logits):
    """(sum of KL, positions of the same top token); reference: float64, logits: float32, both [rows][vocabulary]."""
    import numpy as np
    total, same = 0.0, 0
    for first in range(0, len(reference), ROWS):
        p, q = reference[first:first + ROWS], logits[first:first + ROWS].astype(np.float64)
        same += int((p.argmax(axis=-1) == q.argmax(axis=-1)).sum())
        log_p, log_q = (x - x.max(axis=-1, keepdims=True) for x in (p, q))
        log_p, log_q = (x - np.log(np.exp(x).sum(axis=-1, keepdims=True)) for x in (log_p, log_q))
        total += float((np.exp(log_p) * (log_p - log_q)).sum())
    return total, same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli")
    parser.add_argument("--model", required=True)
    parser.add_argument("--text", default=os.path.join(HERE, "../../LICENSE"))
    parser.add_argument("--windows", type=int, default=2)
    parser.add_argument("--window", type=int, default=512)
    parser.add_argument("--peer-python", default=sys.executable)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--isa", default="auto")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    parser.add_argument("--peer-run", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer_run:
        peer_main(options)
        return
    import numpy as np
    sys.path.insert(0, os.path.join(HERE, "../golden"))
    from make_reference import Model
    windows = windows_of(options)
    model = Model(options.model)
    names = {"int8": "int8", "int8x2": "int8x2", "llama.cpp": "peer"}
    sums = {name: [0.0, 0] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        run([options.peer_python, os.path.abspath(__file__), "--peer-run", "--model", options.model, "--threads",
             str(options.threads), "--window", str(options.window), "--folder", folder],
            "".join(json.dumps(ids) + "\n" for ids in windows))
        for index, ids in enumerate(windows):
            for activations in ("int8", "int8x2"):
                run([options.cli, "logits", options.model, "--device", "cpu", "--isa", options.isa, "--threads",
                     str(options.threads), "--activations", activations, "--raw", os.path.join(folder, activations + str(index)),
                     "--ids", ",".join(map(str, ids))])
            reference = model.logits(ids)
            for name, stem in names.items():
                path = os.path.join(folder, stem + str(index))
                logits = np.memmap(path, np.float32, "r").reshape(len(ids), -1)
                if logits.shape != reference.shape:
                    sys.exit(f"{name} gave logits of shape {logits.shape}, needed {reference.shape}")
                kl, same = compare(reference, logits)
                sums[name][0] += kl
                sums[name][1] += same
                os.remove(path)
    positions = sum(map(len, windows))
    result = {name: {"mean_kl": kl / positions, "same_top": same / positions} for name, (kl, same) in sums.items()}
    if options.json:
        print(json.dumps({"model": os.path.basename(options.model), "positions": positions, "results": result}))
        return
    print(f"{os.path.basename(options.model)}, {positions} positions of {os.path.basename(options.text)}")
    for name, entry in result.items():
        ratio = entry["mean_kl"] / result["llama.cpp"]["mean_kl"]
        print(f"{name:10} mean KL {entry['mean_kl']:.3e}  of llama.cpp's {ratio:.4f}  same top token {100 * entry['same_top']:.2f} %")


main()
