// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/support: a test that dies by a signal says where.
#pragma once

#include <array>
#include <csignal>
#include <cstdlib>
#include <execinfo.h>
#include <unistd.h>

namespace vitrine::testing {

/// SIGSEGV, SIGBUS, SIGFPE, SIGILL: the stack of the thread goes to stderr, then the default action follows.  On a stack
/// of its own, so that an endless recursion is told too.  Link with ENABLE_EXPORTS to have names in it.
inline void install_crash_trace() {
    static std::array<char, 64 * 1024> handler_stack;
    stack_t stack = {};
    stack.ss_sp = handler_stack.data();
    stack.ss_size = handler_stack.size();
    ::sigaltstack(&stack, nullptr);
    void* warm_up = nullptr;
    ::backtrace(&warm_up, 1); // the first call loads a library, which a handler must not
    struct sigaction action = {};
    action.sa_handler = [](int signal) {
        std::array<void*, 64> frames{};
        ::backtrace_symbols_fd(frames.data(), ::backtrace(frames.data(), 64), STDERR_FILENO);
        ::raise(signal);
    };
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
        ::sigaction(signal, &action, nullptr);
}

} // namespace vitrine::testing
