// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: as in the file, or re-quantized while loading; each with its size and whether it fits.
#pragma once

#include "ui/bridge/values.h"
#include "ui/theme/theme.h"

#include <QHash>
#include <QWidget>

#include <optional>
#include <vector>

class QButtonGroup;
class QGridLayout;
class QLabel;
class QRadioButton;

namespace vitrine::ui {

class QuantPicker final : public QWidget {
    Q_OBJECT
public:
    explicit QuantPicker(const Theme& theme, QWidget* parent = nullptr);

    /// Names as EngineConfig::quantize takes them; "" is as in the file.
    [[nodiscard]] static const std::vector<QString>& choices();
    void setModel(const ModelInfo& info);
    /// Of one choice.  The plan's weights hold `draftWeights` of a draft model, which are not those of the choice.
    void setPlan(int choice, const std::optional<LoadPlan>& plan, std::int64_t draftWeights, const QString& error);
    void setSpeeds(const QHash<QString, double>& tokensPerSecond); // by choice; measured on this machine
    void setChosen(const QString& quantize);
    [[nodiscard]] QString chosen() const;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void chosenChanged(const QString& quantize);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] int columnWidth(int column) const; // shown or not
    void fitColumns();

    struct Row {
        QRadioButton* button;
        QLabel *bits, *size, *fits, *speed;
    };
    const Theme& m_theme;
    QButtonGroup* m_group;
    std::vector<Row> m_rows;
    std::int64_t m_parameters = 0;
    bool m_isFitting = false;
};

} // namespace vitrine::ui
