#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors that a user of the window meets have a number (kernels/api/sentence.h), so that the window words them: a text
that is written where the error is made stays English there."""
import re

import tree

# What no window meets, and why; a path begins with it.
UNNUMBERED = {
    "engine/chat/": "chat templates fail in the words of Python's jinja2",
    "engine/grammar/": "grammars and schemas are written by programs",
    "engine/core/adapter_setup.cpp": "adapters are loaded by the command line",
    "engine/model/adapter_": "adapters are loaded by the command line",
    "engine/model/shape_presets.cpp": "built-in shapes are a matter of the command line",
    "engine/lab/json_input.cpp": "traces and workloads are files of the command line",
    "engine/lab/policy_trace.cpp": "traces are files of the command line",
    "engine/lab/workload_file.cpp": "workloads are files of the command line",
    "engine/base/log.cpp": "the log is set by the command line",
    "engine/device/split_backend.cpp": "a bug of the caller",
    "kernels/ref/": "a bug of the caller",
    "kernels/cpu/": "a bug of the caller",
    "kernels/cuda/": "a bug of the caller",
}
MAKER = re.compile(r"\b(?:fail|make_error|Error)\s*[({]")
SENTENCE = re.compile(r"\bsay\(")


def end_of_call(text, begin):
    """Where the bracket that is open at `begin` closes; brackets inside of strings do not count."""
    depth, in_string, at = 1, False, begin
    while depth and at < len(text):
        if in_string:
            at += text[at] == "\\"
            in_string = text[at] != '"'
        elif text[at] == '"':
            in_string = True
        else:
            depth += (text[at] in "({") - (text[at] in ")}")
        at += 1
    return at


def without_sentences(call):
    while found := SENTENCE.search(call):
        call = call[:found.start()] + call[end_of_call(call, found.end()):]
    return call


def main():
    problems = []
    for name in tree.files(".cpp", ".h"):
        if not name.startswith(("engine/", "kernels/")) or name.startswith(tuple(UNNUMBERED)):
            continue
        text = tree.read(name)
        for maker in MAKER.finditer(text):
            if '"' in without_sentences(text[maker.end():end_of_call(text, maker.end())]):
                line = text.count("\n", 0, maker.start()) + 1
                problems.append(f"{name}:{line}: an error in words; say(Sentence::...) is worded by windows too")
    tree.finish("errors", problems)


main()
