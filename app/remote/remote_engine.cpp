// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: an engine that runs elsewhere: what callers see.  The network's side: remote_link.cpp.
#include "app/remote/remote_engine.h"

#include <algorithm>
#include <utility>

#include "app/remote/remote_link.h"
#include "app/remote/remote_texts.h"
#include "ui/bridge/qt_convert.h"

namespace vitrine::app {

using namespace ui;

namespace {

// Ids are unique in the process: those of this computer's engine count from 1.
std::atomic<std::uint64_t> nextRequest{std::uint64_t{1} << 62U};

Error noFiles() {
    return {ErrorCode::unsupported, toStdString(Remote::tr("A server elsewhere opens no file of this computer")),
        toStdString(Remote::tr("Choose this computer first."))};
}

} // namespace

RemoteEngine::RemoteEngine(RemoteTarget target) : m_target(std::move(target)) {
    m_link = std::make_unique<Link>(*this);
    publish(m_link->makeSnapshot());
    m_link->moveToThread(&m_thread);
    m_thread.setObjectName(QStringLiteral("remote"));
    m_thread.start();
    QMetaObject::invokeMethod(m_link.get(), &Link::begin, Qt::QueuedConnection);
}

RemoteEngine::~RemoteEngine() {
    stop();
}

Result<engine::ModelInfo> RemoteEngine::inspect(const std::string&) {
    return tl::unexpected(noFiles());
}

Result<engine::LoadPlan> RemoteEngine::plan(const std::string&, const engine::EngineConfig&) {
    return tl::unexpected(noFiles());
}

Result<void> RemoteEngine::load(const std::string&, const engine::EngineConfig&, std::shared_ptr<engine::LoadSink>) {
    return tl::unexpected(noFiles());
}

Result<RequestId> RemoteEngine::submit(Request request, std::shared_ptr<engine::EventSink> sink) {
    if (!m_thread.isRunning())
        return fail(ErrorCode::cancelled, toStdString(Remote::tr("The connection to the server has ended")),
            toStdString(Remote::tr("Choose the server again.")));
    if (m_numRunning.fetch_add(1) >= kMaxRunning) {
        m_numRunning.fetch_sub(1);
        return fail(ErrorCode::busy,
            toStdString(Remote::tr("This program already waits for %1 answers of this server").arg(kMaxRunning)),
            toStdString(Remote::tr("Wait for one of them.")));
    }
    RemoteAnswer::Order order;
    order.id = RequestId{nextRequest.fetch_add(1)};
    order.request = std::move(request);
    order.sink = std::move(sink);
    order.submitted = std::chrono::steady_clock::now();
    const RequestId id = order.id;
    QMetaObject::invokeMethod(
        m_link.get(), [link = m_link.get(), order = std::move(order)]() mutable { link->start(std::move(order)); },
        Qt::QueuedConnection);
    return id;
}

void RemoteEngine::cancel(RequestId request) {
    QMetaObject::invokeMethod(
        m_link.get(), [link = m_link.get(), request] { link->cancel(request); }, Qt::QueuedConnection);
}

std::shared_ptr<const Snapshot> RemoteEngine::snapshot() const {
    const auto since = std::chrono::steady_clock::now() - m_origin;
    m_lastAskedMs = std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
    const std::lock_guard lock(m_mutex);
    return m_snapshot;
}

std::size_t RemoteEngine::read_lines(
    std::uint64_t fromLine, std::span<engine::SequenceLine> out, std::uint64_t& nextLine) const {
    const std::lock_guard lock(m_mutex);
    const std::uint64_t first = std::max(fromLine, m_firstLine);
    const std::uint64_t end = m_firstLine + m_lines.size();
    std::size_t count = 0;
    for (std::uint64_t line = first; line < end && count < out.size(); ++line)
        out[count++] = m_lines[static_cast<std::size_t>(line - m_firstLine)];
    nextLine = std::max(fromLine, first + count);
    return count;
}

void RemoteEngine::publish(std::shared_ptr<const Snapshot> snapshot) {
    const std::lock_guard lock(m_mutex);
    m_snapshot = std::move(snapshot);
}

void RemoteEngine::addLine(engine::SequenceLine line) {
    const std::lock_guard lock(m_mutex);
    line.step = m_firstLine + m_lines.size() + 1; // a server's steps are not told; numbers only rise
    m_lines.push_back(line);
    if (m_lines.size() > kMaxLines) {
        m_lines.pop_front();
        ++m_firstLine;
    }
}

void RemoteEngine::stop() {
    if (!m_thread.isRunning())
        return;
    QMetaObject::invokeMethod(m_link.get(), &Link::close, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

} // namespace vitrine::app
