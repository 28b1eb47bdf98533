#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the two bundled font families from Debian's Inter and JetBrains Mono, and the .qrc that embeds them.

Inter: the digits become the tabular ones (QFont cannot switch OpenType features before Qt 6.7).
JetBrains Mono: loses its ligatures, so that code is shown as it is written.
Both are OFL 1.1 without a reserved font name; the copies carry their own family names.

Usage: build_fonts.py INTER_DIR MONO_DIR OUTPUT_DIR
"""
import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

INTER = {"Regular": 400, "Medium": 500, "SemiBold": 600, "Italic": 400, "SemiBoldItalic": 600}
MONO = {"Regular": 400, "Medium": 500, "Bold": 700, "Italic": 400}
KEPT_FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl"]


def tabular_digits(font):
    """Points the code points of the digits at the glyphs that the tnum feature would choose."""
    gsub = font["GSUB"].table
    lookups = {i for record in gsub.FeatureList.FeatureRecord if record.FeatureTag == "tnum"
               for i in record.Feature.LookupListIndex}
    mapping = {}
    for index in lookups:
        for table in gsub.LookupList.Lookup[index].SubTable:
            mapping.update(getattr(getattr(table, "ExtSubTable", table), "mapping", {}))
    if not mapping:
        sys.exit("build_fonts.py: this Inter has no tnum feature; install fonts-inter 3.19 or later")
    for table in font["cmap"].tables:
        for code, glyph in list(table.cmap.items()):
            if 0x30 <= code <= 0x39 and glyph in mapping:
                table.cmap[code] = mapping[glyph]


def rename(font, family, style):
    """Regular and Italic are one legacy family; every style carries the typographic family and style names."""
    legacy = style if style in ("Regular", "Italic", "Bold") else "Italic" if style.endswith("Italic") else "Regular"
    weight_word = style.replace("Italic", "") or "Regular"
    legacy_family = family if weight_word in ("Regular", "Bold") else f"{family} {weight_word}"
    values = {1: legacy_family, 2: legacy, 3: f"{family} {style}", 4: f"{family} {style}",
              6: f"{family.replace(' ', '')}-{style}", 16: family, 17: style}
    names = font["name"]
    for record in list(names.names):
        if record.nameID in values or record.nameID in (21, 22, 25):
            names.removeNames(nameID=record.nameID)
    for name_id, value in values.items():
        names.setName(value, name_id, 3, 1, 0x409)
    if "CFF " in font:
        top = font["CFF "].cff.topDictIndex[0]
        top.FamilyName, top.FullName = family, f"{family} {style}"
        font["CFF "].cff.fontNames = [values[6]]


def slim(font):
    """Drops alternates and features nobody can switch on; every code point stays."""
    options = subset.Options()
    options.layout_features = KEPT_FEATURES
    options.name_IDs = ["*"]
    options.notdef_outline = True
    options.recalc_timestamp = False
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=font.getBestCmap().keys())
    subsetter.subset(font)


def make(source, target, family, style, tabular):
    font = TTFont(source, recalcTimestamp=False)
    if tabular:
        tabular_digits(font)
    slim(font)
    rename(font, family, style)
    font.save(target)


def main(inter_dir, mono_dir, output_dir):
    output = pathlib.Path(output_dir)
    output.mkdir(parents=True, exist_ok=True)
    names = []
    for folder, prefix, ending, family, styles, tabular in (
            (inter_dir, "Inter", "otf", "Vitrine Inter", INTER, True),
            (mono_dir, "JetBrainsMono", "ttf", "Vitrine Mono", MONO, False)):
        for style in styles:
            source = pathlib.Path(folder) / f"{prefix}-{style}.{ending}"
            if not source.exists():
                sys.exit(f"build_fonts.py: {source} is missing; install fonts-inter and fonts-jetbrains-mono")
            name = f"{family.replace(' ', '')}-{style}.{ending}"
            make(source, output / name, family, style, tabular)
            names.append(name)
    lines = "".join(f"    <file>{name}</file>\n" for name in names)
    (output / "vitrine_fonts.qrc").write_text(f'<RCC>\n  <qresource prefix="/fonts">\n{lines}  </qresource>\n</RCC>\n')


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
