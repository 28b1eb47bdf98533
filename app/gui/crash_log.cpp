// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: the last words of a process that dies by a signal.
#include "app/gui/crash_log.h"

#include <QDir>
#include <QFile>
#include <array>
#include <csignal>
#include <cstring>
#include <execinfo.h>
#include <fcntl.h>
#include <unistd.h>

namespace vitrine::app {

namespace {

constexpr int kMaxFrames = 64;
std::array<char, 4096> crashPath{}; // a handler may not allocate, so the path is kept ready

void writeText(int file, const char* text) {
    if (::write(file, text, std::strlen(text)) < 0)
        return; // nothing better can be done here
}

void onSignal(int signal) {
    std::array<void*, kMaxFrames> frames{};
    const int numFrames = ::backtrace(frames.data(), kMaxFrames);
    const int file = ::open(crashPath.data(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0) {
        writeText(file, "vitrine " VITRINE_VERSION ": ");
        writeText(file,
            signal == SIGSEGV       ? "SIGSEGV"
                : signal == SIGABRT ? "SIGABRT"
                : signal == SIGILL  ? "SIGILL"
                : signal == SIGFPE  ? "SIGFPE"
                                    : "SIGBUS");
        writeText(file, "\n");
        ::backtrace_symbols_fd(frames.data(), numFrames, file);
        ::close(file);
    }
    ::raise(signal); // SA_RESETHAND: the default action now
}

QString logPath(const QString& dataDir) {
    return QDir(dataDir).filePath(QStringLiteral("crash.log"));
}

} // namespace

void installCrashLog(const QString& dataDir) {
    const QByteArray path = QFile::encodeName(logPath(dataDir));
    if (static_cast<std::size_t>(path.size()) >= crashPath.size())
        return;
    std::memcpy(crashPath.data(), path.constData(), static_cast<std::size_t>(path.size()) + 1);
    void* warmUp = nullptr;
    ::backtrace(&warmUp, 1); // the first call loads a library, which a handler must not
    static std::array<char, 64 * 1024> handlerStack; // a recursion without end has used up the thread's own
    stack_t stack = {};
    stack.ss_sp = handlerStack.data();
    stack.ss_size = handlerStack.size();
    ::sigaltstack(&stack, nullptr);
    struct sigaction action = {};
    action.sa_handler = onSignal;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        ::sigaction(signal, &action, nullptr);
}

QString takeCrashLog(const QString& dataDir) {
    QFile file(logPath(dataDir));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QString text = QString::fromUtf8(file.readAll());
    file.close();
    QFile::remove(file.fileName() + QStringLiteral(".old"));
    file.rename(file.fileName() + QStringLiteral(".old"));
    return text;
}

} // namespace vitrine::app
