// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui: engines elsewhere that answer when the test says so.
#pragma once

#include "ui/bridge/remote_control.h"

namespace vitrine::testing {

/// A server that answers a probe as told.
class FakeRemote final : public ui::RemoteControl {
public:
    QList<ui::RemoteServer> servers() const override { return {}; }
    Result<QString> save(const ui::RemoteServer&) override { return QStringLiteral("id"); }
    void remove(const QString&) override {}
    quint64 probe(const ui::RemoteServer&) override { return 7; }
    void use(const QString&) override {}
    void useLocal() override {}
    QString current() const override { return {}; }
    State state() const override { return State::local; }
    Error error() const override { return {}; }
    ui::ServerFacts facts() const override { return {}; }
    QString localModelName() const override { return {}; }
};

} // namespace vitrine::testing
