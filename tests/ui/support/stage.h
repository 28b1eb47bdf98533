// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui: everything a page asks for, around a StageEngine.
#pragma once

#include "tests/ui/support/stage_engine.h"
#include "ui/bridge/endpoint_control.h"
#include "ui/bridge/engine_client.h"
#include "ui/bridge/snapshot_feed.h"
#include "ui/bridge/step_feed.h"
#include "ui/store/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/sequence_index.h"

#include <QTemporaryDir>

#include <functional>

namespace vitrine::testing {

/// Answers at once, as told; remembers what was asked.
class FakeDialogs final : public ui::Dialogs {
public:
    QStringList files; // answer of openFiles
    QString folder, saved;
    bool accept = true;
    QStringList asked; // titles
    std::function<QString()> textNow; // of the last question, if its text can change

    void openFiles(
        QWidget*, const QString& title, const FileFilter&, bool, std::function<void(QStringList)> done) override;
    void openFolder(QWidget*, const QString& title, std::function<void(QString)> done) override;
    void saveFile(
        QWidget*, const QString& title, const QString&, const FileFilter&, std::function<void(QString)> done) override;
    void confirm(QWidget*, const Question& question, std::function<void(bool)> done) override;
    int chosen = 0; // answer of choose
    void choose(QWidget*, const QString& title, const QString&, const QStringList& answers,
        std::function<void(int)> done) override;
    void message(QWidget*, const QString& title, const QString& text) override;
    void askText(QWidget*, const QString& title, const QString&, const QString& value,
        std::function<void(bool, QString)> done) override;
};

/// Starts at once; a port in `taken` fails as the real one does.
class FakeEndpoint final : public ui::EndpointControl {
    Q_OBJECT
public:
    using ui::EndpointControl::EndpointControl;
    QList<int> taken;
    ui::EndpointSettings started; // of the last start

    void start(const ui::EndpointSettings& settings) override;
    void stop() override;
    [[nodiscard]] State state() const override { return m_state; }
    [[nodiscard]] QUrl url() const override;
    [[nodiscard]] quint16 port() const override { return started.port; }
    [[nodiscard]] Error error() const override { return m_error; }
    [[nodiscard]] const ui::HistoryRing<ui::EndpointLogRow>& rows() const override { return m_rows; }
    void clearRows() override { m_rows.clear(); }
    [[nodiscard]] bool isAvailable() const override { return true; }
    void addRow(const ui::EndpointLogRow& row);
    void addSampleRows(); // the log of the design's picture

private:
    State m_state = State::off;
    Error m_error;
    ui::HistoryRing<ui::EndpointLogRow> m_rows{kRowCapacity};
};

struct Stage {
    Stage();
    QTemporaryDir dir;
    QString dataDir; // with models/ and a few sparse files in it
    ui::Theme theme;
    StageEngine engine;
    ui::Settings settings;
    ui::EngineClient client;
    ui::SnapshotFeed snapshots;
    ui::StepFeed steps;
    ui::SequenceIndex sequences;
    FakeEndpoint endpoint;
    FakeDialogs dialogs;

    /// Runs the event loop until `done` or two seconds have passed; returns `done()`.
    static bool waitFor(const std::function<bool()>& done);
};

} // namespace vitrine::testing
