#include "ridge/schedule/gpu_row_work.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "ridge/core/shape.h"
#include "ridge/cost/sheet.h"
#include "ridge/expr/simplify.h"
#include "ridge/loop/device_limits.h"
#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_split_reduction.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

// Whatever the values of symbols are: 64 * n is one of 8.
bool is_multiple(const Expr& e, int64_t of) {
  return expr::is_constant(expr::simplify(expr::mod(e, Expr(of))), 0);
}

// Do all rows start at a multiple of the width?
bool starts_aligned(const AccessPattern& pattern, const Group& group, int64_t width) {
  const size_t outer = group.outer.size();
  for (size_t i = 0; i < outer; ++i) {
    if (!is_multiple(pattern.coefficients[i], width)) return false;
  }
  const auto affine = expr::as_affine(row_start(pattern, group), static_cast<int>(outer));
  return affine && is_multiple(expr::simplify(affine->constant), width);
}

// Where rows start, if the first arrays that have rows do not start them at multiples of the width.
Expr misaligned_base(const std::vector<const AccessPattern*>& along, const Group& group,
                     int64_t width) {
  Expr found;
  for (const AccessPattern* pattern : along) {
    if (!has_rows(*pattern, group)) continue;
    if (starts_aligned(*pattern, group, width)) return {};
    if (!static_cast<bool>(found)) found = row_start(*pattern, group);
  }
  return found;
}

// Is it what is stored once for each column, by a kernel that comes after the one with the rows?
bool is_of_columns(const AccessPattern& pattern, const Group& group) {
  return group.has_columns() && pattern.is_store && !has_rows(pattern, group);
}

// Bytes of each element of a row that are read from arrays without rows.
std::vector<int64_t> invariant_bytes(const GpuEmitter& gpu) {
  const Group& group = gpu.input.group;
  std::map<int, int64_t> bytes;  // by planned buffer
  for (const AccessPattern& pattern : gpu.group.patterns) {
    if (!pattern.is_affine || pattern.is_store || pattern.coefficients.empty()) continue;
    // A row of one element has no axis.
    const bool is_along = pattern.coefficients.size() > group.outer.size() &&
                          expr::is_constant(pattern.coefficients.back(), 1);
    if (is_along && !has_rows(pattern, group)) {
      bytes[pattern.buffer] = std::max(1, pattern.dtype.bits / 8);
    }
  }
  std::vector<int64_t> list;
  for (const auto& [buffer, each] : bytes) list.push_back(each);
  return list;
}

// Of each element of a row, all arrays that are read or stored along it.
int64_t bytes_along(const GpuEmitter& gpu) {
  const Group& group = gpu.input.group;
  std::map<std::pair<int, bool>, int64_t> bytes;
  for (const AccessPattern& pattern : gpu.group.patterns) {
    const bool moves = (axes_in(pattern.address) >> group.outer.size()) != 0;
    if (!moves || (pattern.is_affine && is_of_columns(pattern, group))) continue;
    bytes[{pattern.buffer, pattern.is_store}] = std::max(1, pattern.dtype.bits / 8);
  }
  int64_t sum = 0;
  for (const auto& [buffer, size] : bytes) sum += size;
  return sum;
}

// Along rows that are one piece of memory.
RowWidth width_along_row(const Group& group, const std::vector<AccessPattern>& patterns) {
  const Shape extents = group.extents();
  const size_t last = extents.size() - 1;
  const Size length = numel(group.inner);
  const int64_t expected = length.hint_or(0);
  if (expected == 0) return {};
  // 16 bytes at once of each array that has rows: of twice as many, one store would leave every other half of
  // a sector to the next. What is the same for all rows comes from caches.
  int64_t widest = 0, invariant = 1;
  std::vector<const AccessPattern*> along;
  for (const AccessPattern& pattern : patterns) {
    if (!pattern.is_affine) {
      if ((axes_in(pattern.address) >> last & 1) != 0) return {};
      continue;
    }
    const Expr& step = pattern.coefficients[last];
    if (expr::is_constant(step, 0) || is_of_columns(pattern, group)) continue;
    if (!expr::is_constant(step, 1)) return {};
    along.push_back(&pattern);
    int64_t& most = has_rows(pattern, group) ? widest : invariant;
    most = std::max<int64_t>(most, std::max(1, pattern.dtype.bits / 8));
  }
  if (along.empty()) return {};
  const int64_t width = widest == 0 ? kWideBytes / invariant
                                    : std::min(kWideBytes / widest, 2 * kWideBytes / invariant);
  const bool is_even = is_multiple(length.expression(), width);
  // A thread that keeps column sums must have the same ones in each row.
  const bool may_misalign = expected >= kMinMisalignedVectors * width && !group.has_columns();
  const bool are_aligned = std::ranges::all_of(
      along, [&](const AccessPattern* pattern) { return starts_aligned(*pattern, group, width); });
  if (may_misalign && are_aligned && !is_even) {
    // Where rows end, one word of each array is read that has an element of them, and none behind it.
    const int64_t word = kWideBytes / std::max(widest, invariant);
    return {.width = word, .base = row_start(*along.front(), group), .is_aligned = true};
  }
  const Expr base = may_misalign && !are_aligned ? misaligned_base(along, group, width) : Expr();
  if (static_cast<bool>(base)) return {width, base};
  int64_t even = width;
  while (even > 1 && !is_multiple(length.expression(), even)) even /= 2;
  return {even};
}

// Neighbors along the last of several axes that are not one in memory: no run of them starts or ends in between.
RowWidth width_along_last(const GpuEmitter& gpu) {
  const Group& group = gpu.input.group;
  const Shape extents = group.extents();
  int64_t width = split_width(gpu, gpu.axes.inner, extents.size() - 1);
  for (const AccessPattern& pattern : gpu.group.patterns) {
    if (!pattern.is_affine) return {};
    if (expr::is_constant(pattern.coefficients.back(), 0)) continue;
    // Axes that are one with the last need not come out even by themselves.
    size_t apart = extents.size() - 1;
    Size run = extents.back();
    while (apart > group.outer.size() &&
           expr::same(pattern.coefficients[apart - 1], run.expression()))
      run = run * extents[--apart];
    const auto is_aligned = [&] {
      const auto end = pattern.coefficients.begin() + static_cast<ptrdiff_t>(apart);
      return starts_aligned(pattern, group, width) &&
             std::all_of(pattern.coefficients.begin(), end,
                         [&](const Expr& step) { return is_multiple(step, width); });
    };
    while (width > 1 && !is_aligned()) width /= 2;
  }
  return {width};
}

// Bytes of each element of a row that more than one pass reads from memory, and those of them in arrays
// that are not the same for all rows.
struct ReusedBytes {
  int64_t all = 0, of_rows = 0;
};
ReusedBytes reused_bytes(const LoopInput& input, const std::vector<int>& passes) {
  const Group& group = input.group;
  const size_t outer = group.outer.size();
  std::map<int32_t, uint64_t> read_in;  // by value: the passes that read it along the row
  std::set<int32_t> of_rows;
  const auto collect = [&](auto&& self, const Member& member, int pass) -> void {
    for (const Read& read : input.program.reads(member.node)) {
      const int32_t node = input.program.graph()[read.value].node;
      const auto own = std::ranges::find(group.members, node, &Member::node);
      if (node >= 0 && own != group.members.end()) {
        if (input.program.node_definition(node).is_map() && !own->is_per_row)
          self(self, *own, pass);
        continue;
      }
      uint64_t axes = 0;
      for (const Expr& index : read.position) axes |= axes_in(substitute_axes(index, member.axes));
      const bool has_memory = input.locations[static_cast<size_t>(read.value.index)].buffer >= 0;
      // What a select chooses is loaded where it stands.
      if (!has_memory || read.is_predicated || axes >> outer == 0) continue;
      read_in[read.value.index] |= uint64_t{1} << pass % 64;
      if (axes % (uint64_t{1} << outer) != 0) of_rows.insert(read.value.index);
    }
  };
  for (size_t i = 0; i < group.members.size(); ++i) {
    const Member& member = group.members[i];
    const ValueId result = input.program.result(member.node);
    const bool is_stored = input.is_stored[static_cast<size_t>(result.index)];
    const bool is_reduction = !input.program.node_definition(member.node).is_map();
    const bool is_along = !member.is_per_row && !member.is_per_column;
    if (is_reduction || (is_stored && is_along)) collect(collect, member, passes[i]);
  }
  ReusedBytes bytes;
  for (const auto& [value, in] : read_in) {
    if (std::popcount(in) < 2) continue;
    const int64_t each = std::max(1, input.program.graph()[ValueId{value}].type.dtype.bits / 8);
    bytes.all += each;
    if (of_rows.contains(value)) bytes.of_rows += each;
  }
  return bytes;
}

}  // namespace

bool has_rows(const AccessPattern& pattern, const Group& group) {
  const auto end = pattern.coefficients.begin() + static_cast<ptrdiff_t>(group.outer.size());
  return !std::all_of(pattern.coefficients.begin(), end,
                      [](const Expr& e) { return expr::is_constant(e, 0); });
}

bool is_along(const AccessPattern& pattern, const Group& group) {
  const auto first = pattern.coefficients.begin() + static_cast<ptrdiff_t>(group.outer.size());
  return std::any_of(first, pattern.coefficients.end(),
                     [](const Expr& e) { return !expr::is_constant(e, 0); });
}

Expr row_start(const AccessPattern& pattern, const Group& group) {
  std::vector<Expr> start(group.extents().size(), Expr(0));
  for (size_t i = 0; i < group.outer.size(); ++i) start[i] = expr::axis(static_cast<int>(i));
  return expr::simplify(substitute_axes(pattern.address, start));
}

RowWidth row_width(const GpuEmitter& gpu) {
  if (gpu.axes.inner.empty()) return {};  // a row of one element has no axis
  if (gpu.axes.inner.size() > 1) return width_along_last(gpu);
  const bool is_known = gpu.extent_of(gpu.axes.inner).known().has_value();
  const auto needs_position = [&](const Member& member) {
    return gpu.group.is_reduction(member) && gives_position(gpu.group.reducer(member));
  };
  // Positions are found again by the steps of a row, which must be known where it is misaligned.
  if (!is_known && std::ranges::any_of(gpu.input.group.members, needs_position)) return {};
  return width_along_row(gpu.input.group, gpu.group.patterns);
}

RowWork row_work(const GpuEmitter& gpu, const RowWidth& wide) {
  const LoopInput& input = gpu.input;
  const ReusedBytes reused = reused_bytes(input, passes_of(input.program, input.group));
  RowWork work{.length = gpu.extent_of(gpu.axes.inner),
               .count = gpu.extent_of(gpu.axes.outer),
               .width = wide.width,
               .reused_bytes = reused.all,
               .row_bytes = reused.of_rows,
               .is_misaligned = wide.is_misaligned(),
               .limits = input.limits,
               .cluster = cluster_of(input.limits),
               .invariant_bytes = invariant_bytes(gpu)};
  for (const Member& member : input.group.members) {
    if (!gpu.group.is_reduction(member)) continue;
    work.allows_persistent_blocks &= !gives_position(gpu.group.reducer(member));
    if (!member.is_per_column) ++work.row_values;
    if (!member.is_per_column) continue;
    work.column_bytes += std::max(4, gpu.group.accumulator(member).bits / 8);
  }
  if (work.column_bytes > 0) work.single_use_bytes = bytes_along(gpu) - work.reused_bytes;
  return work;
}

}  // namespace ridge::schedule
