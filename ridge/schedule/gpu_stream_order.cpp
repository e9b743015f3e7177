#include "ridge/schedule/gpu_stream_order.h"

namespace ridge::schedule {

StreamOrder::StreamOrder(const StreamWork& work, const StreamShape& shape, const Expr& walker,
                         const Expr& segment)
    : classes_(shape.classes) {
  const int64_t all = shape.classes * shape.places;
  const Expr places(shape.places);
  const Expr from = expr::floor_div(walker * all, Expr(shape.walkers));
  const Expr to = expr::floor_div((walker + 1) * all, Expr(shape.walkers));
  class_ = shape.classes == 1 ? Expr(0) : expr::floor_div(from, places) + segment;
  const Expr class_start = class_ * shape.places;
  const Expr start = expr::max(from, class_start);
  // Classes behind the last rows have a place less.
  const Expr rows =
      expr::floor_div(Expr(work.count + shape.classes - 1) - class_, Expr(shape.classes));
  first_ = start - class_start;
  turns = expr::max(expr::min(to, class_start + rows) - start, Expr(0));
  exists = start < expr::min(to, class_start + shape.places);
  shift = expr::mod(class_ * work.row_stride, Expr(shape.width));
  number = walker + class_;
  const Expr both_start = expr::equal(from, class_start) && Expr(0) < class_ && Expr(0) < walker;
  leaves_gap = shape.classes == 1 ? expr::equal(Expr(0), Expr(1))
                                  : expr::equal(segment, Expr(0)) && both_start;
}

// Class c starts in the last cluster w whose first place is not behind its own, which is the first one with
//   walkers * (c * places + 1) <= all * (w + 1).
// Its first number is w + c, so c is the greatest with
//   c * places * (walkers + classes) <= (number + 1) * all - walkers.
// A number that is left out gets the class before.
Expr StreamOrder::shift_of(const StreamWork& work, const StreamShape& shape, const Expr& number) {
  if (shape.classes == 1) return Expr(0);
  const int64_t all = shape.classes * shape.places;
  const Expr first_class = expr::floor_div((number + 1) * all - shape.walkers,
                                           Expr(shape.places * (shape.walkers + shape.classes)));
  return expr::mod(first_class * work.row_stride, Expr(shape.width));
}

Expr StreamOrder::row(const Expr& turn) const { return (turn + first_) * classes_ + class_; }

}  // namespace ridge::schedule
