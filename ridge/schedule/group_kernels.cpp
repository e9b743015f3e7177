#include <algorithm>

#include "ridge/schedule/gpu_split_reduction.h"
#include "ridge/schedule/group_nest.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

// 16 bytes of the widest array that moves along a row.
int64_t usual_width(const std::vector<AccessPattern>& patterns, size_t axis) {
  int64_t width = kWideBytes;
  for (const AccessPattern& pattern : patterns) {
    if (!pattern.is_affine || expr::is_constant(pattern.coefficients[axis], 0)) continue;
    width = std::min(width, kWideBytes / std::max(1, pattern.dtype.bits / 8));
  }
  return std::max<int64_t>(width, 1);
}

// Two for each pass with a reduction, one for what only stores.
double kernel_count(const InlinedGraph& program, const Group& group) {
  const std::vector<int> passes = passes_of(program, group);
  std::vector<bool> reduces(group.members.size() + 1), runs(group.members.size() + 1);
  for (size_t i = 0; i < passes.size(); ++i) {
    const bool is_map = program.node_definition(group.members[i].node).is_map();
    const auto pass = static_cast<size_t>(passes[i]);
    reduces[pass] = reduces[pass] || !is_map;
    runs[pass] = runs[pass] || !is_map || !group.members[i].is_per_row;
  }
  return static_cast<double>(std::ranges::count(reduces, true) + std::ranges::count(runs, true));
}

// Nothing waits for a reduction, or is stored along the row.
bool is_read_once(const InlinedGraph& program, const Group& group) {
  const std::vector<int> passes = passes_of(program, group);
  return std::ranges::all_of(passes, [](int pass) { return pass == 0; }) &&
         std::ranges::all_of(group.members, [&](const Member& member) {
           return member.is_per_row || !program.node_definition(member.node).is_map();
         });
}

}  // namespace

ValueLocations plain_locations(const Graph& graph) {
  ValueLocations locations;
  for (const graph::Value& value : graph.values) {
    locations.push_back({static_cast<int>(locations.size()), contiguous_strides(value.type.shape)});
  }
  return locations;
}

GroupKernels kernels_of(const InlinedGraph& program, const Group& group,
                        const ValueLocations& plain, const cost::Sheet& sheet) {
  GroupKernels result;
  // Axes of one element are gone, perhaps all of them.
  if (group.kind != GroupKind::reduction || group.inner.empty()) return result;
  for (const Member& member : group.members) {
    if (gives_position(program.node_definition(member.node).definition.reducer)) return result;
  }
  const auto rows = numel(group.outer).known(), length = numel(group.inner).known();
  if (!rows || !length || *rows == 0 || *length == 0) return result;
  const std::vector<bool> stores_nothing(program.graph().values.size());
  const auto patterns = access_patterns(program, group, plain, stores_nothing);
  const loop::DeviceLimits limits = cost::device_limits(&sheet);
  const int64_t sms = limits.sms;
  Chunks chunks;
  result.is_thread_per_column = is_column_major(group, patterns);
  if (result.is_thread_per_column) {
    const int64_t columns = *group.outer.back().known();
    ColumnTile tile = column_tile(columns, *length, usual_width(patterns, group.outer.size() - 1));
    chunks = column_chunks(tile, *rows / columns, columns, *length, sms);
    const int64_t tiles = *rows / columns * divided_up(columns, tile.columns());
    result.blocks = static_cast<double>(tiles * chunks.count);
  } else {
    const int64_t width = usual_width(patterns, group.extents().size() - 1);
    const int64_t stride = width * kReadOnceSteps;
    result.row_threads =
        static_cast<double>(std::min(kMaxBlockThreads, divided_up(*length, stride)));
    const int64_t blocks = blocks_of_row(*rows, *length, sms, cluster_of(limits));
    const bool is_misaligned = *length % width != 0;
    if (blocks > 1 && is_misaligned && is_read_once(program, group)) {
      result.blocks = static_cast<double>(*rows * blocks);
    } else {
      chunks = row_chunks(*rows, *length, width, sms);
      result.blocks = static_cast<double>(*rows * chunks.count);
    }
  }
  if (chunks.count > 1) result.count = kernel_count(program, group);
  return result;
}

}  // namespace ridge::schedule
