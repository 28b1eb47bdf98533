// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: a list of sections beside what the chosen one shows; a box above it where the page is narrow.
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

class QBoxLayout;
class QComboBox;
class QListWidget;
class QStackedWidget;

namespace vitrine::ui {

class Hairline;

/// Each section scrolls down, never sideways.
class SectionStack final : public QWidget {
    Q_OBJECT
public:
    /// `sideWidth`: of the list, at 100 % text.  `above`: stands over the list, for example a search field; may be null.
    SectionStack(const Theme& theme, const QString& listName, int sideWidth, QWidget* above, QWidget* parent = nullptr);

    void addSection(const QString& name, QWidget* content = nullptr);
    void setContent(int index, QWidget* content); // of a section that was added without
    [[nodiscard]] QWidget* content(int index) const;
    [[nodiscard]] int count() const;
    [[nodiscard]] int current() const;
    void setCurrent(int index);
    [[nodiscard]] QString name(int index) const;
    void setSectionHidden(int index, bool hidden);
    [[nodiscard]] bool isSectionHidden(int index) const;

signals:
    void currentChanged(int index);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void arrange();

    const Theme& m_theme;
    int m_sideWidth;
    QBoxLayout* m_body;
    QWidget* m_side;
    QListWidget* m_list;
    QComboBox* m_box; // the same sections
    Hairline *m_beside, *m_below;
    QStackedWidget* m_stack;
};

} // namespace vitrine::ui
