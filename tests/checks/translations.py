#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every text of the window is translated: lupdate finds nothing new, nothing is unfinished, placeholders agree."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

ROOT = pathlib.Path(__file__).resolve().parents[2]
LUPDATE = next((p for p in ("/usr/lib/qt6/bin/lupdate", "lupdate6", "lupdate") if shutil.which(p)), None)


def problems(path):
    for context in ET.parse(path).getroot().iter("context"):
        name = context.find("name").text
        if "::" in name and name[0].islower():
            yield f"context {name!r} is no class, so its texts are never found: say Class::tr()"
    for message in ET.parse(path).getroot().iter("message"):
        source = message.find("source").text or ""
        translation = message.find("translation")
        if translation.get("type") == "unfinished":
            yield f"not translated: {source!r}"
            continue
        for text in [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]:
            if sorted(re.findall(r"%\d|%n", source)) != sorted(re.findall(r"%\d|%n", text)):
                yield f"placeholders differ: {source!r} -> {text!r}"


def main():
    if LUPDATE is None:
        print("translations: lupdate is missing (package qt6-l10n-tools), not checked")
        return 77
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for original in sorted((ROOT / "resources/i18n").glob("*.ts")):
            copy = pathlib.Path(folder) / original.name
            shutil.copy(original, copy)
            plural = ["-pluralonly"] if original.stem.endswith("_en") else []
            subprocess.run([LUPDATE, "-silent", "-no-obsolete", "-locations", "none", *plural, "ui", "app/gui", "app/remote", "-ts", str(copy)],
                           cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
            for problem in problems(copy):
                print(f"{original.name}: {problem}")
                failures += 1
    if failures:
        print("translations: run resources/i18n/update and translate what it reports")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
