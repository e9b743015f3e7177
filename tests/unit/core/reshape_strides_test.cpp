#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

#include "ridge/core/shape.h"
#include "ridge/expr/evaluate.h"

namespace ridge::reshape_strides_test {
namespace {

using List = std::vector<int64_t>;

Shape shape_of(const List& list) { return Shape(list.begin(), list.end()); }

// Memory positions in row-major order of the elements.
List positions(const List& shape, const List& strides) {
  List result{0};
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    List longer;
    for (int64_t start : result) {
      for (int64_t i = 0; i < shape[dim]; ++i) longer.push_back(start + i * strides[dim]);
    }
    result = longer;
  }
  return result;
}

// The strides that must hold if any do: read off the positions of the second element of each
// dimension. Nothing if they do not explain all positions.
std::optional<List> strides_by_search(const List& wanted, const List& shape) {
  List strides(shape.size(), 0);
  int64_t step = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (shape[dim] > 1) strides[dim] = wanted[static_cast<size_t>(step)] - wanted[0];
    if (strides[dim] < 0) return std::nullopt;
    step *= shape[dim];
  }
  return positions(shape, strides) == wanted ? std::optional(strides) : std::nullopt;
}

std::optional<List> reshape(const List& shape, const List& strides, const List& new_shape) {
  const auto result = reshape_strides(shape_of(shape), shape_of(strides), shape_of(new_shape));
  if (!result) return std::nullopt;
  List list;
  for (const Size& stride : *result) list.push_back(stride.known().value());
  return list;
}

TEST(ReshapeStrides, Examples) {
  EXPECT_EQ(reshape({2, 3, 4}, {24, 4, 1}, {2, 6, 2}), (List{24, 2, 1}));
  EXPECT_EQ(reshape({2, 3, 4}, {24, 4, 1}, {4, 6}), std::nullopt);
  EXPECT_EQ(reshape({2, 3}, {1, 2}, {6}), std::nullopt);
  EXPECT_EQ(reshape({2, 3}, {0, 0}, {3, 2}), (List{0, 0}));
  EXPECT_EQ(reshape({2, 3}, {1, 2}, {2, 3}), (List{1, 2}));
}

TEST(ReshapeStrides, DimensionsOfSizeOneAndZero) {
  EXPECT_EQ(reshape({}, {}, {1, 1}), (List{1, 1}));
  EXPECT_EQ(reshape({1}, {77}, {}), List{});
  EXPECT_EQ(reshape({2, 1, 3}, {5, 99, 1}, {1, 2, 3, 1}).value()[1], 5);
  EXPECT_EQ(reshape({2, 0, 3}, {1, 7, 2}, {0, 5}), (List{5, 1}));
  EXPECT_EQ(reshape({0}, {1}, {3, 0}), (List{1, 1}));
}

// All ways to write `count` as an ordered product, with up to two ones among the factors.
List random_factors(int64_t count, std::mt19937& random) {
  List factors;
  while (count > 1) {
    List divisors;
    for (int64_t d = 2; d <= count; ++d) {
      if (count % d == 0) divisors.push_back(d);
    }
    factors.push_back(divisors[random() % divisors.size()]);
    count /= factors.back();
  }
  for (auto ones = random() % 3; ones > 0; --ones) factors.push_back(1);
  std::ranges::shuffle(factors, random);
  return factors;
}

// A permuted, possibly gapped or broadcast layout.
List random_strides(const List& shape, std::mt19937& random) {
  List order(shape.size()), strides(shape.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  if (random() % 2 == 0) std::ranges::shuffle(order, random);
  int64_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    const auto dim = static_cast<size_t>(order[i]);
    if (random() % 5 == 0) stride += 1 + static_cast<int64_t>(random() % 4);
    strides[dim] = random() % 8 == 0 ? 0 : stride;
    stride *= shape[dim];
  }
  return strides;
}

TEST(ReshapeStrides, FindsAViewExactlyWhenThereIsOne) {
  std::mt19937 random(7);
  int found = 0, refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    constexpr int64_t kCounts[] = {1, 6, 12, 16, 24, 36};
    const int64_t count = kCounts[random() % 6];
    const List shape = random_factors(count, random), new_shape = random_factors(count, random);
    const List strides = random_strides(shape, random);
    const List wanted = positions(shape, strides);
    const auto result = reshape(shape, strides, new_shape);
    const auto search = strides_by_search(wanted, new_shape);
    ASSERT_EQ(result.has_value(), search.has_value())
        << to_text(shape_of(shape)) << to_text(shape_of(strides)) << to_text(shape_of(new_shape));
    if (result) {
      ASSERT_EQ(positions(new_shape, *result), wanted);
    }
    ++(result ? found : refused);
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(refused, 1000);
}

class SymbolicReshape : public testing::Test {
 protected:
  Size symbol(const char* name, int64_t hint) { return symbolic_size(name, {0, 4096}, hint, log_); }
  size_t guard_count() const { return log_->guards().size(); }

  std::shared_ptr<expr::GuardLog> log_ = std::make_shared<expr::GuardLog>();
};

TEST_F(SymbolicReshape, ContiguousNeedsNoGuard) {
  const Size n = symbol("n", 8);
  const Shape shape{n, 2, 3};
  const auto strides = reshape_strides(shape, contiguous_strides(shape), {n, 6});
  EXPECT_EQ((*strides)[0].known(), 6);
  EXPECT_TRUE(reshape_strides(shape, contiguous_strides(shape), {6 * n}).has_value());
  EXPECT_EQ(guard_count(), 0u);
}

TEST_F(SymbolicReshape, RunsThatFitExactlyNeedNoGuard) {
  const Size n = symbol("n", 8), m = symbol("m", 1);
  // A slice of a wider matrix, split into heads: [n, 12] of [n, 20].
  const auto heads = reshape_strides({n, 12}, {20, 1}, {n, 3, 4});
  ASSERT_TRUE(heads);
  EXPECT_EQ(to_text(*heads), "[20, 4, 1]");
  // Transposed, with a dimension of 1 put behind.
  const auto column = reshape_strides({n, 5}, {1, n}, {n, 5, 1});
  ASSERT_TRUE(column);
  EXPECT_TRUE((*column)[1].is_same(n));
  EXPECT_EQ(guard_count(), 0u);
}

TEST_F(SymbolicReshape, RefusingIsGuardedWhereAnotherSizeHasAView) {
  const Size n = symbol("n", 8);
  EXPECT_FALSE(reshape_strides({n, 4}, {1, n}, {4 * n}));  // one column is a view
  EXPECT_GE(guard_count(), 1u);
}

TEST_F(SymbolicReshape, DimensionsOfSizeOneNeedNoGuard) {
  const Size n = symbol("n", 2);
  const Size rows = divided_up(n, 2);  // 1 in this call
  const auto column = reshape_strides({rows, 4}, {8, 1}, {rows, 1, 4});
  ASSERT_TRUE(column);
  EXPECT_EQ((*column)[0].known(), 8);
  const auto flat = reshape_strides({rows, 1, 4}, {8, 3, 1}, {rows, 4});
  ASSERT_TRUE(flat);
  EXPECT_EQ(to_text(*flat), "[8, 1]");
  EXPECT_EQ(guard_count(), 0u);
}

TEST_F(SymbolicReshape, AnAssumedEqualityIsGuarded) {
  const Size n = symbol("n", 8), m = symbol("m", 32);
  // Rows of n * 4 elements, m apart: one run only because m is 4 * n in this call.
  const auto strides = reshape_strides({3, 4 * n}, {m, 1}, {12 * n});
  ASSERT_TRUE(strides);
  EXPECT_EQ((*strides)[0].known(), 1);
  EXPECT_GE(guard_count(), 1u);
}

TEST_F(SymbolicReshape, AHintOfZeroIsGuarded) {
  const Size n = symbol("n", 0);
  EXPECT_TRUE(reshape_strides({n, 4}, {1, n}, {4 * n}));
  EXPECT_EQ(guard_count(), 1u);
}

// Sizes that are numbers or symbols. Each symbol has a value to decide by, another to be fast for.
class SymbolicLayouts {
 public:
  explicit SymbolicLayouts(uint32_t seed) : random_(seed) {
    for (const char* name : {"n", "m"}) {
      symbols_.push_back(make_ref<const expr::Symbol>(name, expr::Interval{1, 64}, value(), log_,
                                                      expr::SpeedHint(value())));
    }
  }

  int64_t value() { return 1 + static_cast<int64_t>(random_() % 4); }
  bool one_in(uint32_t count) { return random_() % count == 0; }
  Size size() {
    if (one_in(2)) return Size(expr::symbol(symbols_[random_() % 2]));
    return one_in(3) ? 1 : value();
  }
  // Row-major or permuted, with gaps as slices leave them.
  Shape strides(const Shape& shape) {
    std::vector<size_t> order(shape.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (one_in(3)) std::ranges::shuffle(order, random_);
    Shape strides(shape.size());
    Size stride = 1;
    for (size_t i = order.size(); i-- > 0;) {
      if (one_in(3)) stride = stride * (one_in(2) ? Size(2) : size());
      strides[order[i]] = stride;
      stride = stride * (one_in(4) ? divided_up(shape[order[i]], 2) * 2 : shape[order[i]]);
    }
    return strides;
  }
  // Neighbors joined, and dimensions of size 1 put between.
  Shape regrouped(const Shape& shape) {
    Shape result;
    for (const Size& size : shape) {
      if (!result.empty() && one_in(3)) {
        result.back() = result.back() * size;
      } else {
        result.push_back(size);
      }
      if (one_in(3)) result.push_back(1);
    }
    return result;
  }

  // Numbers in the place of the symbols; nothing if a guard does not hold for them.
  bool choose_values() {
    values_ = {value(), value()};
    return std::ranges::all_of(log_->guards(), [&](const expr::Guard& guard) {
      return expr::evaluate(guard.condition, leaves()).as_boolean();
    });
  }
  List at_values(const Shape& shape) const {
    List list;
    for (const Size& size : shape) {
      list.push_back(expr::evaluate(size.expression(), leaves()).as_integer());
    }
    return list;
  }

 private:
  expr::Leaves leaves() const {
    return {.symbol = [this](const expr::Symbol& symbol) {
      return expr::Number::of(values_[symbol.name() == "n" ? 0 : 1]);
    }};
  }

  std::mt19937 random_;
  std::shared_ptr<expr::GuardLog> log_ = std::make_shared<expr::GuardLog>();
  std::vector<Ref<const expr::Symbol>> symbols_;
  std::vector<int64_t> values_;
};

// Whatever sizes the guards let through have the answer that was given, and the view that was found.
TEST(SymbolicReshapeProperty, GuardsHoldTheAnswer) {
  int views = 0, copies = 0;
  for (uint32_t seed = 0; seed < 1500; ++seed) {
    SymbolicLayouts layouts(seed);
    Shape shape;
    for (int64_t rank = layouts.value(); rank > 0; --rank) shape.push_back(layouts.size());
    const Shape strides = layouts.strides(shape), new_shape = layouts.regrouped(shape);
    const auto found = reshape_strides(shape, strides, new_shape);
    for (int other = 0; other < 6; ++other) {
      if (!layouts.choose_values()) continue;
      const List sizes = layouts.at_values(shape), seen = layouts.at_values(new_shape);
      const List wanted = positions(sizes, layouts.at_values(strides));
      ASSERT_EQ(found.has_value(), strides_by_search(wanted, seen).has_value())
          << to_text(shape) << to_text(strides) << to_text(new_shape) << " with "
          << to_text(shape_of(sizes));
      if (found) {
        ASSERT_EQ(positions(seen, layouts.at_values(*found)), wanted);
      }
      ++(found ? views : copies);
    }
  }
  EXPECT_GT(views, 1000);
  EXPECT_GT(copies, 100);
}

}  // namespace
}  // namespace ridge::reshape_strides_test
