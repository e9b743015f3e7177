#include "ridge/schedule/gpu_row_shape.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <set>

#include "ridge/core/layout.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_split.h"
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

// Bytes of each element of a thread that walks over rows: it holds sums of columns, a row, and perhaps the
// one to come.
int64_t walked_bytes(const RowWork& work, bool fetches_next) {
  const int64_t one = work.width == 1 ? 2 : 1;  // half a register by itself takes a whole one
  const int64_t rows = fetches_next ? 2 : 1;
  return work.column_bytes + one * (rows * work.kept_bytes + work.once_bytes);
}

int64_t most_walked_steps(const RowWork& work, bool fetches_next) {
  const int64_t elements =
      kMostWalkedBytes / std::max<int64_t>(walked_bytes(work, fetches_next), 1);
  return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(elements))) / work.width;
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

// Rows whose length is a symbol, where registers hold those of the expected length and longer ones, up to a
// power of two: what is beyond has another program, by a guard. No cluster holds them: what a row of the
// expected length leaves idle is at most half of its threads.
std::optional<RowShape> held_shape(const RowWork& work) {
  const int64_t expected = work.length.hint_or(0);
  int64_t most = most_kept_steps(work, kMostKeptBytes);
  if (expected == 0 || most == 0 || !work.can_share) return std::nullopt;
  const int64_t before = work.is_shifted ? work.width - 1 : 0;
  const int64_t wanted = std::min(kHeldGrowth * expected, kLeastHeldRow);
  const int64_t chunks =
      power_of_two_from(divided_up(std::max(expected + before, wanted), work.width));
  if (chunks > most * kKeptBlockThreads) return std::nullopt;
  // Rows are mostly shorter than what is held: those of one warp leave the fewest threads idle, and wait
  // for nobody.
  const int64_t of_warp = most_kept_steps(work, kMostHeldBytes);
  if (chunks <= of_warp * kWarp) most = of_warp;
  RowShape shape{.width = work.width, .is_shifted = work.is_shifted};
  RowWork alone = work;
  alone.cluster = 1;
  take_kept(shape, alone, chunks, most);
  shape.steps = divided_up(chunks, shape.threads);
  if (!is_below(work.length, *shape.steps * shape.stride() - before + 1)) return std::nullopt;
  return shape;
}

// Whatever the values of symbols are: 64 * n is one of 8.
bool is_multiple(const Expr& e, int64_t of) {
  return expr::is_constant(expr::simplify(expr::mod(e, Expr(of))), 0);
}

// Rows on their way to shared memory while a block of a unit's `blocks` works on one, where registers are
// short: as many as there is room for, beside what rows of a block leave there of their columns. 0: none.
int64_t rows_ahead(const RowShape& shape, const RowWork& work, int64_t chunks, int64_t blocks) {
  // One element by itself may be too narrow to be copied while a thread goes on.
  if (work.kept_bytes == 0 || work.width == 1) return 0;
  const int64_t elements = divided_up(chunks, shape.threads) * work.width;
  // What hardly fits by itself has no registers to spare for where the rows to come lie, either.
  const int64_t held = elements * walked_bytes(work, true);
  if (held <= kMostFetchedBytes || held > kMostWalkedBytes) return 0;
  const int64_t sums = shape.rows > 1 ? shape.rows * *work.length.known() * work.column_bytes : 0;
  const int64_t room = work.shared_bytes / blocks - kSharedOverhead - sums;
  const int64_t row = shape.rows * shape.threads * elements * work.kept_bytes;
  return std::clamp<int64_t>(room / row, 0, blocks == 1 ? kRowsAhead : 1);
}

// Blocks that walk over the rows: as many as the registers of all units have room for. Longer rows than
// they hold come here only by strides that nobody expected: slower, and as right.
void take_walked(RowShape& shape, const RowWork& work, int64_t chunks) {
  shape.fetches_next = chunks <= most_walked_steps(work, true) * kKeptBlockThreads;
  share_block(
      shape, chunks,
      std::max(most_walked_steps(work, shape.fetches_next), divided_up(chunks, kKeptBlockThreads)));
  shape.keeps = work.kept_bytes > 0;
  const int64_t on_a_unit = std::max<int64_t>(1, kWalkingThreads / (shape.threads * shape.rows));
  shape.ahead = rows_ahead(shape, work, chunks, on_a_unit);
  shape.fetches_next |= shape.ahead > 0;
  const int64_t turns = divided_up(*work.count.known(), shape.rows);
  shape.walkers = std::min(turns, static_cast<int64_t>(work.units) * on_a_unit);
}

// Few long rows that are read as they come: each by a cluster.
void spread_streamed(RowShape& shape, const RowWork& work) {
  const auto count = work.count.known();
  if (!count) return;
  shape.blocks =
      blocks_of_row(*count, *work.length.known(), static_cast<int64_t>(work.units), work.cluster);
  if (shape.blocks > 1) shape.threads = kSpreadThreads;
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

// Is it what is stored once for each column, by a kernel that comes after the one with the rows?
bool is_of_columns(const AccessPattern& pattern, const Group& group) {
  if (!group.has_columns() || !pattern.is_store) return false;
  const auto end = pattern.coefficients.begin() + static_cast<ptrdiff_t>(group.outer.size());
  return std::all_of(pattern.coefficients.begin(), end,
                     [](const Expr& e) { return expr::is_constant(e, 0); });
}

// Bytes of each element of a row that are read from arrays without rows.
std::vector<int64_t> steady_bytes(const GpuEmitter& gpu) {
  const size_t outer = gpu.input.group.outer.size();
  std::map<int, int64_t> bytes;  // by planned buffer
  for (const AccessPattern& pattern : gpu.group.patterns) {
    if (!pattern.is_affine || pattern.is_store || pattern.coefficients.empty()) continue;
    bool has_rows = false;
    for (size_t i = 0; i < outer; ++i) has_rows |= !expr::is_constant(pattern.coefficients[i], 0);
    // A row of one element has no axis.
    const bool is_along =
        pattern.coefficients.size() > outer && expr::is_constant(pattern.coefficients.back(), 1);
    if (!has_rows && is_along) bytes[pattern.buffer] = std::max(1, pattern.dtype.bits / 8);
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

}  // namespace

RowWidth row_width(const GpuEmitter& gpu) {
  if (gpu.axes.inner.size() != 1) return {};
  const bool is_known = gpu.extent_of(gpu.axes.inner).known().has_value();
  const auto asks_position = [&](const Member& member) {
    return gpu.group.is_reduction(member) && gives_position(gpu.group.reducer(member));
  };
  // Positions are found again by the steps of a row, which must be known where it is shifted.
  if (!is_known && std::ranges::any_of(gpu.input.group.members, asks_position)) return {};
  return row_width(gpu.input.group, gpu.group.patterns);
}

RowWork row_work(const GpuEmitter& gpu, const RowWidth& wide) {
  const LoopInput& input = gpu.input;
  const auto figure = [&](std::string_view name) {
    return input.sheet == nullptr ? 1 : input.sheet->value(name).value_or(1);
  };
  const KeptBytes kept = kept_bytes(input, passes_of(input.program, input.group));
  RowWork work{.length = gpu.extent_of(gpu.axes.inner),
               .count = gpu.extent_of(gpu.axes.outer),
               .width = wide.width,
               .kept_bytes = kept.all,
               .row_bytes = kept.of_rows,
               .is_shifted = wide.is_shifted(),
               .units = figure("units"),
               .shared_bytes = static_cast<int64_t>(figure("shared.bytes")),
               .cluster = std::min(kMostClusterBlocks, static_cast<int64_t>(figure("cluster"))),
               .steady_bytes = steady_bytes(gpu)};
  for (const Member& member : input.group.members) {
    if (!gpu.group.is_reduction(member)) continue;
    work.can_share &= !gives_position(gpu.group.reducer(member));
    if (!member.is_column) continue;
    work.column_bytes += std::max(4, gpu.group.accumulator(member).bits / 8);
  }
  if (work.column_bytes > 0) work.once_bytes = bytes_along(gpu) - work.kept_bytes;
  return work;
}

bool can_walk(const RowWork& work) {
  const auto length = work.length.known();
  if (!length || !work.count.known() || work.is_shifted || !work.can_share) return false;
  return divided_up(*length, work.width) <= most_walked_steps(work, false) * kKeptBlockThreads;
}

RowShape row_shape(const RowWork& work) {
  RowShape shape{.width = work.width, .is_shifted = work.is_shifted};
  const auto length = work.length.known();
  if (!length) {
    if (const auto held = held_shape(work)) return *held;
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
  const int64_t most_chunks =
      std::max(most * kKeptBlockThreads, steps * kClusterBlockThreads * work.cluster);
  const std::optional<RowShape> staged = staged_shape(work);
  if (work.column_bytes > 0) {
    take_walked(shape, work, chunks);
  } else if (staged && chunks > most * kKeptBlockThreads) {
    return *staged;
  } else if (most > 0 && chunks <= most_chunks) {
    take_kept(shape, work, chunks, most);
  } else {
    const int64_t least = work.is_shifted ? kShiftedSteps : kStreamedSteps;
    const auto count = work.count.known();
    // Rows that have a unit each are as fast as a thread's steps, one after the other.
    const bool is_alone = count && static_cast<double>(*count) <= work.units;
    const int64_t threads = is_alone ? kMostRowThreads : kMostBlockThreads;
    share_block(shape, chunks, std::max(least, chunks / threads));
    shape.threads = std::min(shape.threads, threads);
    spread_streamed(shape, work);
  }
  shape.steps = divided_up(chunks, shape.threads * shape.blocks);
  return shape;
}

RowWidth row_width(const Group& group, const std::vector<AccessPattern>& patterns) {
  const Shape extents = group.extents();
  const size_t last = extents.size() - 1;
  const Size length = numel(group.inner);
  const int64_t expected = length.hint_or(0);
  if (expected == 0) return {};
  int64_t narrowest = kWideBytes, widest = 1;
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
    const int64_t bytes = std::max(1, pattern.dtype.bits / 8);
    narrowest = std::min(narrowest, bytes);
    widest = std::max(widest, bytes);
  }
  if (along.empty()) return {};
  const int64_t width = std::min(kWideBytes / narrowest, 2 * kWideBytes / widest);
  const Expr base = shifted_base(along, group, width);
  const bool is_long = expected >= kLeastShifted * width;
  // A thread that keeps sums of columns must meet the same ones in each row.
  if (is_long && static_cast<bool>(base) && !group.has_columns()) return {width, base};
  int64_t even = width;
  while (even > 1 && !is_multiple(length.expression(), even)) even /= 2;
  return {even};
}

KeptBytes kept_bytes(const LoopInput& input, const std::vector<int>& passes) {
  const Group& group = input.group;
  const size_t outer = group.outer.size();
  std::map<int32_t, uint64_t> read_in;  // by value: the passes that read it along the row
  std::set<int32_t> of_rows;
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
      if (!has_memory || axes >> outer == 0) continue;
      read_in[read.value.index] |= uint64_t{1} << pass % 64;
      if (axes % (uint64_t{1} << outer) != 0) of_rows.insert(read.value.index);
    }
  };
  for (size_t i = 0; i < group.members.size(); ++i) {
    const Member& member = group.members[i];
    const ValueId result = input.program.result(member.node);
    const bool is_stored = input.is_stored[static_cast<size_t>(result.index)];
    const bool is_reduction = !input.program.meaning(member.node).is_map();
    const bool is_along = !member.is_row && !member.is_column;
    if (is_reduction || (is_stored && is_along)) collect(collect, member, passes[i]);
  }
  KeptBytes bytes;
  for (const auto& [value, in] : read_in) {
    if (std::popcount(in) < 2) continue;
    const int64_t each = std::max(1, input.program.graph()[ValueId{value}].type.dtype.bits / 8);
    bytes.all += each;
    if (of_rows.contains(value)) bytes.of_rows += each;
  }
  return bytes;
}

}  // namespace ridge::schedule
