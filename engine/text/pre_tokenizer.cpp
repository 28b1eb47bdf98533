// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: cuts text into pieces.
#include "engine/text/pre_tokenizer.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/core.h>
#include <limits>
#include <pcre2.h>

#include "engine/base/utf8.h"
#include "engine/text/unicode_additions.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

using Code = std::unique_ptr<pcre2_code, decltype(&pcre2_code_free)>;
using MatchData = std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)>;
using MatchContext = std::unique_ptr<pcre2_match_context, decltype(&pcre2_match_context_free)>;
using JitStack = std::unique_ptr<pcre2_jit_stack, decltype(&pcre2_jit_stack_free)>;

std::string pcre2_message(int code) {
    PCRE2_UCHAR buffer[256] = {};
    pcre2_get_error_message(code, buffer, sizeof buffer);
    return reinterpret_cast<const char*>(buffer);
}

/// What a thread needs for one split(): nothing of it is shared.
struct Workspace {
    MatchContext context{pcre2_match_context_create(nullptr), pcre2_match_context_free};
    // The default of 32 KiB is too small for \s+(?!\S) over very long runs.
    JitStack stack{pcre2_jit_stack_create(32 * 1024, 64 * 1024 * 1024, nullptr), pcre2_jit_stack_free};

    [[nodiscard]] bool ready() const noexcept { return context != nullptr && stack != nullptr; }
};

/// Ranges to add to \p{name}, or nothing.
std::string_view addition_of(std::string_view name) noexcept {
    for (const ClassAddition& addition : class_additions()) {
        if (addition.name == name)
            return addition.ranges;
    }
    return {};
}

} // namespace

std::string with_current_classes(std::string_view pattern) {
    std::string result;
    bool in_class = false;
    const auto put = [&](std::string_view open, std::string_view ranges) {
        result += in_class ? std::string(ranges) : fmt::format("{}{}]", open, ranges);
    };
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        const char c = pattern[at];
        if (c != '\\' || at + 1 == pattern.size()) {
            in_class = c == '[' || (in_class && c != ']');
            result += c;
            continue;
        }
        const char escaped = pattern[++at];
        if (escaped == 's') {
            put("[", kWhiteSpace);
        } else if (escaped == 'S' && !in_class) {
            put("[^", kWhiteSpace);
        } else if (escaped == 'p') {
            const std::size_t end = pattern.find('}', at);
            const std::string_view whole = pattern.substr(at - 1, end - at + 2); // \p{L}
            put("[", fmt::format("{}{}", whole, addition_of(whole.substr(3, whole.size() - 4))));
            at = end;
        } else {
            result += c;
            result += escaped;
        }
    }
    return result;
}

struct PreTokenizer::Pass {
    Code code{nullptr, pcre2_code_free};

    /// Appends the matches inside `piece` and the gaps between them.
    [[nodiscard]] Result<void> cut(std::string_view text, Piece piece, const Workspace& workspace,
        pcre2_match_data* match, std::vector<Piece>& out) const;
};

Result<void> PreTokenizer::Pass::cut(std::string_view text, Piece piece, const Workspace& workspace,
    pcre2_match_data* match, std::vector<Piece>& out) const {
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data() + piece.begin);
    const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(match);
    std::size_t done = 0; // bytes of the piece already given out
    std::size_t from = 0;
    while (from < piece.size) {
        const int found =
            pcre2_match(code.get(), subject, piece.size, from, PCRE2_NO_UTF_CHECK, match, workspace.context.get());
        if (found == PCRE2_ERROR_NOMATCH)
            break;
        if (found < 0)
            return fail(ErrorCode::out_of_memory, say(Sentence::text_not_cut, text.size(), pcre2_message(found)),
                say(Sentence::use_shorter_text));
        if (ends[1] == ends[0]) { // no pattern here matches the empty text; were one to, it cuts nothing
            from = ends[1] + static_cast<std::size_t>(decode_utf8(text, piece.begin + ends[1]).length);
            continue;
        }
        if (ends[0] > done)
            out.push_back({piece.begin + done, ends[0] - done});
        out.push_back({piece.begin + ends[0], ends[1] - ends[0]});
        done = ends[1];
        from = done;
    }
    if (done < piece.size)
        out.push_back({piece.begin + done, piece.size - done});
    return {};
}

PreTokenizer::PreTokenizer() = default;
PreTokenizer::~PreTokenizer() = default;

Result<std::unique_ptr<const PreTokenizer>> PreTokenizer::create(std::vector<std::string> patterns) {
    std::unique_ptr<PreTokenizer> result(new PreTokenizer);
    for (const std::string& pattern : patterns) {
        const std::string adapted = with_current_classes(pattern);
        int error = 0;
        PCRE2_SIZE offset = 0;
        auto pass = std::make_unique<Pass>();
        pass->code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(adapted.data()), adapted.size(),
            PCRE2_UTF | PCRE2_UCP, &error, &offset, nullptr));
        if (pass->code == nullptr)
            return fail(ErrorCode::internal, say(Sentence::pattern_refused, adapted, pcre2_message(error), offset),
                say(Sentence::report_model));
        // Where JIT is forbidden (hardened kernels), matching goes on interpreted.
        (void)pcre2_jit_compile(pass->code.get(), PCRE2_JIT_COMPLETE);
        result->passes_.push_back(std::move(pass));
    }
    return result;
}

Result<std::vector<PreTokenizer::Piece>> PreTokenizer::split(std::string_view text) const {
    const Workspace workspace;
    if (!workspace.ready())
        return fail(
            ErrorCode::out_of_memory, say(Sentence::cutting_out_of_memory), say(Sentence::close_other_programs));
    pcre2_set_match_limit(workspace.context.get(), std::numeric_limits<std::uint32_t>::max());
    pcre2_jit_stack_assign(workspace.context.get(), nullptr, workspace.stack.get());
    std::vector<Piece> pieces;
    if (!text.empty())
        pieces.push_back({0, text.size()});
    std::vector<Piece> next;
    for (const std::unique_ptr<Pass>& pass : passes_) {
        const MatchData match(pcre2_match_data_create_from_pattern(pass->code.get(), nullptr), pcre2_match_data_free);
        if (match == nullptr)
            return fail(
                ErrorCode::out_of_memory, say(Sentence::cutting_out_of_memory), say(Sentence::close_other_programs));
        next.clear();
        next.reserve(text.size() / 4 + 8);
        for (const Piece piece : pieces)
            VT_TRY(pass->cut(text, piece, workspace, match.get(), next));
        pieces.swap(next);
    }
    return pieces;
}

} // namespace vitrine::engine
