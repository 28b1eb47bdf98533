# SPDX-License-Identifier: GPL-3.0-or-later
"""What every check needs: the repository's files and their includes."""
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CODE = (".h", ".cpp", ".cu", ".cuh")
_INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^">]+)[">]', re.M)


def files(*suffixes):
    """Tracked files, and new ones git does not ignore, relative to the root."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.split("\n")
    return sorted({name for name in listed if name and name.endswith(suffixes) and os.path.exists(os.path.join(ROOT, name))})


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as source:
        return source.read()


def includes(text):
    """Pairs (kind, path): kind is '"' for the project's own headers, '<' for others."""
    return _INCLUDE.findall(text)


def finish(name, problems):
    """Prints the problems and ends with the exit code of a check."""
    for problem in problems:
        print(f"{name}: {problem}")
    raise SystemExit(1 if problems else 0)
