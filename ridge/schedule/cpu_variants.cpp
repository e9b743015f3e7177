#include "ridge/schedule/cpu_variants.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/cost/price.h"

namespace ridge::schedule {
namespace {

struct Candidate {
  CpuVariant variant;
  std::string name;
};

std::vector<Candidate> candidates_of(const Group& group) {
  std::vector<Candidate> result;
  switch (group.kind) {
    case GroupKind::map:
    case GroupKind::scatter: return {{{}, ""}};
    case GroupKind::reduction:
      if (group.outer.empty() || group.inner.empty()) return {{{}, ""}};
      return {{{.runs_across_rows = false}, "lanes along a row"},
              {{.runs_across_rows = true}, "lanes across rows"}};
    case GroupKind::contraction:
      for (const int64_t columns : {512, 256, 128, 64}) {
        result.push_back({{.tile_columns = columns}, concat("tasks of ", columns, " columns")});
      }
      return result;
  }
  return result;
}

bool has_known_sizes(const Group& group) {
  for (const Size& size : group.extents()) {
    if (!size.known()) return false;
  }
  return true;
}

// Without sizes to count with: along whichever axis more bytes lie as neighbors.
bool prefers_across(const LoopInput& input) {
  const Group& group = input.group;
  if (group.outer.empty() || group.inner.empty()) return false;
  const size_t across = group.outer.size() - 1, along = group.extents().size() - 1;
  int64_t preference = 0;
  for (const AccessPattern& pattern :
       access_patterns(input.program, group, input.places, input.is_stored)) {
    if (pattern.is_store || !pattern.is_affine) continue;
    const int64_t weight = pattern.dtype.bits;
    if (is_constant(pattern.coefficients[along], 1)) preference -= weight;
    if (is_constant(pattern.coefficients[across], 1)) preference += weight;
  }
  return preference > 0;
}

}  // namespace

EmittedKernel cpu_loops(const LoopInput& input) {
  const std::vector<Candidate> candidates = candidates_of(input.group);
  if (input.mapping) {
    return emit_cpu_loops(input,
                          candidates[std::min(*input.mapping, candidates.size() - 1)].variant);
  }
  if (candidates.size() == 1 || input.sheet == nullptr || !has_known_sizes(input.group)) {
    return emit_cpu_loops(input, {.runs_across_rows = prefers_across(input)});
  }
  EmittedKernel best;
  double least = 0;
  for (const Candidate& candidate : candidates) {
    EmittedKernel emitted = emit_cpu_loops(input, candidate.variant);
    const double us = 1e6 * cost::price(cost::nest_of(emitted.kernel, {}), *input.sheet).predicted;
    if (best.kernel.body.empty() || us < least) {
      if (!best.kernel.body.empty()) {
        emitted.decisions.push_back(Decision::yes(candidate.name).priced(us, least));
      }
      best = std::move(emitted);
      least = us;
    } else {
      best.decisions.push_back(Decision::no(candidate.name).priced(us, least));
    }
  }
  return best;
}

}  // namespace ridge::schedule
