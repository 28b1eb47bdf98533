# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiny random encoders (BERT, Nomic's variant) as GGUF files, and a Qwen 3 that embeds, with their hidden states by
`transformers` in float64, and ids of a small WordPiece vocabulary by the `tokenizers` package.

Run by hand: python3 make_tiny_encoders.py OUT   (needs transformers, torch, gguf and safetensors from PyPI)
Writes OUT/bert.gguf, OUT/nomic-bert.gguf, OUT/encoders.json, OUT/wordpiece, OUT/directory (the same BERT as
sentence-transformers stores it) and OUT/qwen3-embedding.  tests/golden/encoders holds its output.
"""
import json
import math
import pathlib
import string
import sys

import gguf
import numpy as np
import safetensors.numpy
import tokenizers
import torch
import transformers
from tokenizers import models, normalizers, pre_tokenizers

DIM, FF, HEADS, LAYERS, CONTEXT = 32, 64, 4, 2, 64
EPS = {"bert": 1e-12, "nomic-bert": 1e-5}
ROPE_BASE = 1000.0
TEXTS = ["", " ", "hello world", "Hello, World!", "the unaffable runners", "na\u00efve caf\u00e9", "nai\u0308ve cafe\u0301",
         "\u5317\u4eac is big", "\u00c0\u00c9\u00ce\u00f5\u00fc", "don't stop", "a\tb\nc\r\nd", "x\u200by\u00ady\ufeffz", "\u20ac5 = 5$",
         "\u0130stanbul", "\ud55c\uad6d", "stra\u00dfe", "a\u0000b\ufffdc", "running" * 20, "aaaa" * 25, "(a)[b]{c}<d>", "\u00bfa? \u2014 b\u2026",
         "\U0001f600 ok", "[CLS] a [SEP] [MASK]", "\u3042\u4e00\u30ab", "e\u0301\u0327 \u01c5", "1,000.50%", "\u2167 \u00bd", "\ufb01n", "A\u0308"]


def vocabulary():
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + list(string.ascii_lowercase) + list(string.digits)
    words += ["##" + c for c in string.ascii_lowercase + string.digits]
    words += list("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") + ["\u4eac", "\u5317", "\u20ac", "\u00bf", "\u2014", "\u2026", "\u00df"]
    words += ["hello", "world", "the", "un", "##aff", "##able", "run", "##ning", "##ners", "naive", "cafe", "is", "big",
              "don", "stop", "stan", "##bul", "i", "st", "##ra", "##\u00df", "aeiou", "##iou"]
    return {w: i for i, w in enumerate(dict.fromkeys(words))}


def wordpiece(lowercase):
    vocab = vocabulary()
    tok = tokenizers.Tokenizer(models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=100))
    tok.normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=None,
                                                lowercase=lowercase)
    tok.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tok.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    return tok


def weights(arch, rng):
    def matrix(rows, columns):
        return (rng.standard_normal((rows, columns)) * 1.5 / math.sqrt(columns)).astype(np.float16)

    def vector(n, mean=0.0):
        return (mean + 0.3 * rng.standard_normal(n)).astype(np.float32)
    bert = arch == "bert"
    t = {"token_embd.weight": matrix(len(vocabulary()), DIM), "token_types.weight": matrix(2, DIM),
         "token_embd_norm.weight": vector(DIM, 1), "token_embd_norm.bias": vector(DIM)}
    if bert:
        t["position_embd.weight"] = matrix(CONTEXT, DIM)
    for i in range(LAYERS):
        p = f"blk.{i}."
        if bert:
            for n in ("attn_q", "attn_k", "attn_v"):
                t[p + n + ".weight"], t[p + n + ".bias"] = matrix(DIM, DIM), vector(DIM)
        else:
            t[p + "attn_qkv.weight"] = matrix(3 * DIM, DIM)
            t[p + "ffn_gate.weight"] = matrix(FF, DIM)
        t[p + "attn_output.weight"], t[p + "ffn_up.weight"] = matrix(DIM, DIM), matrix(FF, DIM)
        t[p + "ffn_down.weight"] = matrix(DIM, FF)
        if bert:
            t[p + "attn_output.bias"], t[p + "ffn_up.bias"], t[p + "ffn_down.bias"] = vector(DIM), vector(FF), vector(DIM)
        for n in ("attn_output_norm", "layer_output_norm"):
            t[p + n + ".weight"], t[p + n + ".bias"] = vector(DIM, 1), vector(DIM)
    return t


def model_of(arch, t):
    """The class of transformers with these weights."""
    shape = dict(vocab_size=len(vocabulary()), hidden_size=DIM, intermediate_size=FF, num_hidden_layers=LAYERS,
                 num_attention_heads=HEADS, max_position_embeddings=CONTEXT, layer_norm_eps=EPS[arch], type_vocab_size=2,
                 attn_implementation="eager")
    if arch == "bert":
        model = transformers.BertModel(transformers.BertConfig(hidden_act="gelu", **shape), add_pooling_layer=False)
    else:
        model = transformers.NomicBertModel(transformers.NomicBertConfig(
            hidden_act="silu", rope_parameters={"rope_type": "default", "rope_theta": ROPE_BASE}, **shape),
            add_pooling_layer=False)
    state = {}
    for name, value in t.items():
        tensor = torch.from_numpy(value).double()
        parts = name.split(".")
        if parts[0] != "blk":
            state[f"{NAMES[parts[0]]}.{parts[1]}"] = tensor
        elif parts[2] == "attn_qkv":
            for part, rows in zip("qkv", tensor.chunk(3)):
                state[f"layers.{parts[1]}.self_attn.{part}_proj.weight"] = rows
        else:
            layer = f"encoder.layer.{parts[1]}." if arch == "bert" else f"layers.{parts[1]}."
            state[layer + (NAMES if arch == "bert" else NOMIC)[parts[2]] + "." + parts[3]] = tensor
    model = model.double().eval()
    model.load_state_dict(state, strict=True)
    return model


def hidden_of(model, ids):
    with torch.no_grad():
        return model(torch.tensor([ids])).last_hidden_state[0].tolist()


def write_qwen3(out):
    """As Qwen3-Embedding is stored: no head, names without "model.", the last token pooled."""
    torch.manual_seed(17)
    config = transformers.Qwen3Config(
        vocab_size=len(vocabulary()), hidden_size=DIM, intermediate_size=FF, num_hidden_layers=LAYERS,
        num_attention_heads=HEADS, num_key_value_heads=2, head_dim=16, max_position_embeddings=CONTEXT, rms_norm_eps=1e-6,
        tie_word_embeddings=True, attn_implementation="eager")
    model = transformers.Qwen3Model(config)
    for p in model.parameters():
        noise = torch.randn(p.shape)
        p.data = (noise * (1.5 / math.sqrt(p.shape[-1])) if p.dim() > 1 else 1 + 0.2 * noise).half().float()
    (out / "1_Pooling").mkdir(parents=True, exist_ok=True)
    safetensors.numpy.save_file({k: v.half().numpy() for k, v in model.state_dict().items()}, out / "model.safetensors")
    (out / "config.json").write_text(config.to_json_string(use_diff=False))
    (out / "1_Pooling" / "config.json").write_text(json.dumps({
        "word_embedding_dimension": DIM, "pooling_mode_mean_tokens": False, "pooling_mode_lasttoken": True}) + "\n")
    return model.double().eval()


def write(path, arch, t, pooling):
    w = gguf.GGUFWriter(path, arch)
    for key, value in {"block_count": LAYERS, "context_length": CONTEXT, "embedding_length": DIM,
                       "feed_forward_length": FF, "attention.head_count": HEADS, "pooling_type": pooling}.items():
        w.add_uint32(f"{arch}.{key}", value)
    w.add_float32(f"{arch}.attention.layer_norm_epsilon", EPS[arch])
    w.add_bool(f"{arch}.attention.causal", False)
    if arch == "nomic-bert":
        w.add_float32(f"{arch}.rope.freq_base", ROPE_BASE)
    words = list(vocabulary())
    w.add_string("tokenizer.ggml.model", "bert")
    w.add_array("tokenizer.ggml.tokens", [v if v.startswith("[") and len(v) > 1 else
                                          v[2:] if v.startswith("##") and len(v) > 2 else "\u2581" + v for v in words])
    w.add_array("tokenizer.ggml.token_type", [3 if i < 5 else 1 for i in range(len(words))])
    w.add_uint32("tokenizer.ggml.cls_token_id", 2)
    w.add_uint32("tokenizer.ggml.seperator_token_id", 3)
    w.add_uint32("tokenizer.ggml.unknown_token_id", 1)
    for name, value in t.items():
        w.add_tensor(name, np.ascontiguousarray(value))
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


NAMES = {"token_embd": "embeddings.word_embeddings", "position_embd": "embeddings.position_embeddings",
         "token_types": "embeddings.token_type_embeddings", "token_embd_norm": "embeddings.LayerNorm",
         "attn_q": "attention.self.query", "attn_k": "attention.self.key", "attn_v": "attention.self.value",
         "attn_output": "attention.output.dense", "attn_output_norm": "attention.output.LayerNorm",
         "ffn_up": "intermediate.dense", "ffn_down": "output.dense", "layer_output_norm": "output.LayerNorm"}


NOMIC = {"attn_output": "self_attn.o_proj", "attn_output_norm": "post_attention_layernorm", "ffn_gate": "mlp.gate_proj",
         "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj", "layer_output_norm": "post_mlp_layernorm"}


def write_directory(out, t):
    (out / "1_Pooling").mkdir(parents=True, exist_ok=True)
    tensors = {"pooler.dense.weight": np.zeros((DIM, DIM), np.float16)}
    for name, value in t.items():
        parts = name.split(".")
        prefix = f"encoder.layer.{parts[1]}." if parts[0] == "blk" else ""
        tensors[prefix + NAMES[parts[-2]] + "." + parts[-1]] = value
    safetensors.numpy.save_file(tensors, out / "model.safetensors")
    config = {"model_type": "bert", "hidden_act": "gelu", "hidden_size": DIM, "intermediate_size": FF,
              "num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "max_position_embeddings": CONTEXT,
              "layer_norm_eps": EPS["bert"], "type_vocab_size": 2, "vocab_size": len(vocabulary())}
    (out / "config.json").write_text(json.dumps(config) + "\n")
    pooling = {"word_embedding_dimension": DIM, "pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    (out / "1_Pooling" / "config.json").write_text(json.dumps(pooling) + "\n")
    wordpiece(True).save(str(out / "tokenizer.json"), pretty=False)


def rounded(rows):
    return [[float(f"{v:.7g}") for v in row] for row in rows]


def main():
    out = pathlib.Path(sys.argv[1])
    (out / "wordpiece").mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(3)
    record = {"tokenizers": tokenizers.__version__, "transformers": transformers.__version__, "texts": TEXTS}
    for lowercase in (True, False):
        tok = wordpiece(lowercase)
        name = "uncased" if lowercase else "cased"
        record[name] = [tok.encode(t, add_special_tokens=False).ids for t in TEXTS]
        tok.save(str(out / "wordpiece" / f"{name}.json"), pretty=False)
    ids = [2, 85, 17, 99, 40, 63, 30, 30, 7, 54, 19, 3]
    for arch, pooling in (("bert", 2), ("nomic-bert", 1)):
        t = weights(arch, rng)
        write(out / f"{arch}.gguf", arch, t, pooling)
        if arch == "bert":
            write_directory(out / "directory", t)
        record[arch] = {"ids": ids, "hidden": rounded(hidden_of(model_of(arch, t), ids))}
    record["qwen3-embedding"] = {"ids": ids, "hidden": rounded(hidden_of(write_qwen3(out / "qwen3-embedding"), ids))}
    (out / "encoders.json").write_text(json.dumps(record) + "\n")
    print({p.name: p.stat().st_size for p in out.iterdir()})


main()
