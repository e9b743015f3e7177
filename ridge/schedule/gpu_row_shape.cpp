#include "ridge/schedule/gpu_row_shape.h"

#include <algorithm>
#include <bit>
#include <map>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

int64_t divided_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t power_of_two_from(int64_t n) {
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(n, 1))));
}

// The chunks of a row among threads of a block: a power of two where blocks hold several rows.
void share_block(RowShape& shape, int64_t chunks, int64_t most_steps) {
  shape.threads = power_of_two_from(divided_up(chunks, most_steps));
  if (shape.threads >= kSharedBlockThreads) {
    shape.threads = divided_up(divided_up(chunks, most_steps), kWarp) * kWarp;
  } else {
    shape.rows = kSharedBlockThreads / shape.threads;
  }
}

// Bytes in registers of one thread at each step.
int64_t step_bytes(const RowWork& work) {
  const int64_t least = work.width == 1 ? 4 : 0;  // one by itself has a register of its own
  return work.kept_bytes == 0 ? 0 : std::max(least, work.width * work.kept_bytes);
}

void take_kept(RowShape& shape, const RowWork& work, int64_t chunks) {
  const int64_t most = std::max<int64_t>(1, kMostKeptBytes / step_bytes(work));
  int64_t usual = std::max<int64_t>(1, most / 2);
  const auto count = work.count.known();
  // Few rows are spread over more threads, so that no unit stands idle.
  while (usual > 1 && count &&
         static_cast<double>(*count) * divided_up(chunks, usual) <
             2 * work.units * kSharedBlockThreads) {
    usual /= 2;
  }
  if (chunks <= usual * kKeptBlockThreads) {
    share_block(shape, chunks, usual);
  } else if (chunks <= most * 2 * kKeptBlockThreads) {
    const int64_t threads = chunks <= most * kKeptBlockThreads ? 1 : 2;
    shape.threads = threads * kKeptBlockThreads;
  } else {
    shape.blocks = power_of_two_from(divided_up(chunks, most * kKeptBlockThreads));
    shape.threads = kKeptBlockThreads;
  }
  shape.keeps = true;
}

bool has_room(const RowWork& work, int64_t chunks) {
  if (work.kept_bytes == 0 || step_bytes(work) > kMostKeptBytes) return false;
  const int64_t most = kMostKeptBytes / step_bytes(work) * kKeptBlockThreads;
  return chunks <= most * (work.can_share ? kMostClusterBlocks : 2);
}

}  // namespace

RowShape row_shape(const RowWork& work) {
  RowShape shape{.width = work.width, .is_shifted = work.is_shifted};
  const auto length = work.length.known();
  if (!length) {
    shape.threads = kMostBlockThreads;
    return shape;
  }
  // A shifted row may reach into one chunk more.
  const int64_t chunks = divided_up(*length + (work.is_shifted ? work.width - 1 : 0), work.width);
  if (has_room(work, chunks)) {
    take_kept(shape, work, chunks);
  } else {
    share_block(shape, chunks, std::max<int64_t>(kStreamedSteps, chunks / kMostBlockThreads));
    shape.threads = std::min(shape.threads, kMostBlockThreads);
  }
  if (!work.can_share && shape.rows > 1) {
    shape.threads = kWarp;
    shape.rows = 1;
  }
  shape.steps = divided_up(chunks, shape.threads * shape.blocks);
  return shape;
}

RowWidth row_width(const Group& group, const std::vector<AccessPattern>& patterns) {
  const Shape extents = group.extents();
  const size_t last = extents.size() - 1;
  const auto length = extents[last].known();
  if (!length) return {};
  int64_t narrowest = kWideBytes, widest = 1;
  bool has_neighbors = false;
  for (const AccessPattern& pattern : patterns) {
    if (!pattern.is_affine) {
      if ((axes_in(pattern.address) >> last & 1) != 0) return {};
      continue;
    }
    const Expr& step = pattern.coefficients[last];
    if (expr::is_constant(step, 0)) continue;
    if (!expr::is_constant(step, 1)) return {};
    has_neighbors = true;
    const int64_t bytes = std::max(1, pattern.dtype.bits / 8);
    narrowest = std::min(narrowest, bytes);
    widest = std::max(widest, bytes);
  }
  if (!has_neighbors) return {};
  int64_t width = std::min(kWideBytes / narrowest, 2 * kWideBytes / widest);
  while (width > 1 && *length % width != 0) width /= 2;
  return {width, false};
}

int64_t kept_bytes(const LoopInput& input, const std::vector<int>& passes) {
  const Group& group = input.group;
  const size_t outer = group.outer.size();
  std::map<int32_t, uint64_t> read_in;  // by value: the passes that read it along the row
  const auto collect = [&](auto&& self, const Member& member, int pass) -> void {
    for (const Read& read : input.program.reads(member.node)) {
      const int32_t node = input.program.graph()[read.value].node;
      const auto own = std::ranges::find(group.members, node, &Member::node);
      if (node >= 0 && own != group.members.end()) {
        if (input.program.meaning(node).is_map() && !own->is_row) self(self, *own, pass);
        continue;
      }
      uint64_t axes = 0;
      for (const Expr& index : read.position) axes |= axes_in(substitute_axes(index, member.axes));
      const bool has_memory = input.places[static_cast<size_t>(read.value.index)].buffer >= 0;
      if (has_memory && axes >> outer != 0) read_in[read.value.index] |= uint64_t{1} << pass % 64;
    }
  };
  for (size_t i = 0; i < group.members.size(); ++i) {
    const Member& member = group.members[i];
    const ValueId result = input.program.result(member.node);
    const bool is_stored = input.is_stored[static_cast<size_t>(result.index)];
    const bool is_reduction = !input.program.meaning(member.node).is_map();
    if (is_reduction || (is_stored && !member.is_row)) collect(collect, member, passes[i]);
  }
  int64_t bytes = 0;
  for (const auto& [value, in] : read_in) {
    const DType dtype = input.program.graph()[ValueId{value}].type.dtype;
    if (std::popcount(in) > 1) bytes += std::max(1, dtype.bits / 8);
  }
  return bytes;
}

}  // namespace ridge::schedule
