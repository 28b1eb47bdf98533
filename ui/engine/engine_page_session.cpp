// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: exports, recordings.
#include "ui/bridge/qt_convert.h"
#include "ui/bridge/session_file.h"
#include "ui/engine/engine_page_parts.h"
#include "ui/widgets/dialogs.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace vitrine::ui {
namespace {

constexpr qint64 kMaxRecordingBytes = 512LL << 20;

Result<SessionHistory> readSession(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::io, toStdString(EnginePage::tr("%1 cannot be read: %2.").arg(path, file.errorString())),
            toStdString(EnginePage::tr("Choose another file.")));
    if (file.size() > kMaxRecordingBytes)
        return fail(ErrorCode::bad_file,
            toStdString(EnginePage::tr("%1 has %2 bytes; a recording has at most %3.")
                            .arg(path)
                            .arg(file.size())
                            .arg(kMaxRecordingBytes)),
            toStdString(EnginePage::tr("Choose a file that Vitrine saved.")));
    return sessionFromJson(file.readAll());
}

} // namespace

void EnginePage::exportAs(Export format) {
    struct Kind {
        QString title, name, pattern;
    };
    const Kind kinds[] = {{tr("Export steps"), QStringLiteral("vitrine-steps.csv"), QStringLiteral("*.csv")},
        {tr("Export steps"), QStringLiteral("vitrine-steps.json"), QStringLiteral("*.json")},
        {tr("Export a trace"), QStringLiteral("vitrine-trace.json"), QStringLiteral("*.json")},
        {tr("Save a recording"), QStringLiteral("vitrine-recording.json"), QStringLiteral("*.json")}};
    const Kind& kind = kinds[static_cast<std::size_t>(format)];
    const TimeRange range = m->window.selection();
    m->context.dialogs.saveFile(
        this, kind.title, kind.name, {kind.title, {kind.pattern}}, [this, format, range](const QString& path) {
            if (path.isEmpty())
                return;
            // A copy of the history: the engine goes on while the file is written.
            auto session = std::make_shared<SessionHistory>(m->history());
            write(path, [session, format, range] {
                switch (format) {
                case Export::csv:
                    return session->server() ? readingsToCsv(session->readings(), range)
                                             : stepsToCsv(session->steps(), range);
                case Export::json:
                    return session->server() ? readingsToJson(session->readings(), range)
                                             : stepsToJson(session->steps(), range);
                case Export::trace:
                    return stepsToTrace(session->steps(), range);
                case Export::recording:
                    return sessionToJson(*session);
                }
                return QByteArray();
            });
        });
}

void EnginePage::write(const QString& path, std::function<QByteArray()> make) {
    m->writing = QFileInfo(path).fileName();
    refreshSlowLine();
    const QPointer<EnginePage> self(this);
    m->pool.start([self, path, make = std::move(make)] {
        QSaveFile file(path);
        const QByteArray bytes = make();
        const bool good = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
        const QString problem = good ? QString() : file.errorString();
        QMetaObject::invokeMethod(
            qApp,
            [self, path, problem] {
                if (!self)
                    return;
                self->m->writing.clear();
                self->refreshSlowLine();
                if (problem.isEmpty())
                    emit self->exported(path);
                else
                    self->m->context.dialogs.message(
                        self, tr("The file was not written"), tr("%1: %2. Choose another folder.").arg(path, problem));
            },
            Qt::QueuedConnection);
    });
}

void EnginePage::askForRecording() {
    m->context.dialogs.openFiles(this, tr("Open a recording"), {tr("Recordings"), {QStringLiteral("*.json")}}, false,
        [this](const QStringList& files) {
            if (!files.isEmpty())
                openRecording(files.first());
        });
}

void EnginePage::openRecording(const QString& path) {
    const QPointer<EnginePage> self(this);
    m->pool.start([self, path] {
        auto session = std::make_shared<Result<SessionHistory>>(readSession(path));
        QMetaObject::invokeMethod(
            qApp,
            [self, path, session] {
                if (!self)
                    return;
                if (!*session) {
                    const Error& error = session->error();
                    return self->m->context.dialogs.message(self, tr("The recording was not opened"),
                        toQString(error.message) + u' ' + toQString(error.remedy));
                }
                self->m->context.recording = {
                    std::make_shared<const SessionHistory>(**std::move(session)), QFileInfo(path).fileName()};
                self->takeSource();
                self->refresh();
                emit self->recordingOpened();
            },
            Qt::QueuedConnection);
    });
}

void EnginePage::backToLive() {
    m->context.recording = {};
    takeSource();
    refresh();
}

void EnginePage::takeSource() {
    m->lanes = LaneHistory();
    m->window.setRecorded(m->context.recording.session != nullptr);
    if (const auto& recording = m->context.recording.session) {
        m->lanes.readLines(recording->steps());
        m->lanes.readNotes(recording->requests());
    }
    m->table.clear();
    m->window.setPaused(false);
    m->tracksEnd = m->frameTime = m->frameAsked = -1;
}

} // namespace vitrine::ui
