// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: rendering of icons.
#include "ui/theme/icon_rendering.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

class ThemeIconEngine final : public QIconEngine {
public:
    ThemeIconEngine(QString name, int size, IconInks inks, int gap)
        : m_name(std::move(name)), m_size(size), m_inks(std::move(inks)), m_gap(gap) {}

    QIconEngine* clone() const override { return new ThemeIconEngine(*this); }
    QString key() const override { return QStringLiteral("vitrine"); }
    QSize actualSize(const QSize& size, QIcon::Mode, QIcon::State) override { return fitted(size); }
    QList<QSize> availableSizes(QIcon::Mode, QIcon::State) override { return {fullSize()}; }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const qreal scale = painter->device()->devicePixelRatio();
        QRect place(QPoint(), fitted(rect.size()));
        place.moveCenter(rect.center());
        painter->drawPixmap(place, picture(place.size(), mode, state, scale));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return picture(fitted(size), mode, state, 1);
    }

    /// size: device pixels.
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
        return picture(fitted((QSizeF(size) / scale).toSize()), mode, state, scale);
    }

private:
    [[nodiscard]] QSize fullSize() const { return {m_size + m_gap, m_size}; }
    /// As large as asked for, and never larger than the design has it.
    [[nodiscard]] QSize fitted(const QSize& wanted) const {
        return wanted.width() >= fullSize().width() && wanted.height() >= m_size
            ? fullSize()
            : fullSize().scaled(wanted, Qt::KeepAspectRatio);
    }
    [[nodiscard]] const QColor& inkOf(QIcon::Mode mode, QIcon::State state) const {
        if (mode == QIcon::Disabled)
            return m_inks.disabled;
        return state == QIcon::On && m_inks.checked.isValid() ? m_inks.checked : m_inks.normal;
    }
    [[nodiscard]] QPixmap picture(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) const {
        const QPixmap bare = iconPixmap(m_name, size.height(), inkOf(mode, state), scale);
        if (m_gap == 0 || bare.isNull())
            return bare;
        QPixmap canvas((QSizeF(size) * scale).toSize());
        canvas.setDevicePixelRatio(scale);
        canvas.fill(Qt::transparent);
        QPainter painter(&canvas);
        painter.drawPixmap(QGuiApplication::isRightToLeft() ? size.width() - size.height() : 0, 0, bare);
        return canvas;
    }

    QString m_name;
    int m_size;
    IconInks m_inks;
    int m_gap;
};

} // namespace

QPixmap iconPixmap(const QString& name, int size, const QColor& color, qreal scale) {
    const QString key = QStringLiteral("vitrine/%1/%2/%3/%4").arg(name).arg(size).arg(color.rgba(), 0, 16).arg(scale);
    QPixmap picture;
    if (QPixmapCache::find(key, &picture))
        return picture;
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QByteArray svg = file.readAll();
    svg.replace("currentColor", color.name().toLatin1()); // QtSvg paints currentColor black
    QSvgRenderer renderer(svg);
    const int pixels = std::max(1, static_cast<int>(std::lround(size * scale)));
    picture = QPixmap(pixels, pixels);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    renderer.render(&painter);
    painter.end();
    picture.setDevicePixelRatio(scale);
    QPixmapCache::insert(key, picture);
    return picture;
}

QIcon makeIcon(const QString& name, int size, const IconInks& inks, int gap) {
    return QIcon(new ThemeIconEngine(name, size, inks, gap));
}

} // namespace vitrine::ui
