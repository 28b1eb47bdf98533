#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SmolLM2, Gemma 3 and the tiny models of every architecture on the GPU against float64 references: logits, greedy ids wherever
# the reference's gap is clear, likelihoods.
# usage: goldens.sh GOLDEN_TEST PLUGIN [MODELS [TESTS]]
#   MODELS: a folder with smollm2.gguf and gemma3.gguf, where the data folder has not the models under their own names
#   TESTS: a copy of tests/golden, with ../LICENSE beside it as here, where the sources are not (golden/ and LICENSE are read)
set -euo pipefail
[ -e /dev/nvidiactl ] || { echo "no NVIDIA driver on this machine"; exit 77; }
test=$(readlink -f "$1") plugin=$(readlink -f "$2")
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
mkdir -p "$work/models" "$work/plugin"
ln -s "$plugin" "$work/plugin/libvitrine_cuda.so"
if [ $# -ge 3 ]; then
    ln -s "$(readlink -f "$3/smollm2.gguf")" "$work/models/SmolLM2-135M-Instruct.Q4_1.gguf"
    ln -s "$(readlink -f "$3/gemma3.gguf")" "$work/models/gemma-3-270m-Q4_K_M.gguf"
    export VITRINE_DATA_DIR=$work
fi
[ $# -ge 4 ] && VITRINE_TESTS_DIR=$(readlink -f "$4") && export VITRINE_TESTS_DIR
export VITRINE_BACKEND_DIR=$work/plugin
"$test" --gtest_brief=1 --gtest_filter='*OnGpu*'
