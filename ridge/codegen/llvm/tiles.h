// Unmapped kernels over tiles (loop/tile.h): a tile is memory on the stack of its task.
//
//   rows     row by row, rows a pitch apart; one column: element by element
//   panels   the right operand of a dot, as the micro-kernel of contract.h reads it
//
//          q: rows           k: panels           s: rows
//        +---------+       +----+----+         +----+----+
//        |         |   *   |    |    |    =    |    |    |
//        +---------+       +----+----+         +----+----+
//
// Extents are constants. Rows and columns of memory are rounded up to whole tiles of the micro-kernel, whose
// spare elements nobody reads as such. `each` goes row by row, lanes along the columns; of a tile with one
// column, lanes go along the rows. A dot takes of a right operand the rows that were loaded: those beyond
// are 0, and count nothing.
#pragma once

#include "ridge/codegen/llvm/emission.h"

namespace ridge::codegen {

// Rows of memory are whole tiles of any micro-kernel, and vectors of any machine.
inline constexpr int64_t kTileRowUnit = 16;

// Memory of all tiles of the kernel, in the function of a task.
void declare_tiles(Emission& emission);
void emit_over_tile(Emission& emission, const loop::Statement& statement);
// Whether the dot behind a fill does what the fill does.
bool is_cleared_by(const loop::Statement& fill, const loop::Statement& next);
void emit_first_dot(Emission& emission, const loop::Dot& dot);

bool is_right_operand(const loop::Kernel& kernel, int tile);
// No, with the reason, for tiles that are computed otherwise than this.
Decision can_hold_tiles(const loop::Kernel& kernel);

}  // namespace ridge::codegen
