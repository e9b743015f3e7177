// Rows on a GPU: some threads for each, which stride along it and combine across them.
//
// All passes over a row visit the same elements in the same thread, so what several of them read can
// stay in registers (gpu_row_keep.h). The steps along a row are cut into stretches: one whose elements
// are all inside, and what is before and behind it, where a condition must hold.
#include <algorithm>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_row_align.h"
#include "ridge/schedule/gpu_row_early.h"
#include "ridge/schedule/gpu_row_keep.h"
#include "ridge/schedule/gpu_row_position.h"
#include "ridge/schedule/gpu_row_shape.h"
#include "ridge/schedule/gpu_row_stage.h"
#include "ridge/schedule/gpu_walk.h"

namespace ridge::schedule {
namespace {

class GpuRows {
 public:
  GpuRows(GpuEmitter& gpu, WalkedColumns* columns)
      : gpu_(gpu),
        columns_(columns),
        passes_(passes_of(input_.program, input_.group)),
        length_(gpu.extent_of(axes_.inner)),
        count_(gpu.extent_of(axes_.outer)),
        wide_(row_width(gpu)),
        shape_(row_shape(row_work(gpu, wide_))) {}

  void emit() {
    open_threads();
    cut_row();
    const std::vector<Expr> row_axes = emitter_.group_axes();
    const int count = 1 + *std::max_element(passes_.begin(), passes_.end());
    for (int pass = 0; pass < count; ++pass) {
      std::vector<const Member*> along;
      for (size_t i = 0; i < passes_.size(); ++i) {
        const Member& member = input_.group.members[i];
        if (passes_[i] != pass) continue;
        if (gives_position(member)) {
          emit_position(member);
        } else if (is_along(member)) {
          along.push_back(&member);
        }
      }
      if (!along.empty()) emit_pass(along, row_axes);
    }
    store_row_values();
    if (walk_ >= 0) ask_early(emitter_.kernel(), emitter_.body());
    if (shape_.is_shifted) {
      align_rows(emitter_, emitter_.body(), {start_, shift_, shape_.start_multiple()});
    }
    if (columns_ != nullptr) columns_->declare_partials(loops());
    loop::Body before_walk;
    if (shape_.keeps) before_walk = shape_.stages ? stage() : keep();
    if (walk_ >= 0) emitter_.close();
    loop::Body& body = emitter_.body();
    if (!before_walk.empty()) {
      body.insert(body.end() - 1, std::make_move_iterator(before_walk.begin()),
                  std::make_move_iterator(before_walk.end()));
    }
    if (columns_ != nullptr) columns_->store_partials(loops());
    for (int i = 0; i < open_loops_; ++i) emitter_.close();
  }

 private:
  bool gives_position(const Member& member) const {
    return group_.is_reduction(member) && schedule::gives_position(group_.reducer(member));
  }

  // At every point of a row, for its own sake.
  bool is_along(const Member& member) const {
    if (group_.is_reduction(member)) return true;
    return !member.is_row && !member.is_column && group_.is_stored(member);
  }

  // Rows over the grid, then blocks of a cluster, rows of a block, threads of a row; each of them goes
  // from row to row where blocks walk.
  void open_threads() {
    const Size blocks = divided_up(count_, shape_.rows);
    const int64_t walkers = shape_.walkers;
    walker_ = emitter_.add_axis(walkers > 0 ? Size(walkers) : blocks);
    Expr row = expr::axis(walker_);
    if (walkers > 0 && !(blocks.known() && *blocks.known() <= walkers)) {
      walk_ = emitter_.add_axis(divided_up(blocks, walkers));
      turns_ = expr::floor_div(blocks.expression() - row + (walkers - 1), Expr(walkers));
      row = row + turn() * walkers;
    }
    open(walker_, loop::Place::grid);
    if (shape_.blocks > 1) {
      part_ = emitter_.add_axis(shape_.blocks);
      open(part_, loop::Place::cluster, false);
    }
    if (shape_.rows > 1) {
      own_ = emitter_.add_axis(shape_.rows);
      row = row * shape_.rows + expr::axis(own_);
      open(own_, loop::Place::block);
    }
    thread_ = emitter_.add_axis(shape_.threads);
    open(thread_, loop::Place::block, false);
    if (columns_ != nullptr) {
      columns_->declare(*shape_.steps * shape_.width);
      columns_->clear();
    }
    if (walk_ >= 0) emitter_.open(walk_, turns_, loop::Place::serial);
    const auto known = count_.known();
    if (shape_.rows > 1 && (!known || *known % shape_.rows != 0)) {
      is_row_ = emitter_.simplified(row < count_.expression());
      // Threads without a row take part in what others combine: they read the last one.
      row = expr::min(row, count_.expression() - 1);
    }
    gpu_.flatten(axes_.outer, row);
    if (!wide_.is_shifted()) return;
    start_ = emitter_.simplified(substitute_axes(wide_.base, emitter_.group_axes()));
    shift_ = emitter_.simplified(expr::mod(start_, Expr(shape_.start_multiple())));
  }
  // Which of the rows of a block comes at a round of its walk.
  Expr turn() const {
    const Expr round = expr::axis(walk_), half(shape_.half_walk);
    if (shape_.half_walk == 0) return round;
    return expr::floor_div(round, half) + expr::mod(round, half) * 2;
  }
  void open(int axis, loop::Place place, bool binds = true) {
    emitter_.open(axis, emitter_.extent(axis).expression(), place, binds);
    ++open_loops_;
  }

  void cut_row() {
    if (shape_.width > 1) lane_ = emitter_.add_axis(shape_.width);
    const auto add = [&](int64_t first, int64_t count) {
      if (count > 0) stretches_.push_back({emitter_.add_axis(count), first, count});
    };
    if (!shape_.steps) {
      const int64_t stride = shape_.stride();
      const int64_t shift = shape_.is_shifted ? shape_.start_multiple() - 1 : 0;
      stretches_.push_back({emitter_.add_axis(divided_up(length_ + shift, stride))});
      return;
    }
    const int64_t before = shape_.is_shifted || shape_.end_chunks > 0 ? 1 : 0;
    const int64_t full = std::max(before, length_.known().value_or(0) / shape_.stride());
    add(0, before);
    add(before, full - before);
    add(full, *shape_.steps - full);
  }

  // The first of the neighbors that a thread takes at a step.
  Expr first_of(const RowStretch& stretch) const {
    return first_at(expr::axis(stretch.step) + stretch.first);
  }
  Expr first_at(Expr step) const {
    if (part_ >= 0) step = step * shape_.blocks + expr::axis(part_);
    const Expr first = (step * shape_.threads + expr::axis(thread_)) * shape_.width;
    return shape_.is_shifted ? first - shift_ : first;
  }
  // Null if all elements of the stretch are inside of the row. Where it is shifted each lane asks.
  Expr condition_of(const RowStretch& stretch) const {
    const bool is_full =
        stretch.count && (stretch.first > 0 || !shape_.is_shifted) &&
        (stretch.first + *stretch.count) * shape_.stride() <= length_.known().value_or(0);
    if (is_full) return {};
    if (!shape_.is_shifted) {
      return emitter_.simplified(first_of(stretch) < length_.expression());
    }
    const Expr element = first_of(stretch) + expr::axis(lane_);
    const Expr ends = element < length_.expression();
    return emitter_.simplified(stretch.first > 0 ? ends : Expr(0) <= element && ends);
  }

  void emit_position(const Member& member) {
    emit_row_position(gpu_, member,
                      {stretches_, length_, shape_.width, lane_,
                       axis_mask({thread_}) | (part_ >= 0 ? axis_mask({part_}) : 0),
                       shape_.is_shifted, [this](const Expr& step) { return first_at(step); },
                       [this](const RowStretch& stretch) { return condition_of(stretch); },
                       [this](const RowStretch& stretch, loop::Body body) {
                         return in_loop(stretch, std::move(body));
                       },
                       [this](int var, loop::Combine how) { combine(var, how); }});
  }

  void emit_pass(const std::vector<const Member*>& members, const std::vector<Expr>& row_axes) {
    std::vector<int> vars;
    bool stores = false;
    for (const Member* member : members) {
      const bool reduces_row = group_.is_reduction(*member) && !member->is_column;
      vars.push_back(reduces_row ? group_.declare(*member) : -1);
      stores |= !reduces_row;
    }
    const bool asks = stores && static_cast<bool>(is_row_);
    if (asks) emitter_.open_body();
    for (const RowStretch& stretch : stretches_) {
      emit_stretch(stretch, members, vars);
      emitter_.set_group_axes(row_axes);
    }
    if (asks) gpu_.close_if(is_row_);
    for (size_t i = 0; i < members.size(); ++i) {
      if (vars[i] < 0) continue;
      combine(vars[i], combine_of(group_.reducer(*members[i])));
      emitter_.set_result(*members[i], vars[i]);
    }
  }

  void emit_stretch(const RowStretch& stretch, const std::vector<const Member*>& members,
                    const std::vector<int>& vars) {
    const Expr first = first_of(stretch);
    gpu_.flatten(axes_.inner, lane_ >= 0 ? first + expr::axis(lane_) : first);
    const Expr lanes = shape_.is_shifted ? condition_of(stretch) : Expr();
    const uint64_t bound = bound_in(stretch);
    emitter_.open_body(static_cast<bool>(lanes) ? 0 : bound);
    const auto emit_members = [&] {
      for (size_t i = 0; i < members.size(); ++i) {
        if (vars[i] >= 0) {
          group_.reduce(*members[i], vars[i]);
        } else if (members[i]->is_column) {
          columns_->accumulate(*members[i], held_at(stretch));
        } else {
          emitter_.store(*members[i], emitter_.member_value(*members[i]));
        }
      }
    };
    emit_lanes(emitter_, lane_, shape_.width, emit_members, lanes, bound);
    emitter_.add(in_loop(stretch, emitter_.close_body()));
  }
  // Where a thread holds the element that it is at.
  Expr held_at(const RowStretch& stretch) const {
    const Expr first = (expr::axis(stretch.step) + stretch.first) * shape_.width;
    return emitter_.simplified(lane_ >= 0 ? first + expr::axis(lane_) : first);
  }
  uint64_t bound_in(const RowStretch& stretch) const {
    return axis_mask({stretch.step, thread_}) | (part_ >= 0 ? axis_mask({part_}) : 0);
  }
  loop::Statement in_loop(const RowStretch& stretch, loop::Body body) const {
    const Expr condition = condition_of(stretch);
    const bool asks = static_cast<bool>(condition) && !shape_.is_shifted;
    if (asks) body = only_if(condition, std::move(body));
    // Most rows of an unknown length end before the last steps: threads pass over those together.
    const bool ends_early = shape_.is_shifted && stretch.first > 0 && !length_.known();
    if (ends_early) body = only_if(is_before_end(stretch), std::move(body));
    return {loop::Loop{stretch.step,
                       emitter_.simplified(emitter_.extent(stretch.step).expression()),
                       loop::Place::serial, std::move(body)}};
  }

  // Has the step of a shifted row any element, for some thread?
  Expr is_before_end(const RowStretch& stretch) const {
    const Expr first = (expr::axis(stretch.step) + stretch.first) * shape_.stride();
    return emitter_.simplified(first < length_.expression() + (shape_.start_multiple() - 1));
  }

  // Across all threads of a row.
  void combine(int var, loop::Combine how) {
    const auto threads = static_cast<int>(shape_.threads);
    if (shape_.blocks > 1) {
      emitter_.add({loop::Across{var, how, loop::Place::cluster}});
    } else if (threads > kWarp) {
      emitter_.add({loop::Across{var, how, loop::Place::block, shape_.rows > 1 ? threads : 0}});
    } else if (threads > 1) {
      emitter_.add({loop::Across{var, how, loop::Place::lane, threads < kWarp ? threads : 0}});
    }
  }

  void store_row_values() {
    Expr is_first = expr::equal(expr::axis(thread_), Expr(0));
    if (part_ >= 0) is_first = is_first && expr::equal(expr::axis(part_), Expr(0));
    if (is_row_) is_first = is_first && is_row_;
    gpu_.store_row_values(is_first);
  }

  // What stands in the innermost loop, with the loops and conditions of a stretch around it.
  loop::Statement around(const RowStretch& stretch, loop::Body body) const {
    const Expr condition = condition_of(stretch);
    const bool asks = static_cast<bool>(condition) && shape_.is_shifted;
    if (asks) body = only_if(condition, std::move(body));
    return in_loop(stretch, in_lanes(lane_, shape_.width, std::move(body)));
  }
  RowLoops loops() const {
    return {shape_,
            length_,
            walker_,
            own_,
            thread_,
            lane_,
            &stretches_,
            [this](const RowStretch& stretch) { return first_of(stretch); },
            [this](const RowStretch& stretch, loop::Body body) {
              return around(stretch, std::move(body));
            }};
  }

  // What comes before the walk: the first row, and what is the same for all of them.
  loop::Body keep() { return keep_rows(emitter_, emitter_.body(), kept_rows()); }
  loop::Body stage() {
    return stage_rows(emitter_, emitter_.body(),
                      {.rows = kept_rows(),
                       .thread = thread_,
                       .threads = shape_.threads,
                       .slots = shape_.slots,
                       .most_shifted = shape_.is_shifted ? shape_.start_multiple() : 1,
                       .most_bytes = shape_.shared_bytes,
                       .is_double = shape_.is_double,
                       .steady_bytes = shape_.steady_bytes,
                       .end_chunks = shape_.end_chunks});
  }
  KeptRows kept_rows() const {
    KeptRows rows{stretches_, *shape_.steps, shape_.width, lane_, loops().around};
    if (walk_ >= 0 && (shape_.fetches_next || shape_.stages)) {
      const Expr thread = expr::axis(thread_);
      rows.walk = {walk_,
                   turns_,
                   shape_.half_walk,
                   shape_.ahead,
                   shape_.rows * shape_.threads,
                   own_ < 0 ? thread : expr::axis(own_) * shape_.threads + thread};
    }
    return rows;
  }

  GpuEmitter& gpu_;
  WalkedColumns* columns_;  // null where nothing is wanted of them
  GroupEmitter& group_ = gpu_.group;
  const LoopInput& input_ = gpu_.input;
  Emitter& emitter_ = gpu_.emitter;
  const KernelAxes& axes_ = gpu_.axes;
  std::vector<int> passes_;  // by member
  Size length_, count_;      // of a row, of rows
  RowWidth wide_;
  RowShape shape_;
  std::vector<RowStretch> stretches_;
  Expr is_row_{};  // where the last block has threads without a row
  Expr start_{},
      shift_{};    // of a shifted row: its first element in memory, elements in front of it
  Expr turns_{};   // rows that a block walks over
  int walk_ = -1;  // axis, -1 where each row has a block
  int walker_ = -1, part_ = -1, own_ = -1, thread_ = -1, lane_ = -1;
  int open_loops_ = 0;
};

}  // namespace

void emit_gpu_rows(GpuEmitter& gpu, WalkedColumns* columns) { GpuRows(gpu, columns).emit(); }

}  // namespace ridge::schedule
