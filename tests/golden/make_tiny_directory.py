# SPDX-License-Identifier: GPL-3.0-or-later
"""Model directories as Hugging Face writes them: a tiny Llama in two shards with two kinds of tokenizer.json.

Run by hand: python3 make_tiny_directory.py OUT   (needs transformers, torch, tokenizers from PyPI)
tests/golden/tiny/directory holds its output: bytes/ (byte-level BPE) and spaced/ (SentencePiece-like BPE), and
directory.json with logits in float64 and ids by `tokenizers`.
"""
import json
import math
import pathlib
import sys

import tokenizers
import torch
import transformers
from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers, processors, trainers

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


def main():
    out = pathlib.Path(sys.argv[1])
    results = {}
    for name, make in (("bytes", byte_level), ("spaced", spaced)):
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
            "texts": [{"text": t, "ids": tokenizer.encode(t, add_special_tokens=False).ids} for t in TEXTS]}
    (out / "directory.json").write_text(json.dumps(results, ensure_ascii=False, indent=0) + "\n")


main()
