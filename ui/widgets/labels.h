// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: small still parts: text by role, elided text, hairline, search field.
#pragma once

#include "ui/theme/theme.h"

#include <QLabel>
#include <QLineEdit>
#include <QWidget>

namespace vitrine::ui {

/// A label whose font and colour come from the style sheet; `role` is one of the names in ui/theme/README.md, such as
/// "title", "section", "strong", "label", "hint", "small", "code".
[[nodiscard]] QLabel* makeLabel(const QString& text, const char* role, QWidget* parent = nullptr);
/// The empty bar at the top of a page or panel, as high as the theme's text asks for.  `theme` outlives it.
[[nodiscard]] QWidget* makeHeaderBar(const Theme& theme);
/// Sets the dynamic property `name` and restyles the widget.
void setStyleProperty(QWidget* widget, const char* name, const QVariant& value);

/// One line that ends in an ellipsis when there is no room; the whole text is the tooltip then.
class ElidedLabel final : public QWidget {
    Q_OBJECT
public:
    ElidedLabel(const Theme& theme, TextRole role, Color color, QWidget* parent = nullptr);
    void setText(const QString& text);
    [[nodiscard]] QString text() const { return m_text; }
    void setElideMode(Qt::TextElideMode mode);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    const Theme& m_theme;
    TextRole m_role;
    Color m_color;
    Qt::TextElideMode m_mode = Qt::ElideRight;
    QString m_text;
};

/// One device-snapped pixel in the hairline colour.
class Hairline final : public QWidget {
    Q_OBJECT
public:
    explicit Hairline(const Theme& theme, Qt::Orientation orientation = Qt::Horizontal, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    Qt::Orientation m_orientation;
};

/// Paints a hairline over the left, top, right or bottom edge of `rect`, snapped to device pixels.
void paintHairline(QPainter& painter, const QRect& rect, Qt::Edge edge, const QColor& color);

/// Line edit with a lens before and a clear button behind the text.
class SearchField final : public QLineEdit {
    Q_OBJECT
public:
    SearchField(const Theme& theme, const QString& placeholder, QWidget* parent = nullptr);

protected:
    void keyPressEvent(QKeyEvent* event) override; // Esc clears

private:
    const Theme& m_theme;
    QAction* m_lens;
};

/// Twelve steps a second while visible; a still ring with less motion.
class Spinner final : public QWidget {
    Q_OBJECT
public:
    explicit Spinner(const Theme& theme, int size = 16, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void timerEvent(QTimerEvent* event) override;

private:
    const Theme& m_theme;
    int m_size;
    int m_step = 0;
    int m_timer = 0;
};

} // namespace vitrine::ui
