#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Quantized files of ours and of llama.cpp's llama_model_quantize from the same F16 file, compared by KL to that file.

Run by hand, with llama-cpp-python (LLAMA_CPP_LIB_PATH and PYTHONPATH if it is not installed):
  quantize_peer.py [--windows 6] CLI F16.gguf TEXT OUT_DIR TYPE...       CLI: build/ci/bin/vitrine-cli; windows of 256 tokens
Prints a line a type: bits per weight, mean and 99.9 % KL, same top token, of both.
"""
import ctypes
import json
import pathlib
import subprocess
import sys

import llama_cpp

FTYPES = {"q4_0": 2, "q4_1": 3, "q8_0": 7, "q5_0": 8, "q5_1": 9, "q2_k": 10, "q3_k_s": 11, "q3_k_m": 12, "q3_k_l": 13,
          "q4_k_s": 14, "q4_k_m": 15, "q5_k_s": 16, "q5_k_m": 17, "q6_k": 18, "q2_k_s": 21, "iq4_nl": 25, "iq4_xs": 30, "mxfp4_moe": 38}


def peer(source, target, kind):
    params = llama_cpp.llama_model_quantize_default_params()
    params.ftype = FTYPES[kind]
    params.nthread = 2
    status = llama_cpp.llama_model_quantize(source.encode(), target.encode(), ctypes.byref(params))
    if status != 0:
        raise SystemExit(f"llama_model_quantize gave {status} for {kind}")


def main():
    arguments, windows = sys.argv[1:], "6"
    if arguments[0] == "--windows":
        windows, arguments = arguments[1], arguments[2:]
    cli, source, text, out, *kinds = arguments
    folder = pathlib.Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    for kind in kinds or FTYPES:
        line = f"{kind:8}"
        for who in ("ours", "peer"):
            target = str(folder / f"{kind}.{who}.gguf")
            if who == "ours":
                subprocess.run([cli, "quantize", source, target, kind], check=True, stderr=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL)
            else:
                peer(source, target, kind)
            done = subprocess.run([cli, "quality", target, source, "-f", text, "--max-windows", windows, "--json"], check=True,
                                  capture_output=True, text=True)
            r = json.loads(done.stdout)
            line += (f"  {who} {r['candidate']['bits_per_weight']:.3f} bpw KL {r['mean_kl']:.5f} 99.9 {r['kl_99_9']:.4f} "
                     f"top {100 * r['top1_agreement']:.2f} %")
            pathlib.Path(target).unlink()
        print(line, flush=True)


main()
