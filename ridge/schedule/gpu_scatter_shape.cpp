#include "ridge/schedule/gpu_scatter_shape.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "ridge/cost/sheet.h"
#include "ridge/loop/device_limits.h"
#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {

namespace {

constexpr int64_t kOwnersOfColumn = 4;  // where each has to read the whole index of a column

Size extent_over(const std::vector<int>& axes, const Shape& extents) {
  Size size = 1;
  for (const int axis : axes) size = size * extents[static_cast<size_t>(axis)];
  return size;
}

// Do columns and points come in whole runs of so many, and enough of them for a warp?
bool come_out_even(const NodeDefinition& node_definition, int64_t width) {
  const auto columns = node_definition.shape.back().known();
  const auto points = node_definition.definition.extents.back().known();
  return columns && points && *columns % width == 0 && *points % width == 0 &&
         *columns >= kWarp * width;
}

}  // namespace

ScatterShape scatter_shape(const LoopInput& input, const NodeDefinition& node_definition,
                           const ScatterTargets& targets) {
  ScatterShape shape{.columns = extent_over(targets.columns, node_definition.shape),
                     .slots = extent_over(targets.slots, node_definition.shape),
                     .points = extent_over(targets.scanned, node_definition.definition.extents)};
  const int64_t bytes = std::max(1, register_dtype(node_definition.dtype).bits / 8);
  shape.width = targets.is_uniform && targets.has_neighbors ? kWideBytes / bytes : 1;
  while (shape.width > 1 && !come_out_even(node_definition, shape.width)) shape.width /= 2;
  shape.threads = GpuEmitter::block_size(shape.columns / shape.width);
  // Everyone helps to read the index, so a few more threads than columns are no loss.
  constexpr int64_t kMinScanning = 128;
  if (targets.is_uniform) shape.threads = std::max(shape.threads, kMinScanning);
  const int64_t wanted = input.limits.sms * kScatterBlocksPerSm;
  const int64_t tile = shape.threads * shape.width;
  const int64_t tiles = std::max<int64_t>(1, shape.columns.known().value_or(tile) / tile);
  const int64_t most = targets.is_uniform ? wanted : kOwnersOfColumn;
  const int64_t owners =
      std::clamp<int64_t>(wanted / tiles, 1, std::min(most, shape.slots.known().value_or(most)));
  shape.owners = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(owners)));
  return shape;
}

namespace {

constexpr int64_t kUnknownPoints = 4096;  // where nothing bounds them: neither few nor many

}  // namespace

BranchProbabilities::BranchProbabilities(const ScatterShape& shape)
    : owners_(static_cast<double>(shape.owners)),
      points_(static_cast<double>(std::max<int64_t>(shape.points.hint_or(kUnknownPoints), 1))),
      slots_(static_cast<double>(std::max<int64_t>(shape.slots.hint_or(kUnknownPoints), 1))) {}

double BranchProbabilities::hit(int64_t points) const {
  return -std::expm1(-static_cast<double>(points) / owners_);
}

double BranchProbabilities::touched() const { return -std::expm1(-points_ / slots_); }

double BranchProbabilities::repeated() const { return 1 - touched() * slots_ / points_; }

int64_t inverse(double share) {
  constexpr double kLeast = 1e-6;
  return std::llround(1 / std::clamp(share, kLeast, 1.0));
}

}  // namespace ridge::schedule
