#include "ridge/schedule/gpu_row_shape.h"

#include <algorithm>
#include <bit>
#include <limits>
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

// Steps of a thread whose elements it holds; 0 if not even one.
int64_t most_kept_steps(const RowWork& work, int64_t bytes) {
  if (work.kept_bytes == 0) return 0;
  const int64_t least = work.width == 1 ? 4 : 0;  // one by itself has a register of its own
  const int64_t elements = bytes / std::max(least, work.kept_bytes);
  return elements == 0
             ? 0
             : std::max<int64_t>(elements >= work.width ? 1 : 0,
                                 std::bit_floor(static_cast<uint64_t>(elements)) / work.width);
}

void take_kept(RowShape& shape, const RowWork& work, int64_t chunks, int64_t most) {
  int64_t usual = most;
  const int64_t count = work.count.hint_or(std::numeric_limits<int32_t>::max());
  // Few rows are spread over more threads, so that no unit stands idle.
  while (usual > 1 && (work.cluster > 1 || chunks <= usual / 2 * kKeptBlockThreads) &&
         static_cast<double>(count * divided_up(chunks, usual)) <
             2 * work.units * kSharedBlockThreads) {
    usual /= 2;
  }
  if (chunks <= usual * kKeptBlockThreads) {
    share_block(shape, chunks, usual);
  } else {
    // Longer rows in fewer blocks, which wait for each other.
    const int64_t steps = most_kept_steps(work, kMostClusterBytes);
    shape.blocks = power_of_two_from(divided_up(chunks, steps * kClusterBlockThreads));
    shape.threads = kClusterBlockThreads;
  }
  shape.keeps = true;
}

// Whatever the values of symbols are: 64 * n is one of 8.
bool is_multiple(const Expr& e, int64_t of) {
  return expr::is_constant(expr::simplify(expr::mod(e, Expr(of))), 0);
}

// Where rows start, if the first arrays that have rows do not start them at multiples of the width.
Expr shifted_base(const std::vector<const AccessPattern*>& along, const Group& group,
                  int64_t width) {
  const size_t outer = group.outer.size();
  if (width == 1) return {};
  std::vector<Expr> start(group.extents().size(), Expr(0));
  for (size_t i = 0; i < outer; ++i) start[i] = expr::axis(static_cast<int>(i));
  Expr found;
  for (const AccessPattern* pattern : along) {
    const Expr base = expr::simplify(substitute_axes(pattern->address, start));
    bool is_aligned = true, has_rows = false;
    for (size_t i = 0; i < outer; ++i) {
      has_rows |= !expr::is_constant(pattern->coefficients[i], 0);
      is_aligned &= is_multiple(pattern->coefficients[i], width);
    }
    const auto affine = expr::as_affine(base, static_cast<int>(outer));
    is_aligned &= affine && is_multiple(expr::simplify(affine->constant), width);
    if (!has_rows) continue;
    if (is_aligned) return {};
    if (!static_cast<bool>(found)) found = base;
  }
  return found;
}

}  // namespace

RowShape row_shape(const RowWork& work) {
  RowShape shape{.width = work.width, .is_shifted = work.is_shifted};
  const auto length = work.length.known();
  if (!length) {
    // For rows as long as expected; others take more steps, or leave threads without work.
    const int64_t expected = work.length.hint_or(kMostBlockThreads * kStreamedSteps);
    share_block(shape, divided_up(expected, work.width), kStreamedSteps);
    shape.threads = std::min(shape.threads, kMostBlockThreads);
    if (!work.can_share && shape.rows > 1) {
      shape.threads = kWarp;
      shape.rows = 1;
    }
    return shape;
  }
  // A shifted row may reach into one chunk more.
  const int64_t chunks = divided_up(*length + (work.is_shifted ? work.width - 1 : 0), work.width);
  const int64_t most = most_kept_steps(work, kMostKeptBytes);
  const int64_t steps = most_kept_steps(work, kMostClusterBytes);
  const int64_t most_chunks = std::max(
      most * kKeptBlockThreads, work.can_share ? steps * kClusterBlockThreads * work.cluster : 0);
  if (most > 0 && chunks <= most_chunks) {
    take_kept(shape, work, chunks, most);
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
  const auto length = numel(group.inner).known();
  if (!length) return {};
  int64_t narrowest = kWideBytes, widest = 1;
  std::vector<const AccessPattern*> along;
  for (const AccessPattern& pattern : patterns) {
    if (!pattern.is_affine) {
      if ((axes_in(pattern.address) >> last & 1) != 0) return {};
      continue;
    }
    const Expr& step = pattern.coefficients[last];
    if (expr::is_constant(step, 0)) continue;
    if (!expr::is_constant(step, 1)) return {};
    along.push_back(&pattern);
    const int64_t bytes = std::max(1, pattern.dtype.bits / 8);
    narrowest = std::min(narrowest, bytes);
    widest = std::max(widest, bytes);
  }
  if (along.empty()) return {};
  const int64_t width = std::min(kWideBytes / narrowest, 2 * kWideBytes / widest);
  const Expr base = shifted_base(along, group, width);
  const bool is_long = *length >= kLeastShifted * width;
  if (is_long && static_cast<bool>(base)) return {width, base};
  int64_t even = width;
  while (even > 1 && *length % even != 0) even /= 2;
  return {even};
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
