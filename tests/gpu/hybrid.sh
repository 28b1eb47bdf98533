#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A model shared by GPU and CPU: greedy ids for none, one, half, all but one and all layers on the GPU, one after another, printed
# beside those of the CPU alone; then a batch with drafts and a pool too small for it.
# usage: hybrid.sh VITRINE_CLI MODEL LAYERS BLOCKS [OPTIONS]   (the plugin beside vitrine-cli or in VITRINE_BACKEND_DIR)
#   BLOCKS: a pool of blocks of 16 tokens for about three of the six prompts: 14 for SmolLM2, 84 for Gemma 3 (six block groups)
set -euo pipefail
[ -e /dev/nvidiactl ] || { echo "no NVIDIA driver on this machine"; exit 77; }
cli=$1 model=$2 layers=$3 blocks=$4
shift 4
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
for text in "The capital of France is" "Once upon a time there was a" "1 2 3 4 5 6 7 8 1 2 3 4 5 6 7 8 1 2" \
    "Water boils at a temperature of" "The three primary colours are" "A short poem about the sea:"; do
    printf '{"prompt": "%s"}\n' "$text"
done >"$work/prompts.jsonl"
ids() { # NAME OPTIONS...
    local name=$1
    shift
    "$cli" generate "$model" --prompts "$work/prompts.jsonl" -n 32 --temperature 0 --ignore-eos --ctx 512 --json "$@" \
        >"$work/$name.json" 2>"$work/$name.err" || { echo "$name failed: $(tail -1 "$work/$name.err")"; return 1; }
}
ids cpu --device cpu "$@"
failures=0
for number in 0 1 $((layers / 2)) $((layers - 1)) "$layers" auto; do
    ids "$number" --device cuda --gpu-layers "$number" "$@" || { failures=$((failures + 1)); continue; }
done
ids drafts --device cuda --gpu-layers $((layers / 2)) --draft ngram --gamma 4 --num-blocks "$blocks" --block-size 16 "$@" ||
    failures=$((failures + 1))
python3 - "$work" <<'PYTHON' || failures=$((failures + 1))
import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
read = lambda name: [one["ids"] for one in json.loads((folder / name).read_text())["sequences"]]
cpu = read("cpu.json")
for file in sorted(folder.glob("*.json")):
    ours = read(file.name)
    first = [next((i for i, (a, b) in enumerate(zip(x, y)) if a != b), len(x)) for x, y in zip(ours, cpu)]
    equal, total = sum(first), sum(map(len, cpu))
    stats = json.loads(file.read_text())["stats"]
    model = stats.get("model", {})
    print(f"{file.stem:>7} {model.get('gpu_layers', '?'):>3} of {model.get('layers', '?')} on {model.get('device', '?')}: "
          f"{equal} of {total} ids before a first difference, {sum(x == y for x, y in zip(ours, cpu))} of {len(cpu)} answers equal, {stats['preemptions_total']} preemptions, "
          f"{stats['accepted_tokens_total']} drafts accepted")
PYTHON
exit $((failures > 0))
