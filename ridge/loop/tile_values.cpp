#include "ridge/loop/tile_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/core/tensor.h"
#include "ridge/expr/evaluate.h"

namespace ridge::loop {
namespace {

using expr::Number;
using expr::Type;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

TileValues::Elements no_elements(DType dtype, size_t count) {
  if (dtype == f64) return std::vector<double>(count, kNoNumber);
  if (is_floating(dtype)) return std::vector<float>(count, static_cast<float>(kNoNumber));
  return std::vector<int64_t>(count, -1);
}

template <class T>
T fused_sum(T a, T b, T c) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fma(a, b, c);
  } else {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b) +
                          static_cast<uint64_t>(c));
  }
}

// Rows and columns of the operand, by rows.
template <class T>
std::vector<T> packed(const DotOperand& operand, int64_t rows, int64_t columns) {
  std::vector<T> list(static_cast<size_t>(rows * columns));
  const int64_t pitch = operand.tile.columns();
  const int64_t row_step = operand.is_transposed ? 1 : pitch;
  const int64_t column_step = operand.is_transposed ? pitch : 1;
  std::visit(
      [&](const auto& elements) {
        const auto* const first = elements.data() + operand.row * pitch + operand.column;
        size_t at = 0;
        for (int64_t r = 0; r < rows; ++r) {
          for (int64_t c = 0; c < columns; ++c) {
            list[at++] = static_cast<T>(first[r * row_step + c * column_step]);
          }
        }
      },
      operand.tile.elements());
  return list;
}

template <class T>
void add_product_of(std::vector<T>& into, int64_t m, int64_t n, int64_t k,
                    const std::vector<T>& lhs, const std::vector<T>& rhs) {
  for (int64_t row = 0; row < m; ++row) {
    T* const sums = into.data() + row * n;
    for (int64_t i = 0; i < k; ++i) {
      const T factor = lhs[static_cast<size_t>(row * k + i)];
      const T* const others = rhs.data() + i * n;
      for (int64_t column = 0; column < n; ++column) {
        sums[column] = fused_sum(factor, others[column], sums[column]);
      }
    }
  }
}

}  // namespace

TileValues::TileValues(DType dtype, int64_t rows, int64_t columns)
    : dtype_(dtype),
      rows_(rows),
      columns_(columns),
      elements_(no_elements(dtype, static_cast<size_t>(rows * columns))),
      has_value_(static_cast<size_t>(rows * columns)) {}

bool TileValues::contains(const TileRange& range) const {
  return range.row >= 0 && range.column >= 0 && range.row + range.rows <= rows_ &&
         range.column + range.columns <= columns_;
}

void TileValues::forget() {
  elements_ = no_elements(dtype_, has_value_.size());
  std::ranges::fill(has_value_, uint8_t{0});
}

Word TileValues::get(int64_t row, int64_t column) const {
  return std::visit(
      [&](const auto& elements) {
        const auto element = elements[at(row, column)];
        if constexpr (std::is_floating_point_v<decltype(element)>) {
          return Word{.real = static_cast<double>(element)};
        }
        return Word{.integer = static_cast<int64_t>(element)};
      },
      elements_);
}

void TileValues::set(int64_t row, int64_t column, Word word, Type type) {
  const size_t index = at(row, column);
  has_value_[index] = 1;
  if (type == Type::real && dtype_ == f32) {
    std::get<0>(elements_)[index] = static_cast<float>(word.real);
    return;
  }
  std::array<std::byte, 8> element;
  store_element(dtype_, element.data(), 0,
                type == Type::real ? Number::of(word.real) : Number::of(word.integer));
  const Number number = load_element(dtype_, element.data(), 0);
  std::visit(
      [&](auto& elements) {
        using T = std::remove_cvref_t<decltype(elements[0])>;
        elements[index] = static_cast<T>(
            number.type == Type::real ? number.real : static_cast<double>(number.integer));
        if constexpr (std::is_same_v<T, int64_t>) elements[index] = number.integer;
      },
      elements_);
}

std::optional<TileElement> TileValues::first_missing(const TileRange& range) const {
  for (int64_t row = range.row; row < range.row + range.rows; ++row) {
    const auto first = has_value_.begin() + row * columns_ + range.column;
    const auto missing = std::find(first, first + range.columns, uint8_t{0});
    if (missing != first + range.columns) return TileElement{row, range.column + (missing - first)};
  }
  return {};
}

void add_product(TileValues& into, const DotOperand& lhs, const DotOperand& rhs, int64_t k) {
  RIDGE_INTERNAL_CHECK(
      into.dtype() == f32 || into.dtype() == f64 || into.dtype() == i32 || into.dtype() == i64,
      concat("a dot into a tile of ", name(into.dtype())));
  const int64_t m = into.rows(), n = into.columns();
  std::visit(
      [&]<class T>(std::vector<T>& sums) {
        add_product_of(sums, m, n, k, packed<T>(lhs, m, k), packed<T>(rhs, k, n));
      },
      into.elements());
  if (into.dtype() != i32) return;
  for (int64_t row = 0; row < m; ++row) {
    for (int64_t column = 0; column < n; ++column) {
      into.set(row, column, into.get(row, column), Type::integer);
    }
  }
}

void fold_into(TileValues& into, Combine combine, const TileValues& tile, Along along, int64_t rows,
               int64_t columns) {
  const bool is_along_columns = along == Along::columns;
  const int64_t lists = is_along_columns ? rows : columns;
  const int64_t extent = is_along_columns ? tile.columns() : tile.rows();
  const int64_t used = is_along_columns ? columns : rows;
  if (used == 0) return;
  const DType dtype = is_floating(into.dtype()) && into.dtype() != f64 ? f32 : into.dtype();
  const Type type = scalar_type(dtype);
  std::vector<Word> words(static_cast<size_t>(extent));
  for (int64_t list = 0; list < lists; ++list) {
    for (int64_t i = 0; i < extent; ++i) {
      const bool is_used = i < used;
      const Word element = !is_used           ? identity(combine, dtype)
                           : is_along_columns ? tile.get(list, i)
                                              : tile.get(i, list);
      words[static_cast<size_t>(i)] = element;
    }
    const int64_t row = is_along_columns ? list : 0, column = is_along_columns ? 0 : list;
    const Word all = combined(combine, dtype, std::span(words));
    into.set(row, column, combined(combine, dtype, into.get(row, column), all), type);
  }
}

}  // namespace ridge::loop
