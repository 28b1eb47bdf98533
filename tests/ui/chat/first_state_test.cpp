// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/chat: what an empty chat says.
#include <QLabel>
#include <gtest/gtest.h>

#include "tests/ui/support/stage.h"
#include "ui/chat/first_state.h"

namespace vitrine::testing {
namespace {

QString titleOf(const ui::FirstState& state) {
    return state.findChild<QLabel*>(QStringLiteral("firstTitle"))->text();
}

} // namespace

TEST(FirstState, SaysWhereWhatIsAskedGoes) {
    Stage stage;
    const ui::FirstState here(stage.theme, stage.client, stage.settings, stage.dataDir);
    EXPECT_EQ(titleOf(here), QStringLiteral("Ask something. It stays on this machine."));

    StageEngine server;
    server.change([](engine::Snapshot& snapshot) {
        auto model = std::make_shared<engine::LoadedModel>(*snapshot.model);
        model->device.name = "cluster";
        snapshot.model = model;
    });
    ui::EngineClient client(server, nullptr, &stage.engine);
    const ui::FirstState elsewhere(stage.theme, client, stage.settings, stage.dataDir);
    EXPECT_EQ(titleOf(elsewhere), QStringLiteral("Ask something. It goes to cluster."));
}

} // namespace vitrine::testing
