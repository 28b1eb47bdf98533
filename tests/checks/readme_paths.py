#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every folder with sources has a README.md, every path a README names exists, the top level holds nothing else."""
import os
import re
import tree

TOP = {"CMakeLists.txt", "CMakePresets.json", "README.md", "CONTRIBUTING.md", "LICENSE", "app", "ui", "engine",
       "kernels", "resources", "tests", "packaging"}
NAMED = re.compile(r"`((?:app|ui|engine|kernels|resources|tests|packaging)/[\w./-]*\w)`")


def main():
    problems = []
    everything = tree.files("")
    for name in everything:
        top = name.split("/")[0]
        if top not in TOP and not top.startswith("."):
            problems.append(f"{name}: {top} does not belong at the top level")
    folders = {os.path.dirname(name) for name in everything if name.endswith((".h", ".cpp", ".cu"))}
    for folder in sorted(folders):
        if not folder.startswith("tests/") and folder + "/README.md" not in everything:
            if os.path.dirname(folder) + "/README.md" not in everything or folder.count("/") < 2:
                problems.append(f"{folder} has no README.md")
    for name in everything:
        if not name.endswith(".md"):
            continue
        for path in NAMED.findall(tree.read(name)):
            placeholder = "NAME" in path or "build/" in path
            if not placeholder and not os.path.exists(os.path.join(tree.ROOT, path)):
                problems.append(f"{name} names {path}, which does not exist")
    tree.finish("readme_paths", problems)


main()
