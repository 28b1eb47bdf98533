# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders every template here with every conversation through Python's jinja2 and writes expected.json.

Run by hand:  python make_golden.py        (needs jinja2 3.1; templates and conversations.json lie beside it)
The environment is the transformers package's, plus our deviations: list append and pop, from_json, functions = tools.
"""
import datetime
import hashlib
import json
import pathlib

import jinja2
import jinja2.ext
import jinja2.nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

HERE = pathlib.Path(__file__).parent


class Generation(jinja2.ext.Extension):
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller):
        return caller()


class Environment(ImmutableSandboxedEnvironment):
    def is_safe_attribute(self, obj, attr, value):
        if isinstance(obj, list) and attr in ("append", "pop"):
            return True
        return super().is_safe_attribute(obj, attr, value)


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def environment():
    env = Environment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    env.filters["tojson"] = tojson
    env.filters["from_json"] = json.loads
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = lambda f: datetime.datetime(2026, 7, 26, 12, 0).strftime(f)
    return env


def render(source, messages, tools=None, variables=None, add_generation_prompt=True, bos="<BOS>", eos="<EOS>"):
    values = dict(messages=messages, tools=tools, documents=None, add_generation_prompt=add_generation_prompt,
                  bos_token=bos, eos_token=eos)
    if tools is not None:
        values["functions"] = tools
    values.update(variables or {})
    return environment().from_string(source).render(**values)


def conversations():
    def u(c): return {"role": "user", "content": c}
    def a(c, **more): return {"role": "assistant", "content": c, **more}
    def s(c): return {"role": "system", "content": c}
    t = {"role": "tool", "content": "{\"temp\": 21}", "tool_call_id": "call00001", "name": "get_weather"}
    def call(args): return [{"id": "call00001", "type": "function", "function": {"name": "get_weather", "arguments": args}}]
    d = {"city": "Zürich"}
    text = "{\"city\": \"Zürich\"}"
    tool = [{"type": "function", "function": {"name": "get_weather", "description": "Get the weather",
             "parameters": {"type": "object", "properties": {"city": {"type": "string", "description": "City"},
                            "days": {"type": "integer"}}, "required": ["city"]}}}]
    rich = tool + [{"type": "function", "function": {"name": "items", "description": "Line one\nline \"two\" <b>",
            "parameters": {"type": "object", "properties": {
                "items": {"type": "array", "items": {"type": "string"}, "description": "keys"},
                "mode": {"type": "string", "enum": ["a", "b"], "default": "a"},
                "keys": {"type": ["string", "null"]}, "get": {"anyOf": [{"type": "number"}, {"type": "boolean"}]},
                "nested": {"type": "object", "properties": {"x": {"type": "integer", "minimum": 1}}, "required": []}},
                "required": ["items", "mode"]}}}]
    deep = {"items": ["a", "b"], "n": 1.0, "big": 12345678901234567890123, "flag": True, "none": None, "x": {"y": [1, 2.5, "ü"]}}
    long = a("Hm", tool_calls=[{"id": "call00001", "type": "function", "function": {"name": "get_weather", "arguments": d}},
                               {"id": "call00002", "type": "function", "function": {"name": "items", "arguments": deep}}])
    t2 = {"role": "tool", "content": "two\nlines", "tool_call_id": "call00002", "name": "items"}
    parts = [{"type": "text", "text": "one"}, {"type": "text", "text": " two"}]
    rows = {
        "u": ([u("Hi <b>&'\"</b> ü🙂")], None, {}), "su": ([s("Be brief."), u("Hi")], None, {}),
        "uau": ([u("Hi"), a("Hello!"), u(" and\n now ")], None, {}),
        "suau": ([s("S"), u("Hi"), a("Hello!"), u("Bye")], None, {}),
        "tools": ([s("S"), u("Weather?")], tool, {}),
        "tcD": ([u("Weather?"), a("", tool_calls=call(d)), t], tool, {}),
        "tcS": ([u("Weather?"), a("", tool_calls=call(text)), t], tool, {}),
        "tcSN": ([u("Weather?"), a(None, tool_calls=call(text)), t], tool, {}),
        "tcDN": ([u("Weather?"), a(None, tool_calls=call(d)), t], tool, {}),
        "nothink": ([u("Hi")], None, {"enable_thinking": False}), "think_on": ([u("Hi")], None, {"enable_thinking": True}),
        "reason": ([u("1+1"), a("2", reasoning_content="sum"), u("more")], None, {}),
        "think": ([u("1+1"), a("<think>\nsum\n</think>\n\n2"), u("more")], None, {}),
        "empty": ([], None, {}), "two_users": ([u("a"), u("b")], None, {}), "parts": ([u(parts)], None, {}),
        "rich": ([s("S"), u("x"), long, t, t2, a("Done."), u("thanks")], rich, {}),
        "rich_think": ([u("x"), a("", reasoning_content="r1", tool_calls=call(d)), t, a("ok", reasoning_content="r2"), u("y")], rich,
                       {"enable_thinking": True, "reasoning_effort": "high"}),
        "trailing": ([u("Hi"), a("Hello, I")], None, {}), "no_gen": ([u("Hi"), a("Yo"), u("x")], None, {}),
        "system_late": ([u("Hi"), s("now"), u("x")], None, {}), "developer": ([{"role": "developer", "content": "D"}, u("Hi")], None, {}),
        "odd_role": ([{"role": "critic", "content": "c"}], None, {}),
        "missing_content": ([u("Hi"), {"role": "assistant"}, u("x")], None, {}),
        "unicode": ([s("\u2028\u00a0 x"), u("  \t pad\r\n\x1b ")], None, {}),
    }
    return {k: {"messages": json.dumps(m, ensure_ascii=False), "tools": json.dumps(tl, ensure_ascii=False) if tl else "",
                "variables": json.dumps(v) if v else "", "add_generation_prompt": k not in ("no_gen",)}
            for k, (m, tl, v) in rows.items()}


def main():
    convs = conversations()
    (HERE / "conversations.json").write_text(json.dumps(convs, ensure_ascii=False, indent=0) + "\n")
    rows = []
    for path in sorted(HERE.glob("*.jinja")):
        source = path.read_bytes().decode()
        for name, c in convs.items():
            try:
                text = render(source, json.loads(c["messages"]), json.loads(c["tools"]) if c["tools"] else None,
                              json.loads(c["variables"]) if c["variables"] else None, c["add_generation_prompt"])
                rows.append([path.stem, name, len(text), hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]])
            except Exception as e:
                rows.append([path.stem, name, -1, str(e)[:80]])
    (HERE / "expected.json").write_text("[\n" + ",\n".join(json.dumps(r, ensure_ascii=False) for r in rows) + "\n]\n")
    print(len(rows), "cases,", sum(r[2] >= 0 for r in rows), "texts")


if __name__ == "__main__":
    main()
