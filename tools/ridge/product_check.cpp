#include "product_check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/core/element_cast.h"
#include "ridge/files/dequantize.h"
#include "ridge/ridge.h"

namespace ridge::command {
namespace {

constexpr int64_t kRows = 48, kColumns = 32;  // of all sets together, and of each row

// A matrix of the host, as numbers, read by logical row and column.
class HostMatrix {
 public:
  HostMatrix(const Tensor& there, bool is_transposed)
      : stored_(to_device(there, kCpu)), is_transposed_(is_transposed) {}

  double at(int64_t row, int64_t column) const {
    if (is_transposed_) std::swap(row, column);
    const int64_t index = row * stored_.size(-1).value() + column;
    return load_element(stored_.dtype(), stored_.raw_data(), index).as_real();
  }

 private:
  Tensor stored_;
  bool is_transposed_;
};

// Column `n` of the right operand: K numbers.
std::vector<double> column_of(const ProductCase& product, const HostMatrix& rhs, int64_t n) {
  std::vector<double> numbers;
  for (int64_t k = 0; k < product.k; ++k) numbers.push_back(rhs.at(k, n));
  return numbers;
}

std::vector<double> column_of_blocks(const ProductCase& product, const Tensor& blocks, int64_t n) {
  const BlockLayout& layout = layout_of(*product.weights);
  const auto bytes = static_cast<size_t>(product.k / layout.elements * layout.bytes);
  const auto* const first = static_cast<const std::byte*>(blocks.raw_data());
  std::vector<float> row(static_cast<size_t>(product.k));
  files::dequantize(*product.weights, {first + static_cast<size_t>(n) * bytes, bytes}, row);
  std::vector<double> numbers;
  // As the program has them: rounded to 16 bits before they are multiplied.
  for (const float number : row) {
    uint16_t bits = 0;
    store_element(product.dtype, &bits, 0, expr::Number::of(static_cast<double>(number)));
    numbers.push_back(load_element(product.dtype, &bits, 0).as_real());
  }
  return numbers;
}

double gelu_of(double x) {
  return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

// Of `count` numbers below `size`: the first, the last, and others by chance.
std::set<int64_t> chosen(int64_t size, int64_t count, SplitMix64& random) {
  std::set<int64_t> numbers{0, size - 1};
  while (static_cast<int64_t>(numbers.size()) < std::min(size, count)) {
    numbers.insert(random.integer(0, size - 1));
  }
  return numbers;
}

// Rounded once where it is stored; sums in f32 are off by far less than 16 bits, GELU by 2^-14 of its argument.
ExpectedElement expected_of(const ProductCase& product, double sum, double magnitude,
                            const HostMatrix* bias, int64_t column) {
  double value = sum;
  if (bias != nullptr) {
    value = gelu_of(sum + bias->at(0, column));
    magnitude += std::abs(sum);
  }
  const double room = epsilon(product.dtype) * (std::abs(value) + 1e-3) + 0x1p-19 * magnitude +
                      (bias != nullptr ? 0x1p-13 * magnitude : 0);
  return {.set = 0, .row = 0, .column = column, .value = value, .room = room};
}

void add_set(std::vector<ExpectedElement>& all, const ProductCase& product,
             const ProductOperands& operands, size_t set, int64_t rows, SplitMix64& random) {
  const HostMatrix lhs(operands.lhs, product.layout.x_is_transposed);
  const HostMatrix rhs(operands.rhs, product.layout.w_is_transposed);
  const Tensor blocks = product.weights ? to_device(operands.rhs, kCpu) : Tensor();
  std::optional<HostMatrix> bias;
  if (product.has_bias_gelu) bias.emplace(operands.bias, false);
  const std::set<int64_t> chosen_rows = chosen(product.m, rows, random);
  std::vector<std::vector<double>> left;
  for (const int64_t row : chosen_rows) {
    left.emplace_back();
    for (int64_t k = 0; k < product.k; ++k) left.back().push_back(lhs.at(row, k));
  }
  for (const int64_t column : chosen(product.n, kColumns, random)) {
    const std::vector<double> right = product.weights ? column_of_blocks(product, blocks, column)
                                                      : column_of(product, rhs, column);
    size_t i = 0;
    for (const int64_t row : chosen_rows) {
      double sum = 0, magnitude = 0;
      const std::vector<double>& numbers = left[i++];
      for (size_t k = 0; k < numbers.size(); ++k) {
        const double term = numbers[k] * right[k];
        sum += term;
        magnitude += std::abs(term);
      }
      all.push_back(expected_of(product, sum, magnitude, bias ? &*bias : nullptr, column));
      all.back().set = set;
      all.back().row = row;
    }
  }
}

}  // namespace

std::vector<ExpectedElement> expected_elements(const ProductCase& product,
                                               const std::vector<ProductOperands>& operands,
                                               uint64_t seed) {
  SplitMix64 random(seed);
  const int64_t rows = std::max<int64_t>(2, kRows / static_cast<int64_t>(operands.size()));
  std::vector<ExpectedElement> all;
  for (size_t set = 0; set < operands.size(); ++set) {
    add_set(all, product, operands[set], set, rows, random);
  }
  return all;
}

void check_elements(const std::string& what, const std::vector<ExpectedElement>& expected,
                    const Tensors& outputs) {
  std::map<std::pair<size_t, int64_t>, Tensor> rows;
  for (const ExpectedElement& element : expected) {
    Tensor& row = rows[{element.set, element.row}];
    if (!row.defined()) {
      // A copy of the span of a view: this row alone.
      row = to_device(slice(outputs.at(element.set), 0, element.row, element.row + 1), kCpu);
    }
    const double given = load_element(row.dtype(), row.raw_data(), element.column).as_real();
    RIDGE_CHECK(
        std::abs(given - element.value) <= element.room, .code = ErrorCode::state, .op = what,
        .expected = concat(element.value, " at row ", element.row, ", column ", element.column,
                           " of set ", element.set, ", within ", element.room),
        .given = concat(given));
  }
}

void poison_results(const ProductCase& product, int sets, Device device) {
  Tensors results;
  for (int i = 0; i < sets; ++i) {
    results.push_back(full({product.m, product.n}, std::nan(""), product.dtype, device));
  }
}

}  // namespace ridge::command
