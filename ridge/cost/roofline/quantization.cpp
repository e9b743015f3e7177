#include "ridge/cost/roofline/quantization.h"

#include <algorithm>
#include <cmath>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/cost/roofline/sizes.h"

namespace ridge::cost {

namespace {

// A tile that no SM could hold, and one that lines_under_tile would iterate over for long.
constexpr double kLargestTileSide = 65536;

}  // namespace

Tile parse_tile(std::string_view text) {
  const Sizes sizes = parse_sizes(text, {{"ROWS"}, {"COLUMNS"}});
  const Tile tile{sizes["ROWS"], sizes["COLUMNS"]};
  RIDGE_CHECK(std::max(tile.rows, tile.columns) <= kLargestTileSide, .code = ErrorCode::value,
              .expected = concat("a tile of at most ", whole_text(kLargestTileSide), " a side"),
              .given = std::string(text));
  return tile;
}

std::string to_text(const Tile& tile) {
  return concat(whole_text(tile.rows), "x", whole_text(tile.columns));
}

double tiles_for(double rows, double columns, Tile tile) {
  return std::ceil(rows / tile.rows) * std::ceil(columns / tile.columns);
}

double waves_for(double tiles, double units) { return std::ceil(tiles / units); }

double waste_of(double output_elements, double slots, Tile tile) {
  return 1 - output_elements / (slots * tile.area());
}

double lines_under_tile(Tile tile, double row_elements, double line_elements) {
  const double columns = std::min(tile.columns, row_elements);
  double lines = 0;
  double counted_to = -1;  // rows narrower than a line share some with the row before
  const auto rows = static_cast<int64_t>(tile.rows);
  for (int64_t row = 0; row < rows; ++row) {
    const double start = static_cast<double>(row) * row_elements;
    const double first = std::floor(start / line_elements);
    const double last = std::floor((start + columns - 1) / line_elements);
    lines += last - std::max(first, counted_to + 1) + 1;
    counted_to = last;
  }
  return lines;
}

double issued_bytes(double m, double n, double k, Tile tile, OperandBytes bytes) {
  const double x = whole_product({m, k, std::ceil(n / tile.columns)}, "issued elements");
  const double w = whole_product({k, n, std::ceil(m / tile.rows)}, "issued elements");
  return x * bytes.x + w * bytes.w + whole_product({m, n}, "elements") * bytes.output;
}

double row_alignment(double row_bytes, double line) {
  double alignment = line;
  while (alignment > 1 && std::fmod(row_bytes, alignment) != 0) alignment /= 2;
  return alignment;
}

double pad_to_lines(double elements, double element_bytes, double line) {
  const double per_line = line / element_bytes;
  return std::ceil(elements / per_line) * per_line;
}

}  // namespace ridge::cost
