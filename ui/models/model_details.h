// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: one model file: what it is, how it would be loaded, whether it fits, and the load itself.
#pragma once

#include "ui/bridge/engine_client.h"
#include "ui/models/draft_picker.h"
#include "ui/models/model_list_model.h"

#include <QWidget>

#include <memory>

namespace vitrine::ui {

class Settings;
class Theme;

/// Every change of an option asks the engine for a new plan; nothing is loaded before the button is pressed.
class ModelDetails final : public QWidget {
    Q_OBJECT
public:
    ModelDetails(const Theme& theme, EngineClient& client, Settings& settings, QWidget* parent = nullptr);
    ~ModelDetails() override;

    void showModel(const QString& path, const ModelFacts& facts);
    void showNothing();
    [[nodiscard]] QString path() const;
    [[nodiscard]] EngineConfig config() const; // as the controls stand
    void load();
    /// A button before the title leads back to the list.
    void setBackVisible(bool visible);
    /// Other models that may draft for this one; each is judged by a plan.
    void setDraftCandidates(const std::vector<DraftPicker::Candidate>& candidates);

signals:
    void quantizeRequested(const QString& path);
    void backRequested();
    void folderRequested(const QString& path);

private:
    void refreshSpeeds();
    void noteFinished(const Finished& finished);
    struct Parts;
    void buildFit();
    void buildOptions();
    void buildFooter();
    void refreshHeader();
    void refreshButtons();
    void refreshFacts();
    void refreshGpuLayers();
    [[nodiscard]] bool hasGpu() const;
    [[nodiscard]] qint64 deviceTotal() const;
    void applyOptions(const EngineConfig& config);
    void planSoon();
    void planNow();
    void takePlan(const Planning& planning);
    void takeLoad(const LoadState& state);

    std::unique_ptr<Parts> m;
};

/// Positions of the context slider: powers of two from 256 and the halves between, up to `maximum` itself.
[[nodiscard]] std::vector<int> contextSteps(int maximum);

} // namespace vitrine::ui
