#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Puts what the GPU machine lacks into .gpu: headers, and the conformance test if it is built.  usage: pack_headers.sh BUILD_DIR
set -euo pipefail
mkdir -p .gpu/include/tl .gpu/include/kernels/api
cp /usr/include/tl/*.hpp .gpu/include/tl/
cp "$1/generated/kernels/api/build_id.h" .gpu/include/kernels/api/
cp "$1/bin/conformance_test" .gpu/ 2>/dev/null || echo "conformance_test is not built in $1"
