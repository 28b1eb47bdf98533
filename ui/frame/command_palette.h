// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: Ctrl+K: every action by its name.
#pragma once

#include "ui/theme/theme.h"

#include <QPointer>
#include <QWidget>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;

namespace vitrine::ui {

struct PaletteEntry {
    QString name;
    QString detail; // shortcut, path
    QString icon;
    std::function<void()> run;
};

/// A child of the window over a scrim that leaves the Pulse strip lit.  Entries are asked for at every opening.
class CommandPalette final : public QWidget {
    Q_OBJECT
public:
    using Source = std::function<std::vector<PaletteEntry>()>;
    CommandPalette(const Theme& theme, QWidget* window, Source source);
    void openOver(const QRect& area);
    void refresh(); // asks for the entries again while it is open; what is typed and chosen stays
    [[nodiscard]] int shownCount() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& text);
    void runCurrent();

    const Theme& m_theme;
    Source m_source;
    std::vector<PaletteEntry> m_entries;
    std::vector<std::size_t> m_shown;
    QWidget* m_box;
    QLineEdit* m_edit;
    QLabel* m_count;
    QListWidget* m_list;
    QLabel* m_nothing = nullptr; // in place of an empty list
    QPointer<QWidget> m_before; // had the focus
};

} // namespace vitrine::ui
