#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/cost/price.h"
#include "ridge/cost/tuning.h"
#include "ridge/schedule/cpu_loops.h"
#include "ridge/schedule/group_blocks.h"
#include "ridge/schedule/kernel_text.h"

namespace ridge::schedule {
namespace {

struct Candidate {
  CpuVariant variant;
  std::string name;
};

// Whether a product has no tiles: of a matrix and a vector, or over several axes as in a convolution.
bool is_untiled(const LoopInput& input) { return !product_axes_of(input.program, input.group); }

std::vector<Candidate> candidates_of(const LoopInput& input) {
  const Group& group = input.group;
  std::vector<Candidate> result;
  switch (group.kind) {
    case GroupKind::map:
    case GroupKind::scatter: return {{{}, ""}};
    case GroupKind::chain:
      for (const CpuVariant& variant : chain_variants(input)) {
        result.push_back({variant, concat("tiles of at most ", variant.chain_queries,
                                          " queries and ", variant.chain_keys, " keys")});
      }
      return result;
    case GroupKind::reduction:
      if (group.outer.empty() || group.inner.empty()) return {{{}, ""}};
      return {{{.is_row_per_lane = false}, "lanes along a row"},
              {{.is_row_per_lane = true}, "one row per lane"}};
    case GroupKind::contraction:
      if (is_untiled(input)) {
        if (group.inner.size() > 1) return {{{.is_row_per_lane = true}, ""}};
        return {{{.is_row_per_lane = false}, "lanes along a row"},
                {{.is_row_per_lane = true}, "one row per lane"}};
      }
      for (const int64_t columns : cost::tuning::kProductColumns) {
        result.push_back({{.tile_columns = columns}, concat("tasks of ", columns, " columns")});
      }
      return result;
  }
  return result;
}

// With symbols it is priced for the sizes to be expected. Nothing if there are none.
std::optional<double> price_us(loop::Kernel kernel, const LoopInput& input) {
  const auto sizes = expected_values(bind_symbols(kernel));
  if (!sizes) return std::nullopt;
  const cost::KernelNest nest = cost::nest_of(kernel, *sizes);
  return 1e6 * cost::price(nest, *input.sheet, {.resident = input.resident}).predicted;
}

// Without sizes to count with: along whichever axis more bytes lie as neighbors.
bool prefers_row_per_lane(const LoopInput& input) {
  const Group& group = input.group;
  if (group.outer.empty() || group.inner.empty()) return false;
  const size_t row_axis = group.outer.size() - 1, column_axis = group.extents().size() - 1;
  int64_t preference = 0;
  for (const AccessPattern& pattern :
       access_patterns(input.program, group, input.locations, input.is_stored)) {
    if (pattern.is_store || !pattern.is_affine) continue;
    const int64_t weight = pattern.dtype.bits;
    if (is_constant(pattern.coefficients[column_axis], 1)) preference -= weight;
    if (is_constant(pattern.coefficients[row_axis], 1)) preference += weight;
  }
  return preference > 0;
}

// Every mapping with the price that it was chosen or refused for.
std::vector<Decision> decisions_of(const std::vector<Candidate>& candidates,
                                   const std::vector<double>& us, size_t best) {
  std::vector<Decision> decisions;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (i != best) decisions.push_back(Decision::no(candidates[i].name).priced(us[i], us[best]));
  }
  std::optional<double> next;
  for (size_t i = 0; i < us.size(); ++i) {
    if (i != best) next = std::min(next.value_or(us[i]), us[i]);
  }
  const Decision chosen = Decision::yes(candidates[best].name).priced(us[best], next.value_or(0));
  decisions.insert(decisions.begin(), chosen);
  return decisions;
}

EmittedKernel best_loops(const LoopInput& input) {
  const std::vector<Candidate> candidates = candidates_of(input);
  if (input.mapping) {
    return emit_cpu_loops(input,
                          candidates[std::min(*input.mapping, candidates.size() - 1)].variant);
  }
  std::optional<EmittedKernel> best;
  size_t chosen = 0;
  std::vector<double> us;
  if (candidates.size() > 1 && input.sheet != nullptr) {
    for (const Candidate& candidate : candidates) {
      EmittedKernel emitted = emit_cpu_loops(input, candidate.variant);
      const auto predicted = price_us(emitted.kernel, input);
      if (!predicted) break;
      us.push_back(*predicted);
      if (best && us.back() >= us[chosen]) continue;
      best = std::move(emitted);
      chosen = us.size() - 1;
    }
  }
  if (!best) {
    const bool is_row_per_lane = candidates.size() == 1 ? candidates[0].variant.is_row_per_lane
                                                        : prefers_row_per_lane(input);
    return emit_cpu_loops(input, {.is_row_per_lane = is_row_per_lane});
  }
  best->decisions = decisions_of(candidates, us, chosen);
  return std::move(*best);
}

}  // namespace

EmittedGroup cpu_loops(const LoopInput& input) {
  if (input.group.kind == GroupKind::reduction) {
    if (auto scan = cpu_scan(input)) return {{std::move(*scan)}, {}};
    if (auto ranks = cpu_rank(input)) return std::move(*ranks);
  }
  return {{best_loops(input)}, {}};
}

}  // namespace ridge::schedule
