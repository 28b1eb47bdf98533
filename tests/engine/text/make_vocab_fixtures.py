#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/vocab: small vocabularies and what independent tokenizers make of test strings with them.

By hand:  python tests/engine/text/make_vocab_fixtures.py FOLDER   (of ggml-vocab-*.gguf with .inp and .out)
Needs: pip install gguf tokenizers sentencepiece protobuf.

A vocabulary is cut down to the tokens and merges that can occur in the strings (every token spelled by a part of one of
them), so each string is tokenized as by the whole one.  Expected ids: PyPI tokenizers (BPE) and sentencepiece; for the
.inp strings they must equal the .out file as well.
"""
import json
import pathlib
import random
import sys

from gguf import GGUFReader, GGUFWriter
from sentencepiece import SentencePieceProcessor, sentencepiece_model_pb2
from tokenizers import Regex, Tokenizer, models, pre_tokenizers

OUT = pathlib.Path(__file__).parents[2] / "golden/vocab"
NUM_RANDOM = 120
SPACE = "\u2581"
# name of the fixture: vocabulary it is made of, tokenizer.ggml.pre ("": SentencePiece)
FIXTURES = {
    "deepseek-llm": ("deepseek-llm", "deepseek-llm"), "gpt-2": ("gpt-2", "gpt-2"), "llama-bpe": ("llama-bpe", "llama-bpe"),
    "qwen2": ("qwen2", "qwen2"), "qwen35": ("qwen35", "qwen35"), "starcoder": ("starcoder", "starcoder"),
    "llama-spm": ("llama-spm", ""), "phi-3": ("phi-3", ""),
    "tekken": ("llama-bpe", "tekken"), "gpt-4o": ("qwen2", "gpt-4o"), "deepseek-v3": ("deepseek-llm", "deepseek-v3"),
    "deepseek-coder": ("deepseek-llm", "deepseek-coder"), "default": ("gpt-2", "default"), "falcon": ("gpt-2", "falcon"),
    "bloom": ("gpt-2", "bloom"), "viking": ("gpt-2", "viking"), "glm4": ("llama-bpe", "glm4"), "dbrx": ("llama-bpe", "dbrx"),
}
POOLS = ["abcdefghijklmnopqrstuvwxyz", "ABCXYZ", "0123456789", "½Ⅷ٣²", " \n\r\t", "  ", "\u0085\u00a0\u2028\u180e\u200b\ufeff\u001c\u3000",
         "!?.,;:/\\-_=+<>|~^$`\"'()[]{}", "äöüßéÄÖÜ", "日本語テキスト中国", "한국어", "привет", "مرحبا", "नमस्ते", "🙂👍🏽👨‍👩‍👧",
         "ǅᾈʰªº", "\u0301\u0300\u20dd", "\x01\x7f", "Ġ", "\ufffd", "ſ\u212aÅ"]
WORDS = ["the", "The", "hello", "world", "don't", "I'LL", "we'Ve", "'ſ", "3.14", "1234567", "http://", "foo_bar", "\n\n", "\r\n",
         "    ", "\t\t", " = ", "//", "<|im_end|>", "<unk>", "<0x0A>", "\u1c89", "\U000323af", "\U00011f50"]


def patterns():
    """The table in engine/text/pre_tokenizer_table.cpp, read back: family -> (patterns, ignore_merges)."""
    import re
    source = (pathlib.Path(__file__).parents[3] / "engine/text/pre_tokenizer_table.cpp").read_text()
    table = source[source.index("kTable ="):]
    found = {}
    for family, body, ignore in re.findall(r'\{"([^"]+)", k\w+Names,\s*\{(.*?)\},\s*(true|false)\},', table, re.S):
        passes = [[]]
        for literal, comma in re.findall(r'R"~\((.*?)\)~"(,?)', body, re.S):
            passes[-1].append(literal)
            if comma:
                passes.append([])
        found[family] = (["".join(p) for p in passes if p], ignore == "true")
    found["starcoder"] = found["smollm"]
    return found


def random_text(rng):
    text = ""
    for _ in range(rng.randint(1, 12)):
        if rng.random() < 0.4:
            text += rng.choice(WORDS) + rng.choice(["", " "])
        else:
            text += "".join(rng.choice(rng.choice(POOLS)) for _ in range(rng.randint(1, 4)))
    return text


def byte_alphabet():
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = iter(range(256, 512))
    return {b: chr(b if b in plain else next(rest)) for b in range(256)}


def parts(texts, longest):
    found = set()
    for text in texts:
        for i in range(len(text)):
            for j in range(i + 1, min(len(text), i + longest) + 1):
                found.add(text[i:j])
    return found


def bpe_oracle(vocab, merges, passes, ignore_merges):
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=merges, ignore_merges=ignore_merges))
    steps = [pre_tokenizers.Split(Regex(p), "isolated") for p in passes]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        steps + [pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


def spm_oracle(tokens, kinds, scores, space_prefix):
    model = sentencepiece_model_pb2.ModelProto()
    for token, kind, score in zip(tokens, kinds, scores):
        piece = model.pieces.add()
        piece.piece, piece.score = token.replace(" ", SPACE) if kind == 4 else token, score
        piece.type = kind if kind != 2 else 2 if token == "<unk>" else 3
    model.trainer_spec.model_type, model.trainer_spec.byte_fallback = 2, True
    model.trainer_spec.vocab_size = len(tokens)
    model.normalizer_spec.name, model.normalizer_spec.add_dummy_prefix = "identity", space_prefix
    model.normalizer_spec.remove_extra_whitespaces, model.normalizer_spec.escape_whitespaces = False, True
    processor = SentencePieceProcessor()
    processor.LoadFromSerializedProto(model.SerializeToString())
    return processor.EncodeAsIds


def make(folder, name, source, pre, table):
    reader = GGUFReader(folder / f"ggml-vocab-{source}.gguf")
    get = lambda key, default=None: reader.fields[key].contents() if key in reader.fields else default
    tokens, kinds = get("tokenizer.ggml.tokens"), get("tokenizer.ggml.token_type")
    scores = get("tokenizer.ggml.scores")
    rows = (folder / f"ggml-vocab-{source}.gguf.inp").read_bytes().decode().split("\n__ggml_vocab_test__\n")
    wanted = [list(map(int, line.split())) for line in (folder / f"ggml-vocab-{source}.gguf.out").read_text().split("\n")]
    rng = random.Random(name)
    texts = rows + [random_text(rng) for _ in range(NUM_RANDOM)]
    user_defined = [t for t, k in zip(tokens, kinds) if k == 4]
    texts = [t for t in texts if not any(u in t for u in user_defined)]
    alphabet = byte_alphabet()
    spelled = ["".join(alphabet[b] for b in t.encode()) if pre else SPACE + t.replace(" ", SPACE) for t in texts]
    possible = parts(spelled, max(map(len, tokens)))
    ordinary = set(alphabet.values()) if pre else {f"<0x{b:02X}>" for b in range(256)}
    padding = [i for i, t in enumerate(tokens) if t.startswith("[PAD")][3:]
    dropped = set(padding)
    keep = [i for i, (t, k) in enumerate(zip(tokens, kinds))
            if i not in dropped and (t in possible or t in ordinary or k in (2, 3, 4)) and not t.startswith("<|reserved_special")]
    new_id = {old: new for new, old in enumerate(keep)}
    kept, kept_kinds = [tokens[i] for i in keep], [kinds[i] for i in keep]
    writer = GGUFWriter(str(OUT / f"{name}.gguf"), get("general.architecture"))
    writer.add_name(get("general.name"))
    writer.add_tokenizer_model(get("tokenizer.ggml.model"))
    writer.add_tokenizer_pre(pre or "default")
    writer.add_token_list(kept)
    writer.add_token_types(kept_kinds)
    if pre:
        pairs = [(m[:m.index(" ", 1)], m[m.index(" ", 1) + 1:]) for m in get("tokenizer.ggml.merges")]
        vocab = {t: i for i, t in reversed(list(enumerate(kept)))}
        pairs = [(a, b) for a, b in pairs if a in vocab and b in vocab and a + b in vocab]
        writer.add_token_merges([f"{a} {b}" for a, b in pairs])
        encode = bpe_oracle(vocab, pairs, *table[pre])
    else:
        writer.add_token_scores([scores[i] for i in keep])
        encode = spm_oracle(kept, kept_kinds, [scores[i] for i in keep], get("tokenizer.ggml.add_space_prefix", True))
    for key in ("bos", "eos", "unknown", "padding"):
        old = get(f"tokenizer.ggml.{key}_token_id")
        if old in new_id:
            writer.add_uint32(f"tokenizer.ggml.{key}_token_id", new_id[old])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    cases = [{"text": t, "ids": encode(t)} for t in texts]
    if name == source:
        for case in cases:
            if case["text"] in rows:
                assert [keep[i] for i in case["ids"]] == wanted[rows.index(case["text"])], (name, case["text"])
    lines = ",\n".join(json.dumps(case) for case in cases)
    (OUT / f"{name}.json").write_text(f"[\n{lines}\n]\n")
    print(name, len(kept), "tokens", len(cases), "strings")


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    table = patterns()
    for name, (source, pre) in FIXTURES.items():
        make(pathlib.Path(sys.argv[1]), name, source, pre, table)


if __name__ == "__main__":
    main()
