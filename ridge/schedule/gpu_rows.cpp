// Rows on a GPU: some threads for each, which stride along it and combine across them.
//
// All passes over a row visit the same elements in the same thread, so what several of them read can
// stay in registers (gpu_row_keep.h). The steps along a row are cut into stretches: one whose elements
// are all inside, and what is before and behind it, where a condition must hold.
#include <algorithm>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_row_align.h"
#include "ridge/schedule/gpu_row_keep.h"
#include "ridge/schedule/gpu_row_shape.h"

namespace ridge::schedule {
namespace {

class GpuRows {
 public:
  explicit GpuRows(GpuEmitter& gpu)
      : gpu_(gpu),
        passes_(passes_of(input_.program, input_.group)),
        length_(gpu.extent_of(axes_.inner)),
        count_(gpu.extent_of(axes_.outer)),
        wide_(axes_.inner.size() == 1 ? row_width(input_.group, group_.patterns) : RowWidth()),
        shape_(choose_shape()) {}

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
          group_.emit_position(member);
        } else if (group_.is_reduction(member) || (!member.is_row && group_.is_stored(member))) {
          along.push_back(&member);
        }
      }
      if (!along.empty()) emit_pass(along, row_axes);
    }
    store_row_values();
    if (shape_.is_shifted) align_rows(emitter_, emitter_.body(), {start_, shift_, shape_.width});
    if (shape_.keeps) keep();
    for (int i = 0; i < open_loops_; ++i) emitter_.close();
  }

 private:
  bool gives_position(const Member& member) const {
    return group_.is_reduction(member) && schedule::gives_position(group_.reducer(member));
  }

  RowShape choose_shape() const {
    const auto finds_position = [&](const Member& member) { return gives_position(member); };
    return row_shape(
        {.length = length_,
         .count = count_,
         .width = wide_.width,
         .kept_bytes = kept_bytes(input_, passes_),
         .is_shifted = wide_.is_shifted(),
         .can_share = std::ranges::none_of(input_.group.members, finds_position),
         .units = figure("units"),
         .cluster = std::min(kMostClusterBlocks, static_cast<int64_t>(figure("cluster")))});
  }
  double figure(std::string_view name) const {
    return input_.sheet == nullptr ? 1 : input_.sheet->value(name).value_or(1);
  }

  // Rows over the grid, then blocks of a cluster, rows of a block, threads of a row.
  void open_threads() {
    const Size blocks = (count_ + (shape_.rows - 1)) / shape_.rows;
    const int grid = emitter_.add_axis(blocks);
    Expr row = expr::axis(grid);
    open(grid, loop::Place::grid);
    if (shape_.blocks > 1) {
      part_ = emitter_.add_axis(shape_.blocks);
      open(part_, loop::Place::cluster, false);
    }
    if (shape_.rows > 1) {
      const int own = emitter_.add_axis(shape_.rows);
      row = row * shape_.rows + expr::axis(own);
      open(own, loop::Place::block);
    }
    thread_ = emitter_.add_axis(shape_.threads);
    open(thread_, loop::Place::block, false);
    const auto known = count_.known();
    if (shape_.rows > 1 && (!known || *known % shape_.rows != 0)) {
      is_row_ = emitter_.simplified(row < count_.expression());
      // Threads without a row take part in what others combine: they read the last one.
      row = expr::min(row, count_.expression() - 1);
    }
    gpu_.flatten(axes_.outer, row);
    if (!wide_.is_shifted()) return;
    start_ = emitter_.simplified(substitute_axes(wide_.base, emitter_.group_axes()));
    shift_ = emitter_.simplified(expr::mod(start_, Expr(shape_.width)));
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
      stretches_.push_back({emitter_.add_axis((length_ + (stride - 1)) / stride)});
      return;
    }
    const int64_t before = shape_.is_shifted ? 1 : 0;
    const int64_t full = std::max(before, *length_.known() / shape_.stride());
    add(0, before);
    add(before, full - before);
    add(full, *shape_.steps - full);
  }

  // The first of the neighbors that a thread takes at a step.
  Expr first_of(const RowStretch& stretch) const {
    Expr step = expr::axis(stretch.step) + stretch.first;
    if (part_ >= 0) step = step * shape_.blocks + expr::axis(part_);
    const Expr first = (step * shape_.threads + expr::axis(thread_)) * shape_.width;
    return shape_.is_shifted ? first - shift_ : first;
  }
  // Null if all elements of the stretch are inside of the row. Where it is shifted each lane asks.
  Expr condition_of(const RowStretch& stretch) const {
    const bool is_full = stretch.count && (stretch.first > 0 || !shape_.is_shifted) &&
                         (stretch.first + *stretch.count) * shape_.stride() <= *length_.known();
    if (is_full) return {};
    if (!shape_.is_shifted) {
      return emitter_.simplified(first_of(stretch) < length_.expression());
    }
    const Expr element = first_of(stretch) + expr::axis(lane_);
    const Expr ends = element < length_.expression();
    return emitter_.simplified(stretch.first > 0 ? ends : Expr(0) <= element && ends);
  }

  void emit_pass(const std::vector<const Member*>& members, const std::vector<Expr>& row_axes) {
    std::vector<int> vars;
    bool stores = false;
    for (const Member* member : members) {
      const bool is_reduction = group_.is_reduction(*member);
      vars.push_back(is_reduction ? group_.declare(*member) : -1);
      stores |= !is_reduction;
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
    const bool asks_lanes = shape_.is_shifted && static_cast<bool>(condition_of(stretch));
    emitter_.open_body(asks_lanes ? 0 : bound_in(stretch));
    if (lane_ >= 0) emitter_.open(lane_, Expr(shape_.width), loop::Place::vector, !asks_lanes);
    if (asks_lanes) emitter_.open_body(bound_in(stretch) | axis_mask({lane_}));
    for (size_t i = 0; i < members.size(); ++i) {
      if (vars[i] >= 0) {
        group_.reduce(*members[i], vars[i]);
      } else {
        emitter_.store(*members[i], emitter_.member_value(*members[i]));
      }
    }
    if (asks_lanes) gpu_.close_if(condition_of(stretch));
    if (lane_ >= 0) emitter_.close();
    emitter_.add(in_loop(stretch, emitter_.close_body()));
  }
  uint64_t bound_in(const RowStretch& stretch) const {
    return axis_mask({stretch.step, thread_}) | (part_ >= 0 ? axis_mask({part_}) : 0);
  }
  loop::Statement in_loop(const RowStretch& stretch, loop::Body body) const {
    const Expr condition = condition_of(stretch);
    const bool asks = static_cast<bool>(condition) && !shape_.is_shifted;
    if (asks) body = only_if(condition, std::move(body));
    return {loop::Loop{stretch.step,
                       emitter_.simplified(emitter_.extent(stretch.step).expression()),
                       loop::Place::serial, std::move(body)}};
  }

  static loop::Body only_if(const Expr& condition, loop::Body body) {
    loop::Body result;
    result.push_back({loop::If{condition, std::move(body)}});
    return result;
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
    for (const Member& member : input_.group.members) {
      const bool is_row = member.is_row || group_.is_reduction(member);
      if (!is_row || !group_.is_stored(member)) continue;
      const int value = emitter_.member_value(member);
      emitter_.open_body();
      emitter_.store(member, value);
      gpu_.close_if(emitter_.simplified(is_first));
    }
  }

  void keep() {
    const auto around = [&](const RowStretch& stretch, loop::Body body) {
      const Expr condition = condition_of(stretch);
      const bool asks = static_cast<bool>(condition) && shape_.is_shifted;
      if (asks) body = only_if(condition, std::move(body));
      if (lane_ >= 0) {
        loop::Loop lanes{lane_, Expr(shape_.width), loop::Place::vector, std::move(body)};
        body = loop::Body();
        body.push_back({std::move(lanes)});
      }
      return in_loop(stretch, std::move(body));
    };
    keep_rows(emitter_, emitter_.body(), {stretches_, *shape_.steps, shape_.width, lane_, around});
  }

  GpuEmitter& gpu_;
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
      shift_{};  // of a shifted row: its first element in memory, elements in front of it
  int part_ = -1, thread_ = -1, lane_ = -1;
  int open_loops_ = 0;
};

}  // namespace

void emit_gpu_rows(GpuEmitter& gpu) { GpuRows(gpu).emit(); }

}  // namespace ridge::schedule
