#include "ridge/driver/kernel_row.h"

#include <algorithm>
#include <set>

#include "ridge/schedule/kernel_text.h"

namespace ridge::driver {
namespace {

using schedule::GroupKind;
using schedule::KernelCall;
using schedule::PlannedBuffer;

// Bytes of all buffers; temporaries share the arena.
double bytes_of(const schedule::Plan& plan) {
  auto bytes = static_cast<double>(plan.arena_bytes);
  for (const PlannedBuffer& buffer : plan.buffers) {
    if (buffer.offset >= 0) continue;
    bytes += static_cast<double>(numel(buffer.shape).hint_or(0)) * buffer.dtype.bits / 8;
  }
  return bytes;
}

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
  const double resident = bytes_of(plan);
  for (const KernelCall& call : plan.calls) {
    const std::set<std::string> lines = schedule::lines_of(call, graph);
    KernelRow row{.name = call.kernel.name,
                  .ops = schedule::ops_of(call, graph),
                  .scopes = scopes_of(call, graph),
                  .lines = {lines.begin(), lines.end()},
                  .bytes = call.bytes.hint_or(0),
                  .flops = call.flops.hint_or(0),
                  .kind = class_of(call)};
    if (plan.sheet != nullptr && call.sizes.empty()) {
      row.price = cost::price(cost::nest_of(call.kernel, {}), *plan.sheet, {.resident = resident});
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace ridge::driver
