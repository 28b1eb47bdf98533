# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by packaging/run and tests/run: root, packages, CUDA, default model, build.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc 2>/dev/null || echo 2)
data_dir=${VITRINE_DATA_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/vitrine}

say() { printf '%s\n' "vitrine: $*" >&2; }
die() { say "$*"; exit 1; }

is_installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q '^install ok installed'; }

# packages_missing GROUP...: prints the lines of debian_packages.txt none of whose alternatives is installed.
packages_missing() {
    local group names name found
    while read -r group names; do
        case " $* " in *" $group "*) ;; *) continue ;; esac
        found=no
        for name in ${names//|/ }; do
            if is_installed "$name"; then found=yes; break; fi
        done
        [ "$found" = yes ] || echo "$names"
    done < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$root/packaging/debian_packages.txt")
}

# install_packages GROUP...: says which packages are missing and installs them.
install_packages() {
    command -v dpkg-query >/dev/null || { say "not a Debian-like system: install the packages of packaging/debian_packages.txt by hand"; return 0; }
    local missing names name chosen=() sudo=""
    mapfile -t missing < <(packages_missing "$@")
    [ "${#missing[@]}" -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || die "these packages are missing: ${missing[*]}. Install them as root, then start again with --no-install"
        sudo="sudo"
    fi
    say "installing ${#missing[@]} missing packages: ${missing[*]}"
    $sudo apt-get update -qq || say "apt-get update failed; trying with the lists that are there"
    for names in "${missing[@]}"; do
        for name in ${names//|/ }; do
            if apt-cache show "$name" >/dev/null 2>&1; then chosen+=("$name"); break; fi
        done
    done
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${chosen[@]}" >/dev/null \
        || die "apt-get could not install: ${chosen[*]}. See the message above, mend it, and start again"
}

# The CUDA compiler, where there is one; nothing complains where there is none.
find_nvcc() {
    if command -v nvcc >/dev/null; then return 0; fi
    if [ -x /usr/local/cuda/bin/nvcc ]; then export PATH="/usr/local/cuda/bin:$PATH"; fi
}

# build PRESET [target...]: configures and builds build/PRESET.
build() {
    local preset=$1
    shift
    find_nvcc
    cmake -S "$root" --preset "$preset" ${VITRINE_CMAKE_ARGS:-} >"$root/build/$preset.configure.log" 2>&1 \
        || { tail -n 30 "$root/build/$preset.configure.log" >&2; die "configuring preset $preset failed; the log is build/$preset.configure.log"; }
    cmake --build "$root/build/$preset" -j "$jobs" ${1:+--target "$@"} >"$root/build/$preset.build.log" 2>&1 \
        || { grep -E 'error|Error|FAILED' -A 12 "$root/build/$preset.build.log" | head -n 80 >&2; die "building preset $preset failed; the log is build/$preset.build.log"; }
}

fetch_default_model() { python3 "$root/packaging/fetch_model.py" smollm2 --data-dir "$data_dir"; }
