// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: six sampling controls; what differs from the default carries a dot that resets it.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/store/chat_records.h"
#include "ui/theme/theme.h"

class QDoubleSpinBox;

namespace vitrine::ui {

class IconButton;
class Switch;

class SamplingPanel final : public QWidget {
    Q_OBJECT
public:
    explicit SamplingPanel(const Theme& theme, QWidget* parent = nullptr);
    void setSampling(const ChatSampling& sampling);
    void setDefaults(const ChatSampling& defaults); // what a new chat begins with, and a reset goes back to
    [[nodiscard]] ChatSampling sampling() const;
    void setWantsAlternatives(bool wanted);

signals:
    void edited(const vitrine::ui::ChatSampling& sampling); // by the user
    void alternativesToggled(bool on);

protected:
    bool event(QEvent* event) override;

private:
    struct Row {
        QDoubleSpinBox* box = nullptr;
        IconButton* reset = nullptr;
        double fallback = 0;
    };
    struct RowSpec {
        QString name;
        QString hint;
        double minimum, maximum, step;
        int decimals;
        double fallback;
    };
    void addRow(const RowSpec& spec);
    void refresh();

    const Theme& m_theme;
    Switch* m_alternatives = nullptr;
    std::vector<Row> m_rows; // temperature, top-p, top-k, min-p, repetition penalty, most tokens
    bool m_isSetting = false;
};

} // namespace vitrine::ui
