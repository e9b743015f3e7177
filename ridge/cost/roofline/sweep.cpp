#include "ridge/cost/roofline/sweep.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/cost/roofline/matmul_model.h"

namespace ridge::cost {

namespace {

constexpr double kMostPoints = 1e6;
constexpr double kLargestDivisor = 64;
constexpr double kLeastLoss = 0.01;
constexpr double kLeastShare = 0.01;  // of a drop, for what is called a cause of it

MatmulPoint point_at(double n, const Query& query, const MatmulMachine& machine) {
  MatmulProblem problem = problem_of(query);
  problem.m = problem.n = problem.k = n;
  MatmulPoint point{.n = n, .divisor = row_alignment(n, kLargestDivisor), .tile = {}, .waves = {}};
  const Part part = matmul_part("", problem, machine.math, machine.memory);
  point.predicted_s = point.floor_s = part.lower_s();
  double traffic_s = part.memory_s;
  if (const auto tiling = tile_matmul(problem, machine, query.tile)) {
    point.tile = tiling->tile;
    point.tiles = tiling->tiles;
    point.waves = tiling->waves;
    point.tile_fill = n * n / (tiling->tiles * tiling->tile.area());
    if (tiling->waves) point.wave_fill = tiling->tiles / (*tiling->waves * *machine.units);
    point.alignment_share = alignment_share(problem, machine);
    point.floor_s = tiling->floor_s;
    point.predicted_s = tiling->predicted_s;
    traffic_s = std::max(traffic_s, l2_seconds(problem, machine, tiling->tile));
  }
  point.traffic_flops_per_s = part.flops / traffic_s;
  point.flops_per_s = part.flops / point.predicted_s;
  return point;
}

struct Share {
  DropCause cause;
  double weight = 0;
};

double rate_of(const MatmulPoint& point, double peak) {
  return std::min(peak * point.wave_fill * point.tile_fill * point.alignment_share,
                  point.traffic_flops_per_s);
}

// What becomes of the rate as waves, tiles and traffic take their values of `after` one by one, both
// points having the same tile. What raises it is no cause.
std::vector<Share> quantization_shares(const MatmulPoint& before, const MatmulPoint& after,
                                       double peak) {
  constexpr std::pair<DropCause, double MatmulPoint::*> kSteps[] = {
      {DropCause::wave, &MatmulPoint::wave_fill},
      {DropCause::tile, &MatmulPoint::tile_fill},
      {DropCause::traffic, &MatmulPoint::traffic_flops_per_s}};
  std::vector<Share> shares;
  MatmulPoint between = before;
  for (const auto& [cause, part] : kSteps) {
    const double from = rate_of(between, peak);
    between.*part = after.*part;
    shares.push_back({cause, std::max(0.0, from - rate_of(between, peak))});
  }
  return shares;
}

double total_of(const std::vector<Share>& shares) {
  double total = 0;
  for (const Share& share : shares) total += share.weight;
  return total;
}

// Scales to `total`, without those that hardly count.
void scale_to(std::vector<Share>& shares, double total) {
  const double least = kLeastShare * total_of(shares);
  std::erase_if(shares, [&](const Share& share) { return share.weight <= least; });
  const double scale = total / total_of(shares);
  for (Share& share : shares) share.weight *= scale;
}

// Waves and tiles first, alignment last. A tile is chosen again for each n and alignment, so a drop
// is never more than what the best tile leaves of it, and what would have become of the tile before
// is why another is better: it says what waves and tiles have to do with it. Shares add up to the
// drop.
void add_drops(std::vector<MatmulDrop>& drops, const MatmulPoint& before, const MatmulPoint& after,
               const Query& query, MatmulMachine machine) {
  const double loss = 1 - after.flops_per_s / before.flops_per_s;
  if (loss < kLeastLoss) return;
  machine.held_alignment_share = before.alignment_share;
  const MatmulPoint as_aligned = point_at(after.n, query, machine);
  Query held = query;
  if (before.tiles > 0) held.tile = before.tile;
  std::vector<Share> shares =
      quantization_shares(before, point_at(after.n, held, machine), machine.reached.per_second);
  if (total_of(shares) <= 0) shares = {{DropCause::traffic, 1}};
  scale_to(shares, std::max(0.0, before.flops_per_s - as_aligned.flops_per_s));
  const double unaligned = as_aligned.flops_per_s - after.flops_per_s;
  shares.push_back({DropCause::alignment, std::max(0.0, unaligned)});
  scale_to(shares, loss);
  for (const Share& share : shares) drops.push_back({after.n, share.cause, share.weight});
}

std::vector<DivisorClass> classes_of(const std::vector<MatmulPoint>& points) {
  std::map<double, DivisorClass> classes;
  for (const MatmulPoint& point : points) {
    DivisorClass& one = classes[point.divisor];
    one.divisor = point.divisor;
    one.points += 1;
    one.mean_flops_per_s += (point.flops_per_s - one.mean_flops_per_s) / one.points;
  }
  std::vector<DivisorClass> ascending;
  for (const auto& [divisor, one] : classes) ascending.push_back(one);
  return ascending;
}

}  // namespace

std::string_view name(DropCause cause) {
  switch (cause) {
    case DropCause::tile: return "tile";
    case DropCause::wave: return "wave";
    case DropCause::alignment: return "alignment";
    case DropCause::traffic: return "traffic";
  }
  return "";
}

FlopsUnit flops_unit(double most) {
  if (most >= 1e12) return {"TFLOP/s", 1e12};
  if (most >= 1e9) return {"GFLOP/s", 1e9};
  return {"MFLOP/s", 1e6};
}

std::vector<double> SweepRange::numbers() const {
  const auto text = [&] {
    return concat(whole_text(from), " to ", whole_text(to), " by ", whole_text(step));
  };
  RIDGE_CHECK(from >= 1 && step >= 1 && to >= from, .code = ErrorCode::value,
              .expected = "a range that ascends from 1 or more", .given = text());
  const double count = std::floor((to - from) / step) + 1;
  RIDGE_CHECK(count <= kMostPoints, .code = ErrorCode::value,
              .expected = "at most a million points", .given = text());
  std::vector<double> numbers(static_cast<size_t>(count));
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = from + static_cast<double>(i) * step;
  return numbers;
}

MatmulSweep sweep_matmul(const Query& query, SweepRange range) {
  Rates rates(*query.sheet);
  const MatmulMachine machine = machine_for(rates, problem_of(query), "matmul");
  MatmulSweep sweep;
  for (const double n : range.numbers()) {
    sweep.points.push_back(point_at(n, query, machine));
    if (sweep.points.size() < 2) continue;
    add_drops(sweep.drops, sweep.points[sweep.points.size() - 2], sweep.points.back(), query,
              machine);
  }
  sweep.classes = classes_of(sweep.points);
  sweep.peak_flops_per_s = machine.math.per_second;
  sweep.notices = rates.notices();
  return sweep;
}

RepeatSweep sweep_repeat(const Query& query, SweepRange range) {
  Rates rates(*query.sheet);
  const Rate math = rates.vector(query.dtype, query.is_fma, "pointwise");
  const Rate memory = rates.memory("pointwise");
  const double numbers = query.sizes.product("elements");
  const double flops_each = query.is_fma ? 2 : 1;
  const double bytes_each = query.dtype.bytes + query.output.value_or(query.dtype).bytes;
  const double bytes = whole_product({numbers, bytes_each}, "bytes");
  RepeatSweep sweep;
  for (const double repeat : range.numbers()) {
    const double flops = whole_product({numbers, repeat, flops_each}, "flops");
    const double seconds = std::max(flops / math.per_second, bytes / memory.per_second);
    sweep.points.push_back({.repeat = repeat,
                            .seconds = seconds,
                            .flops_per_s = flops / seconds,
                            .bytes_per_s = bytes / seconds});
  }
  sweep.knee_flops = bytes_each * math.per_second / memory.per_second;
  sweep.knee_repeat = sweep.knee_flops / flops_each;
  sweep.peak_flops_per_s = math.per_second;
  sweep.peak_bytes_per_s = memory.per_second;
  sweep.notices = rates.notices();
  return sweep;
}

}  // namespace ridge::cost
