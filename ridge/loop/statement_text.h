// The parts of a kernel's text that others quote: expressions and statements in its own names.
//
//   head_text(kernel, loop)            "for i1 in m @vector {"
//   expression_text(kernel, index)     "m * i0 + i1"
//
// Numbers that are out of range are written too (`v99`, `buffer7`, `p3`): the verifier quotes what
// it refuses.
#pragma once

#include <string>
#include <string_view>

#include "ridge/loop/loop.h"

namespace ridge::loop {

std::string expression_text(const Kernel& kernel, const Expr& e);
// The first line of the statement, without the name of its value.
std::string head_text(const Kernel& kernel, const Statement& statement);

std::string_view name(Access access);
// The precision of a statement that does not mention another: f64 for an f64 value, else f32.
DType usual_arithmetic(DType value);

// A name that would read as a number, a value or a word of the language is written in quotes.
std::string quoted_if_needed(std::string_view name);

}  // namespace ridge::loop
