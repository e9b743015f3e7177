// Rows on a GPU: some threads for each, which stride along it and combine across them.
//
// All passes over a row visit the same elements in the same thread, so what several of them read can
// stay in registers (gpu_row_keep.h) or come to shared memory ahead of time (gpu_row_stage.h). Which threads
// there are is the matter of gpu_row_threads.h, and how they go along a row that of gpu_row_stretches.h.
#include <algorithm>

#include "ridge/schedule/gpu_row_align.h"
#include "ridge/schedule/gpu_row_early.h"
#include "ridge/schedule/gpu_row_position.h"
#include "ridge/schedule/gpu_row_stage.h"
#include "ridge/schedule/gpu_row_stretches.h"
#include "ridge/schedule/gpu_walk.h"

namespace ridge::schedule {
namespace {

// Where the row at hand starts in memory, and how much its threads start in front of it. Nothing if it is not shifted.
ShiftedRow shifted_row(const Emitter& emitter, const RowWidth& wide, const RowShape& shape) {
  ShiftedRow row{.start = {}, .shift = {}, .multiple = shape.start_multiple()};
  if (!wide.is_shifted()) return row;
  row.start = emitter.simplified(substitute_axes(wide.base, emitter.group_axes()));
  row.shift = emitter.simplified(expr::mod(row.start, Expr(row.multiple)));
  return row;
}

class GpuRows {
 public:
  GpuRows(GpuEmitter& gpu, WalkedColumns* columns, const RowThreads& threads,
          const RowStretches& stretches)
      : gpu_(gpu), columns_(columns), threads_(threads), stretches_(stretches) {}

  // All passes over the row at hand, and around them what blocks hold and hand on from row to row.
  void emit(const ShiftedRow& row) {
    emit_passes();
    gpu_.store_row_values(threads_.is_first());
    if (threads_.walks()) ask_early(emitter_.kernel(), emitter_.body());
    if (shape_.is_shifted) align_rows(emitter_, emitter_.body(), row);
    if (columns_ != nullptr) columns_->declare_partials(loops());
    loop::Body before_walk;
    if (shape_.keeps) before_walk = shape_.stages ? stage() : keep();
    if (threads_.walks()) emitter_.close();
    loop::Body& body = emitter_.body();
    if (!before_walk.empty()) {
      body.insert(body.end() - 1, std::make_move_iterator(before_walk.begin()),
                  std::make_move_iterator(before_walk.end()));
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
          emit_row_position(gpu_, member, threads_, stretches_);
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
    return !member.is_row && !member.is_column && group_.is_stored(member);
  }

  void emit_pass(const std::vector<const Member*>& members, const std::vector<Expr>& row_axes) {
    std::vector<int> vars;
    bool stores = false;
    for (const Member* member : members) {
      const bool reduces_row = group_.is_reduction(*member) && !member->is_column;
      vars.push_back(reduces_row ? group_.declare(*member) : -1);
      stores |= !reduces_row;
    }
    const bool asks = stores && static_cast<bool>(threads_.is_row);
    if (asks) emitter_.open_body();
    for (const RowStretch& stretch : stretches_.all()) {
      emit_stretch(stretch, members, vars);
      emitter_.set_group_axes(row_axes);
    }
    if (asks) gpu_.close_if(threads_.is_row);
    for (size_t i = 0; i < members.size(); ++i) {
      if (vars[i] < 0) continue;
      threads_.combine(vars[i], combine_of(group_.reducer(*members[i])));
      emitter_.set_result(*members[i], vars[i]);
    }
  }

  void emit_stretch(const RowStretch& stretch, const std::vector<const Member*>& members,
                    const std::vector<int>& vars) {
    gpu_.flatten(gpu_.axes.inner, stretches_.lane_at(stretches_.first_of(stretch)));
    const Expr lanes = stretches_.lanes_inside(stretch);
    const uint64_t bound = stretches_.bound_in(stretch);
    emitter_.open_body(static_cast<bool>(lanes) ? 0 : bound);
    const auto emit_members = [&] {
      for (size_t i = 0; i < members.size(); ++i) {
        if (vars[i] >= 0) {
          group_.reduce(*members[i], vars[i]);
        } else if (members[i]->is_column) {
          columns_->accumulate(*members[i], stretches_.held_at(stretch));
        } else {
          emitter_.store(*members[i], emitter_.member_value(*members[i]));
        }
      }
    };
    emit_lanes(emitter_, stretches_.lane, shape_.width, emit_members, lanes, bound);
    emitter_.add(stretches_.in_loop(stretch, emitter_.close_body()));
  }

  std::function<loop::Statement(const RowStretch&, loop::Body)> around() const {
    return [this](const RowStretch& stretch, loop::Body body) {
      return stretches_.around(stretch, std::move(body));
    };
  }
  RowLoops loops() const {
    return {shape_,
            stretches_.length,
            threads_.walker,
            threads_.own,
            threads_.thread,
            stretches_.lane,
            &stretches_.all(),
            [this](const RowStretch& stretch) { return stretches_.first_of(stretch); },
            around()};
  }

  // What comes before the walk: the first row, and what is the same for all of them.
  loop::Body keep() { return keep_rows(emitter_, emitter_.body(), kept_rows()); }
  loop::Body stage() {
    return stage_rows(emitter_, emitter_.body(),
                      {.rows = kept_rows(),
                       .thread = threads_.thread,
                       .threads = shape_.threads,
                       .slots = shape_.slots,
                       .most_shifted = shape_.is_shifted ? shape_.start_multiple() : 1,
                       .most_bytes = shape_.shared_bytes,
                       .is_double = shape_.is_double,
                       .steady_bytes = shape_.steady_bytes,
                       .end_chunks = shape_.end_chunks});
  }
  KeptRows kept_rows() const {
    KeptRows rows{stretches_.all(), *shape_.steps, shape_.width, stretches_.lane, around()};
    if (threads_.walks() && (shape_.fetches_next || shape_.stages)) {
      rows.walk = {.axis = threads_.walk,
                   .turns = threads_.turns,
                   .half = shape_.half_walk,
                   .ahead = shape_.ahead,
                   .threads = shape_.rows * shape_.threads,
                   .thread = threads_.in_block()};
    }
    return rows;
  }

  GpuEmitter& gpu_;
  WalkedColumns* columns_;  // null where nothing is wanted of them
  const RowThreads& threads_;
  const RowStretches& stretches_;
  GroupEmitter& group_ = gpu_.group;
  const LoopInput& input_ = gpu_.input;
  Emitter& emitter_ = gpu_.emitter;
  const RowShape& shape_ = stretches_.shape;
};

}  // namespace

void emit_gpu_rows(GpuEmitter& gpu, WalkedColumns* columns) {
  const RowWidth wide = row_width(gpu);
  const RowShape shape = row_shape(row_work(gpu, wide));
  RowThreads threads(gpu, shape);
  if (columns != nullptr) {
    columns->declare(*shape.steps * shape.width);
    columns->clear();
  }
  threads.open_walk();
  const ShiftedRow row = shifted_row(gpu.emitter, wide, shape);
  const RowStretches stretches(gpu, shape, threads, row.shift);
  GpuRows(gpu, columns, threads, stretches).emit(row);
  threads.close();
}

}  // namespace ridge::schedule
