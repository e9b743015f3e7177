#include "ridge/schedule/gpu_row_peel.h"

#include <algorithm>

namespace ridge::schedule {

PeeledLoops::PeeledLoops(GpuEmitter& gpu, const RowShape& given, const RowThreads& threads,
                         Expr misalignment)
    : shape(given),
      length(gpu.extent_of(gpu.axes.inner)),
      lane(given.width > 1 ? gpu.emitter.add_axis(given.width) : -1),
      emitter_(gpu.emitter),
      threads_(threads),
      misalignment_(std::move(misalignment)) {
  if (!shape.steps) {
    const int64_t max_misalignment = shape.is_misaligned ? shape.start_multiple() - 1 : 0;
    peeled_loops_.push_back(
        {emitter_.add_axis(divided_up(length + max_misalignment, shape.stride()))});
    return;
  }
  const auto add = [&](int64_t first, int64_t count) {
    if (count > 0) peeled_loops_.push_back({emitter_.add_axis(count), first, count});
  };
  const int64_t before = shape.is_misaligned || shape.end_chunks > 0 ? 1 : 0;
  const int64_t full = std::max(before, length.known().value_or(0) / shape.stride());
  add(0, before);
  add(before, full - before);
  add(full, *shape.steps - full);
}

Expr PeeledLoops::first_at(Expr step) const {
  if (threads_.part >= 0) step = step * shape.blocks + expr::axis(threads_.part);
  const Expr first = (step * shape.threads + expr::axis(threads_.thread)) * shape.width;
  return shape.is_misaligned ? first - misalignment_ : first;
}

Expr PeeledLoops::register_at(const PeeledLoop& peeled) const {
  const Expr first = (expr::axis(peeled.step) + peeled.first) * shape.width;
  return emitter_.simplified(lane_at(first));
}

bool PeeledLoops::is_full(const PeeledLoop& peeled) const {
  return peeled.count && (peeled.first > 0 || !shape.is_misaligned) &&
         (peeled.first + *peeled.count) * shape.stride() <= length.known().value_or(0);
}

Expr PeeledLoops::threads_inside(const PeeledLoop& peeled) const {
  if (shape.is_misaligned || is_full(peeled)) return {};
  return emitter_.simplified(first_of(peeled) < length.expression());
}

Expr PeeledLoops::lanes_inside(const PeeledLoop& peeled) const {
  if (!shape.is_misaligned || is_full(peeled)) return {};
  const Expr element = first_of(peeled) + expr::axis(lane);
  const Expr ends = element < length.expression();
  return emitter_.simplified(peeled.first > 0 ? ends : Expr(0) <= element && ends);
}

// Has the step of a misaligned row any element, for some thread?
Expr PeeledLoops::is_before_end(const PeeledLoop& peeled) const {
  const Expr first = (expr::axis(peeled.step) + peeled.first) * shape.stride();
  return emitter_.simplified(first < length.expression() + (shape.start_multiple() - 1));
}

loop::Statement PeeledLoops::in_loop(const PeeledLoop& peeled, loop::Body body) const {
  body = only_if(threads_inside(peeled), std::move(body));
  // Most rows of an unknown length end before the last steps: threads pass over those together.
  const bool ends_hoisting = shape.is_misaligned && peeled.first > 0 && !length.known();
  if (ends_hoisting) body = only_if(is_before_end(peeled), std::move(body));
  return {loop::Loop{peeled.step, emitter_.simplified(emitter_.extent(peeled.step).expression()),
                     loop::Place::serial, std::move(body)}};
}

loop::Statement PeeledLoops::around(const PeeledLoop& peeled, loop::Body body) const {
  body = only_if(lanes_inside(peeled), std::move(body));
  return in_loop(peeled, in_lanes(lane, shape.width, std::move(body)));
}

}  // namespace ridge::schedule
