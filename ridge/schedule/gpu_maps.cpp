// Maps on a GPU: 16 bytes of the widest array for each thread, at once where they lie together, else in several steps.
#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_split_reduction.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

class GpuMap {
 public:
  GpuMap(GpuEmitter& gpu, const std::function<void(const Expr&)>& emit_products)
      : gpu_(gpu), emit_products_(emit_products) {}

  void emit() {
    const bool is_map = input_.group.kind == GroupKind::map || emit_products_;
    width_ = is_map ? width_of() : 1;
    block_ = gpu_.block_size(count_ / width_);
    steps_ = is_map ? steps_of(block_ * width_) : 1;
    const int64_t all = steps_ * block_ * width_;
    group_.decisions.push_back(Decision::yes(
        concat(block_, " threads a block, ", width_, width_ == 1 ? " element" : " elements",
               " each", steps_ > 1 ? concat(", ", steps_, " steps") : "")));
    b_ = emitter_.add_axis(divided_up(count_, all));
    if (steps_ > 1) step_ = emitter_.add_axis(steps_);
    t_ = emitter_.add_axis(block_);
    if (width_ > 1) lane_ = emitter_.add_axis(width_);
    emitter_.open(b_, emitter_.extent(b_).expression(), loop::Place::gpu_block, false);
    emitter_.open(t_, emitter_.extent(t_).expression(), loop::Place::gpu_thread, false);
    if (steps_ == 1) {
      emit_points(true);
    } else {
      // A condition in each step would keep its load behind what the step before stores.
      const Expr is_whole = (expr::axis(b_) + 1) * all <= count_.expression();
      emit_steps(is_whole, false);
      if (*count_.known() % all != 0) emit_steps(!is_whole, true);
    }
    emitter_.close();
    emitter_.close();
  }

 private:
  // Rows that do not come out even are no reason to touch large arrays element by element, if what is
  // read along rows is small; but accesses of 8 bytes each are better than some of 16 and some of one
  // element.
  int64_t width_of() const {
    const int64_t along = gpu_.width_along(axes_.outer, input_.group.outer.size() - 1, count_);
    const int64_t flat = gpu_.flat_width(count_);
    return flat > (axes_.outer.size() == 1 ? along : 2 * along) ? flat : along;
  }

  void emit_steps(const Expr& condition, bool checks_bounds) {
    emitter_.open_body();
    emitter_.open(step_, Expr(steps_), loop::Place::serial, false);
    emit_points(checks_bounds);
    emitter_.close();
    close_predicated(gpu_, condition);
  }
  // What a thread takes at once; `checks_bounds` where it may be behind the end.
  void emit_points(bool checks_bounds) {
    const Expr trip = step_ < 0 ? expr::axis(b_) : expr::axis(b_) * steps_ + expr::axis(step_);
    const Expr first = (trip * block_ + expr::axis(t_)) * width_;
    const Expr element = width_ > 1 ? first + expr::axis(lane_) : first;
    gpu_.flatten(axes_.outer, element);
    emitter_.open_body(axis_mask({b_, t_}) | (step_ < 0 ? 0 : axis_mask({step_})));
    emitter_.stay_inside();
    const bool has_rest = checks_bounds && width_ > 1 && count_.known().value_or(0) % width_ != 0;
    const Expr inside =
        has_rest ? emitter_.simplified(first + expr::axis(lane_) < count_.expression()) : Expr();
    emit_lanes(emitter_, lane_, width_, [&] { emit_members(element); }, inside);
    gpu_.close_if(checks_bounds ? emitter_.simplified(first < count_.expression()) : Expr(true));
  }

  // As many as make 16 bytes of a thread that takes fewer neighbors at once, so that blocks are few and each has
  // several loads under way; but all of the device should have work.
  int64_t steps_of(int64_t points) const {
    int64_t bytes = 1;
    for (const AccessPattern& pattern : group_.patterns) {
      if (axes_in(pattern.address) != 0) bytes = std::max<int64_t>(bytes, pattern.dtype.bits / 8);
    }
    int64_t steps = std::max<int64_t>(1, kWideBytes / (bytes * width_));
    const int64_t least = kMapBlocksPerSm * input_.limits.sms * points;
    while (steps > 1 && count_.known().value_or(0) < steps * least) steps /= 2;
    return steps;
  }

  void emit_members(const Expr& element) {
    if (emit_products_) {
      emit_products_(element);
    } else {
      for (const Member& member : input_.group.members) {
        if (group_.is_reduction(member)) emit_whole_row(member);
      }
    }
    group_.store_members();
  }
  // One thread goes along the whole row: products, and positions of extrema.
  void emit_whole_row(const Member& member) {
    if (gives_position(group_.reducer(member))) return group_.emit_position(member);
    const int var = group_.declare(member);
    for (const int axis : axes_.inner) emitter_.open(axis, loop::Place::serial);
    group_.reduce(member, var);
    for (size_t i = 0; i < axes_.inner.size(); ++i) emitter_.close();
    emitter_.set_result(member, var);
  }

  GpuEmitter& gpu_;
  const std::function<void(const Expr&)>& emit_products_;
  GroupEmitter& group_ = gpu_.group;
  const LoopInput& input_ = gpu_.input;
  Emitter& emitter_ = gpu_.emitter;
  const KernelAxes& axes_ = gpu_.axes;
  Size count_ = gpu_.extent_of(axes_.outer);
  int64_t width_ = 1, block_ = 1, steps_ = 1;  // points of a thread at once, threads, steps of each
  int b_ = -1, step_ = -1, t_ = -1, lane_ = -1;  // axes
};

}  // namespace

void emit_gpu_map(GpuEmitter& gpu, const std::function<void(const Expr&)>& emit_products) {
  GpuMap(gpu, emit_products).emit();
}

}  // namespace ridge::schedule
