#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""No include against the arrows of the layer picture (architecture, 1.1)."""
import tree

# engine folders, left may include right
ENGINE = ["lab", "core", "stats", "exec", "sched", "spec", "sample", "kv", "model", "quant", "device", "chat",
          "grammar", "text", "safetensors", "gguf", "api", "base"]
PAGES = ["chat", "models", "engine", "lab", "server", "settings"]
UI_BASE = {"bridge", "store", "theme", "widgets"}
# folder -> own folders it may include besides itself
ALLOWED = {
    "kernels/api": set(),
    "kernels/ref": {"kernels/api"},
    "kernels/cpu": {"kernels/api", "kernels/ref"},
    "kernels/cuda": {"kernels/api", "kernels/ref"},  # the sampler on the host, exact conversion of rare formats
    "ui/bridge": {"engine/api", "engine/stats", "engine/lab"},  # trace export; the laboratory's pure functions
    "ui/store": set(),
    "ui/theme": set(),
    "ui/widgets": {"ui/theme"},
    "ui/frame": {"ui/" + page for page in PAGES} | {"ui/" + base for base in UI_BASE},
    "app/endpoint": {"engine/api"},
    "app/remote": {"engine/api", "kernels/api", "ui/bridge"},
}
for page in PAGES:
    ALLOWED["ui/" + page] = {"ui/" + base for base in UI_BASE}
for index, folder in enumerate(ENGINE):
    ALLOWED["engine/" + folder] = {"kernels/api"} | {"engine/" + right for right in ENGINE[index + 1:]}
# the one folder that knows the CPU backend, and the ones that share its pure reference code
ALLOWED["engine/device"] |= {"kernels/cpu", "kernels/ref"}
ALLOWED["engine/quant"] |= {"kernels/ref"}
ALLOWED["engine/spec"] |= {"kernels/ref"}  # the sampler, for the draws of a draft model
FREE = ("app/cli", "app/gui", "tests")
NO_QT = ("kernels", "engine", "app/endpoint", "app/cli")
KERNEL_STANDARD_ONLY = ("fmt/", "spdlog/", "nlohmann/", "boost/", "xxhash", "pcre2")


def folder_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def check(name, problems):
    own = folder_of(name)
    for kind, path in tree.includes(tree.read(name)):
        if kind == "<":
            if name.startswith(NO_QT) and path[0] == "Q" and path[1:2].isupper():
                problems.append(f"{name} includes Qt's <{path}>; only ui and app/gui know Qt")
            if name.startswith("kernels") and path.startswith(KERNEL_STANDARD_ONLY):
                problems.append(f"{name} includes <{path}>; kernels use the standard library and tl::expected alone")
            if "qcustomplot" in path and name != "ui/widgets/curve_layer.cpp":
                problems.append(f"{name} includes <{path}>; only ui/widgets/curve_layer.cpp does")
            continue
        target = folder_of(path)
        if own.startswith(FREE) or target == own or "/" not in path or own not in ALLOWED:
            continue
        if target not in ALLOWED[own]:
            problems.append(f"{name} includes \"{path}\"; {own} may include {sorted(ALLOWED[own]) or 'nothing else'}")


def main():
    problems = []
    for name in tree.files(*tree.CODE):
        check(name, problems)
    tree.finish("layers", problems)


main()
