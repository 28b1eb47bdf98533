#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Headers that cost seconds to compile stay in the few files that need them (architecture, 4)."""
import re
import tree

# pattern of the include -> pattern of the files that may have it
RULES = [
    (r"spdlog/", r"engine/base/log\.cpp"),
    (r"CLI/", r"app/cli/command_line\.cpp"),
    (r"qcustomplot", r"ui/widgets/curve_layer\.cpp"),
    (r"boost/beast", r"app/endpoint/[a-z_]+\.cpp|tests/.*\.cpp|app/endpoint/(http_connection|request_head)\.h"),
    (r"nlohmann/json\.hpp", r".*\.cpp|app/endpoint/.*|tests/.*|engine/grammar/schema_alternatives\.h"),
    (r"gtest/|gmock/|benchmark/", r"tests/.*"),
]


def main():
    problems = []
    for name in tree.files(*tree.CODE):
        for _, path in tree.includes(tree.read(name)):
            for pattern, allowed in RULES:
                if re.match(pattern, path) and not re.fullmatch(allowed, name):
                    problems.append(f"{name} includes <{path}>; only {allowed} may")
    beast = [name for name in tree.files(".cpp") if name.startswith("app/endpoint")
             and any(path.startswith("boost/beast") for _, path in tree.includes(tree.read(name)))]
    if len(beast) > 4:
        problems.append(f"{len(beast)} files of app/endpoint include Boost.Beast, at most 4: {', '.join(beast)}")
    tree.finish("heavy_includes", problems)


main()
