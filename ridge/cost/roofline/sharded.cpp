// A matmul over several devices, one of its dimensions split:
//   M  rows of X; the weights lie in parts and are gathered first
//   N  columns of W; the output is gathered
//   K  the sum; each device has a partial output, and they are added by an all-reduce
// Figures are of one device.
#include <algorithm>
#include <array>
#include <cmath>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/cost/roofline/collective.h"
#include "ridge/cost/roofline/matmul_model.h"
#include "ridge/cost/roofline/operations.h"

namespace ridge::cost {

namespace {

struct Split {
  std::string_view dimension, alias;
  Collective collective;
};
constexpr std::array<Split, 3> kSplits = {{{"M", "B", Collective::all_gather},
                                           {"N", "F", Collective::all_gather},
                                           {"K", "D", Collective::all_reduce}}};

const Split& split_of(const Query& query) {
  const auto found = std::ranges::find_if(kSplits, [&](const Split& split) {
    return split.dimension == query.split || split.alias == query.split;
  });
  RIDGE_CHECK(found != kSplits.end(), .code = ErrorCode::value,
              .expected = "--split with M, N or K (B, F or D)",
              .given = concat("`", query.split, "`"));
  return *found;
}

// What the device with most of it has: sizes that do not divide are split into whole rows.
double share_of(double size, const Query& query) { return std::ceil(size / query.devices); }

void check_share(const Split& split, const Query& query, Rates& rates) {
  const double size = query.sizes[split.dimension];
  RIDGE_CHECK(size >= query.devices, .code = ErrorCode::shape,
              .expected = concat(split.dimension, " of at least 1 for each device"),
              .given = concat(whole_text(size), " over ", whole_text(query.devices), " devices"));
  if (std::fmod(size, query.devices) == 0) return;
  rates.notice(concat(split.dimension, " = ", whole_text(size), " does not divide by ",
                      whole_text(query.devices), ": figures of a device with ",
                      whole_text(share_of(size, query)), ", rounded up"));
}

}  // namespace

Estimate estimate_sharded(const Query& query) {
  const Split& split = split_of(query);
  Rates rates(*query.sheet);
  const Network network = network_for(rates, query, "sharded matmul");
  check_share(split, query, rates);
  const auto problem_at = [&](const Sizes& sizes) {
    MatmulProblem problem = problem_of(query);
    const auto share = [&](std::string_view dimension) {
      return dimension == split.dimension ? share_of(sizes[dimension], query) : sizes[dimension];
    };
    problem.m = share("M");
    problem.n = share("N");
    problem.k = share("K");
    return problem;
  };
  const MatmulMachine machine = machine_for(rates, problem_at(query.sizes), "sharded matmul");
  const PartsOf parts = [&](const Sizes& sizes) {
    const MatmulProblem problem = problem_at(sizes);
    Part part = matmul_part("matmul", problem, machine.math, machine.memory);
    const double exchanged =
        split.dimension == "M"
            ? whole_product({sizes["K"], sizes["N"], problem.w.bytes}, "bytes")
            : whole_product({sizes["M"], sizes["N"], problem.output.bytes}, "bytes");
    Part exchange{.name = std::string(name(split.collective))};
    exchange.network_bytes = sent_bytes(split.collective, exchanged, network);
    exchange.network_s = collective_seconds(split.collective, exchanged, network);
    return std::vector{part, exchange};
  };
  const Sizes& s = query.sizes;
  Estimate estimate =
      frame_estimate(concat("matmul X[", s.text("M"), ",", s.text("K"), "] W[", s.text("K"), ",",
                            s.text("N"), "] ", query.dtype.name, ", ", split.dimension,
                            " split over ", whole_text(query.devices), " devices; figures of one"),
                     query, rates, parts, {"M", "N", "K"});
  estimate.rates = {to_text(machine.math), to_text(machine.memory), to_text(network.sends)};
  const double total = whole_product({2, s["M"], s["N"], s["K"]}, "flops");
  estimate.details = {{"total_flops", total},
                      {"one_device_math_s", total / machine.math.per_second}};
  if (split.collective == Collective::all_reduce) {
    const double exchanged = s["M"] * s["N"] * query.output_type().bytes;
    const double scatter = collective_seconds(Collective::reduce_scatter, exchanged, network);
    const double lower = std::max({estimate.t_math_s, estimate.t_memory_s, scatter});
    estimate.advice.push_back(
        {"leave the output split: reduce-scatter instead of all-reduce", estimate.lower_s - lower});
  }
  sort_advice(estimate);
  return estimate;
}

}  // namespace ridge::cost
