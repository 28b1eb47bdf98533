#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Heads, names and words: SPDX line, #pragma once, snake_case files, none of the words the house avoids."""
import os
import re
import tree

BAD_WORDS = re.compile(r"(^|_)(utils?|helpers?|common|misc|stuff)(_|\.|$)")
OPEN_WORK = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
COLOUR = re.compile(r'"#[0-9a-fA-F]{3,8}"|QColor\(\s*\d+\s*,')


def main():
    problems = []
    for name in tree.files(*tree.CODE):
        text = tree.read(name)
        base = os.path.basename(name)
        if "SPDX-License-Identifier: GPL-3.0-or-later" not in text[:200]:
            problems.append(f"{name}: the first line must be the SPDX line")
        if name.endswith((".h", ".cuh")) and "#pragma once" not in text[:600]:
            problems.append(f"{name}: no #pragma once")
        if not re.fullmatch(r"[a-z0-9_]+\.(h|cpp|cu|cuh)", base) or BAD_WORDS.search(base):
            problems.append(f"{name}: file names are snake_case and say what is inside")
        if OPEN_WORK.search(text):
            problems.append(f"{name}: open work belongs in an issue")
        if name.startswith(("ui/", "app/gui")) and not name.startswith("ui/theme/") and COLOUR.search(text):
            problems.append(f"{name}: a colour literal; colours live in ui/theme/tokens.h")
        if name.startswith(("ui/", "app/gui")) and re.search(r"\bQ(FileDialog|MessageBox)::", text) \
                and "dialogs" not in base:
            problems.append(f"{name}: dialogs go through ui/widgets/dialogs.h")
    tree.finish("shape", problems)


main()
