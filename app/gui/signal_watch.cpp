// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: SIGTERM, SIGINT and SIGHUP as a Qt signal.
#include "app/gui/signal_watch.h"

#include <QSocketNotifier>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace vitrine::app {

namespace {

std::array<int, 2> pipeEnds = {-1, -1}; // a handler can reach nothing else

void onSignal(int) {
    const char byte = 1;
    if (::write(pipeEnds[1], &byte, 1) < 0)
        return;
}

} // namespace

SignalWatch::SignalWatch(QObject* parent) : QObject(parent) {
    if (pipeEnds[0] < 0 && ::pipe2(pipeEnds.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return; // then the default action of the signals stays
    auto* notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        while (::read(pipeEnds[0], &byte, 1) > 0) {
        }
        emit quitRequested();
    });
    struct sigaction action = {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        ::sigaction(signal, &action, nullptr);
}

} // namespace vitrine::app
