// Estimates: the bounds of an operation on a device, from its parts.
//
// A part is a kernel, or the same one of several layers: work, and the time each resource needs for it alone. Bounds assume that the
// resources overlap perfectly (lower, the greatest) or not at all (upper, the sum):
//
//   T_math = flops / rate    T_comms = max(bytes / bandwidth, network bytes / link)
//   lower = max(T_math, T_comms)    upper = T_math + T_memory + T_network
//
// The floor is what nobody beats, as the price of a kernel has it (price.h): a launch at least, and less
// than the lower bound where a cache may hold all of it. The prediction is that price's, too.
//
// An FMA counts as 2 flops.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ridge/cost/regime.h"
#include "ridge/cost/roofline/quantization.h"
#include "ridge/cost/roofline/sizes.h"

namespace ridge::cost {

struct Part {
  std::string name;
  double flops = 0;
  double bytes = 0;          // between memory and the device
  double network_bytes = 0;  // that a device sends
  double math_s = 0, memory_s = 0, network_s = 0;
  double launches = 1;
  double comms_s() const { return memory_s > network_s ? memory_s : network_s; }
  double lower_s() const { return math_s > comms_s() ? math_s : comms_s(); }
};

struct Advice {
  std::string change;
  double gain_s = 0;
};

struct Tiling {
  Tile tile;
  bool is_chosen = false;  // by the model, not by the user
  double tiles = 0;
  std::optional<double> waves;          // absent where a device has none
  double waste = 0;                     // fraction
  double lines = 0, aligned_lines = 0;  // under a tile of the output; if its rows were whole lines
  double issued_bytes = 0;
  double predicted_s = 0;  // with whole tiles and waves, alignment and issued traffic
  double floor_s = 0;      // of a kernel that computes this, with any tiles
};

struct Alignment {
  std::string tensor;     // W
  std::string dimension;  // whose size makes the row
  double row_bytes = 0;
  double aligned_to = 0;  // bytes, a power of two up to a line
  double line = 128;
};

// Where an operation changes from bound by communication to bound by compute, as one size grows.
struct Crossover {
  std::string dimension;
  std::optional<double> at;  // absent: never changes
};

struct Estimate {
  std::string operation;  // "matmul X[240,8192] W[8192,8192] -> [240,8192], bf16"
  std::string sheet, sheet_version;
  std::vector<Part> parts;
  double flops = 0, bytes = 0, network_bytes = 0, intensity = 0;
  std::optional<double> ridge;  // flops a byte; absent where there is no math
  double t_math_s = 0, t_memory_s = 0, t_network_s = 0, t_comms_s = 0, lower_s = 0, upper_s = 0;
  std::optional<double>
      t_special_s;                 // of special functions, where the sheet knows; within t_math_s
  std::optional<double> launch_s;  // of all kernels, where the sheet knows
  double floor_s = 0;
  std::optional<double> predicted_s;  // where the model has more to say than bounds
  Regime regime = Regime::memory;
  std::optional<double> crossover_batch;
  std::vector<Crossover> crossovers;
  std::optional<Tiling> tiling;
  std::vector<Alignment> alignments;
  std::vector<std::string> rates;                       // "matrix.bf16 989.4 TFLOP/s"
  std::vector<std::pair<std::string, double>> details;  // what one kind of operation adds
  std::vector<Advice> advice;                           // greatest gain first
  std::vector<std::string> notices;
};

double launches_of(const Estimate& estimate);

// Sums, bounds and regime of the parts.
void add_bounds(Estimate& estimate, std::optional<double> launch_of_one);

// Tiles of a kernel, with its floor and its predicted time; nothing where there are none.
void add_tiling(Estimate& estimate, std::optional<Tiling> tiling);

using PartsOf = std::function<std::vector<Part>(const Sizes&)>;
// The size from which T_math >= T_comms, solved exactly: times are straight lines in a single size.
// Nothing where the regime does not change.
std::optional<double> crossover_along(std::string_view dimension, const Sizes& sizes,
                                      const PartsOf& parts);

// Keeps what gains at least a thousandth of the time, best first.
void sort_advice(Estimate& estimate);

}  // namespace ridge::cost
