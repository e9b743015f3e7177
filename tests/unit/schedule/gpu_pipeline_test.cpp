// Pipelined rows: what they compute, which rows they are, how often they are
// read, and which groups become such kernels.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "pipelined.h"
#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/reference/reference.h"
#include "ridge/ridge.h"
#include "ridge/schedule/gpu_pipeline_shape.h"
#include "scheduled.h"

namespace ridge::testing::gpu_pipeline_test {
namespace {

using graph::Graph;

class GpuPipelineShapes : public ::testing::TestWithParam<std::tuple<DType, Shape>> {};

TEST_P(GpuPipelineShapes, RmsNormGradient) {
  const auto& [dtype, shape] = GetParam();
  const int64_t rows = *shape[0].known(), columns = *shape[1].known();
  const Graph graph = pipelined_gradient(dtype, rows, columns, dtype);
  const schedule::Plan plan = planned_on(graph, 4);
  EXPECT_TRUE(is_pipelined(plan));
  const Interpreted ran = expect_as_reference(graph, plan, static_cast<double>(rows * columns));
  // Both large arrays once, weights for each cluster, or block of an SM, and class of rows, and what those leave.
  const int64_t peeled_loops = columns < 4096 ? 4 * 4 + 8 : 10;
  EXPECT_LT(ran.loaded, (2 * rows + 2 * peeled_loops) * (columns + 16));
}

// Four sums at once, a typical element of each row, and two column sums.
TEST_P(GpuPipelineShapes, LayerNormGradient) {
  const auto& [dtype, shape] = GetParam();
  const int64_t rows = *shape[0].known(), columns = *shape[1].known();
  const Graph graph = pipelined_layer_norm(dtype, rows, columns);
  const schedule::Plan plan = planned_on(graph, 4);
  EXPECT_TRUE(is_pipelined(plan));
  expect_as_reference(graph, plan, static_cast<double>(rows * columns));
}

// Misaligned rows, at multiples of 4 and of 16 bytes; classes of different sizes, more of them than
// clusters; rows that end in the middle of a thread's last vector.
INSTANTIATE_TEST_SUITE_P(
    Shapes, GpuPipelineShapes,
    ::testing::Values(std::tuple(bf16, Shape{19, 20001}), std::tuple(bf16, Shape{16, 24576}),
                      std::tuple(f16, Shape{17, 20002}), std::tuple(bf16, Shape{20, 20012}),
                      // By a block each.
                      std::tuple(bf16, Shape{35, 5001}), std::tuple(f16, Shape{33, 3002}),
                      std::tuple(bf16, Shape{34, 4100}), std::tuple(bf16, Shape{33, 10000}),
                      std::tuple(f16, Shape{32, 16384}),
                      // By several blocks of an SM.
                      std::tuple(bf16, Shape{131, 1023}), std::tuple(f16, Shape{65, 2049}),
                      std::tuple(bf16, Shape{129, 1540}),
                      // The last step but one may end behind the row, too.
                      std::tuple(bf16, Shape{130, 1534}), std::tuple(bf16, Shape{130, 3070}),
                      std::tuple(bf16, Shape{17, 22526})),
    [](const auto& parameter) {
      const Shape& shape = std::get<1>(parameter.param);
      return concat(name(std::get<0>(parameter.param)), "_", *shape[0].known(), "x",
                    *shape[1].known());
    });

// Clusters and classes that start together leave a number out, whose columns are looked for elsewhere.
TEST(GpuPipeline, NumbersThatAreLeftOut) {
  for (const int64_t columns : {20003, 20005, 20006}) {
    const Graph graph = pipelined_gradient(bf16, 131, columns, bf16);
    const schedule::Plan plan = planned_on(graph, 32);
    EXPECT_TRUE(is_pipelined(plan)) << columns;
    expect_as_reference(graph, plan, 131.0 * static_cast<double>(columns));
  }
}

// Persistent blocks of 5120 have 320 threads, and no room for a second one beside them.
TEST(GpuPipeline, RowsWhoseBlocksWouldLeaveSmsIdle) {
  const Graph graph = pipelined_gradient(bf16, 33, 5120, bf16);
  const schedule::Plan plan = planned_on(graph, 4);
  EXPECT_TRUE(is_pipelined(plan));
  expect_as_reference(graph, plan, 33 * 5120);
  for (const int64_t columns : {2560, 4096, 7168, 8192}) {
    EXPECT_FALSE(is_pipelined(planned_on(pipelined_gradient(bf16, 64, columns, bf16), 4)))
        << columns;
  }
}

TEST(GpuPipeline, OfTwiceTheBytes) {
  const Graph graph = pipelined_gradient(f32, 18, 20001, f32);
  const schedule::Plan plan = planned_on(graph, 4);
  EXPECT_TRUE(is_pipelined(plan));
  expect_as_reference(graph, plan, 18 * 20001);
}

TEST(GpuPipeline, WeightsOfAnotherType) {
  const Graph graph = pipelined_gradient(bf16, 18, 20001, f32);
  const schedule::Plan plan = planned_on(graph, 4);
  EXPECT_TRUE(is_pipelined(plan));
  expect_as_reference(graph, plan, 18 * 20001);
}

TEST(GpuPipeline, LongRowsOnAnH200) {
  const auto planned = [](int64_t rows, int64_t columns) {
    return schedule::schedule(pipelined_gradient(bf16, rows, columns, bf16),
                              {.target = schedule::Target::gpu});
  };
  EXPECT_TRUE(is_pipelined(planned(4096, 50257)));
  EXPECT_FALSE(is_pipelined(planned(8192, 8192)));  // registers of a block hold it
  EXPECT_FALSE(is_pipelined(planned(64, 50257)));   // too few rows
  const auto planned_norm = [](int64_t columns) {
    return schedule::schedule(pipelined_layer_norm(bf16, 8192, columns),
                              {.target = schedule::Target::gpu});
  };
  // Misaligned rows would be taken one element at a time.
  EXPECT_TRUE(is_pipelined(planned(8192, 5001)));
  EXPECT_TRUE(is_pipelined(planned_norm(5001)));
  EXPECT_TRUE(is_pipelined(planned_norm(1023)));
  EXPECT_FALSE(is_pipelined(planned_norm(701)));
  EXPECT_FALSE(is_pipelined(planned_norm(8192)));
  EXPECT_TRUE(is_pipelined(planned_norm(8200)));
  EXPECT_TRUE(is_pipelined(planned_norm(5000)));
  EXPECT_FALSE(is_pipelined(planned_norm(6144)));
}

// Weights that lie behind each other in one array.
TEST(GpuPipeline, PackedWeights) {
  const int64_t columns = 20001;
  const auto x = matrix_of(bf16, {18, columns});
  const Graph graph = graph_of({x, matrix_of(bf16, {2, columns}), x}, [](const Tensors& t) {
    const Tensor a = select(t[1], 0, 0), b = select(t[1], 0, 1);
    const Tensor g = cast(t[2], f32) * cast(a, f32) + cast(b, f32), wide = cast(t[0], f32);
    const Tensor y = g - wide * (sum(g * wide, {1}, true) / 20001.0);
    return Tensors{cast(y, bf16), sum(cast(t[2], f32) * wide, {0})};
  });
  const schedule::Plan plan = planned_on(graph, 4);
  EXPECT_TRUE(is_pipelined(plan));
  expect_as_reference(graph, plan, 18.0 * static_cast<double>(columns));
}

// Rows that do not start at the start of their array.
TEST(GpuPipeline, SlicesOfRows) {
  for (const int64_t first : {0, 1, 8}) {
    const Graph graph = graph_of({matrix_of(bf16, {18, 20040})}, [&](const Tensors& t) {
      const Tensor x = cast(slice(t[0], 1, first, first + 20001), f32);
      return Tensors{sum(x * x, {1}), sum(x * (1.0 + sum(x, {1}, true)), {0})};
    });
    const schedule::Plan plan = planned_on(graph, 4);
    EXPECT_EQ(is_pipelined(plan), first != 1) << first;
    expect_as_reference(graph, plan, 18 * 20001);
  }
}

// What a row is given, and what it leaves.
TEST(GpuPipeline, NumbersOfRows) {
  const auto x = matrix_of(bf16, {18, 20001}), row = matrix_of(f32, {18, 1});
  const Graph graph = graph_of({x, row, row}, [](const Tensors& t) {
    const Tensor wide = cast(t[0], f32);
    const Tensor total = sum(wide * t[1], {1}, true);
    const Tensor y = wide - total * 1e-3;
    return Tensors{cast(y, bf16), total * t[2], sum(y, {0})};
  });
  const schedule::Plan plan = planned_on(graph, 4);
  EXPECT_TRUE(is_pipelined(plan));
  expect_as_reference(graph, plan, 18 * 20001);
}

// Their gradients have the same rule, and kernels of another kind.
TEST(GpuPipeline, FewLongRowsOfALayerNorm) {
  const Graph graph = pipelined_layer_norm(bf16, 3, 50257);
  const schedule::Plan plan = schedule::schedule(graph, {.target = schedule::Target::gpu});
  EXPECT_FALSE(is_pipelined(plan));
  expect_as_reference(graph, plan, 3 * 50257);
}

// A variance about the mean needs that first: two rounds.
TEST(GpuPipeline, SumsThatDependOnSumsAreNotPipelined) {
  const Graph graph = graph_of({matrix_of(bf16, {16, 20001})}, [](const Tensors& t) {
    const Tensor x = cast(t[0], f32);
    const Tensor centered = x - mean(x, {1}, true);
    const Tensor y = centered * rsqrt(mean(centered * centered, {1}, true) + 1e-5);
    return Tensors{cast(y, bf16), sum(y, {0})};
  });
  const schedule::Plan plan = planned_on(graph, 4);
  EXPECT_FALSE(is_pipelined(plan));
  expect_as_reference(graph, plan, 16 * 20001);
}

struct Sms {
  int64_t all, clustered;
};
// Of the gradient of an RMS norm of bf16.
schedule::PipelineWork norm_rows(int64_t length, int64_t count, int64_t stride, const Sms& sms) {
  return {.length = length,
          .count = count,
          .width = 8,
          .row_stride = stride,
          .copied_bytes = 4,
          .row_sums = 2,
          .column_bytes = 4,
          .invariant_bytes = 2,
          .limits = {.sms = sms.all, .shared_bytes = 228 * 1024, .clustered_sms = sms.clustered},
          .cluster = 8};
}

// Rows have as few threads as hold their sums; where there are few rows, fewer blocks share an SM.
TEST(GpuPipeline, BlocksShareAnSm) {
  const auto shape = [](int64_t length, int64_t count) {
    return schedule::pipeline_shape(norm_rows(length, count, length, {132, 120}));
  };
  EXPECT_EQ(shape(1023, 32768)->blocks_per_sm, 4);
  EXPECT_EQ(shape(1023, 32768)->clusters, 4 * 132);
  EXPECT_EQ(shape(2049, 32768)->threads, 96);
  EXPECT_EQ(shape(4097, 32768)->threads, 224);
  EXPECT_EQ(shape(4097, 32768)->blocks_per_sm, 2);
  EXPECT_EQ(shape(10001, 32768)->blocks_per_sm, 1);
  EXPECT_EQ(shape(1023, 2200)->clusters, 2 * 132);
  EXPECT_EQ(shape(4097, 1100)->threads, 352);         // of the only block on its SM
  for (const int64_t length : {1534, 3070, 22526}) {  // end behind the last step but one, or in it
    EXPECT_EQ(shape(length, 32768)->end_step, shape(length, 32768)->steps - 2) << length;
  }
  EXPECT_FALSE(shape(1023, 1000));
  EXPECT_FALSE(shape(2049, 1000));  // a cluster would have three warps that compute in each block
}

// Every row once, each with the misalignment of its peeled loop, whatever the numbers of rows, clusters and classes.
TEST(GpuPipeline, ClustersShareAllRows) {
  for (const int64_t count : {8, 9, 37, 64, 100, 129}) {
    for (const int64_t stride : {8, 4, 2, 1, 20001}) {
      const schedule::PipelineWork work = norm_rows(20000, count, stride, {12, 12});
      const auto shape = schedule::pipeline_shape(work);
      if (!shape) continue;  // too few rows
      std::multiset<int64_t> rows;
      std::set<int64_t> numbers;
      for (int64_t w = 0; w < shape->clusters; ++w) {
        for (int64_t s = 0; s < shape->segments; ++s) {
          const schedule::PipelineOrder order(work, *shape, expr::Expr(w), expr::Expr(s));
          const auto value = [](const expr::Expr& e) { return expr::simplify(e)->integer; };
          if (value(order.exists) == 0) {
            EXPECT_EQ(value(order.trip_count), 0);
            continue;
          }
          EXPECT_TRUE(numbers.insert(value(order.number)).second);
          // Whoever combines the sums only knows their number.
          EXPECT_EQ(value(schedule::PipelineOrder::misalignment_of(work, *shape, order.number)),
                    value(order.misalignment));
          if (value(order.leaves_gap) != 0) {
            EXPECT_TRUE(numbers.insert(value(order.number) - 1).second);
            const auto misalignment =
                schedule::PipelineOrder::misalignment_of(work, *shape, order.number - 1);
            EXPECT_LE(value(misalignment) + work.length,
                      shape->blocks * shape->slice * shape->width);
          }
          for (int64_t trip = 0; trip < value(order.trip_count); ++trip) {
            const int64_t row = value(order.row(expr::Expr(trip)));
            rows.insert(row);
            EXPECT_EQ(row * stride % 8, value(order.misalignment));
          }
        }
      }
      EXPECT_EQ(static_cast<int64_t>(rows.size()), count);
      EXPECT_EQ(static_cast<int64_t>(std::set<int64_t>(rows.begin(), rows.end()).size()), count);
      EXPECT_EQ(*rows.rbegin(), count - 1);
      EXPECT_EQ(static_cast<int64_t>(numbers.size()), shape->partials);
      EXPECT_EQ(*numbers.rbegin(), shape->partials - 1);
    }
  }
}

}  // namespace
}  // namespace ridge::testing::gpu_pipeline_test
