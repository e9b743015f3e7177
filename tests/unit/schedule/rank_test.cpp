// Ranks by sorting: what the kernels of both targets find is what the definition counts.
#include "ridge/ops/rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::rank_test {
namespace {

using schedule::Target;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double awkward_number(SplitMix64& random, DType dtype) {
  if (is_boolean(dtype)) return static_cast<double>(random.integer(0, 1));
  if (dtype == u8) return static_cast<double>(random.integer(0, 255));
  if (!is_floating(dtype)) return static_cast<double>(random.integer(-300, 300));
  const double special[] = {kNan, -kNan, kInfinity, -kInfinity, 0.0, -0.0, 1e-40, -1e-40, 3e38};
  const int64_t kind = random.integer(0, 40);
  return kind < 9 ? special[kind] : static_cast<double>(random.integer(-900, 900)) / 16;
}

// Numbers with many equal ones among them and, of reals, all that are special.
Tensor awkward(DType dtype, const Shape& shape, uint64_t seed = 1) {
  SplitMix64 random(seed);
  std::vector<double> values(static_cast<size_t>(*numel(shape).known()));
  for (double& value : values) value = awkward_number(random, dtype);
  return cast(Tensor::of(values, shape), dtype);
}

struct RankCase {
  DType dtype;
  Shape shape;
  int64_t dim;
  bool is_descending;
};
std::string text(const RankCase& one) {
  return concat(name(one.dtype), " ", one.shape, " along ", one.dim,
                one.is_descending ? " descending" : "");
}

graph::Graph graph_for(const RankCase& one) {
  return graph_of({{one.dtype, one.shape, kCpu, false}}, [&](const std::vector<Tensor>& x) {
    return std::vector{rank_of(x[0], one.dim, one.is_descending)};
  });
}

// By the standard library, along the last dimension.
std::vector<int64_t> ranks_of_rows(const Tensor& x, bool is_descending) {
  const std::vector<double> values = x.to_vector<double>();
  const auto length = static_cast<size_t>(*x.size(x.rank() - 1).known());
  std::vector<int64_t> ranks(values.size());
  const auto is_less = [](double a, double b) {
    return a < b || (!std::isnan(a) && std::isnan(b));
  };
  for (size_t first = 0; first < values.size(); first += length) {
    std::vector<size_t> order(length);
    std::iota(order.begin(), order.end(), first);
    std::ranges::stable_sort(order, [&](size_t a, size_t b) {
      return is_descending ? is_less(values[b], values[a]) : is_less(values[a], values[b]);
    });
    for (size_t i = 0; i < length; ++i) ranks[order[i]] = static_cast<int64_t>(i);
  }
  return ranks;
}

// The kernels' ranks are those of the definition; gives what running them took.
Interpreted expect_as_defined(const RankCase& one, Target target, size_t kernels) {
  SCOPED_TRACE(text(one));
  const graph::Graph graph = graph_for(one);
  const schedule::Plan plan = schedule::schedule(graph, {.target = target});
  EXPECT_EQ(plan.calls.size(), kernels);
  const std::vector<Tensor> inputs{awkward(one.dtype, one.shape)};
  Interpreted ours = interpret(graph, plan, inputs);
  EXPECT_EQ(ours.outputs[0].to_vector<int64_t>(),
            expected_outputs(graph, inputs)[0].to_vector<int64_t>());
  return ours;
}

constexpr DType kDTypes[] = {f64, f32, f16, bf16, i64, i32, i8, u8, boolean};

TEST(Rank, IsSeenInItsDefinitionOnly) {
  const ops::Definition rank = ops::rank_definition({3, 5}, 1, expr::Type::real, true);
  const auto form = ops::rank_form(rank);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->dim, 1u);
  EXPECT_TRUE(form->is_descending);
  ops::Definition other = rank;
  other.reducer = ops::Reducer::max;
  EXPECT_FALSE(ops::rank_form(other));
  other = rank;
  other.value = expr::cast(expr::axis(2) < expr::axis(1), expr::Type::integer);
  EXPECT_FALSE(ops::rank_form(other));
}

TEST(CpuRank, SortsEveryKindOfElement) {
  for (const DType dtype : kDTypes) {
    for (const bool is_descending : {false, true}) {
      expect_as_defined({dtype, {2, 130}, 1, is_descending}, Target::cpu, 2);
    }
  }
}

TEST(CpuRank, SortsAlongAnyDimension) {
  expect_as_defined({f32, {65}, 0, false}, Target::cpu, 2);
  expect_as_defined({f32, {70, 3}, 0, true}, Target::cpu, 2);
  expect_as_defined({i32, {2, 80, 3}, 1, false}, Target::cpu, 2);
  expect_as_defined({bf16, {3, 1, 90}, -1, true}, Target::cpu, 2);
}

TEST(CpuRank, CountsShortRows) {
  expect_as_defined({f32, {5, 64}, 1, false}, Target::cpu, 1);
  expect_as_defined({f32, {5, 1}, 1, false}, Target::cpu, 1);
}

TEST(CpuRank, SortsTheLowestAndHighestIntegers) {
  const RankCase one{i64, {100}, 0, false};
  std::vector<int64_t> values(100, 0);
  values[3] = values[50] = std::numeric_limits<int64_t>::min();
  values[4] = values[40] = std::numeric_limits<int64_t>::max();
  values[5] = -1;
  const graph::Graph graph = graph_for(one);
  const schedule::Plan plan = schedule::schedule(graph, {});
  const std::vector<Tensor> inputs{Tensor::of(values, {100})};
  EXPECT_EQ(interpret(graph, plan, inputs).outputs[0].to_vector<int64_t>(),
            expected_outputs(graph, inputs)[0].to_vector<int64_t>());
}

TEST(CpuRank, ReadsARowAFewTimes) {
  const Interpreted ours = expect_as_defined({f32, {2000}, 0, false}, Target::cpu, 2);
  // Of 4 passes: keys to count and to move, counters twice, sources; 256 counters.
  EXPECT_LE(ours.loaded, 22 * 2000 + 4 * 256);
}

TEST(GpuRank, SortsEveryKindOfElement) {
  for (const DType dtype : kDTypes) {
    SCOPED_TRACE(name(dtype));
    const RankCase one{dtype, {2, 1100}, 1, dtype == f32};
    const graph::Graph graph = graph_for(one);
    const schedule::Plan plan = schedule::schedule(graph, {.target = Target::gpu});
    EXPECT_GT(plan.calls.size(), 3u);
    const std::vector<Tensor> inputs{awkward(dtype, one.shape)};
    EXPECT_EQ(interpret(graph, plan, inputs).outputs[0].to_vector<int64_t>(),
              ranks_of_rows(inputs[0], one.is_descending));
  }
}

TEST(GpuRank, SortsRowsOfSeveralChunks) {
  for (const bool is_descending : {false, true}) {
    const RankCase one{f32, {2, 9001}, 1, is_descending};
    const graph::Graph graph = graph_for(one);
    const schedule::Plan plan = schedule::schedule(graph, {.target = Target::gpu});
    EXPECT_EQ(plan.calls.size(), 1 + 8 * 3u);
    const std::vector<Tensor> inputs{awkward(f32, one.shape)};
    EXPECT_EQ(interpret(graph, plan, inputs).outputs[0].to_vector<int64_t>(),
              ranks_of_rows(inputs[0], is_descending));
  }
}

TEST(GpuRank, IsWhatTheDefinitionCounts) {
  expect_as_defined({f32, {1025, 2}, 0, false}, Target::gpu, 1 + 8 * 3);
  expect_as_defined({u8, {1030}, 0, true}, Target::gpu, 1 + 2 * 3);
  expect_as_defined({f32, {3, 100}, 1, true}, Target::gpu, 1);
}

// What floors and predictions are made of: bytes and flops of all kernels, by the length of the row.
TEST(Rank, IsCountedAsPassesOverARow) {
  for (const Target target : {Target::cpu, Target::gpu}) {
    const graph::Graph graph = graph_for({f32, {1 << 20}, 0, false});
    const schedule::Plan plan = schedule::schedule(graph, {.target = target});
    int64_t bytes = 0, flops = 0;
    for (const schedule::KernelCall& call : plan.calls) {
      bytes += *call.bytes.known();
      flops += *call.flops.known();
    }
    EXPECT_LE(bytes, int64_t{300} << 20);
    EXPECT_LE(flops, int64_t{300} << 20);
  }
}

}  // namespace
}  // namespace ridge::testing::rank_test
