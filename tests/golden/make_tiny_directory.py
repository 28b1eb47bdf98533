# SPDX-License-Identifier: GPL-3.0-or-later
"""Model directories as Hugging Face writes them: a tiny Llama in shards with three kinds of tokenizer.json, and tiny DeepSeeks.

Run by hand: python3 make_tiny_directory.py OUT [NAME...]   (needs transformers, torch, tokenizers, sentencepiece from PyPI)
tests/golden/tiny/directory holds its output: bytes/ (byte-level BPE), spaced/ (SentencePiece-like BPE), unigram/ (with a
compiled normalization by SentencePiece), deepseek_v2/ and deepseek_v3/, and directory.json with logits in float64 and ids by
`tokenizers`.
"""
import json
import math
import pathlib
import sys

import tokenizers
import torch
import transformers
from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers, processors, trainers

UNIGRAM_TEXTS = ["\u00bd of \uff21\uff22", "caf\u00e9 cafe\u0301", "  many   spaces  ", "\u2460\u32c0 \ufb01ne", "\t tab\nline", "\U0001f642\U0001f642 unknown \u5317\u4eac",
                 "e\u0301\u0327 A\u030a", "\u2581mark", "a\u200bb\u00adc"]
TEXTS = ["Hello world, it's 2026!", "  two spaces\n\nand lines", "naïve café 你好 🙂", "x=1234567; y='z'", "", " "]
QWEN = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)"
        r"|\s+")
CORPUS = [pathlib.Path(__file__).read_text(), "Hello world, it is a café with two spaces and 2026 lines." * 20]
IDS = [3, 17, 42, 5, 88, 61, 2, 95, 30, 30, 7, 54]


def byte_level():
    t = tokenizers.Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(tokenizers.Regex(QWEN), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    t.decoder = decoders.ByteLevel()
    t.train_from_iterator(CORPUS, trainers.BpeTrainer(
        vocab_size=400, special_tokens=["<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    return t, "<|im_start|>", "<|im_end|>"


def spaced():
    pieces = ["<unk>", "<s>", "</s>"] + [f"<0x{i:02X}>" for i in range(256)]
    t = tokenizers.Tokenizer(models.BPE())
    t.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    t.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=150))
    trained = json.loads(t.to_str())["model"]
    vocab = {p: i for i, p in enumerate(pieces + [p for p in trained["vocab"] if p not in pieces])}
    out = tokenizers.Tokenizer(models.BPE(vocab=vocab, merges=[tuple(m) for m in trained["merges"]],
                                          unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    out.normalizer = t.normalizer
    out.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(),
                                     decoders.Strip(" ", 1, 0)])
    out.add_special_tokens([AddedToken(p, normalized=False) for p in ("<unk>", "<s>", "</s>")])
    out.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return out, "<s>", "</s>"


RULES = {"\uff21": "A", "\uff22": "B", "\u00bd": "1\u20442", "e\u0301": "\u00e9", "A\u030a": "\u00c5", "\ufb01": "fi", "\u2460": "1", "\t": " ", "\n": " ",
         "\u200b": "", "\u32c0": "1\u6708"}


def unigram(folder):
    """Trained by SentencePiece with a few rules of its own, so that the compiled map stays small."""
    import sentencepiece
    corpus, rules, prefix = (folder / n for n in ("corpus.txt", "rules.tsv", "trained"))
    corpus.write_text("\n".join(" ".join(text.split()) for text in CORPUS[0].splitlines() + CORPUS[1:] if text.strip()))
    codes = lambda t: " ".join(f"{ord(c):X}" for c in t)  # noqa: E731
    rules.write_text("".join(f"{codes(a)}\t{codes(b)}\n" for a, b in RULES.items()))
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus), model_prefix=str(prefix), model_type="unigram", vocab_size=260, unk_id=0, bos_id=1, eos_id=2,
        normalization_rule_tsv=str(rules), num_threads=1, minloglevel=2)
    from sentencepiece import sentencepiece_model_pb2
    proto = sentencepiece_model_pb2.ModelProto.FromString(prefix.with_suffix(".model").read_bytes())
    for path in (corpus, rules, prefix.with_suffix(".model"), prefix.with_suffix(".vocab")):
        path.unlink()
    t = tokenizers.Tokenizer(models.Unigram([(p.piece, p.score) for p in proto.pieces], unk_id=0, byte_fallback=False))
    t.normalizer = normalizers.Sequence([
        normalizers.Precompiled(proto.normalizer_spec.precompiled_charsmap), normalizers.Strip(left=False, right=True),
        normalizers.Replace(tokenizers.Regex(" {2,}"), "\u2581")])
    t.pre_tokenizer = pre_tokenizers.Metaspace(replacement="\u2581", prepend_scheme="always")
    t.decoder = decoders.Metaspace(replacement="\u2581", prepend_scheme="always")
    t.add_special_tokens([AddedToken(p, normalized=False) for p in ("<unk>", "<s>", "</s>")])
    t.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 2)])
    return t, "<s>", "</s>"


def randomized(model):
    generator = torch.Generator().manual_seed(5)
    for name, p in list(model.named_parameters()) + [b for b in model.named_buffers() if "correction_bias" in b[0]]:
        noise = torch.randn(p.shape, generator=generator)
        p.data = (noise * (1.5 / math.sqrt(p.shape[-1])) if p.dim() > 1 else 1 + 0.2 * noise).bfloat16().float()
        if "correction_bias" in name:
            p.data = 0.3 * noise
    return model


def deepseek(name, folder):
    """As the originals are stored; YaRN with equal mscales as they have it."""
    shape = dict(vocab_size=96, hidden_size=32, intermediate_size=64, num_hidden_layers=3, num_attention_heads=4,
                 num_key_value_heads=4, max_position_embeddings=256, rms_norm_eps=1e-6, tie_word_embeddings=False,
                 kv_lora_rank=16, qk_rope_head_dim=8, qk_nope_head_dim=16, v_head_dim=12, n_routed_experts=4,
                 num_experts_per_tok=2, moe_intermediate_size=24, n_shared_experts=1, first_k_dense_replace=1, n_group=1,
                 topk_group=1, attn_implementation="eager", rope_parameters={
                     "rope_type": "yarn", "rope_theta": 10000.0, "factor": 8.0, "original_max_position_embeddings": 32,
                     "beta_fast": 32, "beta_slow": 1, "mscale": 0.707, "mscale_all_dim": 0.707})
    if name == "deepseek_v2":
        config = transformers.DeepseekV2Config(q_lora_rank=None, norm_topk_prob=False, routed_scaling_factor=1.5,
                                               topk_method="greedy", **shape)
    else:
        config = transformers.DeepseekV3Config(q_lora_rank=24, norm_topk_prob=True, routed_scaling_factor=2.5, **shape)
    model = randomized(transformers.AutoModelForCausalLM.from_config(config, experts_implementation="eager").float())
    with torch.no_grad():
        logits = model.double().eval()(torch.tensor([IDS]), use_cache=False).logits[0, -1]
    model.bfloat16().save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    return {"ids": IDS, "logits": [float(f"{x:.7g}") for x in logits.tolist()]}


def main():
    out, wanted = pathlib.Path(sys.argv[1]), sys.argv[2:]
    record = out / "directory.json"
    results = json.loads(record.read_text()) if record.exists() else {}
    for name in ("deepseek_v2", "deepseek_v3"):
        if not wanted or name in wanted:
            results[name] = deepseek(name, out / name)
    for name, make in (("bytes", byte_level), ("spaced", spaced), ("unigram", lambda: unigram(out))):
        if wanted and name not in wanted:
            continue
        tokenizer, bos, eos = make()
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        vocab = tokenizer.get_vocab_size() + 3  # padding rows, as many models have
        config = transformers.LlamaConfig(
            vocab_size=vocab, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
            num_key_value_heads=2, head_dim=16, max_position_embeddings=128, tie_word_embeddings=False,
            attn_implementation="eager", rope_parameters={
                "rope_type": "llama3", "rope_theta": 10000.0, "factor": 4.0, "low_freq_factor": 1.0,
                "high_freq_factor": 4.0, "original_max_position_embeddings": 32})
        model = transformers.AutoModelForCausalLM.from_config(config)
        generator = torch.Generator().manual_seed(5)
        for p in model.parameters():
            noise = torch.randn(p.shape, generator=generator)
            p.data = (noise * (1.5 / math.sqrt(p.shape[-1])) if p.dim() > 1 else 1 + 0.2 * noise).bfloat16().float()
        with torch.no_grad():
            logits = model.double()(torch.tensor([IDS]), use_cache=False).logits[0, -1]
        model.bfloat16().save_pretrained(folder, max_shard_size="40KB")
        tokenizer.save(str(folder / "tokenizer.json"))
        (folder / "tokenizer_config.json").write_text(json.dumps({
            "bos_token": bos, "eos_token": {"content": eos}, "chat_template": "{{ messages[0]['content'] }}"}))
        (folder / "generation_config.json").unlink(missing_ok=True)
        results[name] = {
            "ids": IDS, "logits": [float(f"{x:.7g}") for x in logits.tolist()], "vocab_size": vocab,
            "texts": [{"text": t, "ids": tokenizer.encode(t, add_special_tokens=False).ids}
                      for t in TEXTS + (UNIGRAM_TEXTS if name == "unigram" else [])]}
    record.write_text(json.dumps(results, ensure_ascii=False, indent=0) + "\n")


main()
