// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: SIGTERM, SIGINT and SIGHUP as a Qt signal.
#pragma once

#include <QObject>

namespace vitrine::app {

/// One a process.  The handler writes a byte into a pipe; the rest happens on the GUI thread.
class SignalWatch final : public QObject {
    Q_OBJECT
public:
    explicit SignalWatch(QObject* parent = nullptr);

signals:
    void quitRequested();
};

} // namespace vitrine::app
