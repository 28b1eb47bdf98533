#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Code of a wide instruction set runs on no CPU that lacks it, and each variant is what its name says.

usage: isa_symbols.py BUILD_DIR

- No weak symbol leaves an object compiled for one instruction set: the linker might keep the wide copy for every CPU.
- What is disassembled of the baseline (kernels/api, ref and cpu but for the variants) uses no register wider than 16 bytes,
  of avx2 and avxvnni none of 64.
- The products of each variant use the instruction that the variant exists for, and not that of a wider one.
"""
import glob
import re
import subprocess
import sys
import tree

VARIANTS = ("scalar", "avx2", "avxvnni", "avx512", "amx")
FORBIDDEN = {"baseline": r"%[tyz]mm|%xmm(1[6-9]|[23]\d)", "scalar": r"%[tyz]mm|%xmm(1[6-9]|[23]\d)",
             "avx2": r"%[tz]mm|%[xy]mm(1[6-9]|[23]\d)|vpdpbusd", "avxvnni": r"%[tz]mm|%[xy]mm(1[6-9]|[23]\d)", "avx512": "%tmm", "amx": None}
PRODUCT = {"avx2": r"vpmaddubsw.*%ymm", "avxvnni": r"vpdpbusd.*%ymm", "avx512": r"vpdpbusd.*%zmm", "amx": r"tdpbs[us]d"}


def variant_of(path):
    found = re.search(r"vitrine_cpu_body_(\w+)\.dir", path)
    return found[1] if found else "baseline"


def weak_symbols(path):
    listed = subprocess.run(["nm", "-C", "--defined-only", path], check=True, capture_output=True, text=True).stdout
    for line in listed.split("\n"):
        fields = line.split(maxsplit=2)
        if len(fields) == 3 and fields[1] in "WwVvu":
            yield f"defines the weak symbol {fields[2]}"


def instructions(path):
    """Each instruction of the object as objdump writes it, without addresses and bytes."""
    listed = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True).stdout
    for line in listed.split("\n"):
        address, separator, text = line.partition(":\t")
        if separator and address.strip():
            yield text


def main():
    build = sys.argv[1]
    objects = {path: variant_of(path) for path in glob.glob(build + "/kernels/**/*.o", recursive=True)
               if "cuda" not in path[len(build):]}
    problems = [f"no object of {name} below {build}/kernels" for name in ("baseline", *VARIANTS)
                if name not in objects.values()]
    multiplies = set()
    for path, variant in sorted(objects.items()):
        short = path[len(build) + 1:]
        if variant not in ("baseline", "scalar"):
            problems += [f"{short} {text}" for text in weak_symbols(path)]
        text = "\n".join(instructions(path))
        found = re.search(FORBIDDEN[variant], text) if FORBIDDEN[variant] else None
        if found:
            line = text[text.rfind("\n", 0, found.start()) + 1:text.find("\n", found.end())]
            problems.append(f"{short} is {variant} code and has: {' '.join(line.split())}")
        if variant in PRODUCT and re.search(PRODUCT[variant], text):
            multiplies.add(variant)
    problems += [f"no object of {name} has its product, {PRODUCT[name]}" for name in PRODUCT
                 if name in objects.values() and name not in multiplies]
    tree.finish("isa_symbols", problems[:20])


main()
