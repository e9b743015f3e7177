// Split reductions on a GPU: rows cut into chunks, columns in tiles.
#include "ridge/schedule/gpu_split_reduction.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ridge/base/text.h"
#include "ridge/cost/sheets.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::gpu_split_test {
namespace {

using schedule::Plan;

graph::Type of(DType dtype, const Shape& shape) { return {dtype, shape, kCpu, false}; }

double tolerance(DType dtype, double length) {
  return epsilon(dtype == f64 ? f64 : f32) * (8 + 2 * std::sqrt(length)) + 2 * epsilon(dtype);
}

// Relative to the largest element.
void expect_close(const std::vector<Tensor>& ours, const std::vector<Tensor>& expected,
                  double length) {
  ASSERT_EQ(ours.size(), expected.size());
  for (size_t i = 0; i < ours.size(); ++i) {
    const auto a = ours[i].to_vector<double>(), b = expected[i].to_vector<double>();
    double largest = 1;
    for (const double value : b) largest = std::max(largest, std::abs(value));
    const DType dtype = ours[i].dtype();
    const double bound = is_floating(dtype) ? tolerance(dtype, length) * largest : 0;
    for (size_t j = 0; j < a.size(); ++j) {
      ASSERT_NEAR(a[j], b[j], bound) << "output " << i << ", element " << j;
    }
  }
}

// Runs the GPU mapping of a function in both orders of its blocks: no race, the same bits, and what
// the reference gives. Returns how many kernels there are.
size_t check(const std::vector<graph::Type>& types, const Function& function, double length) {
  const graph::Graph graph = graph_of(types, function);
  const Plan plan = schedule::schedule(graph, {.target = schedule::Target::gpu});
  const std::vector<Tensor> inputs = random_inputs(graph, 7);
  loop::Options backwards;
  backwards.reverse_tasks = true;
  const Interpreted first = interpret(graph, plan, inputs);
  const Interpreted second = interpret(graph, plan, inputs, backwards);
  for (size_t i = 0; i < first.outputs.size(); ++i) {
    EXPECT_EQ(first.outputs[i].to_vector<double>(), second.outputs[i].to_vector<double>());
  }
  expect_close(first.outputs, expected_outputs(graph, inputs), length);
  for (const schedule::PlannedBuffer& buffer : plan.buffers) {
    if (buffer.kind != BufferKind::temporary || buffer.offset < 0) continue;
    const auto bytes = static_cast<int64_t>(bytes_for(buffer.dtype, numel(buffer.shape).value()));
    EXPECT_LE(buffer.offset + bytes, plan.arena_bytes);
  }
  return plan.calls.size();
}

// Rows that are read once, are enough for a cluster on all SMs and cannot be cut into wide chunks: one
// kernel, no scratch.
TEST(SplitRows, OfClustersWhereChunksAreNoChoice) {
  const auto text_of = [](const Shape& shape, const Function& function) {
    const graph::Graph graph = graph_of({of(bf16, shape)}, function);
    const Plan plan = schedule::schedule(
        graph, {.target = schedule::Target::gpu, .sheet = cost::find_sheet("h200")});
    const std::vector<Tensor> inputs = random_inputs(graph, 3);
    expect_close(interpret(graph, plan, inputs).outputs, expected_outputs(graph, inputs), 65536);
    return concat(plan.calls.size(), " ", loop::to_text(plan.calls.front().kernel));
  };
  const auto sums = [](auto& x) -> std::vector<Tensor> { return {sum(x[0], {-1})}; };
  const auto positions = [](auto& x) -> std::vector<Tensor> { return {argmax(x[0], -1)}; };
  for (const std::string& text : {text_of({32, 65536}, positions), text_of({32, 65537}, sums)}) {
    EXPECT_TRUE(text.starts_with("1 ")) << text;
    EXPECT_NE(text.find("in 8 @gpu_cluster_block"), std::string::npos) << text;
  }
  for (const int64_t rows : {4, 32}) {
    const std::string text = text_of({rows, 65536}, sums);
    EXPECT_TRUE(text.starts_with("2 ")) << text;
    EXPECT_NE(text.find("in 512 @gpu_thread"), std::string::npos) << text;
  }
}

TEST(SplitRows, FewLongRowsBecomeTwoKernels) {
  for (const DType dtype : {f32, bf16, f64}) {
    for (const int64_t length : {20000, 50257, 65536, 100003}) {
      const auto sums = [](const std::vector<Tensor>& x) { return std::vector{sum(x[0], {1})}; };
      EXPECT_EQ(check({of(dtype, {3, length})}, sums, static_cast<double>(length)), 2U)
          << name(dtype) << " " << length;
    }
  }
}

TEST(SplitRows, AFullSumOfAnyLength) {
  const auto total = [](const std::vector<Tensor>& x) { return std::vector{sum(x[0])}; };
  for (const int64_t length : {1, 7, 1000, 16383}) {
    EXPECT_EQ(check({of(f32, {length})}, total, static_cast<double>(length)), 1U) << length;
  }
  for (const int64_t length : {16384, 100003, 1 << 20}) {
    EXPECT_EQ(check({of(f32, {length})}, total, static_cast<double>(length)), 2U) << length;
  }
}

TEST(SplitRows, NothingButOneElement) {
  const auto soft = [](const std::vector<Tensor>& x) { return std::vector{softmax(x[0], 0)}; };
  EXPECT_EQ(check({floats({1})}, soft, 1), 1U);
}

TEST(SplitRows, ManyRowsStayWhole) {
  const auto sums = [](const std::vector<Tensor>& x) { return std::vector{sum(x[0], {1})}; };
  EXPECT_EQ(check({floats({200, 16384})}, sums, 16384), 1U);
}

TEST(SplitRows, SeveralReductionsOfOnePassAndWhatFollowsThem) {
  const auto moments = [](const std::vector<Tensor>& x) {
    const Tensor mean = sum(x[0], {1}) / 40000.0, square = sum(x[0] * x[0], {1}) / 40000.0;
    return std::vector{mean, square - mean * mean, max(x[0], {1})};
  };
  EXPECT_EQ(check({floats({5, 40000})}, moments, 40000), 2U);
}

// Once to find what holds for the row (ops/long_rows.h), and once to write it.
TEST(SplitRows, ThatCanBeCutAreReadTwice) {
  constexpr int64_t kLength = 1 << 20;
  const std::vector<Function> functions{
      [](const std::vector<Tensor>& x) { return std::vector{softmax(x[0], 1)}; },
      [](const std::vector<Tensor>& x) { return std::vector{layer_norm(x[0])}; }};
  for (const Function& function : functions) {
    const graph::Graph graph = graph_of({of(bf16, {1, kLength})}, function);
    const Plan plan = schedule::schedule(
        graph, {.target = schedule::Target::gpu, .sheet = cost::find_sheet("h200")});
    const Interpreted run = expect_as_reference(graph, plan, kLength);
    EXPECT_GE(run.loaded, 2 * kLength);
    EXPECT_LT(run.loaded, 2 * kLength + kLength / 3);  // each thread loads what holds for the row
    EXPECT_EQ(plan.calls.size(), 3U);
  }
}

TEST(SplitRows, LaterPassesReadTheResultsOfEarlierOnes) {
  const auto soft = [](const std::vector<Tensor>& x) { return std::vector{softmax(x[0], 1)}; };
  EXPECT_EQ(check({floats({2, 140000})}, soft, 140000), 5U);
  const auto variance = [](const std::vector<Tensor>& x) {
    const Tensor mean = sum(x[0], {1}, true) / 140000.0, centered = x[0] - mean;
    return std::vector{sum(centered * centered, {1}), mean};
  };
  EXPECT_EQ(check({floats({2, 140000})}, variance, 140000), 4U);
}

// Few rows whose later passes find them in registers of a cluster: nothing is handed from kernel to kernel,
// and with few of them more blocks, or larger ones, hold each.
TEST(SplitRows, NotWhereAClusterHoldsThem) {
  const auto soft = [](const std::vector<Tensor>& x) { return std::vector{softmax(x[0], 1)}; };
  const auto text_of = [&](DType dtype, const Shape& shape) {
    EXPECT_EQ(check({of(dtype, shape)}, soft, static_cast<double>(*shape[1].known())), 1U);
    const Plan plan =
        schedule::schedule(graph_of({of(dtype, shape)}, soft), {.target = schedule::Target::gpu});
    return loop::to_text(plan.calls.front().kernel);
  };
  for (const std::string& text : {text_of(bf16, {3, 50257}), text_of(bf16, {1, 50257})}) {
    EXPECT_NE(text.find("in 8 @gpu_cluster_block"), std::string::npos) << text;
    EXPECT_NE(text.find("in 8 @vector"), std::string::npos) << text;
  }
  const std::string longer = text_of(f32, {2, 100000});
  EXPECT_NE(longer.find("in 512 @gpu_thread"), std::string::npos) << longer;
}

// What selects choose of a row is held nowhere.
TEST(SplitRows, WhereNothingIsHeld) {
  const auto soft = [](const std::vector<Tensor>& x) {
    return std::vector{softmax(cat({-x[0], x[1]}, 1), 1)};
  };
  EXPECT_GT(check({floats({3, 20000}), floats({3, 20000})}, soft, 40000), 1U);
}

// Rows that start at multiples of the width, though they do not lie behind one another, and end in between.
TEST(SplitRows, OfPaddedRowsInWideSteps) {
  const auto largest = [](const std::vector<Tensor>& x) {
    return std::vector{logsumexp(slice(x[0], 1, 0, 300001), {1})};
  };
  EXPECT_GT(check({of(bf16, {2, 300008})}, largest, 300001), 1U);
  const Plan plan = schedule::schedule(graph_of({of(bf16, {2, 300008})}, largest),
                                       {.target = schedule::Target::gpu});
  const std::string text = loop::to_text(plan.calls.front().kernel);
  EXPECT_NE(text.find("in 8 @vector"), std::string::npos) << text;
}

// A row by itself starts at a multiple of any width, and is read in wide steps wherever it ends.
TEST(SplitRows, ARowOfAnyLengthInWideSteps) {
  const auto total = [](const std::vector<Tensor>& x) { return std::vector{sum(x[0])}; };
  const Plan plan =
      schedule::schedule(graph_of({of(bf16, {100003})}, total), {.target = schedule::Target::gpu});
  const std::string text = loop::to_text(plan.calls.front().kernel);
  EXPECT_NE(text.find("in 8 @vector"), std::string::npos) << text;
}

TEST(SplitRows, IntegersAndLogic) {
  const auto both = [](const std::vector<Tensor>& x) {
    return std::vector{sum(cast(x[0] > 0.0, i64), {1}), max(cast(x[0] * 100.0, i32), {1}),
                       any(x[0] > 0.999, {1})};
  };
  check({floats({4, 30000})}, both, 1);
}

TEST(SplitRows, ChunksAreAlikeWhereTheLengthAllows) {
  const schedule::Chunks even = schedule::chunks_of(1 << 20, 33, 2048);
  EXPECT_EQ(even.size, 1 << 15);
  EXPECT_EQ(even.count, 32);
  const schedule::Chunks uneven = schedule::chunks_of(100003, 10, 256);
  EXPECT_EQ(uneven.size % 256, 0);
  EXPECT_GE(uneven.count * uneven.size, 100003);
  EXPECT_LT((uneven.count - 1) * uneven.size, 100003);
  EXPECT_EQ(schedule::chunks_of(5, 10, 256).count, 1);
}

TEST(Columns, SumsOfAnyShape) {
  const auto sums = [](const std::vector<Tensor>& x) { return std::vector{sum(x[0], {0})}; };
  for (const DType dtype : {f32, bf16, f64}) {
    for (const int64_t rows : {1, 7, 1000}) {
      for (const int64_t columns : {1, 3, 64, 100, 1000}) {
        SCOPED_TRACE(concat(name(dtype), " ", rows, " x ", columns));
        check({of(dtype, {rows, columns})}, sums, static_cast<double>(rows));
      }
    }
  }
}

TEST(Columns, FewColumnsOfManyRows) {
  const auto sums = [](const std::vector<Tensor>& x) { return std::vector{sum(x[0], {0})}; };
  for (const int64_t columns : {3, 8}) check({floats({100003, columns})}, sums, 100003);
  check({floats({40, 4096})}, sums, 40);
}

TEST(Columns, ManyRowsBecomeTwoKernelsThatReadCoalesced) {
  const auto sums = [](const std::vector<Tensor>& x) { return std::vector{sum(x[0], {0})}; };
  EXPECT_EQ(check({of(bf16, {2048, 512})}, sums, 2048), 2U);
  const graph::Graph graph = graph_of({of(bf16, {2048, 512})}, sums);
  const Plan plan = schedule::schedule(graph, {.target = schedule::Target::gpu});
  Tensor x = random_inputs(graph)[0];
  Tensor partial = Tensor::empty({1 << 20}, f32);
  const std::vector<void*> buffers{x.raw_data(), partial.raw_data()};
  const loop::Counts counts = loop::run(plan.calls[0].kernel, buffers, {});
  EXPECT_EQ(counts.loads.sectors, counts.loads.ideal_sectors);
  EXPECT_EQ(counts.loads.bytes, 2048 * 512 * 2);
  EXPECT_EQ(counts.stores.sectors, counts.stores.ideal_sectors);
}

TEST(Columns, GradientsOfANorm) {
  const auto gradients = [](const std::vector<Tensor>& x) {
    const Tensor x_hat = (x[1] - x[2]) * x[3];
    return std::vector{sum(x[0] * x_hat, {0}), sum(x[0], {0})};
  };
  const int64_t rows = 1024, columns = 256;
  EXPECT_EQ(check({of(bf16, {rows, columns}), of(bf16, {rows, columns}), floats({rows, 1}),
                   floats({rows, 1})},
                  gradients, rows),
            2U);
}

// Rows of an odd length are misaligned: threads take chunks of 16 bytes all the same.
TEST(Columns, MisalignedRowsAreTakenInChunks) {
  const auto gradients = [](const std::vector<Tensor>& x) {
    return std::vector{sum(x[0] * (x[1] * x[2]), {0}), sum(x[0], {0})};
  };
  const auto lanes_of = [](const Plan& plan) {
    return loop::to_text(plan.calls[0].kernel).find("in 8 @vector") != std::string::npos;
  };
  for (const int64_t columns : {523, 1026}) {
    // The last vector of 257 rows reaches behind the array; that of 259 is of a misaligned row.
    for (const int64_t rows : {256, 257, 259}) {
      SCOPED_TRACE(concat(rows, " x ", columns));
      const std::vector types{of(bf16, {rows, columns}), of(bf16, {rows, columns}),
                              floats({rows, 1})};
      EXPECT_EQ(check(types, gradients, static_cast<double>(rows)), 2U);
      const Plan plan =
          schedule::schedule(graph_of(types, gradients), {.target = schedule::Target::gpu});
      EXPECT_TRUE(lanes_of(plan));
    }
  }
  const auto outer = [](const std::vector<Tensor>& x) { return std::vector{sum(x[0], {0, 1})}; };
  EXPECT_EQ(check({of(f16, {2, 128, 521})}, outer, 256), 2U);
  EXPECT_EQ(check({of(f16, {7, 37, 523})}, outer, 259), 2U);
  // Rows that only a select has: the array ends before they do.
  const auto padded = [](const std::vector<Tensor>& x) {
    return std::vector{sum(pad(x[0], {0, 0, 0, 8}), {0})};
  };
  check({of(bf16, {251, 523})}, padded, 259);
}

TEST(Columns, BatchesAndSeveralSummedAxes) {
  const auto middle = [](const std::vector<Tensor>& x) { return std::vector{sum(x[0], {1})}; };
  EXPECT_EQ(check({floats({3, 600, 40})}, middle, 600), 2U);
  const auto outer = [](const std::vector<Tensor>& x) { return std::vector{sum(x[0], {0, 1})}; };
  EXPECT_EQ(check({floats({20, 50, 96})}, outer, 1000), 2U);
}

TEST(Columns, PassesInOneKernelAndInSeveral) {
  const auto soft = [](const std::vector<Tensor>& x) { return std::vector{softmax(x[0], 0)}; };
  EXPECT_EQ(check({floats({60, 100})}, soft, 60), 1U);
  EXPECT_EQ(check({floats({3000, 100})}, soft, 3000), 5U);
  const auto variance = [](const std::vector<Tensor>& x) {
    const Tensor mean = sum(x[0], {0}, true) / 2000.0, centered = x[0] - mean;
    return std::vector{sum(centered * centered, {0}) * 0.5, mean};
  };
  EXPECT_EQ(check({floats({2000, 66})}, variance, 2000), 4U);
}

TEST(Columns, IntegersAndLogic) {
  const auto both = [](const std::vector<Tensor>& x) {
    return std::vector{sum(cast(x[0] > 0.0, i64), {0}), max(cast(x[0] * 100.0, i32), {0}),
                       any(x[0] > 0.99, {0}), prod(x[0] * 0.0 + 1.0, {0})};
  };
  check({floats({700, 33})}, both, 700);
}

}  // namespace
}  // namespace ridge::testing::gpu_split_test
