// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as a chat template, rendered over a short conversation.
#include "engine/chat/chat_template.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace vitrine::engine;
    const auto compiled = ChatTemplate::compile(std::string(reinterpret_cast<const char*>(data), size));
    if (!compiled)
        return 0;
    RenderInput input;
    input.messages_json = R"([{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}])";
    (void)(*compiled)->render(input);
    return 0;
}
