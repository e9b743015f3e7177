// Few long rows: a block for each chunk of a row, then a block for each row.
#include <utility>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_row_shape.h"
#include "ridge/schedule/gpu_split_reduction.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

constexpr int64_t kChunkThreads = kSplitThreads;

class SplitRows {
 public:
  SplitRows(const LoopInput& input, const Size& rows, const Size& length, int64_t width,
            const Chunks& chunks)
      : input_(input),
        passes_(row_passes(input)),
        rows_(rows),
        length_(length),
        width_(width),
        chunks_(chunks),
        scratch_(input) {}

  EmittedGroup run() {
    EmittedGroup result;
    const size_t last = last_reducing(passes_);
    for (size_t i = 0; i < passes_.size(); ++i) {
      result.kernels.push_back(along(i));
      if (!passes_[i].reductions.empty()) result.kernels.push_back(combined(i, i == last));
    }
    result.scratch_buffers = std::move(scratch_.buffers);
    result.kernels.front().decisions.push_back(Decision::yes(
        concat("each row by ", chunks_.count, " blocks, whose results further kernels combine")));
    return result;
  }

 private:
  // One pass over a chunk of a row, by the threads of a block.
  EmittedKernel along(size_t number) {
    GpuEmitter gpu(input_);
    Emitter& emitter = gpu.emitter;
    const RowPass& pass = passes_[number];
    const int row = emitter.add_axis(rows_), chunk = emitter.add_axis(chunks_.count);
    const int thread = emitter.add_axis(kChunkThreads);
    gpu.flatten(gpu.axes.outer, expr::axis(row));
    emitter.open(row, loop::Place::gpu_block);
    emitter.open(chunk, loop::Place::gpu_block);
    emitter.open(thread, Expr(kChunkThreads), loop::Place::gpu_thread, false);
    read_results(gpu, number, row);
    std::vector<int> vars;
    for (const Member* member : pass.reductions) vars.push_back(gpu.group.declare(*member));

    const int64_t stride = kChunkThreads * width_;
    const int step = emitter.add_axis(chunks_.size / stride);
    const int lane = width_ > 1 ? emitter.add_axis(width_) : -1;
    const Expr first =
        expr::axis(chunk) * chunks_.size + expr::axis(step) * stride + expr::axis(thread) * width_;
    gpu.flatten(gpu.axes.inner, width_ > 1 ? first + expr::axis(lane) : first);
    emitter.open(step, emitter.extent(step).expression(), loop::Place::serial, false);
    emitter.open_body(axis_mask({step, thread}));
    const auto emit_members = [&] {
      for (size_t i = 0; i < vars.size(); ++i) gpu.group.reduce(*pass.reductions[i], vars[i]);
      for (const Member* member : pass.stores) {
        emitter.store(*member, emitter.member_value(*member));
      }
    };
    const bool ends_within = *length_.known() % width_ != 0;
    emit_lanes(
        emitter, lane, width_, emit_members,
        ends_within ? emitter.simplified(first + expr::axis(lane) < length_.expression()) : Expr());
    close_predicated(gpu, first < length_.expression());
    emitter.close();
    store_partials(gpu, number, vars, row, chunk, thread);
    for (int i = 0; i < 3; ++i) emitter.close();
    return finish(gpu);
  }

  EmittedKernel finish(GpuEmitter& gpu) {
    EmittedKernel result = gpu.group.finish();
    drop_unread(result.kernel, std::exchange(lets_, {}));
    return result;
  }

  void store_partials(GpuEmitter& gpu, size_t number, const std::vector<int>& vars, int row,
                      int chunk, int thread) {
    const RowPass& pass = passes_[number];
    if (vars.empty()) return;
    for (size_t i = 0; i < vars.size(); ++i) add_collective(gpu, *pass.reductions[i], vars[i]);
    gpu.emitter.open_body();
    for (size_t i = 0; i < vars.size(); ++i) {
      const Member& member = *pass.reductions[i];
      const Shape partials{rows_, chunks_.count};
      const bool is_read_later = number + 1 < passes_.size();
      scratch_.add(member, gpu.group.accumulator(member), partials,
                   is_read_later ? std::optional(Shape{rows_}) : std::nullopt);
      const int buffer = scratch_buffer(gpu.emitter, scratch_.partials(member),
                                        gpu.group.accumulator(member), partials, loop::Access::out);
      const Expr index = expr::axis(row) * chunks_.count + expr::axis(chunk);
      gpu.emitter.add({loop::Store{buffer, gpu.emitter.simplified(index), vars[i]}});
    }
    gpu.close_if(expr::equal(expr::axis(thread), Expr(0)));
  }

  // The chunks of a row become one result; with the last of them come the row's own values.
  EmittedKernel combined(size_t number, bool is_last) {
    GpuEmitter gpu(input_);
    Emitter& emitter = gpu.emitter;
    const int64_t threads = GpuEmitter::block_size(chunks_.count);
    const int row = emitter.add_axis(rows_), thread = emitter.add_axis(threads);
    gpu.flatten(gpu.axes.outer, expr::axis(row));
    emitter.open(row, loop::Place::gpu_block);
    emitter.open(thread, Expr(threads), loop::Place::gpu_thread, false);
    if (is_last) read_results(gpu, number, row);
    for (const Member* member : passes_[number].reductions) {
      const int var = gpu.group.declare(*member);
      const int step = emitter.add_axis(divided_up(chunks_.count, threads));
      const Expr chunk = expr::axis(step) * threads + expr::axis(thread);
      emitter.open(step, emitter.extent(step).expression(), loop::Place::serial, false);
      emitter.open_body(axis_mask({step, thread}));
      const Expr partial =
          load_of_partials(gpu, *member, scratch_.partials(*member), {rows_, chunks_.count},
                           expr::axis(row) * chunks_.count + chunk);
      const DType dtype = gpu.group.accumulator(*member);
      const int operand = emitter.let("partial", dtype, dtype == f64 ? f64 : f32, partial);
      emitter.add({loop::Reduce{var, combine_of(gpu.group.reducer(*member)), operand}});
      close_predicated(gpu, chunk < Expr(chunks_.count));
      emitter.close();
      add_collective(gpu, *member, var);
      emitter.set_result(*member, var);
    }
    store_results(gpu, number, row, thread);
    if (is_last) store_row_values(gpu, thread);
    emitter.close();
    emitter.close();
    return finish(gpu);
  }

  void store_results(GpuEmitter& gpu, size_t number, int row, int thread) {
    if (number + 1 == passes_.size()) return;
    gpu.emitter.open_body();
    for (const Member* member : passes_[number].reductions) {
      const int buffer = scratch_buffer(gpu.emitter, scratch_.results(*member),
                                        gpu.group.accumulator(*member), {rows_}, loop::Access::out);
      gpu.emitter.add({loop::Store{buffer, expr::axis(row), gpu.emitter.member_value(*member)}});
    }
    gpu.close_if(expr::equal(expr::axis(thread), Expr(0)));
  }

  static void store_row_values(GpuEmitter& gpu, int thread) {
    gpu.emitter.open_body(axis_mask({thread}));
    gpu.group.store_members(true);
    gpu.close_if(expr::equal(expr::axis(thread), Expr(0)));
  }

  // What earlier passes found, from scratch.
  void read_results(GpuEmitter& gpu, size_t passes, int row) {
    for (size_t i = 0; i < passes; ++i) {
      for (const Member* member : passes_[i].reductions) {
        const DType dtype = gpu.group.accumulator(*member);
        const Expr result =
            load_of_partials(gpu, *member, scratch_.results(*member), {rows_}, expr::axis(row));
        gpu.emitter.set_result(*member,
                               gpu.emitter.let("result", dtype, dtype == f64 ? f64 : f32, result));
      }
    }
  }

  static Expr load_of_partials(GpuEmitter& gpu, const Member& member, int planned,
                               const Shape& shape, const Expr& index) {
    const DType dtype = gpu.group.accumulator(member);
    const int buffer = scratch_buffer(gpu.emitter, planned, dtype, shape, loop::Access::in);
    return expr::load(buffer, scalar_type(dtype), {gpu.emitter.simplified(index)});
  }
  static void add_collective(GpuEmitter& gpu, const Member& member, int var) {
    const loop::Combine combine = combine_of(gpu.group.reducer(member));
    gpu.emitter.add({loop::CollectiveReduce{var, combine, loop::Scope::block}});
  }

  const LoopInput& input_;
  std::vector<RowPass> passes_;
  Size rows_, length_;
  int64_t width_;
  Chunks chunks_;
  PartialScratch scratch_;
  std::vector<int> lets_;  // of the kernel being emitted: results of earlier passes
};

}  // namespace

std::optional<EmittedGroup> split_gpu_rows(const LoopInput& input) {
  if (!can_split(input)) return std::nullopt;
  const GpuEmitter gpu(input);
  const Size rows = gpu.extent_of(gpu.axes.outer), length = gpu.extent_of(gpu.axes.inner);
  if (!rows.known() || !length.known()) return std::nullopt;
  const std::vector<RowPass> passes = row_passes(input);
  const bool is_read_once = passes.size() == 1 && passes.front().stores.empty();
  const int64_t sms = input.limits.sms, cluster = cluster_of(input.limits);
  const RowWidth wide = row_width(gpu);
  const int64_t width = wide.is_aligned
                            ? wide.width
                            : split_width(gpu, gpu.axes.inner, input.group.extents().size() - 1);
  // Misaligned rows are read in wide steps by a cluster only.
  if (is_read_once && wide.width > width &&
      blocks_of_row(*rows.known(), *length.known(), sms, cluster) > 1) {
    return std::nullopt;
  }
  const Chunks chunks = row_chunks(*rows.known(), *length.known(), width, sms);
  if (chunks.count < 2) return std::nullopt;
  // What one kernel reads once and keeps on chip would be read by each of several.
  if (row_shape(row_work(gpu, wide)).is_on_chip) return std::nullopt;
  return SplitRows(input, rows, length, width, chunks).run();
}

}  // namespace ridge::schedule
