// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: one model file to start with: name, quant, size, whether it fits.
#pragma once

#include <QAbstractButton>

#include "ui/bridge/engine_client.h"
#include "ui/theme/theme.h"

namespace vitrine::ui {

/// A radio button that is checked when its model is loaded; a click loads it.
class ModelChoiceRow final : public QAbstractButton {
    Q_OBJECT
public:
    ModelChoiceRow(const Theme& theme, const QString& path, QWidget* parent = nullptr);
    [[nodiscard]] QString path() const { return m_path; }
    void setOwner(const QString& app, const QString& name); // another app's file; name may be empty
    void setInfo(const Result<ModelInfo>& info);
    void setPlan(const Result<LoadPlan>& plan);
    void setLoadState(const LoadState& state);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();

    const Theme& m_theme;
    QString m_path;
    QString m_name;
    QString m_owner; // "found in LM Studio"
    bool m_isNamed = false;
    QString m_quant;
    QString m_size;
    QString m_verdict; // "Fits", "7.3 GiB over", the error
    Color m_verdictColor = Color::text3;
    QString m_fit; // the verdict of the plan, to come back to
    Color m_fitColor = Color::text3;
    double m_share = 0; // of free memory, 0..1
};

} // namespace vitrine::ui
