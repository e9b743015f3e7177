#include "ridge/schedule/plan_price.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "ridge/expr/evaluate.h"
#include "ridge/mapping/demand.h"

namespace ridge::schedule {
namespace {

using Value = std::function<int64_t(const expr::Expr&)>;

// Where rows, and the first of them, start at multiples of 16 bytes.
bool is_aligned(const Matrix& matrix, const Value& value_of) {
  constexpr int64_t kBits = 128;
  const int64_t row = value_of(matrix.row_step), column = value_of(matrix.column_step);
  const int64_t apart = std::max(row, column), bits = matrix.dtype.bits;
  const bool has_rows = apart > 1;
  return (!has_rows || apart * bits % kBits == 0) && value_of(matrix.first) * bits % kBits == 0;
}

cost::ProductShape described(const Product& product, const Value& value_of) {
  const auto number = [&](const expr::Expr& e) { return static_cast<double>(value_of(e)); };
  return {.m = number(product.m),
          .n = number(product.n),
          .k = number(product.k),
          .batch = number(product.batch) * number(product.outer),
          .operand = product.lhs.dtype,
          .result = product.out.dtype,
          .is_aligned = is_aligned(product.lhs, value_of) && is_aligned(product.rhs, value_of) &&
                        is_aligned(product.out, value_of)};
}

int64_t with_params(const expr::Expr& e, std::span<const int64_t> sizes) {
  expr::Leaves leaves;
  leaves.param = [&](int i) { return expr::Number::of(sizes[static_cast<size_t>(i)]); };
  return expr::evaluate(e, leaves).as_integer();
}

cost::Price price_of(const KernelCall& call, const std::vector<int64_t>& sizes,
                     const cost::Sheet& sheet, const cost::Context& context) {
  if (call.product) {
    const auto price = cost::price_library_product(
        described(*call.product, [&](const expr::Expr& e) { return with_params(e, sizes); }), sheet,
        context);
    if (price) return *price;
  }
  if (call.mapped) {
    return cost::price(mapping::demand_of(call.mapped->mapping, call.mapped->work, sheet), sheet,
                       context)
        .price;
  }
  return cost::price(cost::nest_of(call.kernel, sizes), sheet, context);
}

}  // namespace

std::optional<cost::Price> library_price(const Product& product, const cost::Sheet& sheet,
                                         const cost::Context& context) {
  bool is_known = true;
  const cost::ProductShape shape = described(product, [&](const expr::Expr& e) {
    constexpr int64_t kUnknown = -1;
    const int64_t value = Size(e).hint_or(kUnknown);
    is_known &= value != kUnknown;
    return value;
  });
  return is_known ? cost::price_library_product(shape, sheet, context) : std::nullopt;
}

std::optional<cost::Price> predicted_price(const Plan& plan, size_t call) {
  const auto sizes = expected_sizes(plan.calls[call]);
  if (plan.sheet == nullptr || !sizes) return std::nullopt;
  return price_of(plan.calls[call], *sizes, *plan.sheet,
                  {.resident = plan.resident, .follows = call > 0});
}

// Layers are alike: calls of one kernel for the same sizes have one price. Its name has the hash of what it
// does.
double predicted_seconds(const Plan& plan) {
  using Call = std::tuple<std::string_view, std::vector<int64_t>, bool>;
  std::map<Call, double> known;
  double seconds = 0;
  for (size_t i = 0; i < plan.calls.size(); ++i) {
    const auto sizes = expected_sizes(plan.calls[i]);
    if (!sizes) continue;
    const auto [price, is_new] = known.try_emplace({plan.calls[i].kernel.name, *sizes, i > 0});
    if (is_new) {
      const auto found = predicted_price(plan, i);
      price->second = found ? found->predicted : 0;
    }
    seconds += price->second;
  }
  return seconds;
}

}  // namespace ridge::schedule
