// Sweeps: how the predicted rate changes as one number grows, and why it drops where it drops.
//
//   square matmuls: N by N by N, one point for each N; where the rate drops, each cause is
//   named with its share of the drop: a wave begun, tiles filled worse, rows no longer aligned
//   a repeated unary operation: flat in time until the knee, flat in flops after it
#pragma once

#include "ridge/cost/roofline/estimate.h"
#include "ridge/cost/roofline/query.h"

namespace ridge::cost {

enum class DropCause : uint8_t { tile, wave, alignment, traffic };
std::string_view name(DropCause cause);

struct MatmulPoint {
  double n = 0;
  double floor_s = 0, predicted_s = 0;
  double flops_per_s = 0;  // predicted
  double divisor = 1;      // the largest power of two, up to 64, that divides n
  Tile tile;
  double tiles = 0;
  std::optional<double> waves;
  double tile_fill = 1, wave_fill = 1, alignment_share = 1;  // parts of the rate that are left
  double traffic_flops_per_s = 0;      // the rate at which memory and L2 bring operands
  std::optional<double> measured_s{};  // filled in by whoever ran it
};

struct MatmulDrop {
  double n = 0;  // the rate here is lower than at the point before
  DropCause cause = DropCause::tile;
  double loss = 0;  // of the rate before; those of one n add up to the drop
};

struct DivisorClass {
  double divisor = 1;
  double points = 0;
  double mean_flops_per_s = 0;
};

struct MatmulSweep {
  std::vector<MatmulPoint> points;
  std::vector<DivisorClass> classes;  // ascending divisors
  std::vector<MatmulDrop> drops;      // of 1 % and more, ascending n; one for each cause
  double peak_flops_per_s = 0;
  std::vector<std::string> notices;
};

// The unit that suits rates up to `most`: a table of a CPU in TFLOP/s would be one of zeros.
struct FlopsUnit {
  std::string_view name;
  double per_second = 1;
};
FlopsUnit flops_unit(double most);

struct SweepRange {
  double from = 1, to = 1, step = 1;
  // Error{value} where the range is empty or has more than a million numbers.
  std::vector<double> numbers() const;
};

// Types, tile and layout of `query`; its sizes are not read.
MatmulSweep sweep_matmul(const Query& query, SweepRange range);

struct RepeatPoint {
  double repeat = 1;
  double seconds = 0;  // the lower bound
  double flops_per_s = 0, bytes_per_s = 0;
  std::optional<double> measured_s{};
};

struct RepeatSweep {
  std::vector<RepeatPoint> points;
  double knee_repeat = 0, knee_flops = 0;  // of a number
  double peak_flops_per_s = 0, peak_bytes_per_s = 0;
  std::vector<std::string> notices;
};

// A unary operation on `query.sizes` numbers; is_fma and types of `query`.
RepeatSweep sweep_repeat(const Query& query, SweepRange range);

}  // namespace ridge::cost
