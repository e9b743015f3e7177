#include "tests/gpu/wrong_elements.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "ridge/base/text.h"
#include "ridge/loop/tile.h"

namespace ridge::golden {
namespace {

// Of the core matrices that layouts are made of.
constexpr int64_t kBlock = 8;
// Rows of one wgmma, and columns of a 128-byte swizzle of 16-bit elements: gaps of the map.
constexpr int64_t kGap = 64;
constexpr int64_t kMostTiles = 32;  // of the map of tiles, each way

const loop::Tile* tile_named(const loop::Kernel& kernel, std::string_view name) {
  const auto found = std::ranges::find(kernel.tiles, name, &loop::Tile::name);
  return found == kernel.tiles.end() ? nullptr : &*found;
}

// '.' right, 'x' some wrong, 'X' all wrong.
char mark(int64_t wrong, int64_t all) { return wrong == 0 ? '.' : wrong < all ? 'x' : 'X'; }

// Elements [first, first + count) of each dimension, as far as there are any.
struct Range {
  int64_t first_row, rows, first_column, columns;
};

char mark_of(const std::vector<bool>& wrong, const ProductElements& of, const Range& range) {
  int64_t all = 0, bad = 0;
  const int64_t last_row = std::min(of.rows, range.first_row + range.rows);
  const int64_t last_column = std::min(of.columns, range.first_column + range.columns);
  for (int64_t row = range.first_row; row < last_row; ++row) {
    for (int64_t column = range.first_column; column < last_column; ++column) {
      ++all;
      bad += wrong[static_cast<size_t>(row * of.columns + column)] ? 1 : 0;
    }
  }
  return all == 0 ? ' ' : mark(bad, all);
}

std::string map_of_tiles(const std::vector<bool>& wrong, const ProductElements& of,
                         const TileGeometry& g) {
  std::string text = "tiles:\n";
  const int64_t down = (of.rows + g.rows - 1) / g.rows;
  const int64_t across = (of.columns + g.columns - 1) / g.columns;
  for (int64_t i = 0; i < std::min(down, kMostTiles); ++i) {
    text += "  ";
    for (int64_t j = 0; j < std::min(across, kMostTiles); ++j) {
      text += mark_of(wrong, of, {i * g.rows, g.rows, j * g.columns, g.columns});
    }
    text += "\n";
  }
  return text;
}

std::string map_of_blocks(const std::vector<bool>& wrong, const ProductElements& of,
                          const TileGeometry& g, int64_t first_row, int64_t first_column) {
  std::string text = concat("blocks of ", kBlock, " x ", kBlock, " of that tile:\n");
  const int64_t last_row = std::min(of.rows, first_row + g.rows);
  const int64_t last_column = std::min(of.columns, first_column + g.columns);
  for (int64_t row = first_row; row < last_row; row += kBlock) {
    if (row > first_row && (row - first_row) % kGap == 0) text += "\n";
    text += "  ";
    for (int64_t column = first_column; column < last_column; column += kBlock) {
      if (column > first_column && (column - first_column) % kGap == 0) text += " ";
      text += mark_of(wrong, of, {row, kBlock, column, kBlock});
    }
    text += "\n";
  }
  return text;
}

std::string place_of(int64_t row, int64_t column, const TileGeometry& g) {
  const int64_t r = row % g.rows, c = column % g.columns;
  const int64_t in_consumer = r % g.consumer_rows;
  const std::string who = g.takes_turns
                              ? concat("one of ", g.consumers, " consumers that take turns")
                              : concat("consumer ", r / g.consumer_rows);
  return concat("that is row ", r, ", column ", c, " of tile ", row / g.rows, ", ",
                column / g.columns, ": ", who, ", product ", in_consumer / kGap,
                " of 64 rows, warp ", in_consumer % kGap / 16, ", piece ",
                in_consumer / g.piece_rows, ", ", c / g.piece_columns, "\n");
}

}  // namespace

TileGeometry geometry_of(const loop::Kernel& kernel) {
  TileGeometry geometry;
  const auto number = [](const expr::Expr& e) { return e->integer; };
  const loop::Tile *lhs = tile_named(kernel, "lhs"), *sum = tile_named(kernel, "sum");
  const loop::Tile* out = tile_named(kernel, "out_tile");
  if (lhs != nullptr) geometry.rows = number(lhs->rows);
  geometry.consumer_rows = sum != nullptr ? number(sum->rows) : geometry.rows;
  // A shared tile of the right operand may be wider than what is multiplied of it.
  if (sum != nullptr) geometry.columns = number(sum->columns);
  if (out != nullptr) {
    geometry.piece_rows = number(out->rows);
    geometry.piece_columns = number(out->columns);
  }
  for (const loop::Statement& statement : kernel.body) {
    const auto* role = std::get_if<loop::Role>(&statement.kind);
    if (role != nullptr) geometry.consumers = std::max(geometry.consumers, role->instances);
  }
  geometry.takes_turns = geometry.consumers > 1 && geometry.consumer_rows == geometry.rows;
  return geometry;
}

std::string describe_wrong(const ProductElements& of, const TileGeometry& geometry) {
  std::vector<bool> wrong(static_cast<size_t>(of.rows * of.columns));
  std::optional<int64_t> first;
  int64_t count = 0;
  for (int64_t i = 0; i < of.rows * of.columns; ++i) {
    const int64_t row = i / of.columns, column = i % of.columns;
    if (of.is_right(row, column)) continue;
    wrong[static_cast<size_t>(i)] = true;
    ++count;
    if (!first) first = i;
  }
  if (!first) return {};
  const int64_t row = *first / of.columns, column = *first % of.columns;
  return concat(count, " of ", of.rows * of.columns, " elements are wrong; the first at row ", row,
                ", column ", column, ": expected ", of.expected(row, column), ", given ",
                of.given(row, column), "\n", place_of(row, column, geometry),
                map_of_tiles(wrong, of, geometry),
                map_of_blocks(wrong, of, geometry, row / geometry.rows * geometry.rows,
                              column / geometry.columns * geometry.columns));
}

}  // namespace ridge::golden
