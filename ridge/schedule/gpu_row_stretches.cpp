#include "ridge/schedule/gpu_row_stretches.h"

#include <algorithm>

namespace ridge::schedule {

RowStretches::RowStretches(GpuEmitter& gpu, const RowShape& given, const RowThreads& threads,
                           Expr shift)
    : shape(given),
      length(gpu.extent_of(gpu.axes.inner)),
      lane(given.width > 1 ? gpu.emitter.add_axis(given.width) : -1),
      emitter_(gpu.emitter),
      threads_(threads),
      shift_(std::move(shift)) {
  if (!shape.steps) {
    const int64_t most_shifted = shape.is_shifted ? shape.start_multiple() - 1 : 0;
    stretches_.push_back({emitter_.add_axis(divided_up(length + most_shifted, shape.stride()))});
    return;
  }
  const auto add = [&](int64_t first, int64_t count) {
    if (count > 0) stretches_.push_back({emitter_.add_axis(count), first, count});
  };
  const int64_t before = shape.is_shifted || shape.end_chunks > 0 ? 1 : 0;
  const int64_t full = std::max(before, length.known().value_or(0) / shape.stride());
  add(0, before);
  add(before, full - before);
  add(full, *shape.steps - full);
}

Expr RowStretches::first_at(Expr step) const {
  if (threads_.part >= 0) step = step * shape.blocks + expr::axis(threads_.part);
  const Expr first = (step * shape.threads + expr::axis(threads_.thread)) * shape.width;
  return shape.is_shifted ? first - shift_ : first;
}

Expr RowStretches::held_at(const RowStretch& stretch) const {
  const Expr first = (expr::axis(stretch.step) + stretch.first) * shape.width;
  return emitter_.simplified(lane_at(first));
}

bool RowStretches::is_full(const RowStretch& stretch) const {
  return stretch.count && (stretch.first > 0 || !shape.is_shifted) &&
         (stretch.first + *stretch.count) * shape.stride() <= length.known().value_or(0);
}

Expr RowStretches::threads_inside(const RowStretch& stretch) const {
  if (shape.is_shifted || is_full(stretch)) return {};
  return emitter_.simplified(first_of(stretch) < length.expression());
}

Expr RowStretches::lanes_inside(const RowStretch& stretch) const {
  if (!shape.is_shifted || is_full(stretch)) return {};
  const Expr element = first_of(stretch) + expr::axis(lane);
  const Expr ends = element < length.expression();
  return emitter_.simplified(stretch.first > 0 ? ends : Expr(0) <= element && ends);
}

// Has the step of a shifted row any element, for some thread?
Expr RowStretches::is_before_end(const RowStretch& stretch) const {
  const Expr first = (expr::axis(stretch.step) + stretch.first) * shape.stride();
  return emitter_.simplified(first < length.expression() + (shape.start_multiple() - 1));
}

loop::Statement RowStretches::in_loop(const RowStretch& stretch, loop::Body body) const {
  body = only_if(threads_inside(stretch), std::move(body));
  // Most rows of an unknown length end before the last steps: threads pass over those together.
  const bool ends_early = shape.is_shifted && stretch.first > 0 && !length.known();
  if (ends_early) body = only_if(is_before_end(stretch), std::move(body));
  return {loop::Loop{stretch.step, emitter_.simplified(emitter_.extent(stretch.step).expression()),
                     loop::Place::serial, std::move(body)}};
}

loop::Statement RowStretches::around(const RowStretch& stretch, loop::Body body) const {
  body = only_if(lanes_inside(stretch), std::move(body));
  return in_loop(stretch, in_lanes(lane, shape.width, std::move(body)));
}

}  // namespace ridge::schedule
