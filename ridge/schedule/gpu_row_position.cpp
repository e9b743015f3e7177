#include <limits>

#include "ridge/schedule/gpu_row_peel.h"

namespace ridge::schedule {
namespace {

class RowPosition {
 public:
  RowPosition(GpuEmitter& gpu, const Member& member, const RowThreads& threads,
              const PeeledLoops& row)
      : gpu_(gpu),
        member_(member),
        threads_(threads),
        row_(row),
        arithmetic_(emitter_.arithmetic_of(member.node)) {}

  void emit() {
    const std::vector<Expr> row_axes = emitter_.group_axes();
    best_ = gpu_.group.declare(member_);
    step_ = new_var("step", expr::constant(int64_t{0}));
    for (const PeeledLoop& peeled : row_.all()) {
      go_along(peeled);
      emitter_.set_group_axes(row_axes);
    }
    const int of_all = emitter_.new_value("best", gpu_.group.accumulator(member_));
    emitter_.add({loop::Var{of_all, emitter_.read(best_)}});
    threads_.combine(of_all, combine());
    at_ = new_var("position", expr::constant(std::numeric_limits<int64_t>::max()));
    find_again(of_all, row_axes);
    emitter_.set_group_axes(row_axes);
    threads_.combine(at_, loop::Combine::min);
    emitter_.set_result(member_, at_);
  }

 private:
  bool is_max() const { return gpu_.group.reducer(member_) == ops::Reducer::argmax; }
  loop::Combine combine() const {
    if (is_boolean(gpu_.group.accumulator(member_))) {
      return is_max() ? loop::Combine::any : loop::Combine::all;
    }
    return is_max() ? loop::Combine::max : loop::Combine::min;
  }
  int new_var(const char* name, const Expr& initial) {
    const int var = emitter_.new_value(name, i64);
    emitter_.add({loop::Var{var, initial}});
    return var;
  }
  Expr position() const { return emitter_.member_axes(member_).back(); }
  Expr beats(const Expr& a, const Expr& b) const {
    if (a->type == expr::Type::boolean) return is_max() ? (a && !b) : (!a && b);
    const Expr is_better = is_max() ? a > b : a < b;
    return a->type == expr::Type::real ? is_better || (is_nan(a) && !is_nan(b)) : is_better;
  }
  void keep_better(int value, int best, int at, const Expr& place) {
    const Expr v = emitter_.read(value), b = emitter_.read(best);
    const Expr wins = emitter_.read(emitter_.let("beats", boolean, arithmetic_, beats(v, b)));
    emitter_.add({loop::Assign{at, arithmetic_, select(wins, place, emitter_.read(at))}});
    emitter_.add({loop::Assign{best, arithmetic_, select(wins, v, b)}});
  }

  // The best of the neighbors of each step, against the best so far.
  void go_along(const PeeledLoop& peeled) {
    const Expr step = emitter_.simplified(expr::axis(peeled.step) + peeled.first);
    gpu_.flatten(gpu_.axes.inner, row_.lane_at(row_.first_at(step)));
    const Expr lanes = row_.lanes_inside(peeled);
    const uint64_t bound = row_.bound_in(peeled);
    emitter_.open_body(static_cast<bool>(lanes) ? 0 : bound);
    const int here = gpu_.group.declare(member_);
    emit_lanes(
        emitter_, row_.lane, row_.shape.width,
        [&] { emitter_.add({loop::Reduce{here, combine(), emitter_.reduced_value(member_)}}); },
        lanes, bound);
    keep_better(here, best_, step_, step);
    emitter_.add(row_.in_loop(peeled, emitter_.close_body()));
  }

  // Threads that saw the best of all: which of the neighbors was it?
  void find_again(int of_all, const std::vector<Expr>& row_axes) {
    const Expr own = emitter_.read(best_), all = emitter_.read(of_all);
    Expr has_it = expr::equal(own, all);
    if (own->type == expr::Type::real) has_it = has_it || (is_nan(own) && is_nan(all));
    const Expr has = emitter_.read(emitter_.let("has_best", boolean, arithmetic_, has_it));
    const Expr first = row_.first_at(emitter_.read(step_));
    emitter_.open_body(threads_.of_row());
    // Where nothing is better than the start, all are equal to it: the first of them.
    gpu_.flatten(gpu_.axes.inner, row_.shape.is_misaligned ? expr::max(first, Expr(0)) : first);
    emitter_.add({loop::Assign{at_, arithmetic_, position()}});
    emitter_.set_group_axes(row_axes);
    if (row_.lane >= 0) look_through(first);
    gpu_.close_if(has);
  }
  void look_through(const Expr& first) {
    const int best = gpu_.group.declare(member_);
    const int neighbor = emitter_.add_axis(row_.shape.width);
    const Expr element = first + expr::axis(neighbor);
    gpu_.flatten(gpu_.axes.inner, element);
    emitter_.open(neighbor, Expr(row_.shape.width), loop::Place::serial, false);
    emitter_.open_body(axis_mask({neighbor}));
    keep_better(emitter_.reduced_value(member_), best, at_, position());
    Expr inside = element < row_.length.expression();
    if (row_.shape.is_misaligned) inside = Expr(0) <= element && inside;
    gpu_.close_if(emitter_.simplified(inside));
    emitter_.close();
  }

  GpuEmitter& gpu_;
  Emitter& emitter_ = gpu_.emitter;
  const Member& member_;
  const RowThreads& threads_;
  const PeeledLoops& row_;
  DType arithmetic_;
  int best_ = -1, step_ = -1, at_ = -1;
};

}  // namespace

void emit_row_position(GpuEmitter& gpu, const Member& member, const RowThreads& threads,
                       const PeeledLoops& row) {
  RowPosition(gpu, member, threads, row).emit();
}

}  // namespace ridge::schedule
