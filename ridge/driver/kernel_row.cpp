#include "ridge/driver/kernel_row.h"

#include <algorithm>
#include <set>

#include "ridge/cost/library_product.h"
#include "ridge/expr/evaluate.h"
#include "ridge/schedule/kernel_text.h"

namespace ridge::driver {
namespace {

using schedule::GroupKind;
using schedule::KernelCall;

KernelClass class_of(const KernelCall& call) {
  switch (call.kind) {
    case GroupKind::contraction: return KernelClass::product;
    case GroupKind::reduction: return KernelClass::reduction;
    case GroupKind::scatter: return KernelClass::movement;
    case GroupKind::map: break;
  }
  return call.flops.hint_or(1) == 0 ? KernelClass::movement : KernelClass::pointwise;
}

std::vector<std::string> scopes_of(const KernelCall& call, const graph::Graph& graph) {
  std::vector<std::string> scopes;
  for (const int32_t number : call.nodes) {
    const std::string& scope = graph.nodes[static_cast<size_t>(number)].scope;
    const bool is_known = std::ranges::find(scopes, scope) != scopes.end();
    if (!scope.empty() && !is_known) scopes.push_back(scope);
  }
  return scopes;
}

int64_t value_of(const expr::Expr& e, std::span<const int64_t> sizes) {
  expr::Leaves leaves;
  leaves.param = [&](int i) { return expr::Number::of(sizes[static_cast<size_t>(i)]); };
  return expr::evaluate(e, leaves).as_integer();
}

// Where rows, and the first of them, start at multiples of 16 bytes.
bool is_aligned(const schedule::Matrix& matrix, std::span<const int64_t> sizes) {
  constexpr int64_t kBits = 128;
  const int64_t row = value_of(matrix.row_step, sizes),
                column = value_of(matrix.column_step, sizes);
  const int64_t apart = std::max(row, column), bits = matrix.dtype.bits;
  const bool has_rows = apart > 1;
  return (!has_rows || apart * bits % kBits == 0) &&
         value_of(matrix.first, sizes) * bits % kBits == 0;
}

cost::LibraryProduct described(const schedule::Product& product, std::span<const int64_t> sizes) {
  const auto number = [&](const expr::Expr& e) { return static_cast<double>(value_of(e, sizes)); };
  return {.m = number(product.m),
          .n = number(product.n),
          .k = number(product.k),
          .batch = number(product.batch) * number(product.outer),
          .operand = product.lhs.dtype,
          .result = product.out.dtype,
          .is_aligned = is_aligned(product.lhs, sizes) && is_aligned(product.rhs, sizes) &&
                        is_aligned(product.out, sizes)};
}

cost::Price price_of(const KernelCall& call, const std::vector<int64_t>& sizes,
                     const cost::Sheet& sheet, const cost::Context& context) {
  if (call.product) {
    const auto price = cost::price_library_product(described(*call.product, sizes), sheet, context);
    if (price) return *price;
  }
  return cost::price(cost::nest_of(call.kernel, sizes), sheet, context);
}

}  // namespace

std::string_view name(KernelClass kind) {
  switch (kind) {
    case KernelClass::product: return "products";
    case KernelClass::reduction: return "reductions";
    case KernelClass::pointwise: return "pointwise";
    case KernelClass::movement: return "movement";
  }
  return "";
}

std::optional<double> KernelRow::measured_us() const {
  if (launches == 0) return std::nullopt;
  return total_us / static_cast<double>(launches);
}

std::optional<double> KernelRow::reached_fraction() const {
  const std::optional<double> measured = measured_us();
  if (!price || !measured || *measured <= 0) return std::nullopt;
  return 1e6 * price->reached / *measured;
}

double KernelRow::time_us() const {
  return measured_us().value_or(price ? 1e6 * price->predicted : 0);
}

std::vector<KernelRow> rows_of(const schedule::Plan& plan, const graph::Graph& graph) {
  std::vector<KernelRow> rows;
  for (const KernelCall& call : plan.calls) {
    const std::set<std::string> lines = schedule::lines_of(call, graph);
    KernelRow row{.name = call.kernel.name,
                  .ops = schedule::ops_of(call, graph),
                  .scopes = scopes_of(call, graph),
                  .lines = {lines.begin(), lines.end()},
                  .bytes = call.bytes.hint_or(0),
                  .flops = call.flops.hint_or(0),
                  .kind = class_of(call)};
    const auto sizes = schedule::expected_sizes(call);
    if (plan.sheet != nullptr && sizes) {
      row.price = price_of(call, *sizes, *plan.sheet,
                           {.resident = plan.resident, .follows = !rows.empty()});
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> absent_of(const std::vector<KernelRow>& rows) {
  std::set<std::string> names;
  for (const KernelRow& row : rows) {
    if (row.price) names.insert(row.price->absent.begin(), row.price->absent.end());
  }
  return {names.begin(), names.end()};
}

}  // namespace ridge::driver
