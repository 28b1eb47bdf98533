// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: one request opened: times, token counts, bodies.
#pragma once

#include "ui/bridge/endpoint_control.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QLabel;
class QNetworkAccessManager;
class QPlainTextEdit;

namespace vitrine::ui {

class Button;
class JsonHighlighter;
class SegmentedControl;
class TileLayout;
class TimingBar;

class RequestSheet final : public QWidget {
    Q_OBJECT
public:
    explicit RequestSheet(const Theme& theme, QWidget* parent = nullptr);
    void showRow(const EndpointLogRow& row, const QString& baseUrl, const QString& key);
    [[nodiscard]] bool shows(const EndpointLogRow& row) const; // as it stands now
    [[nodiscard]] quint64 number() const { return m_row.number; }

signals:
    void closed();
    void engineRequested();

private:
    void refreshBody();
    void copyAsCurl();
    void replay();
    void showReplay(const QString& text, bool isError);
    [[nodiscard]] QString target() const; // full address of the route

    EndpointLogRow m_row;
    QString m_baseUrl, m_key;
    QLabel *m_title, *m_status, *m_who, *m_error;
    TileLayout* m_facts;
    SegmentedControl* m_which;
    QPlainTextEdit* m_body;
    JsonHighlighter* m_highlighter;
    TimingBar* m_timing;
    Button *m_copy, *m_replay;
    QLabel* m_replayed;
    QNetworkAccessManager* m_network = nullptr; // made by the first replay
};

} // namespace vitrine::ui
