#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds, checks and times the CUDA plugin on the GPU machine.  usage: run_all.sh [OUTPUT_DIR for logs]
set -euo pipefail
logs=${1:-/tmp/vitrine}
build=/tmp/vitrine
mkdir -p "$logs"
export PATH=/usr/local/cuda/bin:$PATH LD_LIBRARY_PATH=/usr/local/cuda/lib64:${LD_LIBRARY_PATH:-}
tests/bench/gpu/build_plugin.sh "$build"
plugin=$build/libvitrine_cuda.so
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader
status=0
if [ -x .gpu/conformance_test ]; then
    VITRINE_CONFORMANCE_PLUGIN=$plugin .gpu/conformance_test --gtest_brief=1 --gtest_filter='*cuda*' >"$logs/conformance.log" 2>&1 || status=1
    grep -E '^\[  (PASSED|FAILED|SKIPPED)' "$logs/conformance.log" || true
    VITRINE_CONFORMANCE_PLUGIN=$plugin compute-sanitizer --tool memcheck --error-exitcode 9 .gpu/conformance_test --gtest_brief=1 \
        --gtest_filter='*Layer*/cuda' >"$logs/memcheck.log" 2>&1 || status=1
    grep -E 'ERROR SUMMARY' "$logs/memcheck.log" || true
fi
"$build/cuda_model_bench" "$plugin" | tee "$logs/bench.txt"
nvidia-smi --query-gpu=clocks.sm --format=csv,noheader
exit $status
