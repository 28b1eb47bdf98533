// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: asking the X server for its compositor.
#include "ui/theme/compositing.h"

#include <QGuiApplication>

#include <cstdlib>
#include <memory>
#include <string_view>
#include <xcb/xcb.h>

namespace vitrine::ui {
namespace {

struct Free {
    void operator()(void* reply) const { std::free(reply); }
};

} // namespace

bool isComposited() {
    const auto* x11 = qGuiApp->nativeInterface<QNativeInterface::QX11Application>();
    if (x11 == nullptr || x11->connection() == nullptr)
        return true; // Wayland; pictures in memory
    // Who composites owns this selection (EWMH 1.3, compositing managers).  Qt talks to the first screen's.
    constexpr std::string_view kOwned = "_NET_WM_CM_S0";
    xcb_connection_t* connection = x11->connection();
    const auto asked = xcb_intern_atom(connection, 1, static_cast<std::uint16_t>(kOwned.size()), kOwned.data());
    const std::unique_ptr<xcb_intern_atom_reply_t, Free> atom(xcb_intern_atom_reply(connection, asked, nullptr));
    if (!atom || atom->atom == XCB_ATOM_NONE)
        return false;
    const auto selection = xcb_get_selection_owner(connection, atom->atom);
    const std::unique_ptr<xcb_get_selection_owner_reply_t, Free> owner(
        xcb_get_selection_owner_reply(connection, selection, nullptr));
    return owner && owner->owner != XCB_WINDOW_NONE;
}

} // namespace vitrine::ui
