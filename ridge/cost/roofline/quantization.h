// Quantization: what it costs that work comes in whole tiles, waves and cache lines.
//
//   98 tiles of 256x128 cover 1792x1792: one wave of 108 SMs. 1793x1793 takes 120: two waves.
//
//   A tile of 4x4 elements, lines of 4 elements:
//     rows of 12: |aaaa....    |   each row of the tile lies in 1 line:  4 lines
//     rows of 13: rows start at 0, 13, 26, 39: all but the first cross a line:  7 lines
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridge::cost {

struct Tile {
  double rows = 0, columns = 0;
  double area() const { return rows * columns; }
  bool operator==(const Tile&) const = default;
};

// "256x128". Error{parse} or Error{value}.
Tile parse_tile(std::string_view text);
std::string to_text(const Tile& tile);

double tiles_for(double rows, double columns, Tile tile);
// Waves in which `units` SMs compute one tile each.
double waves_for(double tiles, double units);
// The part of the issued area that is not output: 1 - rows * columns * count / (slots * area), where
// slots are waves * units, or the tiles where a device has no waves.
double waste_of(double output_elements, double slots, Tile tile);

// Distinct lines under a tile at the origin of a row-major matrix with rows of `row_elements`.
double lines_under_tile(Tile tile, double row_elements, double line_elements);

struct OperandBytes {
  double x = 0, w = 0, output = 0;  // of one element
};
// What SMs load for [m,k] * [k,n], caches aside: each tile of the output reads its rows
// of X and its columns of W, so that X is read n / tile.columns times and W m / tile.rows times.
// A tile of 1x1 is the matmul without tiles.
double issued_bytes(double m, double n, double k, Tile tile, OperandBytes bytes);

// The largest power of two, up to `line` bytes, that divides a row.
double row_alignment(double row_bytes, double line);
// The next size of whole lines.
double pad_to_lines(double elements, double element_bytes, double line);

}  // namespace ridge::cost
