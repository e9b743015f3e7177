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
  point.predicted_s = part.lower_s();
  double traffic_s = part.memory_s;
  if (const auto tiling = tile_matmul(problem, machine, query.tile)) {
    point.tile = tiling->tile;
    point.tiles = tiling->tiles;
    point.waves = tiling->waves;
    point.tile_fill = n * n / (tiling->tiles * tiling->tile.area());
    if (tiling->waves) point.wave_fill = tiling->tiles / (*tiling->waves * *machine.units);
    point.alignment_share = alignment_share(problem, machine);
    point.predicted_s = tiling->predicted_s;
    traffic_s = std::max(traffic_s, l2_seconds(problem, machine, tiling->tile));
  }
  point.traffic_flops_per_s = part.flops / traffic_s;
  point.flops_per_s = part.flops / point.predicted_s;
  return point;
}

double rate_of(const MatmulPoint& point, double peak) {
  return std::min(peak * point.wave_fill * point.tile_fill * point.alignment_share,
                  point.traffic_flops_per_s);
}

// What becomes of the rate as one cause after the other takes its value of `after`. Some of them may
// raise it, as a smaller tile does that fills waves better: those are no causes, and the others
// share the drop in proportion to what they take, so that shares add up to it.
void add_drops(std::vector<MatmulDrop>& drops, const MatmulPoint& before, const MatmulPoint& after,
               double peak) {
  const double loss = 1 - after.flops_per_s / before.flops_per_s;
  if (loss < kLeastLoss) return;
  constexpr std::pair<DropCause, double MatmulPoint::*> kSteps[] = {
      {DropCause::wave, &MatmulPoint::wave_fill},
      {DropCause::tile, &MatmulPoint::tile_fill},
      {DropCause::alignment, &MatmulPoint::alignment_share},
      {DropCause::traffic, &MatmulPoint::traffic_flops_per_s}};
  std::vector<MatmulDrop> found;
  double taken = 0;
  MatmulPoint between = before;
  for (const auto& [cause, part] : kSteps) {
    const double from = rate_of(between, peak);
    between.*part = after.*part;
    const double lost = (from - rate_of(between, peak)) / before.flops_per_s;
    if (lost < kLeastShare * loss) continue;
    found.push_back({after.n, cause, lost});
    taken += lost;
  }
  for (MatmulDrop& drop : found) {
    drop.loss *= loss / taken;
    drops.push_back(drop);
  }
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
    add_drops(sweep.drops, sweep.points[sweep.points.size() - 2], sweep.points.back(),
              machine.math.per_second);
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
