// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: the rail of pages at the left edge.
#pragma once

#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace vitrine::ui {

/// 56 x 52: icon over word; the active one is tinted.
class RailItem final : public QAbstractButton {
    Q_OBJECT
public:
    RailItem(
        const Theme& theme, const QString& page, const QString& icon, const QString& word, QWidget* parent = nullptr);
    [[nodiscard]] QString page() const { return m_page; }
    void setDot(bool on);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    QString m_page, m_icon;
    bool m_dot = false;
};

class NavigationRail final : public QWidget {
    Q_OBJECT
public:
    explicit NavigationRail(const Theme& theme, QWidget* parent = nullptr);
    void addPage(
        const QString& page, const QString& icon, const QString& word, const QString& shortcut, bool atBottom = false);
    void setCurrent(const QString& page);
    void setDot(const QString& page, bool on); // the running server

signals:
    void pageRequested(const QString& page);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void fit();

    const Theme& m_theme;
    QVBoxLayout *m_top, *m_bottom;
    std::vector<RailItem*> m_items;
};

} // namespace vitrine::ui
