// Reads what tile_text.cpp writes: parse.cpp asks here first where a line may be of tile.h.
//
//   "tile sum: f32[64, 256] accumulator in math"    parse_declaration
//   "dot async sum += lhs[64 * i5, 0] * rhs"        parse_tile_statement
//
// A word such as `fill` begins a statement where a name follows; `fill[i0] = v1` stores to a buffer.
#pragma once

#include <functional>
#include <optional>

#include "ridge/loop/kernel_reader.h"

namespace ridge::loop {

using ParseBody = std::function<Body()>;  // the lines after this one, up to the closing brace

// False, with nothing read, if the line is no declaration of a tile, ring or view.
bool parse_declaration(KernelReader& in);
// Nothing, with nothing read, if it is no statement of tile.h.
std::optional<Statement> parse_tile_statement(KernelReader& in, const ParseBody& body);
// Behind `for i0,`.
TileLoop parse_tile_loop(KernelReader& in, int first_axis, const ParseBody& body);

}  // namespace ridge::loop
