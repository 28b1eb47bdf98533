// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: a chat request as OpenAI's JSON, and what comes back of it.
#include "app/remote/chat_wire.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

#include "app/remote/remote_texts.h"
#include "ui/bridge/qt_convert.h"

namespace vitrine::app {

using namespace ui;

namespace {

constexpr float kGreedyBelow = 1e-5F;
constexpr qsizetype kMaxSentence = 300;

Result<QByteArray> refuse(const QString& message, const QString& remedy) {
    return fail(ErrorCode::unsupported, toStdString(message), toStdString(remedy));
}

void addSampling(QJsonObject& body, const SamplingParams& sampling, ServerKind kind) {
    const auto number = [&](const char* name, float value) { // 0.7F as 0.7, not as 0.69999998807907104
        body.insert(QLatin1String(name), QString::number(static_cast<double>(value), 'g', 6).toDouble());
    };
    number("temperature", sampling.temperature < kGreedyBelow ? 0.0F : sampling.temperature);
    number("top_p", sampling.top_p);
    if (sampling.top_k > 0)
        body.insert(QStringLiteral("top_k"), sampling.top_k);
    if (sampling.min_p > 0)
        number("min_p", sampling.min_p);
    if (sampling.repetition_penalty != 1) {
        if (kind != ServerKind::llamaCpp)
            number("repetition_penalty", sampling.repetition_penalty);
        if (kind == ServerKind::llamaCpp || kind == ServerKind::unknown) // llama-cpp-python knows this name alone
            number("repeat_penalty", sampling.repetition_penalty);
    }
    if (sampling.frequency_penalty != 0)
        number("frequency_penalty", sampling.frequency_penalty);
    if (sampling.presence_penalty != 0)
        number("presence_penalty", sampling.presence_penalty);
    if (sampling.seed)
        body.insert(
            QStringLiteral("seed"), static_cast<qint64>(*sampling.seed & 0x7FFFFFFF)); // every server takes 31 bits
}

/// A trailing assistant message is continued: by itself in llama.cpp and Vitrine, when asked in vLLM and SGLang.
bool addContinuation(QJsonObject& body, ServerKind kind) {
    switch (kind) {
    case ServerKind::vllm:
    case ServerKind::sglang:
        body.insert(QStringLiteral("continue_final_message"), true);
        body.insert(QStringLiteral("add_generation_prompt"), false);
        return true;
    case ServerKind::vitrine:
    case ServerKind::llamaCpp:
        return true;
    case ServerKind::unknown:
    case ServerKind::tensorRtLlm:
        break;
    }
    return false;
}

void addStop(QJsonObject& body, const StopParams& stop) {
    if (stop.max_tokens > 0)
        body.insert(QStringLiteral("max_tokens"), stop.max_tokens);
    QJsonArray texts;
    for (const std::string& text : stop.stop)
        texts.append(toQString(text));
    if (!texts.isEmpty())
        body.insert(QStringLiteral("stop"), texts);
}

FinishReason finishOf(const QString& name) {
    if (name == QLatin1String("length"))
        return FinishReason::length;
    if (name == QLatin1String("tool_calls") || name == QLatin1String("function_call"))
        return FinishReason::tool_calls;
    if (name == QLatin1String("abort") || name == QLatin1String("cancelled"))
        return FinishReason::cancelled;
    if (name == QLatin1String("error"))
        return FinishReason::error;
    return FinishReason::stop; // stop, eos, content_filter, and names that are still to come
}

TokenLogprobs logprobsOf(const QJsonObject& entry) {
    const auto bytesOf = [](const QJsonObject& token) {
        const QJsonArray bytes = token.value(QLatin1String("bytes")).toArray();
        if (bytes.isEmpty())
            return token.value(QLatin1String("token")).toString().toStdString();
        std::string text;
        for (const QJsonValue byte : bytes)
            text.push_back(static_cast<char>(byte.toInt()));
        return text;
    };
    TokenLogprobs token;
    token.token = -1; // ids are the server's own matter
    token.bytes = bytesOf(entry);
    token.logprob = static_cast<float>(entry.value(QLatin1String("logprob")).toDouble());
    for (const QJsonValue other : entry.value(QLatin1String("top_logprobs")).toArray()) {
        const QJsonObject object = other.toObject();
        token.top.emplace_back(-1, static_cast<float>(object.value(QLatin1String("logprob")).toDouble()));
        token.top_bytes.push_back(bytesOf(object));
    }
    return token;
}

Usage usageOf(const QJsonObject& usage) {
    const auto count = [](const QJsonObject& object, const char* name) {
        return object.value(QLatin1String(name)).toInt();
    };
    Usage result;
    result.prompt_tokens = count(usage, "prompt_tokens");
    result.output_tokens = count(usage, "completion_tokens");
    result.cached_tokens = count(usage.value(QLatin1String("prompt_tokens_details")).toObject(), "cached_tokens");
    const QJsonObject details = usage.value(QLatin1String("completion_tokens_details")).toObject();
    result.reasoning_tokens = count(details, "reasoning_tokens");
    result.accepted_tokens = count(details, "accepted_prediction_tokens");
    return result;
}

void readChoice(const QJsonObject& choice, ChatChunk& chunk) {
    const QJsonValue part = choice.value(QLatin1String("delta"));
    const QJsonObject delta = part.isObject() ? part.toObject() // a server that does not stream sends a message
                                              : choice.value(QLatin1String("message")).toObject();
    chunk.text = delta.value(QLatin1String("content")).toString();
    chunk.reasoning = delta.value(QLatin1String("reasoning_content")).toString();
    if (chunk.reasoning.isEmpty())
        chunk.reasoning = delta.value(QLatin1String("reasoning")).toString(); // vLLM's newer name
    if (chunk.text.isEmpty())
        chunk.text = delta.value(QLatin1String("refusal")).toString();
    const QJsonObject logprobs = choice.value(QLatin1String("logprobs")).toObject();
    for (const QJsonValue entry : logprobs.value(QLatin1String("content")).toArray())
        chunk.logprobs.push_back(logprobsOf(entry.toObject()));
    const QString finish = choice.value(QLatin1String("finish_reason")).toString();
    if (!finish.isEmpty())
        chunk.finish = finishOf(finish);
}

Error giveUp(const QString& server, const QString& why) {
    return {ErrorCode::internal, toStdString(Remote::tr("%1 ended the answer: %2").arg(server, why)),
        toStdString(Remote::tr("Try again; the server's own log says more."))};
}

} // namespace

Result<QByteArray> chatBody(const Request& request, ServerKind kind, const QString& model) {
    const auto* chat = std::get_if<ChatPrompt>(&request.prompt);
    if (chat == nullptr || request.pooling != engine::Pooling::none || request.num_choices != 1 ||
        request.beam_width > 0 || request.constraint.kind != engine::ConstraintKind::none)
        return refuse(Remote::tr("This request has no form in the chat API of a server"),
            Remote::tr("Ask it of a model on this computer."));
    const QJsonDocument messages = QJsonDocument::fromJson(QByteArray::fromStdString(chat->messages_json));
    QJsonObject body{{QStringLiteral("model"), model}, {QStringLiteral("messages"), messages.array()},
        {QStringLiteral("stream"), true},
        {QStringLiteral("stream_options"), QJsonObject{{QStringLiteral("include_usage"), true}}}};
    addSampling(body, request.sampling, kind);
    addStop(body, request.stop);
    if (request.num_logprobs >= 0) {
        body.insert(QStringLiteral("logprobs"), true);
        body.insert(QStringLiteral("top_logprobs"), request.num_logprobs);
    }
    if (!chat->variables_json.empty())
        body.insert(QStringLiteral("chat_template_kwargs"),
            QJsonDocument::fromJson(QByteArray::fromStdString(chat->variables_json)).object());
    if (!chat->add_generation_prompt && !addContinuation(body, kind))
        return refuse(Remote::tr("This server offers no way to continue an answer"),
            Remote::tr("Regenerate the answer, or send a further turn."));
    return QJsonDocument(body).toJson(QJsonDocument::Compact);
}

QString messageOfBody(const QByteArray& body) {
    const QJsonDocument document = QJsonDocument::fromJson(body);
    const QJsonObject object = document.object();
    const QJsonValue error = object.value(QLatin1String("error"));
    QString text = error.isObject() ? error.toObject().value(QLatin1String("message")).toString() : error.toString();
    if (text.isEmpty())
        text = object.value(QLatin1String("message")).toString();
    if (text.isEmpty()) {
        const QJsonValue detail = object.value(QLatin1String("detail")); // FastAPI: a text, or what is wrong by field
        text = detail.isArray() ? detail.toArray().first().toObject().value(QLatin1String("msg")).toString()
                                : detail.toString();
    }
    if (text.isEmpty() && document.isNull() && !body.trimmed().startsWith('<')) // no page of HTML
        text = QString::fromUtf8(body);
    text = text.simplified();
    return text.size() > kMaxSentence ? text.left(kMaxSentence) + u'…' : text;
}

ChatChunk parseChatChunk(const QByteArray& type, const QByteArray& data, const QString& server) {
    ChatChunk chunk;
    const QByteArray trimmed = data.trimmed();
    if (trimmed == "[DONE]") {
        chunk.isLast = true;
        return chunk;
    }
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(trimmed, &problem);
    const QJsonObject object = document.object();
    const bool isError = type == "error" || object.value(QLatin1String("error")).isObject() ||
        object.value(QLatin1String("error")).isString() ||
        object.value(QLatin1String("object")).toString() == QLatin1String("error");
    if (isError) {
        const QString why = messageOfBody(trimmed);
        chunk.error = giveUp(server, why.isEmpty() ? Remote::tr("it gives no reason") : why);
        return chunk;
    }
    if (!document.isObject()) {
        chunk.error = giveUp(server,
            Remote::tr("%1 bytes of its stream are no JSON (%2)")
                .arg(trimmed.size())
                .arg(problem.error == QJsonParseError::NoError ? Remote::tr("no object") : problem.errorString()));
        return chunk;
    }
    const QJsonArray choices = object.value(QLatin1String("choices")).toArray();
    if (!choices.isEmpty())
        readChoice(choices.first().toObject(), chunk);
    if (const QJsonValue usage = object.value(QLatin1String("usage")); usage.isObject())
        chunk.usage = usageOf(usage.toObject());
    return chunk;
}

} // namespace vitrine::app
