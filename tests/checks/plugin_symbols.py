#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The CUDA plugin exports its entry and nothing else; the application links no CUDA library.

usage: plugin_symbols.py BIN_DIR
"""
import os
import subprocess
import sys
import tree


def main():
    folder = sys.argv[1]
    problems = []
    plugin = os.path.join(folder, "libvitrine_cuda.so")
    if os.path.exists(plugin):
        listed = subprocess.run(["nm", "-D", "--defined-only", plugin], check=True, capture_output=True, text=True)
        exported = [line.split()[-1] for line in listed.stdout.split("\n") if line.strip()]
        extra = [name for name in exported if name != "vitrine_backend_plugin" and not name.startswith("_")]
        if "vitrine_backend_plugin" not in exported:
            problems.append("libvitrine_cuda.so does not export vitrine_backend_plugin")
        problems += [f"libvitrine_cuda.so exports {name}" for name in extra]
    for program in ("vitrine", "vitrine-cli"):
        path = os.path.join(folder, program)
        if os.path.exists(path):
            needed = subprocess.run(["ldd", path], check=True, capture_output=True, text=True).stdout
            problems += [f"{program} links {word}" for word in needed.split() if word.startswith(("libcuda", "libcublas"))]
    tree.finish("plugin_symbols", problems)


main()
