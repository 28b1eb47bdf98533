# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiny random models of every architecture with logits by `transformers`, as GGUF files with llama.cpp's names and keys.

Run by hand: python3 make_tiny_models.py OUT [NAME...]   (needs transformers, torch and gguf from PyPI)
Writes OUT/NAME.gguf (float16 matrices, float32 vectors) and OUT/tiny_models.json (ids, logits of the last positions in
float64 over the very weights of the file).  tests/golden/tiny holds its output.
"""
import json
import math
import pathlib
import sys

import gguf
import numpy as np
import torch
import transformers

VOCAB, DIM, FF, HEADS, KV_HEADS, HEAD_DIM, LAYERS, CONTEXT = 96, 32, 64, 4, 2, 16, 4, 128
IDS = [3, 17, 42, 5, 88, 61, 2, 95, 30, 30, 7, 54, 19, 73, 11, 66]


def common(**more):
    return dict(vocab_size=VOCAB, hidden_size=DIM, intermediate_size=FF, num_hidden_layers=LAYERS,
                num_attention_heads=HEADS, num_key_value_heads=KV_HEADS, max_position_embeddings=CONTEXT,
                rms_norm_eps=1e-5, tie_word_embeddings=False, pad_token_id=0, bos_token_id=1, eos_token_id=2,
                attn_implementation="eager", **{"rope_parameters": rope("default"), **more})


def base_keys(c, head_dim=HEAD_DIM):
    return {"block_count": LAYERS, "context_length": CONTEXT, "embedding_length": DIM, "feed_forward_length": FF,
            "attention.head_count": HEADS, "attention.head_count_kv": KV_HEADS, "attention.key_length": head_dim,
            "attention.value_length": head_dim, "attention.layer_norm_rms_epsilon": 1e-5, "rope.freq_base": 10000.0,
            "rope.dimension_count": head_dim, "vocab_size": VOCAB}


LLAMA = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output",
         "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
         "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm",
         "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate",
         "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down", "mlp.gate": "ffn_gate_inp",
         "mlp.router": "ffn_gate_inp", "block_sparse_moe.gate": "ffn_gate_inp",
         "mlp.shared_expert.gate_proj": "ffn_gate_shexp", "mlp.shared_expert.up_proj": "ffn_up_shexp",
         "mlp.shared_expert.down_proj": "ffn_down_shexp", "mlp.shared_expert_gate": "ffn_gate_inp_shexp",
         "mlp.shared_experts.gate_proj": "ffn_gate_shexp", "mlp.shared_experts.up_proj": "ffn_up_shexp",
         "mlp.shared_experts.down_proj": "ffn_down_shexp"}
SANDWICH = {**LLAMA, "post_attention_layernorm": "post_attention_norm", "pre_feedforward_layernorm": "ffn_norm",
            "post_feedforward_layernorm": "post_ffw_norm"}
PHI3 = {**LLAMA, "self_attn.qkv_proj": "attn_qkv", "mlp.gate_up_proj": "ffn_up"}
GLM4 = {**PHI3, "post_self_attn_layernorm": "post_attention_norm", "post_attention_layernorm": "ffn_norm",
        "post_mlp_layernorm": "post_ffw_norm"}
GPT_OSS = {**LLAMA, "post_attention_layernorm": "post_attention_norm"}
STARCODER = {**LLAMA, "mlp.c_fc": "ffn_up", "mlp.c_proj": "ffn_down"}
PHI2 = {**LLAMA, "model.final_layernorm": "output_norm", "self_attn.dense": "attn_output", "mlp.fc1": "ffn_up",
        "mlp.fc2": "ffn_down"}
DEEPSEEK = {**LLAMA, "self_attn.q_a_proj": "attn_q_a", "self_attn.q_a_layernorm": "attn_q_a_norm",
            "self_attn.q_b_proj": "attn_q_b", "self_attn.kv_a_proj_with_mqa": "attn_kv_a_mqa",
            "self_attn.kv_a_layernorm": "attn_kv_a_norm"}


def interleave(weight, heads):
    """As llama.cpp permutes q and k for the interleaved rotation."""
    rows = weight.shape[0]
    return weight.reshape(heads, 2, rows // heads // 2, *weight.shape[1:]).swapaxes(1, 2).reshape(weight.shape)


class Case:
    def __init__(self, arch, config, names=LLAMA, keys=None, permute=False, norm_plus_one=False, drop_keys=(),
                 factors=None, extra=None):
        self.arch, self.config, self.names, self.keys = arch, config, names, keys or {}
        self.permute, self.norm_plus_one, self.drop_keys = permute, norm_plus_one, drop_keys
        self.factors, self.extra = factors, extra


def moe_keys(experts, used, ff, **more):
    return {"expert_count": experts, "expert_used_count": used, "expert_feed_forward_length": ff, **more}


def rope(kind, **more):
    return {"rope_type": kind, "rope_theta": 10000.0, **more}


def deepseek_extra(name, value, c):
    """kv_b [heads * (nope + v), rank] -> k_b [heads, rank, nope], v_b [heads, v, rank]."""
    if not name.endswith("self_attn.kv_b_proj.weight"):
        return None
    layer = name.split(".")[2]
    both = value.reshape(HEADS, c.qk_nope_head_dim + c.v_head_dim, c.kv_lora_rank)
    k, v = both[:, :c.qk_nope_head_dim], both[:, c.qk_nope_head_dim:]
    return {f"blk.{layer}.attn_k_b.weight": k.swapaxes(1, 2).copy(), f"blk.{layer}.attn_v_b.weight": v.copy()}


def llama3_factors(scaling, dim, base):
    inv = 1.0 / (base ** (np.arange(0, dim, 2) / dim))
    out = []
    for f in inv:
        wavelen, old = 2 * math.pi / f, scaling["original_max_position_embeddings"]
        low, high = old / scaling["low_freq_factor"], old / scaling["high_freq_factor"]
        if wavelen < high:
            out.append(1.0)
        elif wavelen > low:
            out.append(scaling["factor"])
        else:
            smooth = (old / wavelen - scaling["low_freq_factor"]) / (
                scaling["high_freq_factor"] - scaling["low_freq_factor"])
            out.append(1 / ((1 - smooth) / scaling["factor"] + smooth))
    return {"rope_freqs.weight": np.array(out, np.float32)}


def cases():
    t = transformers
    llama3 = dict(factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=32)
    longs, shorts = [1.0 + 0.3 * i for i in range(HEAD_DIM // 2)], [1.0 + 0.05 * i for i in range(HEAD_DIM // 2)]
    yarn = dict(factor=4.0, original_max_position_embeddings=32, beta_fast=32.0, beta_slow=1.0)
    yarn_keys = {"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0,
                 "rope.scaling.original_context_length": 32}
    moe = dict(num_experts=8, num_experts_per_tok=3, moe_intermediate_size=48)
    out = {}
    out["llama"] = Case("llama", t.LlamaConfig(**common(head_dim=HEAD_DIM, rope_parameters=rope("llama3", **llama3),
                                                        attention_bias=True, mlp_bias=True)), permute=True,
                        factors=llama3_factors(llama3, HEAD_DIM, 10000.0))
    out["llama_linear"] = Case("llama", t.LlamaConfig(**common(
        head_dim=HEAD_DIM, rope_parameters=rope("linear", factor=4.0))), permute=True,
        keys={"rope.scaling.type": "linear", "rope.scaling.factor": 4.0})
    out["mistral"] = Case("llama", t.MistralConfig(**common(head_dim=HEAD_DIM, sliding_window=6)), permute=True,
                          keys={"attention.sliding_window": 6})
    out["mixtral"] = Case("llama", t.MixtralConfig(**common(head_dim=HEAD_DIM, num_local_experts=4,
                                                           num_experts_per_tok=2)), permute=True,
                          keys={"expert_count": 4, "expert_used_count": 2})
    out["qwen2_yarn"] = Case("qwen2", t.Qwen2Config(**common(rope_parameters=rope("yarn", **yarn)) | {
        "hidden_size": 64}), keys=yarn_keys | {"embedding_length": 64})
    out["qwen2moe"] = Case("qwen2moe", t.Qwen2MoeConfig(**common(
        shared_expert_intermediate_size=80, norm_topk_prob=False, **moe) | {
            "hidden_size": 64, "num_experts": 4, "num_hidden_layers": 2, "moe_intermediate_size": 32}),
        keys=moe_keys(4, 3, 32, expert_shared_feed_forward_length=80) | {"embedding_length": 64, "block_count": 2})
    out["qwen3"] = Case("qwen3", t.Qwen3Config(**common(head_dim=HEAD_DIM)))
    out["qwen3moe"] = Case("qwen3moe", t.Qwen3MoeConfig(**common(head_dim=HEAD_DIM, norm_topk_prob=True, **moe)
                                                             | {"num_hidden_layers": 3}),
                           keys=moe_keys(8, 3, 48) | {"block_count": 3})
    out["gemma"] = Case("gemma", t.GemmaConfig(**common(head_dim=HEAD_DIM) | {"tie_word_embeddings": True}),
                        norm_plus_one=True)
    out["gemma2"] = Case("gemma2", t.Gemma2Config(**common(
        head_dim=HEAD_DIM, sliding_window=6, query_pre_attn_scalar=HEAD_DIM, attn_logit_softcapping=5.0,
        final_logit_softcapping=4.0) | {"tie_word_embeddings": True}), SANDWICH, norm_plus_one=True,
        keys={"attention.sliding_window": 6, "attn_logit_softcapping": 5.0, "final_logit_softcapping": 4.0})
    out["gemma3"] = Case("gemma3", t.Gemma3TextConfig(**common(
        head_dim=HEAD_DIM, sliding_window=6, query_pre_attn_scalar=HEAD_DIM, layer_types=[
            "sliding_attention", "sliding_attention", "full_attention", "sliding_attention"],
        rope_parameters={"full_attention": {"rope_type": "linear", "factor": 4.0, "rope_theta": 100000.0},
                         "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}) | {
            "tie_word_embeddings": True}), SANDWICH, norm_plus_one=True,
        keys={"attention.sliding_window": 6, "attention.sliding_window_pattern": [True, True, False, True],
              "rope.freq_base": 100000.0, "rope.scaling.type": "linear", "rope.scaling.factor": 4.0})
    out["phi2"] = Case("phi2", t.PhiConfig(**{k: v for k, v in common(rope_parameters=rope(
        "default", partial_rotary_factor=0.5)).items() if k != "rms_norm_eps"} | {"hidden_size": 64,
        "layer_norm_eps": 1e-5, "num_key_value_heads": HEADS}), PHI2,
        keys={"embedding_length": 64, "rope.dimension_count": 8, "attention.layer_norm_epsilon": 1e-5,
              "attention.head_count_kv": HEADS},
        drop_keys=["attention.layer_norm_rms_epsilon"])
    out["phi3"] = Case("phi3", t.Phi3Config(**common(sliding_window=9, rope_parameters=rope(
        "longrope", long_factor=longs, short_factor=shorts, original_max_position_embeddings=64)) | {
            "hidden_size": 64}, original_max_position_embeddings=64), PHI3,
        keys={"embedding_length": 64, "attention.sliding_window": 9, "rope.scaling.type": "longrope",
              "rope.scaling.original_context_length": 64,
              "rope.scaling.attn_factor": math.sqrt(1 + math.log(2) / math.log(64))},
        factors={"rope_factors_long.weight": np.array(longs, np.float32),
                 "rope_factors_short.weight": np.array(shorts, np.float32)})
    out["granite"] = Case("granite", t.GraniteConfig(**common(
        embedding_multiplier=3.0, residual_multiplier=0.4, attention_multiplier=0.2, logits_scaling=2.0) | {
            "hidden_size": 64}), permute=True,
        keys={"embedding_length": 64, "embedding_scale": 3.0, "residual_scale": 0.4, "attention.scale": 0.2,
              "logit_scale": 2.0})
    out["olmo2"] = Case("olmo2", t.Olmo2Config(**common() | {"hidden_size": 64}), SANDWICH,
                        keys={"embedding_length": 64})
    out["olmo3"] = Case("olmo2", t.Olmo3Config(**common(sliding_window=6, layer_types=[
        "sliding_attention"] * 3 + ["full_attention"]) | {"hidden_size": 64}), SANDWICH,
        keys={"embedding_length": 64, "attention.sliding_window": 6, "rope.freq_base": 500000.0})
    out["smollm3"] = Case("smollm3", t.SmolLM3Config(**common(no_rope_layers=[1, 1, 1, 0], use_sliding_window=False)
                                                     | {"hidden_size": 64}), permute=True,
                          keys={"embedding_length": 64})
    out["glm4"] = Case("glm4", t.Glm4Config(**common(head_dim=HEAD_DIM, attention_bias=True, rope_parameters=rope(
        "default", partial_rotary_factor=0.5))), GLM4, keys={"rope.dimension_count": 8})
    out["exaone4"] = Case("exaone4", t.Exaone4Config(**common(head_dim=HEAD_DIM, sliding_window=6, layer_types=[
        "sliding_attention"] * 3 + ["full_attention"])), SANDWICH,
        keys={"attention.sliding_window": 6, "attention.sliding_window_pattern": 4})
    out["starcoder2"] = Case("starcoder2", t.Starcoder2Config(**{k: v for k, v in common(
        norm_epsilon=1e-5, use_bias=True, sliding_window=None).items() if k != "rms_norm_eps"} | {
            "hidden_size": 64}), STARCODER,
        keys={"embedding_length": 64, "attention.layer_norm_epsilon": 1e-5},
        drop_keys=["attention.layer_norm_rms_epsilon"])
    out["gpt-oss"] = Case("gpt-oss", t.GptOssConfig(**common(
        head_dim=HEAD_DIM, num_local_experts=4, num_experts_per_tok=2, sliding_window=6,
        rope_parameters=rope("yarn", **yarn), layer_types=["sliding_attention", "full_attention"] * 2)), GPT_OSS,
        keys=moe_keys(4, 2, FF) | yarn_keys | {"attention.sliding_window": 6})
    latent = dict(kv_lora_rank=16, qk_rope_head_dim=8, qk_nope_head_dim=16, v_head_dim=16, n_routed_experts=8,
                  num_experts_per_tok=3, moe_intermediate_size=32, n_shared_experts=2, first_k_dense_replace=1)
    latent_keys = moe_keys(8, 3, 32) | {
        "attention.head_count_kv": 1, "attention.kv_lora_rank": 16, "attention.key_length": 24,
        "attention.value_length": 16, "attention.key_length_mla": 24, "attention.value_length_mla": 16,
        "rope.dimension_count": 8, "attention.layer_norm_rms_epsilon": 1e-6, "expert_shared_count": 2, "leading_dense_block_count": 1}
    out["deepseek2"] = Case("deepseek2", t.DeepseekV2Config(**common(
        q_lora_rank=None, norm_topk_prob=False, routed_scaling_factor=1.5, topk_method="greedy", **latent)
        | {"num_key_value_heads": HEADS, "rms_norm_eps": 1e-6}), DEEPSEEK, extra=deepseek_extra,
        keys=latent_keys | {"expert_weights_scale": 1.5, "expert_gating_func": 1})
    out["deepseek3"] = Case("deepseek2", t.DeepseekV3Config(**common(
        q_lora_rank=24, norm_topk_prob=True, routed_scaling_factor=2.5, n_group=1, topk_group=1,
        rope_interleave=True, **latent) | {"num_key_value_heads": HEADS, "rms_norm_eps": 1e-6}), DEEPSEEK, extra=deepseek_extra,
        keys=latent_keys | {"expert_weights_scale": 2.5, "expert_gating_func": 2, "expert_weights_norm": True,
                            "attention.q_lora_rank": 24})
    return out


def randomize(model):
    generator = torch.Generator().manual_seed(11)
    for name, p in list(model.named_parameters()) + list(model.named_buffers()):
        if "inv_freq" in name or "embed_scale" in name:
            continue
        noise = torch.randn(p.shape, generator=generator)
        if p.dim() >= 2:
            fan = p.shape[-1]
            value = (noise * (1.5 / math.sqrt(fan))).half().float()
        elif "norm" in name and name.endswith("weight"):
            value = 1 + 0.2 * noise
        else:
            value = 0.3 * noise
        p.data = value.to(p.dtype)


def tensors_of(case, model):
    """GGUF name -> array, of every parameter."""
    out = dict(case.factors or {})
    config = model.config
    for name, parameter in model.state_dict().items():
        if "inv_freq" in name or "embed_scale" in name or (
                name == "lm_head.weight" and config.tie_word_embeddings):
            continue
        value = parameter.float().numpy()
        special = case.extra(name, value, config) if case.extra else None
        if special is not None:
            out.update(special)
            continue
        layer = name.split(".")[2] if name.startswith("model.layers.") else None
        tail = name[len(f"model.layers.{layer}."):] if layer else name
        prefix = f"blk.{layer}." if layer else ""
        if "experts." in tail and "shared" not in tail:
            kind = tail.split("experts.")[1]
            if case.arch == "gpt-oss":
                parts = {"gate_up_proj": ["gate", "up"], "down_proj": ["down"], "gate_up_proj_bias": ["gate", "up"],
                         "down_proj_bias": ["down"]}[kind]
                suffix = "bias" if kind.endswith("bias") else "weight"
                for i, part in enumerate(parts):
                    v = value[..., i::2] if len(parts) == 2 else value
                    out[f"{prefix}ffn_{part}_exps.{suffix}"] = np.ascontiguousarray(
                        v if suffix == "bias" else v.swapaxes(1, 2))
            elif kind == "gate_up_proj":
                half = value.shape[1] // 2
                out[prefix + "ffn_gate_exps.weight"] = value[:, :half].copy()
                out[prefix + "ffn_up_exps.weight"] = value[:, half:].copy()
            elif kind == "down_proj":
                out[prefix + "ffn_down_exps.weight"] = value
            else:
                raise SystemExit(f"experts: {name}")
            continue
        if tail.endswith("self_attn.sinks"):
            out[prefix + "attn_sinks.weight"] = value
            continue
        if tail.endswith("e_score_correction_bias"):
            out[prefix + "exp_probs_b.bias"] = value
            continue
        stem, _, suffix = tail.rpartition(".")
        if stem not in case.names:
            raise SystemExit(f"{case.arch}: no GGUF name for {name} {value.shape}")
        target = case.names[stem]
        if case.permute and target in ("attn_q", "attn_k"):
            value = interleave(value, HEADS if target == "attn_q" else KV_HEADS)
        if case.norm_plus_one and target.endswith("norm"):
            value = value + 1
        out[f"{prefix}{target}.{suffix}"] = value
    return out


def write(path, case, tensors):
    writer = gguf.GGUFWriter(path, case.arch)
    keys = base_keys(case.config) | case.keys
    for key, value in keys.items():
        if key in case.drop_keys:
            continue
        name = f"{case.arch}.{key}"
        if isinstance(value, bool):
            writer.add_bool(name, value)
        elif isinstance(value, list):
            writer.add_array(name, value)
        elif isinstance(value, int):
            writer.add_uint32(name, value)
        elif isinstance(value, float):
            writer.add_float32(name, value)
        else:
            writer.add_string(name, value)
    for name, value in tensors.items():
        matrix = value.ndim >= 2 and not name.endswith(".bias")
        writer.add_tensor(name, np.ascontiguousarray(value.astype(np.float16 if matrix else np.float32)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    out = pathlib.Path(sys.argv[1])
    wanted = sys.argv[2:]
    out.mkdir(parents=True, exist_ok=True)
    record = out / "tiny_models.json"
    results = json.loads(record.read_text()) if record.exists() else {}
    for name, case in cases().items():
        if wanted and name not in wanted:
            continue
        try:
            model = transformers.AutoModelForCausalLM.from_config(case.config, experts_implementation="eager")
            model = model.float()
            randomize(model)
            tensors = tensors_of(case, model)
            write(out / f"{name}.gguf", case, tensors)
            with torch.no_grad():
                logits = model.double().eval()(torch.tensor([IDS]), use_cache=False).logits[0]
            results[name] = {"ids": IDS, "logits": [[float(f"{x:.7g}") for x in row] for row in logits[-2:].tolist()]}
            print(f"{name}: {(out / (name + '.gguf')).stat().st_size} bytes, logits rms "
                  f"{float(logits.pow(2).mean().sqrt()):.3f}")
        except Exception as error:  # the others are still of use
            print(f"{name}: FAILED {type(error).__name__}: {str(error)[:300]}")
    record.write_text("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(results.items())) + "\n}\n")


main()
