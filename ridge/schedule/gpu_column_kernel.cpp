#include "ridge/schedule/gpu_column_kernel.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_row_rewrites.h"

namespace ridge::schedule {

ColumnKernel::ColumnKernel(const LoopInput& input, const ColumnTile& tile, const Size& length)
    : gpu_(input), tile_(tile), length_(length) {
  std::vector<int> batch = gpu_.axes.outer;
  const int last = batch.back();
  batch.pop_back();
  columns_ = emitter_.extent(last);
  batch_ = emitter_.add_axis(gpu_.extent_of(batch));
  chunk_ = emitter_.add_axis(tile.chunks.count);
  tile_axis_ = emitter_.add_axis(divided_up(columns_, tile.stride()));
  y_ = emitter_.add_axis(tile.row_threads);
  x_ = emitter_.add_axis(tile.column_threads);
  lane_ = tile.width > 1 ? emitter_.add_axis(tile.width) : -1;
  first_ = expr::axis(tile_axis_) * tile.stride() + expr::axis(x_) * tile.width;
  if (tile.is_misaligned) first_ = first_ - misalignment_of(expr::axis(y_));
  gpu_.flatten(batch, expr::axis(batch_));
  gpu_.flatten({last}, first_ + lane());
  own_axes_ = emitter_.group_axes();
  for (const int axis : {batch_, chunk_, tile_axis_}) emitter_.open(axis, loop::Place::gpu_block);
  for (const int axis : {y_, x_}) {
    emitter_.open(axis, emitter_.extent(axis).expression(), loop::Place::gpu_thread, false);
  }
}

Expr ColumnKernel::misalignment_of(const Expr& y) const {
  return emitter_.simplified(expr::mod(y * columns_.expression(), Expr(tile_.width)));
}

Expr ColumnKernel::is_column() const {
  if (!tile_.is_misaligned) return first_ < columns_.expression();
  return Expr(-tile_.width) < first_ && first_ < columns_.expression();
}

Expr ColumnKernel::is_lane_inside(const Expr& row) const {
  if (!tile_.is_misaligned) return {};
  const int64_t elements = *length_.known() * *columns_.known();
  if (elements % tile_.width == 0) return {};
  return row * columns_.expression() + first_ + lane() < Expr(elements);
}

Expr ColumnKernel::flat_column() const {
  return emitter_.simplified(expr::axis(batch_) * columns_.expression() + first_ + lane());
}

template <class Emit>
void ColumnKernel::in_columns(const Expr& condition, Emit&& emit) {
  emitter_.open_body(axis_mask({x_}));
  emitter_.stay_inside();
  emit_lanes(emitter_, lane_, tile_.width, [&] {
    for (const Result& result : results_) {
      const DType dtype = accumulator(*result.member);
      const Expr value = expr::load(result.buffer, scalar_type(dtype), {result.index});
      result_lets_.push_back(emitter_.let("result", dtype, dtype == f64 ? f64 : f32, value));
      emitter_.set_result(*result.member, result_lets_.back());
    }
    emit();
  });
  close_predicated(gpu_, condition);
}

void ColumnKernel::pass(const RowPass& pass, ColumnSource source, const PartialScratch& scratch,
                        const PartialRows* partials) {
  std::vector<int> parts;
  for (const Member* member : pass.reductions) {
    parts.push_back(shared_.add(concat("part_", shared_count_++), accumulator(*member),
                                tile_.row_threads * tile_.columns()));
  }
  in_columns(is_column(), [&] {
    std::vector<int> vars;
    for (const Member* member : pass.reductions) vars.push_back(gpu_.group.declare(*member));
    go_down(pass, source, scratch, vars, partials);
    const Expr index = expr::axis(y_) * tile_.columns() + column_in_tile();
    for (size_t i = 0; i < vars.size(); ++i) {
      emitter_.add({loop::Store{parts[i], emitter_.simplified(index), vars[i]}});
    }
  });
  if (parts.empty()) return;
  emitter_.add({loop::Barrier{}});
  combine_rows(pass, parts, scratch);
}

void ColumnKernel::go_down(const RowPass& pass, ColumnSource source, const PartialScratch& scratch,
                           const std::vector<int>& vars, const PartialRows* partials) {
  const int64_t chunk = tile_.is_chunked() ? tile_.chunks.size : 0;
  const Size rows = tile_.is_chunked() ? Size(chunk) : length_;
  const int step = emitter_.add_axis(divided_up(rows, tile_.row_threads));
  const Expr row =
      expr::axis(chunk_) * chunk + expr::axis(step) * tile_.row_threads + expr::axis(y_);
  emitter_.open(step, emitter_.extent(step).expression(), loop::Place::serial, false);
  RIDGE_INTERNAL_CHECK(!tile_.is_misaligned || pass.stores.empty(),
                       "elements of other rows are stored");
  const Expr is_inside = is_lane_inside(row);
  emitter_.open_body(is_inside ? 0 : axis_mask({step, y_}));
  if (source == ColumnSource::members) {
    gpu_.flatten(gpu_.axes.inner, row);
    if (is_inside) emitter_.open_body(axis_mask({step, y_}));
    for (size_t i = 0; i < vars.size(); ++i) gpu_.group.reduce(*pass.reductions[i], vars[i]);
    if (is_inside) gpu_.close_if(emitter_.simplified(is_inside));
    for (const Member* member : pass.stores) {
      emitter_.store(*member, emitter_.member_value(*member));
    }
    if (tile_.is_misaligned) {
      const Expr start = emitter_.simplified(row * columns_.expression());
      align_rows(emitter_, emitter_.body(), {start, misalignment_of(expr::axis(y_)), tile_.width});
    }
    emitter_.set_group_axes(own_axes_);
  } else {
    const Size room = partials != nullptr ? partials->room : count();
    const Expr first = partials != nullptr ? partials->first(row) : Expr(0);
    for (size_t i = 0; i < vars.size(); ++i) {
      const Member& member = *pass.reductions[i];
      const int buffer = scratch_buffer(emitter_, scratch.partials(member), accumulator(member),
                                        {length_, room}, loop::Access::in);
      reduce(member, vars[i], buffer, row * room.expression() + first + flat_column());
    }
  }
  close_predicated(gpu_, row < length_.expression());
  emitter_.close();
}

void ColumnKernel::reduce(const Member& member, int var, int buffer, const Expr& index) {
  const DType dtype = accumulator(member);
  const Expr element = expr::load(buffer, scalar_type(dtype), {emitter_.simplified(index)});
  const int operand = emitter_.let("partial", dtype, dtype == f64 ? f64 : f32, element);
  emitter_.add({loop::Reduce{var, combine_of(gpu_.group.reducer(member)), operand}});
}

// The rows of threads, from the first to the last, by one thread for each column.
void ColumnKernel::combine_rows(const RowPass& pass, const std::vector<int>& parts,
                                const PartialScratch& scratch) {
  const int64_t threads = tile_.column_threads * tile_.row_threads;
  const int round = emitter_.add_axis(divided_up(tile_.stride(), threads));
  const Expr column =
      expr::axis(round) * threads + expr::axis(y_) * tile_.column_threads + expr::axis(x_);
  const Expr in_row = expr::axis(tile_axis_) * tile_.stride() + column;
  const Expr flat = expr::axis(chunk_) * count().expression() +
                    expr::axis(batch_) * columns_.expression() + in_row;
  const Expr index = emitter_.simplified(tile_.is_chunked() ? flat : column);
  std::vector<int> sums;
  for (const Member* member : pass.reductions) {
    const DType dtype = accumulator(*member);
    sums.push_back(tile_.is_chunked()
                       ? scratch_buffer(emitter_, scratch.partials(*member), dtype,
                                        {tile_.chunks.count, count()}, loop::Access::out)
                       : shared_.add(concat("sum_", shared_count_++), dtype, tile_.columns()));
  }
  emitter_.open(round, emitter_.extent(round).expression(), loop::Place::serial, false);
  emitter_.open_body(axis_mask({round, y_, x_}));
  for (size_t i = 0; i < parts.size(); ++i) {
    const int var = combined(*pass.reductions[i], parts[i], column);
    emitter_.add({loop::Store{sums[i], index, var}});
  }
  close_predicated(gpu_, column < Expr(tile_.stride()) && in_row < columns_.expression());
  emitter_.close();
  if (tile_.is_chunked()) return;
  emitter_.add({loop::Barrier{}});
  for (size_t i = 0; i < sums.size(); ++i) {
    results_.push_back({pass.reductions[i], sums[i], emitter_.simplified(column_in_tile())});
  }
}

int ColumnKernel::combined(const Member& member, int part, const Expr& column) {
  const int var = gpu_.group.declare(member);
  const int row = emitter_.add_axis(tile_.row_threads);
  emitter_.open(row, loop::Place::serial);
  const Expr at = tile_.is_misaligned ? column + misalignment_of(expr::axis(row)) : column;
  reduce(member, var, part, expr::axis(row) * tile_.columns() + at);
  emitter_.close();
  return var;
}

void ColumnKernel::read_results(const RowPass& pass, const PartialScratch& scratch) {
  for (const Member* member : pass.reductions) {
    const int buffer = scratch_buffer(emitter_, scratch.results(*member), accumulator(*member),
                                      {count()}, loop::Access::in);
    results_.push_back({member, buffer, flat_column()});
  }
}

void ColumnKernel::store_results(const RowPass& pass, const PartialScratch& scratch) {
  in_columns(is_first_row(), [&] {
    for (const Member* member : pass.reductions) {
      const int buffer = scratch_buffer(emitter_, scratch.results(*member), accumulator(*member),
                                        {count()}, loop::Access::out);
      emitter_.add({loop::Store{buffer, flat_column(), emitter_.member_value(*member)}});
    }
  });
}

void ColumnKernel::store_row_values() {
  const bool has_any = std::ranges::any_of(gpu_.input.group.members, [&](const Member& member) {
    return gpu_.group.is_stored(member) && (member.is_per_row || gpu_.group.is_reduction(member));
  });
  if (!has_any) return;
  in_columns(is_first_row(), [&] { gpu_.group.store_members(true); });
}

EmittedKernel ColumnKernel::finish() {
  constexpr int kParallelLoops = 5;
  for (int i = 0; i < kParallelLoops; ++i) emitter_.close();
  EmittedKernel result = gpu_.group.finish();
  drop_unread(result.kernel, result_lets_);
  shared_.settle(result.kernel);
  return result;
}

}  // namespace ridge::schedule
