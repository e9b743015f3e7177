// A kernel with tiles, compiled for its interpreter: the statements are walked as they are, their expressions
// are flat code (bytecode.h) with one lane for each of kTileLanes elements of a tile.
//
//   TileProgram program = compile_tiles(kernel, sizes);
//   program.expressions.at(&fill.value)         the code of the expression that stands there
//
// Axes, and what is defined in an `each`, have a word for each lane; all else has one. Each instance of a role has registers of its own: a copy of program.code.words.
#pragma once

#include <span>
#include <unordered_map>

#include "ridge/loop/bytecode.h"

namespace ridge::loop {

inline constexpr uint32_t kTileLanes = 256;

struct TileProgram {
  Bytecode code;
  Registers registers;
  std::unordered_map<const Expr*, ExpressionCode> expressions;
  std::unordered_map<const Statement*, Evaluate> assignments;  // of lets, vars and assigns
};

// `sizes`: of params, then of tiles.
TileProgram compile_tiles(const Kernel& kernel, std::span<const int64_t> sizes);

// An expression over params alone.
int64_t evaluate_size(const Expr& e, std::span<const int64_t> sizes);

}  // namespace ridge::loop
