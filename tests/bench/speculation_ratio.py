#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Decode speed with and without drafts, interleaved (A B B A), as a ratio of medians: on texts that the answer copies
(edit, summarise) and on plain chat, where drafts can only lose.

    python3 tests/bench/speculation_ratio.py [--cli build/release/bin/vitrine-cli] [--model default] [--rounds 3] -- --draft ngram
"""
import argparse
import json
import statistics
import subprocess
import tempfile

TEXT = """The committee met on Tuesday the 14th of May in the old library. Ms Alvarez opened the meeting at nine o'clock and
welcomed the three new members, Mr Okafor, Ms Lindqvist and Mr Tanaka. The treasurer, Ms Dubois, reported that the fund
held 48,200 euros at the end of April, which was 3,150 euros more than in the year before. Mr Okafor asked whether the roof
of the reading room could be repaired before the winter. Ms Dubois answered that two offers had been received, one of
17,400 euros and one of 21,900 euros, and that the cheaper one did not include the gutters. The committee decided to ask
for a third offer and to decide in June. Ms Lindqvist suggested opening the library on Saturday mornings. The meeting
closed at half past ten."""
CODE = """def mean(values):
    total = 0
    for value in values:
        total = total + value
    return total / len(values)

def variance(values):
    center = mean(values)
    total = 0
    for value in values:
        total = total + (value - center) * (value - center)
    return total / len(values)
"""
WORKLOADS = {
    "edit": ["Repeat the following text exactly, word for word, without any change:\n\n" + TEXT,
             "Copy this Python code unchanged:\n\n```python\n" + CODE + "```",
             "Correct the spelling of this text and write it out in full:\n\n" + TEXT.replace("meeting", "meetign"),
             "Summarise this text by repeating its most important sentences word for word:\n\n" + TEXT],
    "chat": ["Why is the sky blue?", "Give me a recipe for a simple vegetable soup.",
             "What should I see on a weekend in Lisbon?", "Explain what a compiler does to a friend who cooks."],
}


def run(args, prompts, extra):
    """Tokens a second of decoding, summed over prompts that run one after another; and the ids."""
    tokens = seconds = drafted = accepted = 0
    ids = []
    for prompt in prompts:
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write(json.dumps({"messages": [{"role": "user", "content": prompt}]}) + "\n")
            file.flush()
            command = [args.cli, "generate", args.model, "--prompts", file.name, "-n", str(args.tokens), "--json", *extra]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        sequence = json.loads(output)["sequences"][0]
        tokens += sequence["output_tokens"] - 1
        seconds += sequence["total_s"] - sequence["ttft_s"]
        drafted += sequence["drafted_tokens"]
        accepted += sequence["accepted_tokens"]
        ids.append(sequence["ids"])
    return tokens / seconds, ids, drafted, accepted


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default="build/release/bin/vitrine-cli")
    parser.add_argument("--model", default="default")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=200)
    parser.add_argument("--workload", choices=[*WORKLOADS, "all"], default="all")
    parser.add_argument("draft", nargs="*", help="flags of the speculating side, after --; default: --draft ngram")
    args = parser.parse_args()
    draft = args.draft or ["--draft", "ngram"]
    for name, prompts in WORKLOADS.items():
        if args.workload not in (name, "all"):
            continue
        plain, drafting = [], []
        for _ in range(args.rounds):
            first = run(args, prompts, [])
            second, third = run(args, prompts, draft), run(args, prompts, draft)
            fourth = run(args, prompts, [])
            plain += [first[0], fourth[0]]
            drafting += [second[0], third[0]]
        ratio = statistics.median(drafting) / statistics.median(plain)
        spread = max(plain) / min(plain)
        print(f"{name}: plain {statistics.median(plain):.1f} t/s, drafting {statistics.median(drafting):.1f} t/s, "
              f"ratio {ratio:.3f} (plain against plain up to {spread:.3f}), {second[3]} of {second[2]} drafts accepted, "
              f"ids {'equal' if first[1] == second[1] else 'DIFFER'}")


if __name__ == "__main__":
    main()
