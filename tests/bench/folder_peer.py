#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of `vitrine-cli quantize MODEL FOLDER int4|int8|nf4|fp8`, read by others: safetensors opens them, transformers takes
config.json, its quantization_config and the tokenizer, and every matrix, unpacked here as the formats' own papers and
libraries say, equals what Vitrine reads.

Run by hand, with numpy, safetensors, transformers, gguf and ml_dtypes from PyPI (torch is not needed):
  folder_peer.py CLI FOLDER...          CLI: build/ci/bin/vitrine-cli
Prints a line a folder; exit status 1 when one differs.
"""
import inspect
import json
import pathlib
import subprocess
import sys
import tempfile

import gguf
import ml_dtypes
import numpy as np
import transformers
from safetensors import safe_open
from transformers.utils import quantization_config as hf

CONFIGS = {"gptq": hf.GPTQConfig, "awq": hf.AwqConfig, "bitsandbytes": hf.BitsAndBytesConfig, "fp8": hf.FineGrainedFP8Config}
# Keys that transformers takes without naming them: former names, and those of AutoGPTQ, GPTQModel, AutoAWQ and DeepSeek.
DOCUMENTED = {"checkpoint_format", "static_groups", "dynamic", "version", "fmt"}
AWQ_ORDER = [0, 2, 4, 6, 1, 3, 5, 7]  # output of each nibble of a word
TEXT = "Hello world, it's 2026! \n naïve café 你好"


def unpack_words(words, bits, axis):
    """int32 words to their codes, lowest bits first, along an axis."""
    parts = np.arange(0, 32, bits, dtype=np.uint32)
    codes = (words.view(np.uint32)[..., None] >> parts) & np.uint32((1 << bits) - 1)  # [..., parts]
    if axis == 0:
        return codes.transpose(0, 2, 1).reshape(-1, words.shape[1]).astype(np.float32)
    return codes.reshape(words.shape[0], -1).astype(np.float32)


def gptq(t, config):
    codes = unpack_words(t["qweight"], config["bits"], 0)
    zeros = unpack_words(t["qzeros"], config["bits"], 1) + 1  # the first version of the format stores one less
    group = t["g_idx"]
    return ((codes - zeros[group]) * t["scales"].astype(np.float32)[group]).T


def awq(t, config):
    def ordered(words):
        codes = unpack_words(words, 4, 1).reshape(words.shape[0], -1, 8)
        out = np.empty_like(codes)
        out[:, :, AWQ_ORDER] = codes
        return out.reshape(words.shape[0], -1)
    group = np.arange(t["qweight"].shape[0]) // config["group_size"]
    return ((ordered(t["qweight"]) - ordered(t["qzeros"])[group]) * t["scales"].astype(np.float32)[group]).T


def int8(t, _):
    return t["weight"].astype(np.float32) * (t["SCB"][:, None] / np.float32(127))


def nf4(t, _):
    state = json.loads(bytes(t["weight.quant_state.bitsandbytes__nf4"]).decode())
    nested = t["weight.nested_quant_map"][t["weight.absmax"]]
    scales = nested * np.repeat(t["weight.nested_absmax"], state["nested_blocksize"])[: nested.size]
    scales = scales + np.float32(state["nested_offset"])
    pairs = t["weight"].reshape(-1)
    codes = np.stack([pairs >> 4, pairs & 15], axis=1).reshape(-1)
    values = t["weight.quant_map"][codes] * np.repeat(scales, state["blocksize"])[: codes.size]
    return values.reshape(state["shape"])


def fp8(t, config):
    rows, columns = config["weight_block_size"]
    weight = t["weight"].astype(np.float32)
    scale = np.repeat(np.repeat(t["weight_scale_inv"], rows, 0), columns, 1)
    return weight * scale[: weight.shape[0], : weight.shape[1]]


def unpacker(config):
    method = config["quant_method"]
    return {"gptq": gptq, "awq": awq, "fp8": fp8}.get(method) or (int8 if config["load_in_8bit"] else nf4)


def read_modules(folder):
    """Tensors by module; those of packed matrices apart from plain ones."""
    dtypes = {"F8_E4M3": ml_dtypes.float8_e4m3fn}
    packed, plain = {}, {}
    with safe_open(folder / "model.safetensors", "np") as file:
        tensors = {}
        for name in file.keys():
            kind = file.get_slice(name).get_dtype()
            tensors[name] = raw(folder, name, dtypes[kind]) if kind in dtypes else file.get_tensor(name)
        marks = [n for n in tensors if n.endswith((".qweight", ".SCB", ".weight.absmax", ".weight_scale_inv"))]
        modules = {n.removesuffix(".absmax").rsplit(".", 1)[0] for n in marks}
        for name, value in tensors.items():
            module = next((m for m in (name.split(".weight")[0], name.rsplit(".", 1)[0]) if m in modules), None)
            if module:
                packed.setdefault(module, {})[name[len(module) + 1:]] = value
            else:
                plain[name] = value
    return packed, plain


def raw(folder, name, dtype):
    """What numpy has no name for, straight from the file."""
    with open(folder / "model.safetensors", "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        entry = json.loads(file.read(size))[name]
        begin, end = entry["data_offsets"]
        file.seek(8 + size + begin)
        return np.frombuffer(file.read(end - begin), dtype=dtype).reshape(entry["shape"])


def check_config(folder):
    config = json.loads((folder / "config.json").read_text())
    quantization = config["quantization_config"]
    known = CONFIGS[quantization["quant_method"]]
    names = set(inspect.signature(known.__init__).parameters) | {"quant_method"} | DOCUMENTED
    for parent in known.__mro__[1:]:
        names |= set(inspect.signature(parent.__init__).parameters)
    unknown = sorted(set(quantization) - names)
    try:
        known.from_dict(dict(quantization))
        note = "taken"
    except (NameError, ImportError, AttributeError) as error:  # bitsandbytes' class asks torch for its types
        note = f"keys known, not built ({type(error).__name__})"
    read = transformers.AutoConfig.from_pretrained(folder)
    if read.model_type != config["model_type"]:
        raise SystemExit(f"{folder}: transformers reads {read.model_type}")
    return quantization, unknown, note


def check_tokenizer(cli, folder):
    theirs = transformers.AutoTokenizer.from_pretrained(folder)(TEXT)["input_ids"]
    done = subprocess.run([cli, "tokenize", str(folder), "--json"], input=TEXT, check=True, capture_output=True, text=True)
    return theirs == json.loads(done.stdout)["ids"]


def unpair(matrix, heads):
    """Rows of a head as GGUF has them, in pairs, back to the two halves of a folder."""
    half = matrix.shape[0] // heads // 2
    return matrix.reshape(heads, half, 2, -1).swapaxes(1, 2).reshape(matrix.shape)


def check(cli, folder):
    quantization, unknown, note = check_config(folder)
    config = json.loads((folder / "config.json").read_text())
    packed, plain = read_modules(folder)
    with tempfile.TemporaryDirectory() as temporary:
        ours_path = pathlib.Path(temporary) / "ours.gguf"
        subprocess.run([cli, "quantize", str(folder), str(ours_path), "f32"], check=True, capture_output=True)
        ours = {t.name: t for t in gguf.GGUFReader(ours_path).tensors}
        arch = next(a for a, n in gguf.MODEL_ARCH_NAMES.items() if n == config["model_type"].removesuffix("_text"))
        names = gguf.get_tensor_name_map(arch, config["num_hidden_layers"])
        worst = 0.0
        for module, parts in packed.items():
            name = names.get_name(module) + ".weight"
            mine = np.asarray(ours[name].data, dtype=np.float32)
            theirs = unpacker(quantization)(parts, quantization)
            if config["model_type"] == "llama" and (".attn_q." in name or ".attn_k." in name):
                heads = config["num_attention_heads" if ".attn_q." in name else "num_key_value_heads"]
                mine = unpair(mine, heads)
            scale = np.abs(theirs).max()
            worst = max(worst, float(np.abs(mine - theirs).max() / scale))
    same_ids = check_tokenizer(cli, folder)
    good = worst < 1e-6 and not unknown and same_ids and packed
    print(f"{folder.name:12} {len(packed)} packed, {len(plain)} plain tensors; largest difference {worst:.1e} of the largest "
          f"weight; quantization_config {note}, unknown keys {unknown}; token ids {'equal' if same_ids else 'DIFFER'}", flush=True)
    return good


def main():
    cli, *folders = sys.argv[1:]
    results = [check(cli, pathlib.Path(folder)) for folder in folders]
    raise SystemExit(0 if all(results) else 1)


main()
