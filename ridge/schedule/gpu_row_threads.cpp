#include "ridge/schedule/gpu_row_threads.h"

namespace ridge::schedule {

RowThreads::RowThreads(GpuEmitter& gpu, const RowShape& shape)
    : gpu_(gpu), shape_(shape), count_(gpu.extent_of(gpu.axes.outer)) {
  const Size blocks = divided_up(count_, shape.rows);
  const int64_t persistent_blocks = shape.persistent_blocks;
  block = emitter_.add_axis(persistent_blocks > 0 ? Size(persistent_blocks) : blocks);
  row_ = expr::axis(block);
  if (persistent_blocks > 0 && !(blocks.known() && *blocks.known() <= persistent_blocks)) {
    row_loop = emitter_.add_axis(divided_up(blocks, persistent_blocks));
    trip_count = expr::floor_div(blocks.expression() - row_ + (persistent_blocks - 1),
                                 Expr(persistent_blocks));
    row_ = row_ + trip() * persistent_blocks;
  }
  open(block, loop::Place::gpu_block);
  if (shape.blocks > 1) {
    part = emitter_.add_axis(shape.blocks);
    open(part, loop::Place::gpu_cluster_block, false);
  }
  if (shape.rows > 1) {
    own = emitter_.add_axis(shape.rows);
    row_ = row_ * shape.rows + expr::axis(own);
    open(own, loop::Place::gpu_thread);
  }
  thread = emitter_.add_axis(shape.threads);
  open(thread, loop::Place::gpu_thread, false);
}

void RowThreads::open_row_loop() {
  if (is_persistent()) emitter_.open(row_loop, trip_count, loop::Place::serial);
  const auto known = count_.known();
  if (shape_.rows > 1 && (!known || *known % shape_.rows != 0)) {
    is_row = emitter_.simplified(row_ < count_.expression());
    // Threads without a row take part in what others combine: they read the last one.
    row_ = expr::min(row_, count_.expression() - 1);
  }
  gpu_.flatten(gpu_.axes.outer, row_);
}

void RowThreads::close() {
  for (int i = 0; i < open_loops_; ++i) emitter_.close();
}

// Which of the rows of a block comes in an iteration of the row loop.
Expr RowThreads::trip() const {
  const Expr round = expr::axis(row_loop), even_row_trips(shape_.even_row_trips);
  if (shape_.even_row_trips == 0) return round;
  return expr::floor_div(round, even_row_trips) + expr::mod(round, even_row_trips) * 2;
}

void RowThreads::open(int axis, loop::Place place, bool defines_values) {
  emitter_.open(axis, emitter_.extent(axis).expression(), place, defines_values);
  ++open_loops_;
}

Expr RowThreads::is_first() const {
  Expr is_first = expr::equal(expr::axis(thread), Expr(0));
  if (part >= 0) is_first = is_first && expr::equal(expr::axis(part), Expr(0));
  if (is_row) is_first = is_first && is_row;
  return is_first;
}

Expr RowThreads::in_block() const {
  return own < 0 ? expr::axis(thread) : expr::axis(own) * shape_.threads + expr::axis(thread);
}

void RowThreads::combine(int var, loop::Combine how) const {
  const auto threads = static_cast<int>(shape_.threads);
  if (shape_.blocks > 1) {
    emitter_.add({loop::CollectiveReduce{var, how, loop::Scope::cluster}});
  } else if (threads > kWarp) {
    emitter_.add(
        {loop::CollectiveReduce{var, how, loop::Scope::block, shape_.rows > 1 ? threads : 0}});
  } else if (threads > 1) {
    emitter_.add(
        {loop::CollectiveReduce{var, how, loop::Scope::warp, threads < kWarp ? threads : 0}});
  }
}

}  // namespace ridge::schedule
