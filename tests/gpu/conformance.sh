#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The conformance cases on the GPU.  usage: conformance.sh CONFORMANCE_TEST PLUGIN
set -euo pipefail
[ -e /dev/nvidiactl ] || { echo "no NVIDIA driver on this machine"; exit 77; }
VITRINE_CONFORMANCE_PLUGIN=$2 exec "$1" --gtest_brief=1 --gtest_filter='*cuda*'
