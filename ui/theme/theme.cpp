// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: scheme, fonts and icons.
#include "ui/theme/theme.h"

#include "ui/theme/icon_rendering.h"
#include "ui/theme/style.h"
#include "ui/theme/style_sheet.h"
#include "ui/theme/system_scheme.h"

#include <QApplication>
#include <QFontDatabase>

#include <algorithm>
#include <array>

// Q_INIT_RESOURCE declares functions outside every namespace.
static void initResources() {
    Q_INIT_RESOURCE(vitrine);
    Q_INIT_RESOURCE(vitrine_fonts);
    Q_INIT_RESOURCE(vitrine_i18n);
}

namespace vitrine::ui {
namespace {

struct TypeRow {
    int size, lineHeight, weight;
    bool mono;
};

// Indexed by TextRole.
constexpr TypeRow kTypes[] = {
    {12, 16, 400, false},
    {12, 16, 500, false},
    {13, 20, 400, false},
    {13, 20, 500, false},
    {13, 20, 600, false},
    {15, 24, 400, false},
    {15, 20, 600, false},
    {20, 28, 600, false},
    {13, 20, 400, true},
    {12, 18, 400, true},
    {10, 16, 600, false},
};

const TypeRow& typeOf(TextRole role) {
    return kTypes[static_cast<std::size_t>(role)];
}

void loadFonts() {
    for (const char* name : {"VitrineInter-Regular.otf", "VitrineInter-Medium.otf", "VitrineInter-SemiBold.otf",
             "VitrineInter-Italic.otf", "VitrineInter-SemiBoldItalic.otf", "VitrineMono-Regular.ttf",
             "VitrineMono-Medium.ttf", "VitrineMono-Bold.ttf", "VitrineMono-Italic.ttf"})
        QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/") + QLatin1String(name));
}

} // namespace

struct Theme::Cache {
    SystemScheme system;
    std::array<QFont, std::size(kTypes)> fonts; // by TextRole
};

Theme::Theme(QObject* parent) : QObject(parent), m_cache(std::make_unique<Cache>()) {
    initResources();
    makeFonts();
    connect(&m_cache->system, &SystemScheme::changed, this, &Theme::resolveScheme);
}

Theme::~Theme() = default;

QColor Theme::color(Color color, double alpha) const {
    QColor result = tokenColor(m_scheme, color);
    result.setAlphaF(static_cast<float>(alpha));
    return result;
}

void Theme::makeFonts() {
    for (std::size_t i = 0; i < std::size(kTypes); ++i) {
        const TypeRow& type = kTypes[i];
        QFont font(type.mono ? QStringLiteral("Vitrine Mono") : QStringLiteral("Vitrine Inter"));
        font.setStyleHint(type.mono ? QFont::Monospace : QFont::SansSerif);
        font.setPixelSize(px(type.size));
        font.setWeight(static_cast<QFont::Weight>(type.weight));
        if (i == static_cast<std::size_t>(TextRole::title))
            font.setLetterSpacing(QFont::AbsoluteSpacing, -0.2);
        m_cache->fonts[i] = font;
    }
}

/// Made once a text size: a font that is kept keeps its engine, a fresh one is looked up with every text painted.
const QFont& Theme::font(TextRole role) const {
    return m_cache->fonts[static_cast<std::size_t>(role)];
}

int Theme::lineHeight(TextRole role) const {
    return px(typeOf(role).lineHeight);
}

QPixmap Theme::pixmap(const QString& name, int size, Color color, qreal scale) const {
    return pixmap(name, size, this->color(color), scale);
}

QPixmap Theme::pixmap(const QString& name, int size, const QColor& color, qreal scale) const {
    return iconPixmap(name, size, color, scale);
}

QIcon Theme::icon(const QString& name, int size, Color color, int gap) const {
    const QColor checked = color == Color::text2 ? this->color(Color::accent) : QColor();
    return makeIcon(name, size, {this->color(color), checked, this->color(Color::disabled)}, gap);
}

QString Theme::styleSheet() const {
    return buildStyleSheet(*this);
}

QPalette Theme::palette() const {
    QPalette palette;
    const auto set = [&](QPalette::ColorRole role, Color normal, Color disabled) {
        palette.setColor(QPalette::All, role, color(normal));
        palette.setColor(QPalette::Disabled, role, color(disabled));
    };
    set(QPalette::Window, Color::page, Color::page);
    set(QPalette::Base, Color::page, Color::page);
    set(QPalette::AlternateBase, Color::side, Color::side);
    set(QPalette::Button, Color::page, Color::page);
    set(QPalette::WindowText, Color::text1, Color::disabled);
    set(QPalette::Text, Color::text1, Color::disabled);
    set(QPalette::ButtonText, Color::text1, Color::disabled);
    set(QPalette::BrightText, Color::onAccent, Color::disabled);
    set(QPalette::PlaceholderText, Color::text3, Color::disabled);
    set(QPalette::ToolTipBase, Color::popup, Color::popup);
    set(QPalette::ToolTipText, Color::text1, Color::text1);
    set(QPalette::Highlight, Color::accent, Color::press);
    set(QPalette::HighlightedText, Color::onAccent, Color::text2);
    set(QPalette::Link, Color::accent, Color::disabled);
    set(QPalette::LinkVisited, Color::accent, Color::disabled);
    set(QPalette::Light, Color::hover, Color::hover);
    set(QPalette::Midlight, Color::hairline, Color::hairline);
    set(QPalette::Mid, Color::outline, Color::outline);
    set(QPalette::Dark, Color::control, Color::control);
    set(QPalette::Shadow, Color::control, Color::control);
    return palette;
}

void Theme::setChoice(SchemeChoice choice) {
    m_choice = choice;
    resolveScheme();
}

void Theme::setTextPercent(int percent) {
    percent = std::clamp(percent, 80, 200);
    if (percent != m_textPercent) {
        m_textPercent = percent;
        restyle();
    }
}

void Theme::setLessMotion(bool on) {
    if (on != m_lessMotion) {
        m_lessMotion = on;
        emit changed();
    }
}

void Theme::setSequencePatterns(bool on) {
    if (on != m_sequencePatterns) {
        m_sequencePatterns = on;
        emit changed();
    }
}

void Theme::applyTo(QApplication& application) {
    loadFonts();
    m_cache->system.usePalette(application.palette());
    m_cache->system.askPortal();
    m_application = &application;
    QApplication::setStyle(new Style(*this)); // the application takes it
    m_scheme = m_choice == SchemeChoice::system ? (m_cache->system.dark() ? Scheme::dark : Scheme::light) : m_scheme;
    restyle();
}

void Theme::resolveScheme() {
    Scheme scheme = Scheme::light;
    switch (m_choice) {
    case SchemeChoice::system:
        scheme = m_cache->system.dark() ? Scheme::dark : Scheme::light;
        break;
    case SchemeChoice::light:
        break;
    case SchemeChoice::dark:
        scheme = Scheme::dark;
        break;
    case SchemeChoice::contrast:
        scheme = Scheme::contrast;
        break;
    }
    if (scheme != m_scheme) {
        m_scheme = scheme;
        restyle();
    }
}

void Theme::restyle() {
    makeFonts();
    if (m_application != nullptr) {
        QApplication::setFont(font(TextRole::base));
        QApplication::setPalette(palette());
        m_application->setStyleSheet(styleSheet());
    }
    emit changed();
}

} // namespace vitrine::ui
