// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: the SVGs of the resources as pictures, each rendered once, and icons that render when painted.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace vitrine::ui {

/// `name` is a file of resources/icons without .svg; an unknown name gives a null pixmap.  size: logical pixels.  Kept in
/// QPixmapCache.  Thread: GUI.
[[nodiscard]] QPixmap iconPixmap(const QString& name, int size, const QColor& color, qreal scale);

/// The inks of one icon; an invalid `checked` means the normal one.
struct IconInks {
    QColor normal, checked, disabled;
};

/// Renders nothing until it is painted, and then for the screen it is painted on: most icons of a window are never
/// seen on more than one, and many not at all.
/// gap: empty logical pixels behind the picture (in reading direction).
[[nodiscard]] QIcon makeIcon(const QString& name, int size, const IconInks& inks, int gap = 0);

} // namespace vitrine::ui
