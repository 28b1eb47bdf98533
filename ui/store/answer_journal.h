// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: a running answer on disk, append-only, so that a killed process loses a second at most.
#pragma once

#include <QElapsedTimer>
#include <QFile>
#include <QString>
#include <memory>
#include <optional>

#include "ui/store/chat_records.h"

namespace vitrine::ui {

/// One file for one running answer: `<id>.journal`.  Layout: "VTJ1", then records of
///   u32 length, first 8 bytes of the payload's SHA-1, payload = kind byte + UTF-8   (integers little-endian)
/// kind 'H': the message as JSON, first and once; 'T': text; 'R': reasoning.  A record that is cut or does not match
/// its checksum ends the file: what stands before it counts.
/// Thread: store.
class AnswerJournal {
public:
    /// Creates the file with its header record; text `message` already has goes into the first records.
    [[nodiscard]] static Stored<AnswerJournal> create(const QString& folder, const MessageRecord& message);
    [[nodiscard]] Stored<void> append(const QString& content, const QString& reasoning);
    [[nodiscard]] QString path() const { return m_file->fileName(); }
    /// Closes and removes the file: the answer is in the database.
    void remove();

    /// The answer a file holds, or nothing if not even its header is whole.
    [[nodiscard]] static std::optional<MessageRecord> read(const QString& path);
    [[nodiscard]] static QStringList filesIn(const QString& folder);

    static constexpr int kSyncIntervalMs = 5'000; // bounds what a power cut costs

private:
    explicit AnswerJournal(std::unique_ptr<QFile> file) : m_file(std::move(file)) {}
    [[nodiscard]] Stored<void> writeRecord(char kind, const QByteArray& text);

    std::unique_ptr<QFile> m_file;
    QElapsedTimer m_sinceSync;
};

} // namespace vitrine::ui
