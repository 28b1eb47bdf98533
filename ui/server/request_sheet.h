// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: one request opened: times, token counts, bodies.
#pragma once

#include "ui/bridge/endpoint_control.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QPlainTextEdit;

namespace vitrine::ui {

class SegmentedControl;

class RequestSheet final : public QWidget {
    Q_OBJECT
public:
    explicit RequestSheet(const Theme& theme, QWidget* parent = nullptr);
    void showRow(const EndpointLogRow& row, const QString& baseUrl, const QString& key);
    [[nodiscard]] quint64 number() const { return m_row.number; }

signals:
    void closed();

private:
    void refreshBody();
    void copyAsCurl();

    EndpointLogRow m_row;
    QString m_baseUrl, m_key;
    QLabel *m_title, *m_status, *m_who, *m_error;
    QGridLayout* m_facts;
    SegmentedControl* m_which;
    QPlainTextEdit* m_body;
};

} // namespace vitrine::ui
