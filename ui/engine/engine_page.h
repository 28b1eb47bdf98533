// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: the Engine page: block map, request lanes, plots and steps on one time axis.
#pragma once

#include "ui/bridge/values.h"

#include <QWidget>

#include <memory>

namespace vitrine::ui {

class Dialogs;
class EngineClient;
class SequenceIndex;
class SnapshotFeed;
class StepFeed;
class Theme;

/// Thread: GUI.  Reads the feeds only while it is visible; when the engine is idle nothing moves and the last activity
/// is dimmed.
class EnginePage final : public QWidget {
    Q_OBJECT
public:
    struct Context {
        const Theme& theme;
        EngineClient& client;
        SnapshotFeed& snapshots;
        StepFeed& steps;
        SequenceIndex& sequences; // kept up to date by the frame
        Dialogs& dialogs;
    };
    enum class Track : std::uint8_t { blocks, requests, rate, kv, prefix, batch };

    explicit EnginePage(const Context& context, QWidget* parent = nullptr);
    ~EnginePage() override;

    /// Shows the last 60 s and scrolls to the track: a click in the Pulse strip.
    void showTrack(Track track);
    void togglePause();
    [[nodiscard]] bool isDimmed() const;
    [[nodiscard]] int refreshCount() const; // for tests

signals:
    void modelsRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Parts;
    void buildHeader();
    void buildTracks();
    void refresh();
    void refreshReadouts();
    void refreshSlowLine();
    void exportSteps(bool json);
    void askBlockText(int block);

    std::unique_ptr<Parts> m;
};

} // namespace vitrine::ui
