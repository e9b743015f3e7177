// The cheapest mapping of a kernel, and what it was chosen from.
//
//   Choice c = choose(work, sheet, {.kernel = "matmul_4f2a"});
//   c.mapping              product wgmma 128x192x64 ping_pong 2 stages 4 group 8
//   c.decision.to_text()   "yes: product wgmma ... (117.8 us, otherwise 122.0 us)"
//   c.runners_up           the next five, with their prices
//
// RIDGE_MAPPING="matmul_4f2a=product wgmma 128x256x64 cooperative 2 stages 4 group 8;9c01d2=..." takes
// another for kernels of this name or hash. Error{parse} or Error{value} where the text is broken or does
// not fit, with the knob's name and the column.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ridge/mapping/demand.h"
#include "ridge/mapping/enumerate.h"

namespace ridge::mapping {

struct PricedMapping {
  Mapping mapping;
  cost::DemandPrice price;
};

// By which RIDGE_MAPPING knows a kernel.
struct KernelId {
  std::string_view kernel{};
  std::string_view hash{};
};

// Of a candidate that fits: is it to be considered? What is refused keeps its reason.
using Accepts = std::function<Decision(const Mapping&)>;

struct Choice {
  std::optional<PricedMapping> best;  // none where nothing fits
  // Best first, at most tuning::kRunnersUp. Those that split k must gain tuning::kSplitMargin.
  std::vector<PricedMapping> runners_up;
  std::vector<RefusedMapping> refused;
  int candidates = 0;      // that were priced
  bool is_forced = false;  // by RIDGE_MAPPING
  Decision decision;

  std::string to_text() const;  // one line for each
};

Choice choose(const Work& work, const cost::Sheet& sheet, const KernelId& id = {},
              const cost::Context& context = {}, const Accepts& accepts = {});

// What RIDGE_MAPPING says of this kernel, as written; nothing if it is not named.
std::optional<std::string> forced_mapping(const KernelId& id);

}  // namespace ridge::mapping
