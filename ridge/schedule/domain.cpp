#include "ridge/schedule/domain.h"

#include <algorithm>

#include "ridge/expr/simplify.h"

namespace ridge::schedule {
namespace {

// The axes of one list being taken apart from the back: what is left of the current one, and the
// number of refined axes it has given so far.
class Taking {
 public:
  explicit Taking(const Shape& sizes) : sizes_(sizes), parts_(sizes.size()) {}

  // Moves on to an axis with something left; false at the front.
  bool advance() {
    while (next_ > 0 && (!is_open_ || left_.known() == 1)) {
      left_ = sizes_[--next_];
      is_open_ = true;
    }
    return is_open_ && left_.known() != 1;
  }
  const Size& left() const { return left_; }
  void take(const Size& size, int refined) {
    parts_[next_].push_back(refined);
    left_ = left_.is_same(size) ? Size(1) : left_ / size;  // exact, as `common_part` has it
  }
  // Each axis over refined ones, which were numbered from the back.
  std::vector<Expr> axes(const Shape& refined) const {
    std::vector<Expr> result;
    const int count = static_cast<int>(refined.size());
    for (const std::vector<int>& parts : parts_) {
      Expr index = 0, stride = 1;
      for (const int part : parts) {
        const int axis = count - 1 - part;
        index = index + expr::axis(axis) * stride;
        stride = stride * refined[static_cast<size_t>(axis)].expression();
      }
      result.push_back(expr::simplify(index));
    }
    return result;
  }

 private:
  const Shape& sizes_;
  std::vector<std::vector<int>> parts_;
  size_t next_ = sizes_.size();
  Size left_ = 1;
  bool is_open_ = false;
};

// The largest run both sides can give next, if one divides the other.
std::optional<Size> common_part(const Size& a, const Size& b) {
  if (a.is_same(b)) return a;
  if (a.known() == 0 || b.known() == 0) return std::nullopt;
  // Of symbols the remainder has to vanish whatever their values are: b * s holds s.
  if ((a % b).known() == 0) return b;
  if ((b % a).known() == 0) return a;
  return std::nullopt;
}

}  // namespace

namespace {

// Of equal lists: each axis is itself.
Refined refine_alike(const Shape& sizes) {
  Refined result;
  for (const Size& size : sizes) {
    const bool stands_still = size.known() == 1;
    result.first.push_back(stands_still ? Expr(0)
                                        : expr::axis(static_cast<int>(result.axes.size())));
    if (!stands_still) result.axes.push_back(size);
  }
  result.second = result.first;
  return result;
}

}  // namespace

std::optional<Refined> refine(const Shape& first, const Shape& second) {
  if (is_same(first, second)) return refine_alike(first);
  Taking a(first), b(second);
  Shape reversed;
  while (true) {
    const bool has_a = a.advance(), has_b = b.advance();
    if (has_a != has_b) return std::nullopt;
    if (!has_a) break;
    const std::optional<Size> part = common_part(a.left(), b.left());
    if (!part) return std::nullopt;
    const int number = static_cast<int>(reversed.size());
    a.take(*part, number);
    b.take(*part, number);
    reversed.push_back(*part);
  }
  Refined result{Shape(reversed.rbegin(), reversed.rend()), {}, {}};
  result.first = a.axes(result.axes);
  result.second = b.axes(result.axes);
  return result;
}

Expr shift_axes(const Expr& e, int by) {
  if (by == 0 || e->axes == 0) return e;
  return expr::transform(e, [&](const Expr& node) {
    return node->kind == expr::Kind::axis ? expr::axis(node->index + by) : node;
  });
}

expr::AxisRanges ranges_of(const Shape& extents) {
  return [&extents](int axis) -> expr::Interval {
    if (static_cast<size_t>(axis) >= extents.size()) return expr::Interval::at_least(0);
    const Size& extent = extents[static_cast<size_t>(axis)];
    if (const auto known = extent.known()) return {0, std::max<int64_t>(*known - 1, 0)};
    const expr::Interval range = expr::interval_of(extent.expression());
    const bool is_bounded = range.high != expr::Interval::all().high;
    return {0, is_bounded ? std::max<int64_t>(range.high - 1, 0) : range.high};
  };
}

Expr linear_position(const std::vector<Expr>& position, const Shape& shape, const Shape& extents) {
  Expr linear = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    linear = linear * shape[i].expression() + position[i];
  }
  return expr::simplify(linear, ranges_of(extents));
}

}  // namespace ridge::schedule
