# SPDX-License-Identifier: GPL-3.0-or-later
"""What a step of a dense GGUF model has to read and to multiply, from the file's tensor list: no package is needed."""
import struct

# ggml type -> (weights of a block, bytes of a block), from the GGUF specification
BLOCKS = {0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 10: (256, 84), 11: (256, 110),
          12: (256, 144), 13: (256, 176), 14: (256, 210), 20: (32, 18), 23: (256, 136), 30: (1, 2), 39: (32, 17)}
SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}


def read_header(path):
    """(metadata, [(name, dimensions, type)]) of a GGUF file."""
    with open(path, "rb") as file:
        def number(code):
            return struct.unpack("<" + code, file.read(struct.calcsize("<" + code)))[0]

        def text():
            return file.read(number("Q")).decode("utf-8", "replace")

        def value(kind):
            if kind == 8:
                return text()
            if kind == 9:
                element, count = number("I"), number("Q")
                return [value(element) for _ in range(count)]
            return number(SCALARS[kind])

        if file.read(4) != b"GGUF":
            raise SystemExit(f"{path} is no GGUF file")
        number("I")
        num_tensors, num_keys = number("Q"), number("Q")
        metadata = {}
        for _ in range(num_keys):
            key = text()
            metadata[key] = value(number("I"))
        tensors = []
        for _ in range(num_tensors):
            name = text()
            dimensions = [number("Q") for _ in range(number("I"))]
            tensors.append((name, dimensions, number("I")))
            number("Q")
    return metadata, tensors


def weights_of(dimensions):
    count = 1
    for extent in dimensions:
        count *= extent
    return count


def model_work(path):
    """decode_bytes: weights that one step reads.  prompt_products: multiplications of 8-bit numbers that one prompt token
    costs in its layers (the head works for the last token alone).  kv_bytes: of one token in an f16 cache."""
    metadata, tensors = read_header(path)
    names = {name for name, _, _ in tensors}
    head = "output.weight" if "output.weight" in names else "token_embd.weight"
    matrices = [(name, shape, kind) for name, shape, kind in tensors
                if len(shape) > 1 and (name == head or name != "token_embd.weight")]
    arch = metadata["general.architecture"]
    heads = metadata[f"{arch}.attention.head_count"]
    kv_heads = metadata.get(f"{arch}.attention.head_count_kv", heads)
    dim = metadata[f"{arch}.embedding_length"] // heads
    per_head = metadata.get(f"{arch}.attention.key_length", dim) + metadata.get(f"{arch}.attention.value_length", dim)
    return {"decode_bytes": sum(weights_of(shape) // BLOCKS[kind][0] * BLOCKS[kind][1] for _, shape, kind in matrices),
            "prompt_products": sum(weights_of(shape) for name, shape, _ in matrices if name != head),
            "dense": all(kind in (0, 1, 30) for name, _, kind in matrices if name != head),
            "kv_bytes": metadata[f"{arch}.block_count"] * kv_heads * per_head * 2}
