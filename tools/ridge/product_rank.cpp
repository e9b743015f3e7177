#include "product_rank.h"

#include <algorithm>

#include "product_check.h"
#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "ridge/cost/sheet.h"
#include "ridge/mapping/demand.h"
#include "ridge/mapping/enumerate.h"
#include "ridge/mapping/passes/map_product.h"

namespace ridge::command {
namespace {

constexpr double kMostTimesSlower = 2;

struct Candidate {
  std::string mapping;
  double predicted;
};

const schedule::KernelCall* mapped_call(const schedule::Plan& plan) {
  const auto found = std::ranges::find_if(
      plan.calls, [](const schedule::KernelCall& call) { return call.mapped.has_value(); });
  return found == plan.calls.end() ? nullptr : &*found;
}

// All that could be applied, the best first.
std::vector<Candidate> candidates_of(const schedule::Plan& plan, const schedule::KernelCall& call) {
  const mapping::Work& work = call.mapped->work;
  std::vector<Candidate> all;
  for (const mapping::Mapping& one :
       mapping::enumerate(work, cost::device_limits(plan.sheet.get())).kept) {
    if (!mapping::can_apply(one)) continue;
    const cost::DemandPrice price = cost::price(mapping::demand_of(one, work, *plan.sheet),
                                                *plan.sheet, {.resident = plan.resident});
    all.push_back({mapping::to_text(one), price.price.predicted});
  }
  std::ranges::stable_sort(all, {}, &Candidate::predicted);
  return all;
}

// The next best, then at even distances up to those that take so many times as long.
std::vector<std::string> others_among(const std::vector<Candidate>& all, const std::string& chosen,
                                      int count) {
  std::vector<std::string> near;
  for (const Candidate& one : all) {
    const bool is_near = one.predicted <= kMostTimesSlower * all.front().predicted;
    if (is_near && one.mapping != chosen) near.push_back(one.mapping);
  }
  std::vector<std::string> others;
  const auto most = std::min(static_cast<size_t>(count), near.size());
  const size_t best = (most + 1) / 2;
  for (size_t i = 0; i < best; ++i) others.push_back(near[i]);
  for (size_t i = 1; i <= most - best; ++i) {
    others.push_back(near[best - 1 + i * (near.size() - best) / (most - best)]);
  }
  return others;
}

// The part of a kernel's name that RIDGE_MAPPING knows it by, in every program.
std::string hash_of(const std::string& kernel) { return kernel.substr(kernel.rfind('_') + 1); }

}  // namespace

RankedProduct rank_product(const ProductCase& product, const MeasureOptions& options, int others) {
  const ScopedKnob use(Knob::library, "never");
  const std::vector<ProductOperands> operands =
      random_operands(product, sets_of(product, options.rotated_bytes), options.device);
  const std::vector<ExpectedElement> expected = expected_elements(product, operands, 5);
  const auto measured = [&](const std::string& mapping) {
    options.on_progress(mapping.empty() ? "as chosen" : mapping);
    poison_results(product, static_cast<int>(operands.size()), options.device);
    const ProductSide side = compiled_side("ours", product, operands);
    const ProductPlanFigures figures = figures_of(side, operands.size());
    RIDGE_CHECK(mapping.empty() || figures.mapping == mapping, .code = ErrorCode::state,
                .op = "products", .expected = mapping, .given = figures.mapping);
    check_elements(concat(to_text(product), " as ", figures.mapping), expected, side.outputs());
    const double seconds = options.timer(side.run) / static_cast<double>(operands.size());
    return std::pair(side, RankedMapping{figures.mapping, figures.predicted, seconds});
  };
  RankedProduct ranked{.product = product};
  const auto [chosen, first] = measured("");
  const schedule::Plan& plan = chosen.entry->compiled->plan();
  const schedule::KernelCall* call = mapped_call(plan);
  RIDGE_CHECK(call != nullptr, .code = ErrorCode::state, .op = "products",
              .expected = "a product that some mapping takes", .given = first.mapping);
  ranked.ways.push_back(first);
  const std::vector<Candidate> all = candidates_of(plan, *call);
  ranked.candidates = static_cast<int>(all.size());
  for (const std::string& mapping : others_among(all, first.mapping, others)) {
    const ScopedKnob forced(Knob::mapping, concat(hash_of(call->kernel.name), "=", mapping));
    try {
      ranked.ways.push_back(measured(mapping).second);
    } catch (const Error& error) {
      ranked.ways.push_back({.mapping = mapping, .error = error.what()});
      break;  // whatever runs after a fault of a kernel fails too
    }
  }
  return ranked;
}

}  // namespace ridge::command
