// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: a chat request as OpenAI's JSON, and what comes back of it.
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>

#include "ui/bridge/server_reading.h"
#include "ui/bridge/values.h"

namespace vitrine::app {

/// Body of POST /v1/chat/completions, streamed, with usage at the end.  unsupported: a request that has no form there
/// (token ids, embeddings, a constraint) or that this kind of server cannot take (continuing an answer).
/// Fields beside OpenAI's go out only where they differ from what every server does without them.
[[nodiscard]] Result<QByteArray> chatBody(const ui::Request& request, ui::ServerKind kind, const QString& model);

/// What one event of the stream adds.
struct ChatChunk {
    QString text;
    QString reasoning;
    std::optional<ui::FinishReason> finish;
    std::optional<ui::Usage> usage;
    std::vector<ui::TokenLogprobs> logprobs;
    std::optional<Error> error; // the server gave up
    bool isLast = false; // [DONE]
};
/// `server`: its name, for sentences.  Never fails: what cannot be read is an error of the chunk.
[[nodiscard]] ChatChunk parseChatChunk(const QByteArray& type, const QByteArray& data, const QString& server);

/// The sentence in an answer's body that is no completion: OpenAI's error object, FastAPI's detail, a plain text.
[[nodiscard]] QString messageOfBody(const QByteArray& body);

} // namespace vitrine::app
