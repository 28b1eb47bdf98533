#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the CUDA plugin and its benches on the GPU machine, which has nvcc, g++ and many cores but not the project's
# dependencies.  Needs .gpu/include: tl/expected.hpp and the generated kernels/api/build_id.h (pack_headers.sh).
# usage: build_plugin.sh [OUTPUT_DIR]
set -euo pipefail
out=${1:-/tmp/vitrine}
objects=$out/objects
rm -rf "$objects"
mkdir -p "$objects"
includes=(-I. -I.gpu/include -I/usr/local/cuda/include)
compile() {
    local object=$objects/${1//\//_}.o
    case $1 in
    *.cu) nvcc -std=c++20 -O2 --expt-relaxed-constexpr -Xcompiler=-fPIC,-fvisibility=hidden \
        -gencode=arch=compute_90a,code=sm_90a "${includes[@]}" -c "$1" -o "$object" ;;
    *) g++ -std=c++20 -O2 -fPIC -fvisibility=hidden -fvisibility-inlines-hidden "${includes[@]}" -c "$1" -o "$object" ;;
    esac || touch "$objects/failed"
}
for source in kernels/cuda/device/*.cu kernels/{cuda,api,ref}/*.cpp tests/bench/gpu/*.cpp; do
    compile "$source" &
done
wait
[ ! -e "$objects/failed" ] || exit 1
mv "$objects"/*cuda_model_bench*.o "$out/bench.o"
mv "$objects"/*cuda_sampling_bench*.o "$out/sampling_bench.o"
mv "$objects"/*cuda_experts_bench*.o "$out/experts_bench.o"
g++ -shared -o "$out/libvitrine_cuda.so" "$objects"/*.o -Wl,--version-script=kernels/cuda/plugin.map \
    -L/usr/local/cuda/lib64 -lcudart_static -lcublasLt -lrt -lpthread -ldl
g++ -o "$out/cuda_model_bench" "$out/bench.o" "$objects"/kernels_api_*.o -ldl
for bench in sampling experts; do
    g++ -o "$out/cuda_${bench}_bench" "$out/${bench}_bench.o" "$objects"/kernels_{api,ref}_*.o -ldl
done
