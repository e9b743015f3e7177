#include "ridge/driver/kernel_row.h"

#include <algorithm>
#include <set>

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

std::optional<double> KernelRow::ceiling_fraction() const {
  const std::optional<double> measured = measured_us();
  if (!price || !measured || *measured <= 0) return std::nullopt;
  return 1e6 * price->ceiling / *measured;
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
      const cost::KernelNest nest = cost::nest_of(call.kernel, *sizes);
      row.price = cost::price(nest, *plan.sheet, {.resident = plan.resident});
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
