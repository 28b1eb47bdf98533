#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every source file is as clang-format 14 would write it."""
import shutil
import subprocess
import tree


def main():
    tool = shutil.which("clang-format-14")
    if tool is None:
        print("format: clang-format-14 is not installed, nothing was checked")
        raise SystemExit(77)
    names = [name for name in tree.files(*tree.CODE)]
    run = subprocess.run([tool, "--dry-run", "-Werror", "--ferror-limit=1", *names], cwd=tree.ROOT, check=False,
                         capture_output=True, text=True)
    wrong = sorted({line.split(":")[0] for line in run.stderr.split("\n") if ": error:" in line})
    tree.finish("format", [f"{name} is not formatted; run clang-format-14 -i on it" for name in wrong])


main()
