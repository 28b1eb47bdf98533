// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: web pages that may use the endpoint.
#pragma once

#include "ui/theme/theme.h"

#include <QStringList>
#include <QWidget>

class QLabel;

namespace vitrine::ui {

class Chip;
class Dialogs;
class FlowLayout;

/// The allowed origins as chips that can be removed, and a link that asks for one more.  Empty at first: no web page.
class OriginList final : public QWidget {
    Q_OBJECT
public:
    OriginList(const Theme& theme, Dialogs& dialogs, QWidget* parent = nullptr);
    void setOrigins(const QStringList& origins);
    [[nodiscard]] QStringList origins() const { return m_origins; }

signals:
    void edited(const QStringList& origins);

private:
    void ask();
    void add(const QString& text);
    void rebuild();

    const Theme& m_theme;
    Dialogs& m_dialogs;
    QStringList m_origins;
    FlowLayout* m_row;
    QLabel* m_none;
};

/// "scheme://host[:port]" as browsers send it, or empty when `text` is none: no path, no star.
[[nodiscard]] QString normalisedOrigin(const QString& text);

} // namespace vitrine::ui
