// Parts of statements, and traversals of them.
#pragma once

#include "ridge/codegen/cuda/emission.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::codegen::cuda {

// `for (...) {` with what is known about its axis, and `}`.
void open_loop(Emission& emission, const loop::Loop& loop);
void close_loop(Emission& emission);
std::string condition_text(Emission& emission, const Expr& condition);
// What the graph calls it, or v3.
std::string value_name(const Emission& emission, int value);
void use_element(Emission& emission, DType dtype);

using loop::as;
using loop::for_each_expression;
using loop::for_each_statement;

}  // namespace ridge::codegen::cuda
