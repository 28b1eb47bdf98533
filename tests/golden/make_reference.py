#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Remakes data/*_reference.json: a float64 forward pass over exactly dequantized weights, with numpy and PyPI's gguf only.

    pip install numpy gguf
    make_reference.py MODEL.gguf data/smollm2_reference.json out.json [--steps 8]

The prompts (names and ids) are taken from the second file; the third gets the same records computed again: ids, nll_sum over
the prompt, last_top20 at the last position, argmax_each, and `greedy` recomputed without a cache, with its gaps.
Nothing of Vitrine is used.
"""
import argparse
import json

import numpy as np
from gguf import GGUFReader
from gguf.quants import dequantize


class Model:
    def __init__(self, path):
        reader = GGUFReader(path)
        self.fields = reader.fields
        self.tensors = {t.name: t for t in reader.tensors}
        self.cache = {}
        self.arch = self.field("general.architecture")
        self.layers = self.field("block_count", True)
        self.heads = self.field("attention.head_count", True)
        self.kv_heads = self.field("attention.head_count_kv", True)
        self.dim = self.field("embedding_length", True)
        self.head_dim = self.field("attention.key_length", True, self.dim // self.heads)
        self.eps = self.field("attention.layer_norm_rms_epsilon", True)
        self.base = self.field("rope.freq_base", True)
        self.window = self.field("attention.sliding_window", True, 0)
        self.gemma = self.arch == "gemma3"

    def field(self, key, of_arch=False, default=None):
        field = self.fields.get(f"{self.arch}.{key}" if of_arch else key)
        return default if field is None else field.contents()

    def weight(self, name):
        if name not in self.cache:
            tensor = self.tensors[name]
            self.cache[name] = dequantize(tensor.data, tensor.tensor_type).astype(np.float64)
        return self.cache[name]

    def norm(self, x, name):
        return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + self.eps) * self.weight(name)

    def rope(self, x, base):
        """x: [positions, heads, head_dim]; llama rotates neighbours (GGUF order), gemma halves."""
        half = self.head_dim // 2
        angle = np.arange(x.shape[0])[:, None] * base ** (-np.arange(half) / half)
        cos, sin = np.cos(angle)[:, None, :], np.sin(angle)[:, None, :]
        out = np.empty_like(x)
        first, second = (slice(0, half), slice(half, None)) if self.gemma else (slice(0, None, 2), slice(1, None, 2))
        out[..., first] = x[..., first] * cos - x[..., second] * sin
        out[..., second] = x[..., first] * sin + x[..., second] * cos
        return out

    def attention(self, x, layer):
        p, n = f"blk.{layer}.", len(x)
        q = (x @ self.weight(p + "attn_q.weight").T).reshape(n, self.heads, self.head_dim)
        k = (x @ self.weight(p + "attn_k.weight").T).reshape(n, self.kv_heads, self.head_dim)
        v = (x @ self.weight(p + "attn_v.weight").T).reshape(n, self.kv_heads, self.head_dim)
        local = self.gemma and (layer + 1) % 6 != 0
        if self.gemma:
            q, k = self.norm(q, p + "attn_q_norm.weight"), self.norm(k, p + "attn_k_norm.weight")
        base = 10000.0 if local else self.base
        q, k = self.rope(q, base), self.rope(k, base)
        k, v = (np.repeat(t, self.heads // self.kv_heads, axis=1) for t in (k, v))
        scores = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(self.head_dim)
        distance = np.arange(n)[:, None] - np.arange(n)[None, :]
        hidden = (distance < 0) | (local & (distance >= self.window))
        scores[:, hidden] = -np.inf
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        mixed = np.einsum("hqk,khd->qhd", weights, v).reshape(n, -1)
        return mixed @ self.weight(p + "attn_output.weight").T

    def feed_forward(self, x, layer):
        p = f"blk.{layer}."
        gate, up = x @ self.weight(p + "ffn_gate.weight").T, x @ self.weight(p + "ffn_up.weight").T
        if self.gemma:
            gate = 0.5 * gate * (1 + np.tanh(np.sqrt(2 / np.pi) * (gate + 0.044715 * gate**3)))
        else:
            gate = gate / (1 + np.exp(-gate))
        return (gate * up) @ self.weight(p + "ffn_down.weight").T

    def logits(self, ids):
        x = self.weight("token_embd.weight")[ids]
        if self.gemma:
            x = x * np.sqrt(self.dim)
        for layer in range(self.layers):
            p = f"blk.{layer}."
            y = self.attention(self.norm(x, p + "attn_norm.weight"), layer)
            x = x + (self.norm(y, p + "post_attention_norm.weight") if self.gemma else y)
            y = self.feed_forward(self.norm(x, p + "ffn_norm.weight"), layer)
            x = x + (self.norm(y, p + "post_ffw_norm.weight") if self.gemma else y)
        head = "output.weight" if "output.weight" in self.tensors else "token_embd.weight"
        return self.norm(x, "output_norm.weight") @ self.weight(head).T


def record(model, prompt, steps):
    ids = prompt["ids"]
    logits = model.logits(ids)
    peak = logits.max(axis=-1)
    log_norm = peak + np.log(np.exp(logits - peak[:, None]).sum(axis=-1))
    top = np.argsort(-logits[-1], kind="stable")[:20]
    greedy, gaps, text = [], [], list(ids)
    for _ in range(steps):
        row = model.logits(text)[-1]
        best, second = np.argsort(-row, kind="stable")[:2]
        greedy.append(int(best))
        gaps.append(round(float(row[best] - row[second]), 4))
        text.append(int(best))
    return {"name": prompt["name"], "text": prompt.get("text"), "ids": ids,
            "nll_sum": float(sum(log_norm[i] - logits[i, ids[i + 1]] for i in range(len(ids) - 1))),
            "last_top20": [[int(i), round(float(logits[-1, i]), 6)] for i in top],
            "argmax_each": [int(i) for i in logits.argmax(axis=-1)], "greedy": greedy, "greedy_gap": gaps}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("prompts")
    parser.add_argument("out")
    parser.add_argument("--steps", type=int, default=8)
    arguments = parser.parse_args()
    model = Model(arguments.model)
    with open(arguments.prompts, encoding="utf-8") as file:
        prompts = json.load(file)
    records = [record(model, prompt, arguments.steps) for prompt in prompts]
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(r, ensure_ascii=False) for r in records) + "\n]\n")


if __name__ == "__main__":
    main()
