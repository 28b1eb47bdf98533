// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: what other threads ask of the engine thread.
#pragma once

#include <future>
#include <memory>
#include <string>
#include <variant>

#include "engine/api/engine.h"
#include "engine/base/clock.h"
#include "engine/core/model_session.h"
#include "engine/core/prepared_request.h"

namespace vitrine::engine {

struct SubmitCommand {
    RequestId id{};
    std::shared_ptr<const Request> request;
    std::shared_ptr<EventSink> sink;
    TimePoint time;
};
/// From a prepare thread.
struct PreparedCommand {
    RequestId id{};
    tl::expected<PreparedRequest, RequestRefusal> result;
};
struct CancelCommand {
    RequestId id{};
};
/// From the load thread: the finished session, or none to unload.
struct InstallCommand {
    std::unique_ptr<ModelSession> session;
    std::shared_ptr<LoadSink> sink; // told once it is installed
};
/// From the load thread after a device error: the same model again, or why it cannot be loaded.
struct RecoverCommand {
    Result<std::unique_ptr<ModelSession>> session;
};
struct ResetPrefixCacheCommand {};
struct BlockTextCommand {
    int block = 0;
    std::promise<std::string> answer;
};

using Command = std::variant<SubmitCommand, PreparedCommand, CancelCommand, InstallCommand, RecoverCommand,
    ResetPrefixCacheCommand, BlockTextCommand>;

} // namespace vitrine::engine
