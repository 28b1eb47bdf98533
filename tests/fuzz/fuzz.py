#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds one fuzz target with clang-14 (libFuzzer, address and undefined behaviour sanitizers) and runs it.

Usage: tests/fuzz/fuzz.py gguf|safetensors|tokenizer|jinja SECONDS [WORK_FOLDER]
Starts from the golden data as corpus; findings stay in WORK_FOLDER (default /tmp/vitrine-fuzz).
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = {"gguf": ["base", "gguf"], "safetensors": ["base", "gguf", "safetensors"],
           "tokenizer": ["base", "gguf", "safetensors", "text"], "jinja": ["base", "gguf", "safetensors", "text", "chat"]}
CORPUS = {"gguf": ["golden/vocab/gpt-2.gguf"], "safetensors": ["golden/tiny/directory/bytes/*.safetensors",
                                                                "golden/tiny/directory/bytes/config.json"],
          "tokenizer": ["golden/tiny/directory/*/tokenizer.json"], "jinja": ["golden/templates/*.jinja"]}


def main():
    name, seconds = sys.argv[1], int(sys.argv[2])
    work = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else "/tmp/vitrine-fuzz") / name
    corpus = work / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    seeds = work / "seeds"
    seeds.mkdir(exist_ok=True)
    for pattern in CORPUS[name]:
        for path in sorted((ROOT / "tests").glob(pattern))[:40]:
            (seeds / f"{path.parent.name}-{path.name}").write_bytes(path.read_bytes()[:65536])
    sources = [ROOT / f"tests/fuzz/{name}_fuzz.cpp", ROOT / "kernels/api/weight_format.cpp"]
    for folder in SOURCES[name]:
        sources += sorted((ROOT / "engine" / folder).glob("*.cpp"))
    objects = []
    flags = ["-std=c++20", "-O1", "-g", "-fsanitize=fuzzer-no-link,address,undefined", "-fno-sanitize-recover=undefined",
             f"-I{ROOT}", "-Wno-everything", "-D_GLIBCXX_ASSERTIONS"]
    for source in sources:
        target = work / (source.parent.name + "_" + source.stem + ".o")
        if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            subprocess.run(["clang++-14", *flags, "-c", source, "-o", target], check=True)
        objects.append(target)
    binary, archive = work / "fuzz", work / "sources.a"  # of an archive only what is needed is linked
    archive.unlink(missing_ok=True)
    subprocess.run(["ar", "rcs", archive, *objects[1:]], check=True)
    subprocess.run(["clang++-14", "-fsanitize=fuzzer,address,undefined", objects[0], archive, "-o", binary, "-lfmt",
                    "-lspdlog", "-lxxhash", "-lpcre2-8", "-licuuc", "-lpthread"], check=True)
    run = subprocess.run([binary, corpus, seeds, f"-max_total_time={seconds}", "-max_len=65536", "-timeout=25",
                          "-rss_limit_mb=2048", f"-artifact_prefix={work}/", "-print_final_stats=1"], check=False)
    raise SystemExit(run.returncode)


main()
