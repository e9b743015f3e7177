#include "ridge/schedule/gpu_pipeline_order.h"

namespace ridge::schedule {

PipelineOrder::PipelineOrder(const PipelineWork& work, const PipelineShape& shape,
                             const Expr& worker, const Expr& segment)
    : classes_(shape.classes) {
  const int64_t all = shape.classes * shape.slots_per_class;
  const Expr slots_per_class(shape.slots_per_class);
  const Expr from = expr::floor_div(worker * all, Expr(shape.workers));
  const Expr to = expr::floor_div((worker + 1) * all, Expr(shape.workers));
  class_ = shape.classes == 1 ? Expr(0) : expr::floor_div(from, slots_per_class) + segment;
  const Expr class_start = class_ * shape.slots_per_class;
  const Expr start = expr::max(from, class_start);
  // Classes behind the last rows have a place less.
  const Expr rows =
      expr::floor_div(Expr(work.count + shape.classes - 1) - class_, Expr(shape.classes));
  first_ = start - class_start;
  trip_count = expr::max(expr::min(to, class_start + rows) - start, Expr(0));
  exists = start < expr::min(to, class_start + shape.slots_per_class);
  shift = expr::mod(class_ * work.row_stride, Expr(shape.width));
  number = worker + class_;
  const Expr both_start = expr::equal(from, class_start) && Expr(0) < class_ && Expr(0) < worker;
  leaves_gap = shape.classes == 1 ? expr::equal(Expr(0), Expr(1))
                                  : expr::equal(segment, Expr(0)) && both_start;
}

// Class c starts in the last cluster w whose first place is not behind its own, which is the first one with
//   walkers * (c * slots_per_class + 1) <= all * (w + 1).
// Its first number is w + c, so c is the greatest with
//   c * slots_per_class * (walkers + classes) <= (number + 1) * all - walkers.
// A number that is left out gets the class before.
Expr PipelineOrder::shift_of(const PipelineWork& work, const PipelineShape& shape,
                             const Expr& number) {
  if (shape.classes == 1) return Expr(0);
  const int64_t all = shape.classes * shape.slots_per_class;
  const Expr first_class =
      expr::floor_div((number + 1) * all - shape.workers,
                      Expr(shape.slots_per_class * (shape.workers + shape.classes)));
  return expr::mod(first_class * work.row_stride, Expr(shape.width));
}

Expr PipelineOrder::row(const Expr& trip) const { return (trip + first_) * classes_ + class_; }

}  // namespace ridge::schedule
