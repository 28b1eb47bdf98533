#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""No weak symbol leaves an object compiled for one instruction set: the linker might keep the wide copy for every CPU.

usage: isa_symbols.py BUILD_DIR
"""
import glob
import subprocess
import sys
import tree


def main():
    build = sys.argv[1]
    objects = [path for path in glob.glob(build + "/kernels/cpu/**/*.o", recursive=True)
               if any(isa in path for isa in ("avx2", "avxvnni", "avx512"))]
    if not objects:
        tree.finish("isa_symbols", [f"no avx2 or avx512 object below {build}/kernels/cpu"])
    problems = []
    for path in objects:
        listed = subprocess.run(["nm", "-C", "--defined-only", path], check=True, capture_output=True, text=True).stdout
        for line in listed.split("\n"):
            fields = line.split(maxsplit=2)
            if len(fields) == 3 and fields[1] in "WwVvu":
                problems.append(f"{path.split('/kernels/cpu/')[-1]} defines the weak symbol {fields[2]}")
    tree.finish("isa_symbols", problems[:20])


main()
