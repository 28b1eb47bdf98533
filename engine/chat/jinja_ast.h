// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: the syntax tree of a template.
#pragma once

#include "engine/chat/jinja_value.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace vitrine::engine {

class JinjaEvaluator;
using JinjaFilter = JinjaValue (*)(JinjaEvaluator& evaluator, const JinjaValue& input, JinjaArgs& args);
using JinjaTest = bool (*)(JinjaEvaluator& evaluator, const JinjaValue& input, const std::vector<JinjaValue>& args);

enum class JinjaExprKind : std::uint8_t {
    constant,
    name,
    tuple,
    list,
    dict,
    attribute,
    item,
    slice,
    call,
    filter,
    test,
    negate,
    positive,
    logical_not,
    logical_and,
    logical_or,
    add,
    subtract,
    multiply,
    divide,
    floor_divide,
    modulo,
    power,
    concat,
    compare,
    conditional,
    namespace_target,
};

enum class JinjaCompareOp : std::uint8_t { eq, ne, lt, le, gt, ge, in, not_in };

struct JinjaExpr;
using JinjaExprPtr = std::unique_ptr<JinjaExpr>;

/// One expression.  children by kind: dict: key, value, key, value; slice: begin, end, step (null: absent); call: callee,
/// positional...; filter and test: input (null: the body of a filter block), positional...; conditional: test, then,
/// else (null: undefined); compare: first, operands... with ops.
struct JinjaExpr {
    JinjaExprKind kind = JinjaExprKind::constant;
    int line = 0;
    int column = 0;
    int depth = 1;
    std::string name;
    JinjaValue value;
    std::vector<JinjaExprPtr> children;
    std::vector<std::pair<std::string, JinjaExprPtr>> keywords;
    JinjaExprPtr star_args;
    JinjaExprPtr star_keywords;
    std::vector<JinjaCompareOp> ops;
    JinjaFilter filter = nullptr;
    JinjaTest test = nullptr;
};

enum class JinjaStatementKind : std::uint8_t {
    data,
    print,
    if_,
    for_,
    set,
    block_set,
    macro,
    call_block,
    filter_block,
    with,
    scope,
    break_,
    continue_,
    unsupported,
};

struct JinjaStatement;
using JinjaBody = std::vector<std::unique_ptr<JinjaStatement>>;

/// One statement.  exprs by kind: print: values; if_: the tests, one a body (the last body has none: else); for_:
/// target, iterable, condition (null); set, block_set: target, value or filter (null); with: target, value, ...
/// macro, call_block: the defaults of the last parameters; call_block: then the call.
struct JinjaStatement {
    JinjaStatementKind kind = JinjaStatementKind::data;
    int line = 0;
    int column = 0;
    std::string text; // data; macro's name; why unsupported
    std::vector<JinjaExprPtr> exprs;
    std::vector<JinjaBody> bodies;
    std::vector<std::string> parameters;
    bool recursive = false;
    bool uses_varargs = false;
    bool uses_kwargs = false;
    bool uses_caller = false;
};

/// A compiled template; immutable.
struct JinjaProgram {
    JinjaBody body;
    std::unordered_set<std::string> names; // every variable that is read
};

} // namespace vitrine::engine
