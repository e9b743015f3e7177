#include <limits>

#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/join.h"
#include "ridge/ops/rank.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/sorting.h"
#include "ridge/ops/view.h"

namespace ridge::ops {
namespace {

// Shorter rows are sorted about as fast as several small calls take.
constexpr int64_t kLeastRow = 4096;
constexpr int64_t kLeastGroup = 8;

// There are length / group firsts and k * group candidates to sort: the fewest in all where both are equal.
int64_t group_size(int64_t length, int64_t k) {
  int64_t group = 1;
  while (4 * group * group * k <= length) group *= 2;
  return group;
}

// Numbers along one dimension.
Tensor along(const Tensor& numbers, int64_t dim, const Tensor& like) {
  Shape shape(like.shape().size(), 1);
  shape[static_cast<size_t>(dim)] = numbers.size(0);
  return reshape(numbers, shape);
}

// The element of each group that comes first. NaN is the largest, which `max` says by itself; in a rising order a group
// of nothing else must come behind one whose first is infinite.
Tensor firsts(const Tensor& groups, int64_t dim, bool is_largest) {
  if (is_largest) return max(groups, {dim});
  if (!is_floating(groups.dtype())) return min(groups, {dim});
  const Tensor is_none = is_nan(groups);
  const Tensor least = min(where(is_none, std::numeric_limits<double>::infinity(), groups), {dim});
  return where(all(is_none, {dim}), std::numeric_limits<double>::quiet_NaN(), least);
}

}  // namespace

Decision can_find_top_groups(const Tensor& x, int64_t k, int64_t dim) {
  const int64_t length = x.size(dim).known().value_or(0);
  if (length < kLeastRow) return Decision::no("a short row, or one of unknown length");
  if (k == 0 || is_boolean(x.dtype())) return Decision::no("nothing to find, or two values only");
  if (group_size(length, k) < kLeastGroup) return Decision::no("k groups are most of the row");
  return Decision::yes("k groups hold the k first");
}

Tensor top_group_positions(const Tensor& x, int64_t k, int64_t dim, bool is_largest) {
  const int64_t length = *x.size(dim).known(), group = group_size(length, k);
  const int64_t count = length / group, grouped = count * group;
  Shape shape = x.shape();
  shape[static_cast<size_t>(dim)] = count;
  shape.insert(shape.begin() + dim + 1, Size(group));
  const Tensor groups = reshape(grouped == length ? x : slice(x, dim, 0, grouped, 1), shape);
  const Tensor best = firsts(groups, dim + 1, is_largest);
  const Tensor chosen = sort(topk(best, k, dim, is_largest).indices, dim).values;

  const Tensor within = along(arange(group, i64, x.device()), dim + 1, groups);
  Shape result = x.shape();
  result[static_cast<size_t>(dim)] = k * group;
  const Tensor positions = reshape(unsqueeze(chosen, dim + 1) * group + within, result);
  if (grouped == length) return positions;
  // What is left of the row is no whole group: always candidates.
  result[static_cast<size_t>(dim)] = length - grouped;
  const Tensor rest = along(arange(length - grouped, i64, x.device()) + grouped, dim, x);
  return cat({positions, expand(rest, result)}, dim);
}

}  // namespace ridge::ops
