// Which elements of a product are wrong, in words that lead to the line at fault.
//
//   64 of 4096 elements are wrong; the first at row 72, column 130: expected 5, given -3
//   that is row 72, column 2 of tile 0, 1: consumer 1, product 0 of 64 rows, warp 0, piece 0, 0
//   tiles:
//     .x
//   blocks of 8 x 8 of that tile:
//     ........ ........
//     .X...... ........
//
// '.' is right, 'x' partly and 'X' all wrong. A wrong swizzle shows as some columns of 8, a wrong descriptor as
// blocks of 64 rows or columns, a slot that is read too early as tiles at random.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ridge/loop/loop.h"

namespace ridge::golden {

// How a kernel divides its result: what one block computes, what one consumer does of it, and what goes
// through one store tile.
struct TileGeometry {
  int64_t rows = 1, columns = 1;
  int64_t consumer_rows = 1;
  int64_t piece_rows = 64, piece_columns = 64;
  int consumers = 1;
  bool takes_turns = false;  // each consumer has a tile of its own
};
TileGeometry geometry_of(const loop::Kernel& kernel);

struct ProductElements {
  int64_t rows, columns;
  std::function<double(int64_t row, int64_t column)> expected, given;
  std::function<bool(int64_t row, int64_t column)> is_right;
};

// Empty where all of them are right.
std::string describe_wrong(const ProductElements& elements, const TileGeometry& geometry);

}  // namespace ridge::golden
