#include "ridge/cost/index_steps.h"

#include <algorithm>
#include <cstdlib>

#include "ridge/cost/tuning.h"
#include "ridge/expr/evaluate.h"
#include "ridge/expr/expr.h"

namespace ridge::cost {

using expr::Expr;
using expr::Function;
using expr::Kind;

bool holds_load(const Expr& e) {
  bool result = false;
  expr::walk(e, [&](const Expr& node) { result |= node->kind == Kind::load; });
  return result;
}

bool holds_axis(const Expr& e, int axis) {
  if (axis < expr::Node::kLastAxis) return ((e->axes >> axis) & 1) != 0;
  bool result = false;
  expr::walk(e,
             [&](const Expr& node) { result |= node->kind == Kind::axis && node->index == axis; });
  return result;
}

int64_t value_at(const Expr& e, const std::map<int, int64_t>& places,
                 std::span<const int64_t> sizes) {
  expr::Leaves leaves;
  leaves.axis = [&](int i) {
    const auto found = places.find(i);
    return expr::Number::of(found == places.end() ? int64_t{0} : found->second);
  };
  leaves.param = [&](int i) { return expr::Number::of(sizes[static_cast<size_t>(i)]); };
  leaves.input = [](int) { return expr::Number::of(int64_t{0}); };
  leaves.load = [](int, std::span<const int64_t>) { return expr::Number::of(int64_t{0}); };
  return expr::evaluate(e, leaves).as_integer();
}

double mean_of(const Expr& e, std::span<const AroundLoop> around, std::span<const int64_t> sizes) {
  const auto first = static_cast<double>(value_at(e, {}, sizes));
  double mean = first;
  for (const AroundLoop& loop : around) {
    if (loop.trips <= 1 || !holds_axis(e, loop.axis)) continue;
    const auto last = static_cast<double>(value_at(e, {{loop.axis, loop.last()}}, sizes));
    // The last piece of a cut axis differs, or each iteration does, as below a diagonal.
    const bool is_gradual =
        loop.trips > 2 && static_cast<double>(value_at(e, {{loop.axis, 1}}, sizes)) != first;
    mean += (last - first) / (is_gradual ? 2 : loop.trips);
  }
  return mean;
}

namespace {

// Divisions break what would be one run of equal steps.
int runs_of_warp(const Expr& index, const AroundLoop& loop, std::span<const int64_t> sizes) {
  bool divides = false;
  expr::walk(index, [&](const Expr& node) {
    const bool is_division = is_call(node, Function::floor_div) || is_call(node, Function::mod);
    divides |= is_division && holds_axis(node, loop.axis);
  });
  const bool is_lane = loop.place == loop::Place::gpu_thread;
  if (!divides || !is_lane) return 1;
  int runs = 1;
  const int64_t lanes = std::min<int64_t>(tuning::kWarp, loop.last() + 1);
  int64_t before = value_at(index, {}, sizes), step = 0;
  for (int64_t lane = 1; lane < lanes; ++lane) {
    const int64_t here = value_at(index, {{loop.axis, lane}}, sizes);
    if (lane == 1) step = here - before;
    runs += here - before == step ? 0 : 1;
    before = here;
  }
  return runs;
}

}  // namespace

std::vector<AxisStep> steps_of(const Expr& index, std::span<const AroundLoop> around,
                               std::span<const int64_t> sizes, AxisSet random) {
  std::vector<AxisStep> steps;
  const int64_t first = value_at(index, {}, sizes);
  for (const AroundLoop& loop : around) {
    const bool is_random = random.has(loop.axis);
    if (loop.trips <= 1 || !(is_random || holds_axis(index, loop.axis))) continue;
    const int64_t second = value_at(index, {{loop.axis, 1}}, sizes);
    const int64_t last = value_at(index, {{loop.axis, loop.last()}}, sizes);
    const int64_t of_warp =
        value_at(index, {{loop.axis, std::min<int64_t>(tuning::kWarp - 1, loop.last())}}, sizes);
    steps.push_back({loop.axis, loop.trips, std::abs(second - first), std::abs(last - first),
                     is_random, std::abs(of_warp - first), last < first,
                     runs_of_warp(index, loop, sizes)});
  }
  return steps;
}

namespace {

class Share {
 public:
  Share(std::span<const AroundLoop> around, std::span<const int64_t> sizes)
      : around_(around), sizes_(sizes) {}

  double of(const Expr& condition) const {
    if (is_call(condition, Function::logical_and)) {
      return of(condition->args[0]) * of(condition->args[1]);
    }
    if (is_call(condition, Function::equal)) return of_equal(condition);
    if (is_call(condition, Function::less)) return of_less(condition);
    return 1;
  }

 private:
  const AroundLoop* loop_of(const Expr& e) const {
    if (e->kind != Kind::axis) return nullptr;
    const auto found = std::ranges::find(around_, e->index, &AroundLoop::axis);
    const bool is_known = found != around_.end() && found->place != loop::Place::vector;
    return is_known ? &*found : nullptr;
  }
  bool is_fixed(const Expr& e) const {
    bool result = true;
    expr::walk(e, [&](const Expr& node) {
      result &= node->kind != Kind::axis && node->kind != Kind::load && node->kind != Kind::input;
    });
    return result;
  }

  // Up to an offset that differs from block to block, of less than what a thread takes at once.
  bool is_nearly_fixed(const Expr& e) const {
    if (is_fixed(e)) return true;
    if (is_call(e, Function::add)) {
      return is_nearly_fixed(e->args[0]) && is_nearly_fixed(e->args[1]);
    }
    if (!is_call(e, Function::mod) || !is_fixed(e->args[1])) return false;
    bool is_of_grid = true;
    expr::walk(e->args[0], [&](const Expr& node) {
      if (node->kind != Kind::axis) return;
      const AroundLoop* const loop = loop_of(node);
      is_of_grid &= loop != nullptr && loop->place == loop::Place::gpu_block;
    });
    return is_of_grid && value_at(e->args[1], {}, sizes_) <= 16;
  }
  // Lanes are masked off a whole thread at a time, but for the one thread at the end.
  bool is_gpu_lane(const Expr& axis) const {
    const bool is_gpu = std::ranges::any_of(
        around_, [](const AroundLoop& loop) { return loop.place == loop::Place::gpu_block; });
    return is_gpu && std::ranges::find(around_, axis->index, &AroundLoop::axis) != around_.end();
  }

  // i == c, and i % s == c.
  double of_equal(const Expr& condition) const {
    const Expr& left = condition->args[0];
    if (!is_fixed(condition->args[1])) return 1;
    if (const AroundLoop* loop = loop_of(left)) return 1 / std::max(1.0, loop->trips);
    if (!is_call(left, Function::mod) || !is_fixed(left->args[1])) return 1;
    const AroundLoop* loop = loop_of(left->args[0]);
    if (loop == nullptr || loop->trips < 1) return 1;
    const auto every = static_cast<double>(value_at(left->args[1], {}, sizes_));
    return every <= 0 ? 1 : std::ceil(loop->trips / every) / loop->trips;
  }

  // A number that counts up through the iterations of the loops around, below a bound.
  double of_less(const Expr& condition) const {
    const Expr& left = condition->args[0];
    if (!is_nearly_fixed(condition->args[1])) return 1;
    bool is_countable = true;
    expr::walk(left, [&](const Expr& node) {
      is_countable &= node->kind != Kind::load && node->kind != Kind::input;
      is_countable &= node->kind != Kind::axis || loop_of(node) != nullptr || is_gpu_lane(node);
    });
    if (!is_countable) return 1;
    std::map<int, int64_t> ends;
    double points = 1;
    for (const AroundLoop& loop : around_) {
      if (!holds_axis(left, loop.axis)) continue;
      ends[loop.axis] = loop.last();
      points *= loop.trips;
    }
    const auto first = static_cast<double>(value_at(left, {}, sizes_));
    const auto last = static_cast<double>(value_at(left, ends, sizes_));
    // Each number once; else it is not known how often which one comes.
    if (std::abs(last - first + 1 - points) > 0.5) return 1;
    const auto bound = static_cast<double>(value_at(condition->args[1], {}, sizes_));
    return std::clamp((bound - first) / points, 0.0, 1.0);
  }

  std::span<const AroundLoop> around_;
  std::span<const int64_t> sizes_;
};

}  // namespace

double share_of(const Expr& condition, std::span<const AroundLoop> around,
                std::span<const int64_t> sizes) {
  return Share(around, sizes).of(condition);
}

}  // namespace ridge::cost
