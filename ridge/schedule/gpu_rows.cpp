// Rows on a GPU: some threads for each, which stride along it; then warp, block or cluster reductions.
//
// All passes over a row visit the same elements in the same thread, so what several of them read can
// stay in registers (gpu_row_registers.h) or are prefetched to shared memory (gpu_shared_rows.h). Which threads
// there are is the matter of gpu_row_threads.h, and how they go along a row that of gpu_row_peel.h.
#include <algorithm>

#include "ridge/schedule/gpu_persistent_rows.h"
#include "ridge/schedule/gpu_row_peel.h"
#include "ridge/schedule/gpu_row_rewrites.h"
#include "ridge/schedule/gpu_shared_rows.h"

namespace ridge::schedule {
namespace {

// Where the row at hand starts in memory, and how much its threads start in front of it. Nothing if it is aligned.
MisalignedRow misaligned_row(const Emitter& emitter, const RowWidth& wide, const RowShape& shape) {
  MisalignedRow row{.start = {}, .misalignment = {}, .multiple = shape.start_multiple()};
  if (!wide.is_misaligned()) return row;
  row.start = emitter.simplified(substitute_axes(wide.base, emitter.group_axes()));
  row.misalignment = emitter.simplified(expr::mod(row.start, Expr(row.multiple)));
  return row;
}

class GpuRows {
 public:
  GpuRows(GpuEmitter& gpu, PersistentColumnSums* columns, const RowThreads& threads,
          const PeeledLoops& peeled_loops)
      : gpu_(gpu), columns_(columns), threads_(threads), peeled_loops_(peeled_loops) {}

  // All passes over the row at hand, and around them the loop-carried state of persistent blocks.
  void emit(const MisalignedRow& row) {
    emit_passes();
    gpu_.store_row_values(threads_.is_first());
    if (threads_.is_persistent()) hoist_loads(emitter_.kernel(), emitter_.body());
    if (shape_.is_misaligned) align_rows(emitter_, emitter_.body(), row);
    if (columns_ != nullptr) columns_->declare_partials(loops());
    loop::Body before_row_loop;
    if (shape_.is_on_chip)
      before_row_loop = shape_.is_in_shared ? rows_in_shared() : rows_in_registers();
    if (threads_.is_persistent()) emitter_.close();
    loop::Body& body = emitter_.body();
    if (!before_row_loop.empty()) {
      body.insert(body.end() - 1, std::make_move_iterator(before_row_loop.begin()),
                  std::make_move_iterator(before_row_loop.end()));
    }
    if (columns_ != nullptr) columns_->store_partials(loops());
  }

 private:
  void emit_passes() {
    const std::vector<Expr> row_axes = emitter_.group_axes();
    const std::vector<int> passes = passes_of(input_.program, input_.group);
    const int count = 1 + *std::max_element(passes.begin(), passes.end());
    for (int pass = 0; pass < count; ++pass) {
      std::vector<const Member*> along;
      for (size_t i = 0; i < passes.size(); ++i) {
        const Member& member = input_.group.members[i];
        if (passes[i] != pass) continue;
        if (gives_position(member)) {
          emit_row_position(gpu_, member, threads_, peeled_loops_);
        } else if (is_along(member)) {
          along.push_back(&member);
        }
      }
      if (!along.empty()) emit_pass(along, row_axes);
    }
  }
  bool gives_position(const Member& member) const {
    return group_.is_reduction(member) && schedule::gives_position(group_.reducer(member));
  }
  // At every point of a row, for its own sake.
  bool is_along(const Member& member) const {
    if (group_.is_reduction(member)) return true;
    return !member.is_per_row && !member.is_per_column && group_.is_stored(member);
  }

  void emit_pass(const std::vector<const Member*>& members, const std::vector<Expr>& row_axes) {
    std::vector<int> vars;
    bool stores = false;
    for (const Member* member : members) {
      const bool reduces_row = group_.is_reduction(*member) && !member->is_per_column;
      vars.push_back(reduces_row ? group_.declare(*member) : -1);
      stores |= !reduces_row;
    }
    const bool is_predicated = stores && static_cast<bool>(threads_.is_row);
    if (is_predicated) emitter_.open_body();
    for (const PeeledLoop& peeled : peeled_loops_.all()) {
      emit_peeled_loop(peeled, members, vars);
      emitter_.set_group_axes(row_axes);
    }
    if (is_predicated) gpu_.close_if(threads_.is_row);
    for (size_t i = 0; i < members.size(); ++i) {
      if (vars[i] < 0) continue;
      threads_.combine(vars[i], combine_of(group_.reducer(*members[i])));
      emitter_.set_result(*members[i], vars[i]);
    }
  }

  void emit_peeled_loop(const PeeledLoop& peeled, const std::vector<const Member*>& members,
                        const std::vector<int>& vars) {
    gpu_.flatten(gpu_.axes.inner, peeled_loops_.lane_at(peeled_loops_.first_of(peeled)));
    const Expr lanes = peeled_loops_.lanes_inside(peeled);
    const uint64_t bound = peeled_loops_.bound_in(peeled);
    emitter_.open_body(static_cast<bool>(lanes) ? 0 : bound);
    const auto emit_members = [&] {
      for (size_t i = 0; i < members.size(); ++i) {
        if (vars[i] >= 0) {
          group_.reduce(*members[i], vars[i]);
        } else if (members[i]->is_per_column) {
          columns_->accumulate(*members[i], peeled_loops_.register_at(peeled));
        } else {
          emitter_.store(*members[i], emitter_.member_value(*members[i]));
        }
      }
    };
    emit_lanes(emitter_, peeled_loops_.lane, shape_.width, emit_members, lanes, bound);
    emitter_.add(peeled_loops_.in_loop(peeled, emitter_.close_body()));
  }

  std::function<loop::Statement(const PeeledLoop&, loop::Body)> around() const {
    return [this](const PeeledLoop& peeled, loop::Body body) {
      return peeled_loops_.around(peeled, std::move(body));
    };
  }
  RowLoops loops() const {
    return {shape_,
            peeled_loops_.length,
            threads_.block,
            threads_.own,
            threads_.thread,
            peeled_loops_.lane,
            &peeled_loops_.all(),
            [this](const PeeledLoop& peeled) { return peeled_loops_.first_of(peeled); },
            around()};
  }

  // What comes before the row loop: the first row, and what is the same for all of them.
  loop::Body rows_in_registers() {
    return keep_rows_in_registers(emitter_, emitter_.body(), register_rows());
  }
  loop::Body rows_in_shared() {
    return share_rows(emitter_, emitter_.body(),
                      {.rows = register_rows(),
                       .thread = threads_.thread,
                       .threads = shape_.threads,
                       .slots = shape_.slots,
                       .max_misalignment = shape_.is_misaligned ? shape_.start_multiple() : 1,
                       .most_bytes = shape_.shared_bytes,
                       .is_double_buffered = shape_.is_double_buffered,
                       .invariant_bytes = shape_.invariant_bytes,
                       .end_chunks = shape_.end_chunks});
  }
  RegisterRows register_rows() const {
    RegisterRows rows{peeled_loops_.all(), *shape_.steps, shape_.width, peeled_loops_.lane,
                      around()};
    if (threads_.is_persistent() && (shape_.prefetches || shape_.is_in_shared)) {
      rows.row_loop = {.axis = threads_.row_loop,
                       .trip_count = threads_.trip_count,
                       .even_row_trips = shape_.even_row_trips,
                       .prefetch_distance = shape_.prefetch_distance,
                       .threads = shape_.rows * shape_.threads,
                       .thread = threads_.in_block()};
    }
    return rows;
  }

  GpuEmitter& gpu_;
  PersistentColumnSums* columns_;  // null where nothing is wanted of them
  const RowThreads& threads_;
  const PeeledLoops& peeled_loops_;
  GroupEmitter& group_ = gpu_.group;
  const LoopInput& input_ = gpu_.input;
  Emitter& emitter_ = gpu_.emitter;
  const RowShape& shape_ = peeled_loops_.shape;
};

}  // namespace

void emit_gpu_rows(GpuEmitter& gpu, PersistentColumnSums* columns) {
  const RowWidth wide = row_width(gpu);
  const RowWork work = row_work(gpu, wide);
  const RowShape shape = row_shape(work);
  gpu.group.decisions.push_back(Decision::yes(mapping_text(shape, work)));
  RowThreads threads(gpu, shape);
  if (columns != nullptr) {
    columns->declare(*shape.steps * shape.width);
    columns->clear();
  }
  threads.open_row_loop();
  const MisalignedRow row = misaligned_row(gpu.emitter, wide, shape);
  const PeeledLoops peeled_loops(gpu, shape, threads, row.misalignment);
  GpuRows(gpu, columns, threads, peeled_loops).emit(row);
  threads.close();
}

}  // namespace ridge::schedule
