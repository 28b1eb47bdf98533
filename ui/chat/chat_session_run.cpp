// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the running answer of a chat: request, events, journal, end.
#include <QtMath>
#include <algorithm>

#include "ui/bridge/engine_client.h"
#include "ui/bridge/qt_convert.h"
#include "ui/chat/chat_session.h"
#include "ui/store/chat_store.h"

namespace vitrine::ui {

namespace {

constexpr int kNumAlternatives = 4;
constexpr float kBranchTemperature = 0.7F; // a further branch of a greedy answer would only repeat it

double secondsOf(const QElapsedTimer& timer) {
    return timer.isValid() ? static_cast<double>(timer.nsecsElapsed()) / 1e9 : -1;
}

// Models below a billion parameters fall into loops when they answer greedily: SmolLM2-135M counts "10.0.0.1.1",
// "10.0.0.1.2" ... to the end of the context at 1.0 and ends by itself at 1.05.  Larger ones lose by a penalty (code).
constexpr std::int64_t kSmallModel = 1'000'000'000;
constexpr float kSmallModelPenalty = 1.1F;

float penaltyOf(const ChatSampling& chat, const LoadedModel* model) {
    if (chat.repetitionPenalty > ChatSampling::kAutomaticPenalty)
        return static_cast<float>(chat.repetitionPenalty);
    const bool isSmall = model != nullptr && model->info.parameters > 0 && model->info.parameters < kSmallModel;
    return isSmall ? kSmallModelPenalty : 1.0F;
}

SamplingParams samplingOf(const ChatSampling& chat, const LoadedModel* model) {
    SamplingParams params;
    params.temperature = static_cast<float>(chat.temperature);
    params.top_p = static_cast<float>(chat.topP);
    params.top_k = chat.topK;
    params.min_p = static_cast<float>(chat.minP);
    params.repetition_penalty = penaltyOf(chat, model);
    return params;
}

/// Adds what `finished` cost to what the message had: "continue" makes one answer of two requests.
void takeStats(TurnStats& stats, const Finished& finished, bool adds) {
    const Usage& usage = finished.usage;
    const RequestTimings& times = finished.timings;
    const TurnStats before = adds ? stats : TurnStats{};
    stats.promptTokens = usage.prompt_tokens;
    stats.cachedTokens = usage.cached_tokens;
    stats.outputTokens = before.outputTokens + usage.output_tokens;
    stats.reasoningTokens = before.reasoningTokens + usage.reasoning_tokens;
    stats.draftedTokens = before.draftedTokens + usage.drafted_tokens;
    stats.acceptedTokens = before.acceptedTokens + usage.accepted_tokens;
    stats.decodeSteps = before.decodeSteps + usage.decode_steps;
    stats.queuedSeconds = toSeconds(times.queued);
    stats.firstTokenSeconds = toSeconds(times.first_token);
    stats.prefillSeconds = toSeconds(times.prefill);
    stats.decodeSeconds = std::max(before.decodeSeconds, 0.0) + toSeconds(times.decode);
    stats.totalSeconds = std::max(before.totalSeconds, 0.0) + toSeconds(times.total);
    stats.finishReason = QLatin1String(engine::finish_reason_name(finished.reason));
}

} // namespace

void ChatSession::startRunning(const MessageRecord& message) {
    m_running = message.id;
    m_request = {};
    m_isContinuing = false;
    m_live = LiveTurn{};
    m_live.phase = TurnPhase::saving;
    m_sinceSent.start();
    m_sinceFirstToken.invalidate();
    m_sinceReasoning.invalidate();
    m_unwrittenContent.clear();
    m_unwrittenReasoning.clear();
    m_tokens.clear();
    emit generatingChanged(true);
}

Request ChatSession::makeRequest(const MessageRecord& answer) const {
    const ChatRecord* chat = m_store.chat(m_chat);
    const ChatSampling sampling = chat != nullptr ? chat->sampling : ChatSampling{};
    const MessageId last = m_isContinuing ? answer.id : answer.parent;
    Request request;
    request.source = RequestSource::chat;
    request.label = chat != nullptr ? toStdString(chat->title) : std::string();
    if (const auto model = m_client.model(); model && !model->is_chat_model) {
        request.prompt = engine::TextPrompt{plainText(last).toStdString()};
    } else {
        ChatPrompt prompt;
        prompt.messages_json = messagesJson(last).toStdString();
        prompt.add_generation_prompt = !m_isContinuing;
        request.prompt = std::move(prompt);
    }
    request.sampling = samplingOf(sampling, m_client.model().get());
    const auto siblings = std::count_if(m_tree.messages.begin(), m_tree.messages.end(),
        [&](const MessageRecord& m) { return m.parent == answer.parent && m.role == MessageRole::assistant; });
    if (siblings > 1 && !m_isContinuing && sampling.temperature <= 0)
        request.sampling.temperature = kBranchTemperature;
    request.stop.max_tokens = sampling.maxTokens;
    request.num_logprobs = m_wantsAlternatives ? kNumAlternatives : -1;
    return request;
}

void ChatSession::submit() {
    MessageRecord* answer = find(m_running);
    if (answer == nullptr)
        return;
    if (!m_client.model() && !m_client.isLoading())
        emit modelNeeded();
    if (m_client.isLoading()) {
        m_live.phase = TurnPhase::loadingModel;
        emit turnChanged(m_running);
        return;
    }
    const auto model = m_client.model();
    if (!model) {
        fail({ErrorCode::not_found, tr("No model is loaded, so this turn has no answer yet.").toStdString(),
            tr("Load a model, then try again.").toStdString()});
        return;
    }
    answer->stats.model = toQString(model->info.name + " " + model->info.quantization);
    m_live.phase = TurnPhase::queued;
    const Result<RequestId> request = m_client.submit(makeRequest(*answer));
    if (!request) {
        fail(request.error());
        return;
    }
    m_request = *request;
    m_journalTimer.start();
    emit turnChanged(m_running);
}

void ChatSession::onAdmitted(const Admitted& admitted) {
    m_live.promptTokens = static_cast<int>(admitted.prompt_ids.size());
    m_exactPrompt = toQString(admitted.prompt_text);
    emit turnChanged(m_running);
}

void ChatSession::onProgress(const Progress& progress) {
    if (m_live.outputTokens == 0)
        m_live.phase = progress.queue_position > 0 ? TurnPhase::queued : TurnPhase::reading;
    m_live.queueAhead = progress.queue_position;
    m_live.promptTokens = progress.prompt_tokens;
    m_live.computedTokens = progress.computed_tokens;
    m_live.cachedTokens = progress.cached_tokens;
    m_live.seconds = secondsOf(m_sinceSent);
    emit turnChanged(m_running);
}

void ChatSession::onDelta(const Delta& delta) {
    MessageRecord* answer = find(m_running);
    if (answer == nullptr)
        return;
    const bool isFirst = m_live.outputTokens == 0;
    if (isFirst) {
        m_sinceFirstToken.start();
        m_live.firstTokenSeconds = secondsOf(m_sinceSent);
    }
    if (!delta.reasoning.empty() && !m_sinceReasoning.isValid())
        m_sinceReasoning.start();
    if (!delta.text.empty() && m_sinceReasoning.isValid() && answer->stats.reasoningSeconds < 0)
        answer->stats.reasoningSeconds = secondsOf(m_sinceReasoning);
    const QString content = toQString(delta.text);
    const QString reasoning = toQString(delta.reasoning);
    answer->content += content;
    answer->reasoning += reasoning;
    m_unwrittenContent += content;
    m_unwrittenReasoning += reasoning;
    const bool isThinking = answer->content.isEmpty() && !answer->reasoning.isEmpty();
    m_live.phase = isThinking ? TurnPhase::thinking : TurnPhase::answering;
    m_live.outputTokens += static_cast<int>(delta.ids.size());
    m_live.acceptedTokens += delta.num_draft_tokens;
    m_live.decodeSteps += static_cast<int>(delta.ids.size()) - delta.num_draft_tokens;
    m_live.seconds = secondsOf(m_sinceSent);
    const double decode = secondsOf(m_sinceFirstToken);
    if (m_live.outputTokens > 1 && decode > 0.05) // below that the rate is noise
        m_live.tokensPerSecond = (m_live.outputTokens - 1) / decode;
    noteTokens(delta);
    if (isFirst)
        flushJournal(); // a kill right after the first token finds a begun answer
    emit turnChanged(m_running);
}

void ChatSession::noteTokens(const Delta& delta) {
    if (!delta.logprobs.empty()) {
        for (const TokenLogprobs& entry : delta.logprobs) {
            ShownToken token{toQString(entry.bytes), entry.from_draft, entry.logprob, {}};
            for (std::size_t i = 0; i < entry.top.size() && i < entry.top_bytes.size(); ++i)
                token.alternatives.append({toQString(entry.top_bytes[i]), std::exp(entry.top[i].second)});
            m_tokens.append(token);
        }
        return;
    }
    const QList<QByteArray> bytes = m_client.tokenBytes(delta.ids);
    // Without logprobs it is not known which ones were drafts; the last of a step is always the model's own.
    const qsizetype numDrafts = delta.num_draft_tokens;
    for (qsizetype i = 0; i < bytes.size(); ++i)
        m_tokens.append({QString::fromUtf8(bytes[i]), i < numDrafts && bytes.size() == numDrafts + 1, 0, {}});
}

void ChatSession::onFinished(const Finished& finished) {
    MessageRecord* answer = find(m_running);
    if (answer == nullptr)
        return;
    takeStats(answer->stats, finished, m_isContinuing);
    if (finished.reason == FinishReason::error) {
        fail(finished.error.value_or(Error{ErrorCode::internal, "the engine gave no reason", ""}));
        return;
    }
    endRunning(finished.reason == FinishReason::cancelled ? MessageState::stopped : MessageState::complete);
}

void ChatSession::onRejected(const Rejected& rejected) {
    fail(rejected.error);
}

void ChatSession::fail(const Error& error) {
    if (MessageRecord* answer = find(m_running)) {
        answer->error = toQString(error.message);
        if (!answer->error.isEmpty())
            answer->error[0] = answer->error[0].toUpper(); // it stands alone here
        if (!answer->error.isEmpty() && answer->error.back().isLetterOrNumber())
            answer->error += u'.';
        if (!error.remedy.empty())
            answer->error += u'\n' + toQString(error.remedy);
    }
    endRunning(MessageState::failed);
}

void ChatSession::endRunning(MessageState state) {
    m_journalTimer.stop();
    const MessageId ended = std::exchange(m_running, 0);
    m_live = LiveTurn{};
    m_unwrittenContent.clear();
    m_unwrittenReasoning.clear();
    if (MessageRecord* answer = find(ended)) {
        answer->state = state;
        if (m_sinceReasoning.isValid() && answer->stats.reasoningSeconds < 0)
            answer->stats.reasoningSeconds = secondsOf(m_sinceReasoning);
        m_store.finishAnswer(*answer);
    }
    emit turnChanged(ended);
    emit generatingChanged(false);
    emit answerFinished(ended);
    if (!m_queued.isEmpty() && state == MessageState::complete)
        send(takeQueued(0));
}

void ChatSession::stop() {
    if (!isGenerating())
        return;
    if (m_request != RequestId{})
        m_client.cancel(m_request); // its Finished ends the turn
    else
        endRunning(MessageState::stopped);
}

void ChatSession::close() {
    if (!isGenerating())
        return;
    if (m_request != RequestId{})
        m_client.cancel(m_request);
    m_queued.clear();
    endRunning(MessageState::stopped);
}

void ChatSession::flushJournal() {
    if (m_running == 0 || (m_unwrittenContent.isEmpty() && m_unwrittenReasoning.isEmpty()))
        return;
    m_store.appendAnswer(m_running, std::exchange(m_unwrittenContent, {}), std::exchange(m_unwrittenReasoning, {}));
}

} // namespace vitrine::ui
