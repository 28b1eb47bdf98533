// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: what outlives a window, and what a quit would end.
#include "ui/frame/running_work.h"

#include "ui/bridge/snapshot_feed.h"
#include "ui/chat/chat_session.h"
#include "ui/lab/experiment.h"
#include "ui/widgets/numbers.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace vitrine::ui {
namespace {

QStringList chatSentences(const OpenChats& chats) {
    int numAnswers = 0, numQueued = 0;
    for (const ChatSession* session : chats.all()) {
        numAnswers += session->isGenerating();
        numQueued += static_cast<int>(session->queued().size());
    }
    QStringList sentences;
    if (numAnswers > 0)
        sentences += RunningWork::tr("%n answer(s) would end here; the text so far is kept.", nullptr, numAnswers);
    if (numQueued > 0)
        sentences += RunningWork::tr("%n message(s) not sent yet would be lost.", nullptr, numQueued);
    return sentences;
}

QString quantizationSentence(const QuantizationRunner& runner) {
    const QString name = QFileInfo(QString::fromStdString(runner.task().target)).fileName();
    const auto& progress = runner.progress();
    if (progress && progress->phase == QuantizationPhase::judging)
        return RunningWork::tr("%1 is written and stays; measuring it would end.").arg(name);
    const bool isWriting = progress && progress->phase == QuantizationPhase::writing && progress->total > 0;
    const double done = isWriting ? static_cast<double>(progress->done) / static_cast<double>(progress->total) : 0;
    return RunningWork::tr("%1 is being quantized, %2 written; nothing of it would be kept.")
        .arg(name, percentText(done));
}

QStringList downloadSentences(const Downloads& downloads) {
    int count = 0;
    qint64 received = 0, bytes = 0;
    for (const DownloadJob* job : downloads.jobs()) {
        using State = DownloadJob::State;
        if (job->state() != State::running && job->state() != State::waiting && job->state() != State::checking)
            continue;
        ++count;
        received += job->received();
        bytes += job->spec().bytes;
    }
    if (count == 0)
        return {};
    return {RunningWork::tr("%n download(s) would stop at %1 of %2; Get models goes on from there.", nullptr, count)
                .arg(bytesText(static_cast<double>(received)), bytesText(static_cast<double>(bytes)))};
}

/// Of other programs: who uses the server is not at this window.
int numForeignRequests(const Snapshot& snapshot) {
    return static_cast<int>(
        std::count_if(snapshot.sequences.begin(), snapshot.sequences.end(), [](const SequenceStatus& sequence) {
            return sequence.source == RequestSource::api && sequence.state != SequenceState::finished;
        }));
}

} // namespace

RunningWork::RunningWork(EngineClient& client, ChatStore& store, SnapshotFeed& feed, const QString& dataDir,
    QuantizationRunner::Job quantizationJob)
    : chats(client, store), downloads(QDir(dataDir).filePath(QStringLiteral("models"))),
      quantization(std::move(quantizationJob)), lab(client, feed), m_snapshots(feed) {}

QStringList RunningWork::wouldEnd() const {
    QStringList sentences;
    if (quantization.isRunning())
        sentences += quantizationSentence(quantization);
    if (const Experiment* experiment = lab.running())
        sentences += tr("The experiment “%1”, %2 done, would end without a result.")
                         .arg(experiment->title(), percentText(lab.fraction()));
    sentences += chatSentences(chats);
    if (const int count = numForeignRequests(*m_snapshots.latest()); count > 0)
        sentences += tr("%n request(s) of other programs would break off.", nullptr, count);
    sentences += downloadSentences(downloads);
    return sentences;
}

} // namespace vitrine::ui
