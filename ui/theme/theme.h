// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: colours, fonts, icons and the style sheet in use; handed to every widget that paints.
#pragma once

#include "ui/theme/tokens.h"

#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <QPixmap>
#include <QString>

#include <cstdint>
#include <memory>

class QApplication;

namespace vitrine::ui {

enum class SchemeChoice : std::uint8_t { system, light, dark, contrast };

/// Type sizes of the design: size/line height, weight.
enum class TextRole : std::uint8_t {
    small, // 12/16 400: labels, units, axes, Pulse strip
    smallMedium, // 12/16 500: table heads
    base, // 13/20 400: everything else
    medium, // 13/20 500: buttons
    strong, // 13/20 600
    message, // 15/24 400
    section, // 15/20 600
    title, // 20/28 600
    code, // 13/20 mono
    codeSmall, // 12/18 mono
    letter, // 10/600, the letter on a 16 px chip
};

/// One per process, owned by the composition root, outlives every widget.  Thread: GUI.
/// A style sheet covers standard widgets; see README.md for the dynamic properties it understands.
class Theme final : public QObject {
    Q_OBJECT
public:
    explicit Theme(QObject* parent = nullptr);
    ~Theme() override;

    [[nodiscard]] SchemeChoice choice() const { return m_choice; }
    [[nodiscard]] Scheme scheme() const { return m_scheme; }
    [[nodiscard]] int textPercent() const { return m_textPercent; } // 80 to 200
    [[nodiscard]] bool lessMotion() const { return m_lessMotion; }
    [[nodiscard]] bool sequencePatterns() const { return m_sequencePatterns; }

    [[nodiscard]] QColor color(Color color) const { return tokenColor(m_scheme, color); }
    [[nodiscard]] QColor color(Color color, double alpha) const; // alpha 0..1
    [[nodiscard]] const QFont& font(TextRole role) const; // scaled by the text size
    [[nodiscard]] int lineHeight(TextRole role) const; // pixels, scaled
    /// A measure scaled by the text size; hairlines are never passed through it.
    [[nodiscard]] int px(int measure) const { return (measure * m_textPercent + 50) / 100; }
    [[nodiscard]] int motionMs(int milliseconds) const { return m_lessMotion ? 0 : milliseconds; }

    /// `name` is a file of resources/icons without .svg; an unknown name gives a null pixmap.  Cached.
    [[nodiscard]] QPixmap pixmap(const QString& name, int size, Color color, qreal scale = 1.0) const;
    [[nodiscard]] QPixmap pixmap(const QString& name, int size, const QColor& color, qreal scale = 1.0) const;
    /// Icon with a normal (`color`), an active (accent when checked) and a disabled picture; rendered when painted.
    /// gap: empty pixels behind it, in reading direction.
    [[nodiscard]] QIcon icon(const QString& name, int size, Color color = Color::text2, int gap = 0) const;

    [[nodiscard]] QString styleSheet() const;
    [[nodiscard]] QPalette palette() const;

public slots:
    void setChoice(SchemeChoice choice);
    void setTextPercent(int percent); // clamped to 80..200
    void setLessMotion(bool on);
    void setSequencePatterns(bool on);

public:
    /// Applies font, palette and style sheet now and after every change.  Loads the bundled fonts.
    void applyTo(QApplication& application);

signals:
    void changed(); // after the application has been restyled

private:
    void resolveScheme();
    void restyle();
    void makeFonts();

    struct Cache;
    std::unique_ptr<Cache> m_cache; // rendered icons
    QApplication* m_application = nullptr;
    SchemeChoice m_choice = SchemeChoice::system;
    Scheme m_scheme = Scheme::light;
    int m_textPercent = 100;
    bool m_lessMotion = false;
    bool m_sequencePatterns = true;
};

} // namespace vitrine::ui
