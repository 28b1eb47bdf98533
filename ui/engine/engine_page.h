// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: the Engine page: block map, request lanes, plots and steps on one time axis.
#pragma once

#include "ui/bridge/values.h"

#include <QWidget>

#include <functional>
#include <memory>

namespace vitrine::ui {

class Dialogs;
class EngineClient;
class SequenceIndex;
struct OpenRecording;
class SessionHistory;
class SnapshotFeed;
class StepFeed;
class Theme;

/// Thread: GUI.  Reads the feeds only while it is visible; when the engine is idle nothing moves and the last activity
/// is dimmed.  A recording takes the place of the engine until backToLive().
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
        OpenRecording& recording; // lives longer than the page, which takes up what it finds there
    };
    enum class Track : std::uint8_t { blocks, requests, rate, kv, prefix, batch, ttft, itl, stepTime };
    enum class Export : std::uint8_t { csv, json, trace, recording };

    explicit EnginePage(const Context& context, QWidget* parent = nullptr);
    ~EnginePage() override;

    /// Shows the last 60 s and scrolls to the track: a click in the Pulse strip.
    void showTrack(Track track);
    void togglePause();
    void toggleReplay(); // moves the playhead through the window in real time
    void exportAs(Export format); // the selection if there is one, else everything; a recording is always whole
    void askForRecording();
    void openRecording(const QString& path); // read on the pool; recordingOpened() or a message
    void backToLive();
    void showRequest(quint32 sequence); // 0: closes the sheet
    [[nodiscard]] bool isDimmed() const;
    [[nodiscard]] bool isRecording() const; // a recording is on screen
    [[nodiscard]] std::shared_ptr<const SessionHistory> recording() const; // null: none
    [[nodiscard]] QString recordingName() const;
    [[nodiscard]] int refreshCount() const; // for tests

signals:
    void modelsRequested();
    void enginePickerRequested(const QPoint& below); // whose engine is shown
    /// An experiment of the laboratory that explains what a track shows ("policies", "prefix" ...).
    void experimentRequested(const QString& name);
    void recordingOpened();
    void exported(const QString& path);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void timerEvent(QTimerEvent* event) override; // of the replay

private:
    struct Parts;
    void buildHeader();
    void buildTracks();
    void buildTable();
    void buildSheet();
    void connectWindow();
    /// live: one of twenty a second; numbers and tables then wait for their turn, four times a second.
    void refresh(bool live = false);
    void refreshTracks();
    void refreshNumbers(bool live);
    void refreshTime();
    void takeSource(); // lanes and table of the recording, or of the engine from its beginning
    void showSource(); // the widgets of this computer's engine, or those of a server
    void refreshServer();
    void refreshMap();
    void refreshTable();
    void refreshReadouts();
    void refreshSlowLine();
    void applySpan();
    void fitHeader(); // which of its buttons are there, and their words where there is room
    void placeSheet();
    void stepPlayhead(int steps); // by whole steps of the engine
    void showCause();
    void showMenu(QWidget* button, bool more);
    void write(const QString& path, std::function<QByteArray()> make);
    void askBlockText(int block);

    std::unique_ptr<Parts> m;
};

} // namespace vitrine::ui
