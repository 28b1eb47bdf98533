// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: how one block of a turn is laid out, painted and selected.
#pragma once

#include <QPoint>
#include <QRect>
#include <QString>
#include <QStringView>
#include <memory>

#include "ui/theme/theme.h"

class QPainter;
class QTextDocument;

namespace vitrine::ui {

inline constexpr int kListIndent = 24; // logical pixels from an item's edge to its text

/// Offsets count UTF-16 units of text(): what a person sees and selects.
struct TextRange {
    int begin = 0;
    int end = 0;
    [[nodiscard]] bool isEmpty() const { return begin >= end; }
};

/// Coordinates are relative to the block's top left corner.  Thread: GUI.
class BlockLayout {
public:
    virtual ~BlockLayout() = default;
    virtual void setWidth(int width) = 0;
    [[nodiscard]] virtual int height() const = 0;
    /// `clip` in block coordinates: nothing outside needs painting.
    virtual void paint(QPainter& painter, const QRect& clip, TextRange selection) const = 0;
    [[nodiscard]] virtual int offsetAt(QPoint point) const = 0;
    [[nodiscard]] virtual QRect cursorRect(int offset) const = 0;
    [[nodiscard]] virtual QString text() const = 0;
    [[nodiscard]] virtual QString linkAt(QPoint) const { return {}; }
    /// True if the block moved: code that is wider than its frame.
    virtual bool scrollBy(int) { return false; }
};

/// A paragraph, list, table, heading or quote: one QTextDocument.
class TextBlockLayout final : public BlockLayout {
public:
    enum class Format { markdown, plain };
    /// `source`: Markdown, or text shown as it is (user turns, thinking).
    TextBlockLayout(const Theme& theme, TextRole role, Color color, QStringView source, Format format);
    ~TextBlockLayout() override;

    /// Takes the block's source grown at its end, if the new part is plain words that no Markdown rule could read otherwise
    /// than behind the old text: most of what streams in.  False: make the block anew.
    [[nodiscard]] bool grow(QStringView source);
    /// After grow(): nothing above this looks other than before.
    [[nodiscard]] int grownTop() const { return m_grownTop; }
    void setWidth(int width) override;
    [[nodiscard]] int height() const override { return m_height; }
    /// Width the text needs at most: user turns are as wide as their text.
    [[nodiscard]] int idealWidth() const;
    void paint(QPainter& painter, const QRect& clip, TextRange selection) const override;
    [[nodiscard]] int offsetAt(QPoint point) const override;
    [[nodiscard]] QRect cursorRect(int offset) const override;
    [[nodiscard]] QString text() const override;
    [[nodiscard]] QString linkAt(QPoint point) const override;

private:
    const Theme& m_theme;
    Color m_color;
    std::unique_ptr<QTextDocument> m_document;
    QString m_source; // Markdown, to see what came new
    int m_shift = 0; // FixedHeight puts the extra leading above the text: half of it goes back
    int m_height = 0;
    int m_grownTop = 0;
};

} // namespace vitrine::ui
