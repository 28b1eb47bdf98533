#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random schemas, random documents, and what `jsonschema` (with its format checker) says of them: schema_golden.jsonl.

Run by hand: make_schema_golden.py COUNT SEED > schema_golden.jsonl.  A line is {schema, strict, documents: [[text, valid]]}.
Documents are written as a grammar writes them: keys in the schema's order, others behind them, numbers in plain decimals.
"""
import json
import random
import sys

from jsonschema import Draft202012Validator

WORDS = ["a", "b", "name", "naïve", "q\"uote", "new\nline", "emoji🙂", "", "x/y", "tab\t", "Zürich", "aa", "ab"]
PATTERNS = ["^[a-z]+$", "a", "^a|b$", "^(?:ab?){1,3}$", "\\d{2}", "^[^a]*$", "^ä?é+$", "^a.c$", "[a-c]\\s"]
FORMATS = {
    "date": ["2024-02-29", "2023-02-29", "2023-12-31", "2023-13-01", "1-1-1", ""],
    "uuid": ["123e4567-e89b-12d3-a456-426614174000", "123e4567", "x"],
    "ipv4": ["1.2.3.4", "255.255.255.255", "256.1.1.1", "1.2.3"],
    "time": ["12:30:00Z", "25:00:00Z", "12:30"],
    "date-time": ["2024-01-31T23:59:59Z", "2024-01-32T00:00:00Z", "2024-01-31"],
}


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.definitions = {}
        self.random_order = False  # the document's keys may stand in another order than the schema's

    def pick(self, items):
        return self.random.choice(items)

    def maybe(self, share=0.5):
        return self.random.random() < share

    def scalar(self):
        return self.pick([None, True, False, 0, 1, -1, 7, 1.5, -0.25, 12, 100] + WORDS)

    def schema(self, depth):
        kinds = ["string", "integer", "number", "boolean", "null", "enum", "const"]
        if depth > 0:
            kinds += ["object"] * 4 + ["array"] * 3 + ["anyOf", "allOf", "types", "ref", "tuple", "oneOf"]
        return getattr(self, "make_" + self.pick(kinds))(depth)

    def make_string(self, _):
        out = {"type": "string"}
        kind = self.pick(["plain", "length", "pattern", "format", "both"])
        if kind in ("length", "both"):
            out["minLength"] = self.random.randint(0, 2)
            out["maxLength"] = out["minLength"] + self.random.randint(0, 3)
        if kind in ("pattern", "both"):
            out["pattern"] = self.pick(PATTERNS)
        if kind == "format":
            out["format"] = self.pick(sorted(FORMATS))
        return out

    def bounds(self, out, whole):
        low = self.pick([-20, -3, -1, 0, 1, 5, 99, 1000] if whole else [-2.5, -1, 0, 0.05, 1.25, 10])
        if self.maybe():
            out[self.pick(["minimum", "exclusiveMinimum"])] = low
        if self.maybe():
            out[self.pick(["maximum", "exclusiveMaximum"])] = low + self.pick([2, 9, 10, 37, 1000])
        return out

    def make_integer(self, _):
        return self.bounds({"type": "integer"}, True)

    def make_number(self, _):
        return self.bounds({"type": "number"}, False)

    def make_boolean(self, _):
        return {"type": "boolean"}

    def make_null(self, _):
        return {"type": "null"}

    def make_enum(self, _):
        return {"enum": [self.scalar() for _ in range(self.random.randint(1, 4))]}

    def make_const(self, _):
        return {"const": self.pick([self.scalar(), [1, "a"], {"k": [True]}])}

    def make_types(self, _):
        out = {"type": self.random.sample(["string", "integer", "null", "boolean"], 2)}
        if self.maybe():
            out["maxLength"] = 2
        return out

    def make_object(self, depth):
        names = self.random.sample(WORDS, self.random.randint(0, 4))
        out = {"type": "object", "properties": {name: self.schema(depth - 1) for name in names}}
        if self.maybe(0.7):
            out["required"] = [name for name in names if self.maybe()]
        if self.maybe(0.7):
            out["additionalProperties"] = self.pick([False, False, True, self.schema(0)])
        return out

    def make_array(self, depth):
        out = {"type": "array", "items": self.schema(depth - 1)}
        if self.maybe():
            out["minItems"] = self.random.randint(0, 2)
        if self.maybe():
            out["maxItems"] = out.get("minItems", 0) + self.random.randint(0, 2)
        return out

    def make_tuple(self, depth):
        out = {"type": "array", "prefixItems": [self.schema(depth - 1) for _ in range(self.random.randint(1, 3))]}
        if self.maybe():
            out["items"] = self.pick([False, {"type": "integer"}])
        if self.maybe():
            out["minItems"] = self.random.randint(0, 4) if out.get("items") is not False else 1
        return out

    def make_anyOf(self, depth):
        return {"anyOf": [self.schema(depth - 1) for _ in range(self.random.randint(1, 3))]}

    def make_oneOf(self, depth):
        return {"oneOf": [{"type": "null"}, self.make_object(depth - 1)]}

    def make_allOf(self, depth):
        first = self.make_object(depth)
        return {"allOf": [first, {"type": "object", "properties": {self.pick(WORDS): self.schema(0)}}]}

    def make_ref(self, depth):
        name = "Def%d" % len(self.definitions)
        self.definitions[name] = {}
        self.definitions[name] = self.schema(depth - 1)
        return {"$ref": "#/$defs/" + name}

    def root(self):
        self.definitions = {}
        out = self.schema(3)
        if self.maybe(0.1):
            out = {"type": "object", "properties": {"v": {"type": "integer"}, "next": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}},
                   "required": ["v", "next"], "additionalProperties": False}
        if self.definitions:
            out = dict(out)
            out["$defs"] = self.definitions
        return out

    # documents
    def anything(self, depth=2):
        self.random_order = True
        kind = self.pick(["scalar", "scalar", "list", "map"])
        if depth == 0 or kind == "scalar":
            return self.scalar()
        if kind == "list":
            return [self.anything(depth - 1) for _ in range(self.random.randint(0, 2))]
        return {self.pick(WORDS): self.anything(depth - 1) for _ in range(self.random.randint(0, 2))}

    def document(self, schema, root, depth=0):
        """Mostly valid, now and then not."""
        if depth > 6 or not isinstance(schema, dict) or self.maybe(0.04):
            return self.anything(1)
        if "$ref" in schema:
            target = root
            for part in schema["$ref"][1:].split("/")[1:]:
                target = target[part]
            return self.document(target, root, depth + 1)
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                return self.document(self.pick(schema[keyword]), root, depth + 1)
        if "allOf" in schema:
            out = {}
            for part in schema["allOf"]:
                got = self.document(part, root, depth + 1)
                out.update(got if isinstance(got, dict) else {})
            return out
        if "enum" in schema:
            return self.pick(schema["enum"])
        if "const" in schema:
            return schema["const"]
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = self.pick(kind)
        if kind == "string":
            if "format" in schema:
                return self.pick(FORMATS[schema["format"]])
            return "".join(self.pick("aabcé1 ä\"\\\n🙂") for _ in range(self.random.randint(0, 4)))
        if kind in ("integer", "number"):
            whole = self.pick([0, 1, -1, 5, 9, 10, 98, 99, 100, 101, 999, 1000, 1001, -20, -21, -3, 37, 2000])
            return whole if kind == "integer" or self.maybe() else whole + self.pick([0.5, 0.05, 0.25, -0.125])
        if kind == "object":
            out = {}
            for name, inner in schema.get("properties", {}).items():
                if name in schema.get("required", []) or self.maybe(0.6):
                    if not self.maybe(0.03):
                        out[name] = self.document(inner, root, depth + 1)
            name = self.pick(WORDS + ["other"])
            if self.maybe(0.25) and name not in schema.get("properties", {}):
                out.setdefault(name, self.document(schema.get("additionalProperties", True), root, depth + 1))
            return out
        if kind == "array":
            first = schema.get("prefixItems", [])
            count = self.random.randint(0, len(first) + 2)
            items = schema.get("items", True)
            return [self.document(first[i] if i < len(first) else items, root, depth + 1) for i in range(count)]
        return {"boolean": True, "null": None}.get(kind, self.anything(1))


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    maker = Maker(seed)
    for _ in range(count):
        schema = maker.root()
        validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
        documents = {}
        for _ in range(8):
            maker.random_order = False
            value = maker.document(schema, schema)
            valid = validator.is_valid(value)
            if valid and maker.random_order and isinstance(value, (dict, list)):
                continue  # a grammar may rightly refuse it
            text = json.dumps(value, ensure_ascii=False, indent=maker.pick([None, None, 2]))
            documents[text] = valid
        print(json.dumps({"schema": schema, "documents": sorted(documents.items())}, ensure_ascii=False))


main()
