#include "ridge/schedule/gpu_pipeline_shape.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "ridge/cost/sheet.h"
#include "ridge/expr/simplify.h"
#include "ridge/loop/device_limits.h"
#include "ridge/schedule/gpu_row_shape.h"
#include "ridge/schedule/gpu_split_reduction.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {

namespace {

// One pass over a row finds all that is wanted of it, and another one uses that.
bool has_one_round(const GpuEmitter& gpu) {
  const LoopInput& input = gpu.input;
  const std::vector<int> passes = passes_of(input.program, input.group);
  bool sums_rows = false;
  for (size_t i = 0; i < passes.size(); ++i) {
    const Member& member = input.group.members[i];
    if (!gpu.group.is_reduction(member)) continue;
    const bool is_sum =
        gpu.group.reducer(member) == ops::Reducer::sum && gpu.group.accumulator(member) == f32;
    if (!is_sum || (!member.is_per_column && passes[i] > 0)) return false;
    sums_rows |= !member.is_per_column;
  }
  return sums_rows;
}

// Of row 0, if it is known.
std::optional<int64_t> start_of(const Expr& base, size_t outer) {
  const auto affine = expr::as_affine(base, static_cast<int>(outer));
  if (!affine) return std::nullopt;
  const Expr first = expr::simplify(affine->constant);
  return expr::is_constant(first) ? std::optional(first->integer) : std::nullopt;
}

// Collects what arrays ask for; false if one of them lies in another way than the others.
bool add_arrays(const GpuEmitter& gpu, PipelineWork& work) {
  const Group& group = gpu.input.group;
  const size_t outer = group.outer.size();
  std::map<int, int64_t> copied;                          // bytes, by planned buffer
  std::map<std::pair<int, uint64_t>, int64_t> invariant;  // and by where it starts
  std::set<int> stored;
  int64_t bytes = 0;
  std::optional<int64_t> first_element;  // of row 0
  for (const AccessPattern& pattern : gpu.group.patterns) {
    if (!pattern.is_affine || pattern.coefficients.empty()) return false;
    if (!is_along(pattern, group)) continue;  // of a row, or one number
    if (!expr::is_constant(pattern.coefficients.back(), 1)) return false;
    const int64_t each = pattern.dtype.bits / 8;
    if (!has_rows(pattern, group)) {
      if (!pattern.is_store) invariant[{pattern.buffer, pattern.address->hash}] = each;
      continue;
    }
    const Expr base = row_start(pattern, group);
    if (bytes == 0) {
      bytes = each;
      work.base = base;
      const Expr step = expr::simplify(pattern.coefficients[outer - 1]);
      if (!expr::is_constant(step)) return false;
      work.row_stride = step->integer;
      first_element = start_of(base, outer);
    }
    if (each != bytes || !expr::same(base, work.base)) return false;
    if (pattern.is_store) {
      stored.insert(pattern.buffer);
    } else {
      copied[pattern.buffer] = each;
    }
  }
  // What is prefetched must not change meanwhile.
  for (const int buffer : stored) {
    if (copied.contains(buffer)) return false;
  }
  for (const auto& [buffer, each] : copied) work.copied_bytes += each;
  for (const auto& [buffer, each] : invariant) work.invariant_bytes += each;
  work.width = bytes == 0 ? 0 : kWideBytes / bytes;
  // Classes of rows count from a first one that is aligned.
  const bool is_aligned = work.width > 1 && first_element && *first_element % work.width == 0;
  return is_aligned && work.copied_bytes > 0;
}

// So many blocks on an SM, of so many warps, one of which is the producer. Have threads enough registers?
bool take_warps(PipelineShape& shape, const PipelineWork& work, int64_t warps,
                int64_t blocks_per_sm) {
  shape.threads = (warps - 1) * kWarp;
  shape.steps = divided_up(shape.slice, shape.threads);
  shape.blocks_per_sm = blocks_per_sm;
  const int64_t live_registers =
      shape.steps * shape.width * (work.column_bytes + work.invariant_bytes) / 4;
  return live_registers + kPipelineRegisters <=
         work.limits.registers_per_thread(warps * blocks_per_sm * kWarp);
}

// Is there shared memory for the rows of all blocks of an SM, and are they so short that few threads are enough?
bool can_share_sm(const PipelineShape& shape, const PipelineWork& work) {
  const int64_t row = shape.slice * shape.width * work.copied_bytes;
  const int64_t block = kMinStagesToShareSm * row + kSharedOverhead;
  return shape.steps <= kMaxStepsToShareSm &&
         shape.blocks_per_sm * block <= work.limits.shared_bytes;
}

// All threads of a row synchronize once a row. So short rows have few threads, and several blocks share an SM if
// there are rows for all. Long rows have as many threads as there are registers for. At least two steps: the first
// and the last one are masked.
bool take_threads(PipelineShape& shape, const PipelineWork& work) {
  const bool is_single_block = shape.blocks == 1;
  const int64_t with_rows = work.count / (kMinPipelineRows * work.limits.sms);  // blocks of an SM
  for (int64_t warps = 4; is_single_block && warps < kMaxPipelineWarps; warps += 4) {
    const int64_t most = kPipelineWarpsPerSm / warps;
    const bool fits = with_rows >= most && take_warps(shape, work, warps, most);
    if (fits && shape.steps > 1 && can_share_sm(shape, work)) return true;
  }
  for (int64_t warps = kMaxPipelineWarps; warps > 0; warps -= 4) {
    const int64_t most = is_single_block ? std::min(with_rows, kPipelineWarpsPerSm / warps) : 1;
    for (int64_t blocks_per_sm = std::max<int64_t>(most, 1); blocks_per_sm > 0; --blocks_per_sm) {
      const bool fits = take_warps(shape, work, warps, blocks_per_sm);
      // Clusters are for rows that are too long for a block, not for fewer threads.
      if (shape.steps < 2 && !is_single_block) return false;
      if (fits && shape.steps > 1 && (blocks_per_sm == 1 || can_share_sm(shape, work))) return true;
    }
  }
  return false;
}

// What a cluster that goes on to another class takes for it, in rows: it waits for its last row, stores its sums and
// loads others of the row-invariant arrays (kAlignmentSwitchRows).
int64_t switched_rows(const PipelineWork& work) {
  return kAlignmentSwitchRows +
         divided_up(work.column_bytes + work.invariant_bytes, 2 * work.copied_bytes);
}

// Clusters, and the order of the rows.
void share_rows(PipelineShape& shape, const PipelineWork& work) {
  shape.clusters = shape.blocks == 1 ? work.limits.sms * shape.blocks_per_sm
                                     : work.limits.clustered_sms / shape.blocks;
  shape.alignment_classes = shape.width / std::gcd(shape.width, work.row_stride);
  shape.slots_per_class = divided_up(work.count, shape.alignment_classes);
  if (shape.alignment_classes > 1) shape.slots_per_class += switched_rows(work);
  shape.partials = shape.clusters + shape.alignment_classes - 1;
  const auto class_of = [&](int64_t place) { return place / shape.slots_per_class; };
  for (int64_t w = 0; w < shape.clusters; ++w) {
    const int64_t last = class_of(shape.first_slot(w + 1) - 1);
    const int64_t crossed = last - class_of(shape.first_slot(w));
    shape.segments = std::max(shape.segments, crossed + 1);
  }
}

}  // namespace

std::optional<PipelineWork> pipeline_work(const GpuEmitter& gpu) {
  const LoopInput& input = gpu.input;
  const auto length = gpu.extent_of(gpu.axes.inner).known();
  const auto count = gpu.extent_of(gpu.axes.outer).known();
  const bool is_matrix = gpu.axes.inner.size() == 1 && gpu.axes.outer.size() == 1;
  if (input.sheet == nullptr || !input.group.has_columns() || !is_matrix || !length || !count) {
    return std::nullopt;
  }
  PipelineWork work{.length = *length, .count = *count};
  work.cluster = cluster_of(input.limits);
  work.limits = input.limits;
  // A device without clusters has no bulk copies, either.
  if (work.cluster < 2 || !has_one_round(gpu) || !add_arrays(gpu, work)) return std::nullopt;
  for (const Member& member : input.group.members) {
    if (!gpu.group.is_reduction(member)) continue;
    if (member.is_per_column) work.column_bytes += 4;
    if (!member.is_per_column) ++work.row_sums;
  }
  return work;
}

std::optional<PipelineShape> pipeline_shape(const PipelineWork& work) {
  const bool is_aligned = work.row_stride % work.width == 0;
  const int64_t before = is_aligned ? 0 : work.width - 1;
  const int64_t vectors = divided_up(work.length + before, work.width);
  for (int64_t blocks = 1; blocks <= work.cluster; blocks *= 2) {
    PipelineShape shape{
        .width = work.width, .blocks = blocks, .slice = divided_up(vectors, blocks)};
    const int64_t row = shape.slice * shape.width * work.copied_bytes;
    if (kMinPipelineStages * row > work.limits.shared_bytes - kSharedOverhead) continue;
    if (!loop::can_exchange_sums(work.row_sums, blocks) || !take_threads(shape, work)) continue;
    share_rows(shape, work);
    // Of the last block, in which no step may reach both in front of a row and behind it.
    const int64_t whole_vectors = work.length / work.width - (blocks - 1) * shape.slice;
    shape.end_step = std::min(shape.steps - 1, whole_vectors / shape.threads);
    const bool is_long = shape.end_step > 0;
    const bool are_many = work.count >= kMinPipelineRows * shape.clusters;
    if (is_long && are_many && shape.clusters > 0) return shape;
  }
  return std::nullopt;
}

// Has an SM several persistent blocks, or one of nearly the most threads that fit?
static bool fills_sms(const RowWork& rows) {
  const RowShape persistent = row_shape(rows);
  const int64_t threads = persistent.threads * persistent.rows;
  return 2 * threads <= kPersistentThreads || threads >= kMinPersistentThreads;
}

std::optional<PipelineShape> pipeline_shape(const GpuEmitter& gpu, const PipelineWork& work) {
  const RowWork rows = row_work(gpu, row_width(gpu));
  if (can_be_persistent(rows) && rows.width == work.width && fills_sms(rows)) return std::nullopt;
  return pipeline_shape(work);
}

std::optional<PipelineShape> pipeline_shape(const LoopInput& input) {
  const GpuEmitter gpu(input);
  const std::optional<PipelineWork> work = pipeline_work(gpu);
  return work ? pipeline_shape(gpu, *work) : std::nullopt;
}

PipelineOrder::PipelineOrder(const PipelineWork& work, const PipelineShape& shape,
                             const Expr& cluster, const Expr& segment)
    : classes_(shape.alignment_classes) {
  const int64_t all = shape.alignment_classes * shape.slots_per_class;
  const Expr slots_per_class(shape.slots_per_class);
  const Expr from = expr::floor_div(cluster * all, Expr(shape.clusters));
  const Expr to = expr::floor_div((cluster + 1) * all, Expr(shape.clusters));
  class_ =
      shape.alignment_classes == 1 ? Expr(0) : expr::floor_div(from, slots_per_class) + segment;
  const Expr class_start = class_ * shape.slots_per_class;
  const Expr start = expr::max(from, class_start);
  // Classes behind the last rows have a place less.
  const Expr rows = expr::floor_div(Expr(work.count + shape.alignment_classes - 1) - class_,
                                    Expr(shape.alignment_classes));
  first_ = start - class_start;
  trip_count = expr::max(expr::min(to, class_start + rows) - start, Expr(0));
  exists = start < expr::min(to, class_start + shape.slots_per_class);
  misalignment = expr::mod(class_ * work.row_stride, Expr(shape.width));
  number = cluster + class_;
  const Expr both_start = expr::equal(from, class_start) && Expr(0) < class_ && Expr(0) < cluster;
  leaves_gap = shape.alignment_classes == 1 ? expr::equal(Expr(0), Expr(1))
                                            : expr::equal(segment, Expr(0)) && both_start;
}

// Class c starts in the last cluster w whose first place is not behind its own, which is the first one with
//   clusters * (c * slots_per_class + 1) <= all * (w + 1).
// Its first number is w + c, so c is the greatest with
//   c * slots_per_class * (clusters + classes) <= (number + 1) * all - clusters.
// A number that is left out gets the class before.
Expr PipelineOrder::misalignment_of(const PipelineWork& work, const PipelineShape& shape,
                                    const Expr& number) {
  if (shape.alignment_classes == 1) return Expr(0);
  const int64_t all = shape.alignment_classes * shape.slots_per_class;
  const Expr first_class =
      expr::floor_div((number + 1) * all - shape.clusters,
                      Expr(shape.slots_per_class * (shape.clusters + shape.alignment_classes)));
  return expr::mod(first_class * work.row_stride, Expr(shape.width));
}

Expr PipelineOrder::row(const Expr& trip) const { return (trip + first_) * classes_ + class_; }

}  // namespace ridge::schedule
