// The elements of one tile on the host, and what is done with them as a whole.
//
//   TileValues sum(f32, 64, 256);                     no element has a value yet
//   sum.set(0, 3, {.real = 0.1}, Type::real);         rounded to the dtype
//   add_product(sum, {lhs, 0, 0}, {rhs, 0, 0}, 64);   sum += lhs * rhs
//
// Elements are kept by rows, whatever layout the tile has on the machine.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "ridge/loop/bytecode.h"

namespace ridge::loop {

struct TileElement {
  int64_t row, column;
};
struct TileRange {
  int64_t row, column, rows, columns;
};

class TileValues {
 public:
  TileValues(DType dtype, int64_t rows, int64_t columns);

  DType dtype() const { return dtype_; }
  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  TileRange all() const { return {0, 0, rows_, columns_}; }
  bool contains(const TileRange& range) const;

  void forget();  // no element has a value
  bool has(int64_t row, int64_t column) const { return has_value_[at(row, column)] != 0; }
  Word get(int64_t row, int64_t column) const;
  void set(int64_t row, int64_t column, Word word, expr::Type type);  // converts as Store does
  void set_zero(int64_t row, int64_t column) {
    set(row, column, {.integer = 0}, expr::Type::integer);
  }
  // The first element of the range that has no value.
  std::optional<TileElement> first_missing(const TileRange& range) const;

  // Floating elements of up to 32 bits, f64, and integers and booleans.
  using Elements = std::variant<std::vector<float>, std::vector<double>, std::vector<int64_t>>;
  const Elements& elements() const { return elements_; }
  Elements& elements() { return elements_; }

 private:
  size_t at(int64_t row, int64_t column) const {
    return static_cast<size_t>(row * columns_ + column);
  }

  DType dtype_;
  int64_t rows_, columns_;
  Elements elements_;
  std::vector<uint8_t> has_value_;
};

// The left operand from (row, column) on, [m, k], or [k, m] if it is transposed; the right one likewise.
struct DotOperand {
  const TileValues& tile;
  int64_t row, column;
  bool is_transposed = false;
};
// Into all of the tile, which is f32, f64, i32 or i64; each element over k in increasing order, reals by one
// `fma` for each k.
void add_product(TileValues& into, const DotOperand& lhs, const DotOperand& rhs, int64_t k);

// Combines the first `columns` of each of the first `rows` (or the other way around) into `into`. The order
// is that of Note [Collective order] over all that the tile has, where what is left out counts nothing.
void fold_into(TileValues& into, Combine combine, const TileValues& tile, Along along, int64_t rows,
               int64_t columns);

}  // namespace ridge::loop
