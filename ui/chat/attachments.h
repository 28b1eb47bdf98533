// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: text files that go in front of a message.
#pragma once

#include <QStringList>

#include <functional>

class QObject;

namespace vitrine::ui {

struct Attachment;

/// Reads text files on pool threads; `done` and `refused` are called here while `context` lives, once a file.
/// UTF-8 and UTF-16 with a mark; at most 4 MiB.  `refused(name, reason)`: a sentence with the number.  Thread: GUI.
void readAttachments(const QStringList& paths, QObject* context, std::function<void(const Attachment&)> done,
    std::function<void(const QString& name, const QString& reason)> refused);

} // namespace vitrine::ui
