// Rows in shared memory: what persistent blocks compute, and how often they read.
#include <gtest/gtest.h>

#include <cmath>

#include "ridge/base/text.h"
#include "ridge/reference/reference.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::gpu_shared_rows_test {
namespace {

using graph::Graph;
using Tensors = std::vector<Tensor>;

graph::Type matrix_of(DType dtype, const Shape& shape) { return {dtype, shape, kCpu, false}; }

schedule::Plan planned_on(const Graph& graph, const std::shared_ptr<const cost::Sheet>& sheet) {
  return schedule::schedule(graph, {.target = schedule::Target::gpu, .sheet = sheet});
}

std::string text_of(const schedule::Plan& plan) {
  std::string text;
  for (const schedule::KernelCall& call : plan.calls) text += loop::to_text(call.kernel);
  return text;
}
int64_t count_of(const std::string& text, std::string_view part) {
  int64_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Runs the plan, and compares with the reference within the rounding of the result and of sums of this
// length. Blocks in both orders.
Interpreted expect_right(const Graph& graph, const schedule::Plan& plan, double length) {
  const reference::UseReference scope;
  const Tensors inputs = random_inputs(graph);
  const Tensors expected = expected_outputs(graph, inputs);
  interpret(graph, plan, inputs, {.reverse_tasks = true});
  Interpreted ours = interpret(graph, plan, inputs);
  EXPECT_EQ(ours.outputs.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto a = ours.outputs[i].to_vector<double>(), b = expected[i].to_vector<double>();
    double largest = 0;
    for (const double value : b) largest = std::max(largest, std::abs(value));
    const double bound =
        (2 * epsilon(expected[i].dtype()) + epsilon(f32) * (8 + 2 * std::sqrt(length))) * largest;
    size_t wrong = 0;
    for (size_t j = 0; j < a.size(); ++j) wrong += std::abs(a[j] - b[j]) <= bound ? 0 : 1;
    EXPECT_EQ(wrong, 0u) << "elements of output " << i << " of\n" << text_of(plan);
  }
  return ours;
}

struct LongRows {
  DType dtype;
  int64_t count, length;
  int shared_kib;           // of each SM
  bool is_double_buffered;  // room for two rows
  int sms = 2, blocks = 1;  // of the device, of a cluster
};

class SharedRowLengths : public ::testing::TestWithParam<LongRows> {
 protected:
  graph::Type rows() const {
    return matrix_of(GetParam().dtype, {GetParam().count, GetParam().length});
  }
  graph::Type row() const { return matrix_of(GetParam().dtype, {GetParam().length}); }
  std::shared_ptr<const cost::Sheet> device() const {
    return small_device(GetParam().sms, GetParam().shared_kib);
  }
  void expect_one_read(const Graph& graph, int64_t others) const {
    const schedule::Plan plan = planned_on(graph, device());
    const std::string text = text_of(plan);
    // In front of the row loop a row of two is waited for apart from the other.
    EXPECT_EQ(count_of(text, "wait_copies 1\n"), GetParam().is_double_buffered ? 2 : 0) << text;
    EXPECT_EQ(count_of(text, "wait_copies 0\n"), GetParam().is_double_buffered ? 0 : 1) << text;
    EXPECT_EQ(count_of(text, "% 2)") > 0, GetParam().is_double_buffered) << text;
    const std::string cluster = concat(" in ", GetParam().blocks, " @gpu_cluster_block");
    EXPECT_EQ(count_of(text, "@gpu_cluster_block") > 0, GetParam().blocks > 1) << text;
    EXPECT_EQ(count_of(text, cluster) > 0, GetParam().blocks > 1) << text;
    const int64_t elements = GetParam().count * GetParam().length;
    const Interpreted ran = expect_right(graph, plan, static_cast<double>(GetParam().length));
    EXPECT_LE(ran.loaded, elements + others);
    EXPECT_EQ(ran.stored, elements);
  }
};

TEST_P(SharedRowLengths, Softmax) {
  expect_one_read(graph_of({rows()}, [](auto& x) -> Tensors { return {softmax(x[0], -1)}; }), 0);
}

TEST_P(SharedRowLengths, LayerNorm) {
  const auto [dtype, count, length, shared, is_double_buffered, sms, blocks] = GetParam();
  // Weights at most once for each row.
  expect_one_read(graph_of({rows(), row(), row()},
                           [](auto& x) -> Tensors { return {layer_norm(x[0], x[1], x[2])}; }),
                  2 * count * length);
}

TEST_P(SharedRowLengths, RmsNorm) {
  const auto [dtype, count, length, shared, is_double_buffered, sms, blocks] = GetParam();
  expect_one_read(
      graph_of({rows(), row()}, [](auto& x) -> Tensors { return {rms_norm(x[0], x[1])}; }),
      count * length);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, SharedRowLengths,
    ::testing::Values(LongRows{f32, 9, 9000, 100, true}, LongRows{f32, 8, 9001, 100, true},
                      LongRows{f32, 13, 9003, 60, false}, LongRows{bf16, 9, 17001, 100, true},
                      LongRows{bf16, 8, 17008, 100, true}, LongRows{bf16, 11, 17009, 60, false},
                      LongRows{f16, 10, 20000, 60, false}, LongRows{f64, 8, 4097, 100, true},
                      // One block has no room; the next row comes when the last pass makes some.
                      LongRows{bf16, 9, 40000, 60, false, 4, 2},
                      LongRows{bf16, 13, 40003, 60, false, 4, 2},
                      LongRows{f32, 9, 33001, 60, false, 8, 4},
                      LongRows{bf16, 8, 90008, 50, false, 8, 4}),
    [](const auto& made_for) {
      return concat(name(made_for.param.dtype), "_", made_for.param.count, "x",
                    made_for.param.length);
    });

// Rows of equal alignment in each block, misaligned or not: weights are read once by each of two.
class RowInvariantWeights : public ::testing::TestWithParam<int64_t> {};

TEST_P(RowInvariantWeights, AreReadOnceByEachBlock) {
  const int64_t count = 9, length = GetParam();
  const auto x = matrix_of(bf16, {count, length}), w = matrix_of(bf16, {length});
  const Graph graph =
      graph_of({x, w, w}, [](auto& t) -> Tensors { return {layer_norm(t[0], t[1], t[2])}; });
  const schedule::Plan plan = planned_on(graph, small_device(2, 220));
  // In registers, and the ends of them in shared memory.
  const std::string text = text_of(plan);
  EXPECT_GT(count_of(text, "local "), 0) << text;
  EXPECT_GT(count_of(text, "_ends["), 0) << text;
  const Interpreted ran = expect_right(graph, plan, static_cast<double>(length));
  EXPECT_EQ(ran.loaded, count * length + 2 * 2 * length);
}

INSTANTIATE_TEST_SUITE_P(Rows, RowInvariantWeights, ::testing::Values(17008, 17004, 40000, 24580));

// Two elements of f64 make a vector, 16 a cache line: rows of 4097 are misaligned, and blocks copy whole lines.
TEST(SharedRows, MisalignedOnesAreCopiedFromTheStartsOfLines) {
  const auto x = matrix_of(f64, {60, 4097});
  const Graph graph = graph_of({x}, [](auto& t) -> Tensors { return {softmax(t[0], -1)}; });
  const schedule::Plan plan = planned_on(graph, small_device(15, 100));
  const std::string text = text_of(plan);
  EXPECT_GT(count_of(text, "% 16"), 0) << text;
  EXPECT_EQ(count_of(text, "in 15 @gpu_block"), 1) << text;
  expect_right(graph, plan, 4097);
}

// As many blocks as there are alignment classes have the same class in each of their rows, and keep the weights in
// registers. Where that would leave SMs idle, rows are aligned to a chunk, not to a line.
TEST(SharedRows, LinesAreNotWorthIdleSmsWhereWeightsAreRowInvariant) {
  for (const int sms : {16, 15}) {
    const auto x = matrix_of(f64, {64, 4097}), w = matrix_of(f64, {4097});
    const Graph graph = graph_of({x, w}, [](auto& t) -> Tensors { return {rms_norm(t[0], t[1])}; });
    const schedule::Plan plan = planned_on(graph, small_device(sms, 100));
    const std::string text = text_of(plan);
    const int64_t blocks = sms == 16 ? 16 : 14;
    EXPECT_EQ(count_of(text, concat("in ", blocks, " @gpu_block")), 1) << text;
    EXPECT_EQ(count_of(text, "4112 * (") > 0, sms == 16) << text;
    EXPECT_EQ(count_of(text, "4098 * (") > 0, sms == 15) << text;
    const Interpreted ran = expect_right(graph, plan, 4097);
    EXPECT_EQ(ran.loaded, (64 + blocks) * 4097);
  }
}

// The weights are read by two passes too, but lie in one row alone.
TEST(SharedRows, GradientOfANormKeepsItsTwoArraysOfRows) {
  const auto x = matrix_of(bf16, {9, 20001}), w = matrix_of(bf16, {20001});
  const Graph graph = graph_of({x, w, x}, [](const Tensors& t) {
    const auto pulled =
        vjp([&](const Tensors& a) { return Tensors{rms_norm(a[0], t[1])}; })(Tensors{t[0]});
    return Tensors(pulled.second(Tensors{t[2]}));
  });
  const schedule::Plan plan = planned_on(graph, small_device(2, 100));
  const std::string text = text_of(plan);
  EXPECT_EQ(count_of(text, "shared "), 2) << text;
  const Interpreted ran = expect_right(graph, plan, 20001);
  EXPECT_LE(ran.loaded, (2 + 2) * 9 * 20001);
}

TEST(SharedRows, FewRowsAndRowsThatDoNotFitAreNotInSharedMemory) {
  const auto softmax_of = [](int64_t count, int64_t length) {
    return graph_of({matrix_of(bf16, {count, length})},
                    [](auto& x) -> Tensors { return {softmax(x[0], -1)}; });
  };
  const auto copies_to_shared = [](const schedule::Plan& plan) {
    return text_of(plan).find("async_copy ") != std::string::npos;
  };
  EXPECT_TRUE(copies_to_shared(planned_on(softmax_of(8, 20000), small_device(2, 100))));
  EXPECT_FALSE(copies_to_shared(planned_on(softmax_of(3, 20000), small_device(2, 100))));
  // Two blocks have room, eight have not; three rows are too few for persistent blocks; and clusters of four need SMs.
  EXPECT_TRUE(copies_to_shared(planned_on(softmax_of(8, 20000), small_device(2, 30))));
  EXPECT_FALSE(copies_to_shared(planned_on(softmax_of(8, 20000), small_device(16, 6))));
  EXPECT_FALSE(copies_to_shared(planned_on(softmax_of(3, 20000), small_device(2, 30))));
  EXPECT_FALSE(copies_to_shared(planned_on(softmax_of(8, 20000), small_device(2, 16))));
  EXPECT_FALSE(copies_to_shared(planned_on(softmax_of(8, 4096), small_device(2, 100))));
}

TEST(SharedRows, ARowOfOneElementHasNoAxis) {
  const Graph graph =
      graph_of({matrix_of(f32, {1})}, [](auto& x) -> Tensors { return {logsumexp(x[0], {0})}; });
  expect_right(graph, planned_on(graph, small_device(2, 100)), 1);
}

// Two arrays of a row at a time, and a gather into the row that goes past shared memory.
TEST(SharedRows, GradientsOfSoftmaxAndCrossEntropy) {
  const auto x = matrix_of(f32, {9, 9001});
  const Graph softmax_gradient = graph_of({x, x}, [](const Tensors& t) {
    const auto pulled =
        vjp([](const Tensors& a) { return Tensors{softmax(a[0], -1)}; })(Tensors{t[0]});
    return Tensors(pulled.second(Tensors{t[1]}));
  });
  const auto device = small_device(2, 100);
  expect_right(softmax_gradient, planned_on(softmax_gradient, device), 9001);
  EXPECT_NE(text_of(planned_on(softmax_gradient, device)).find("async_copy "), std::string::npos);
}

// Rows whose columns are summed too, in blocks of two SMs: the next ones come to shared memory.
struct WalkedRows {
  int64_t count, length;
  int64_t rows;  // of a block
  int shared_kib;
  int prefetch_distance;  // rows in flight; 0: the next one comes to registers
};

class RowsAhead : public ::testing::TestWithParam<WalkedRows> {};

TEST_P(RowsAhead, LayerNormGradient) {
  const auto [count, length, rows, shared_kib, prefetch_distance] = GetParam();
  const auto x = matrix_of(bf16, {count, length}), w = matrix_of(bf16, {length});
  const Graph graph = graph_of({x, w, w, x}, [](const Tensors& t) {
    const auto pulled = vjp([](const Tensors& a) { return Tensors{layer_norm(a[0], a[1], a[2])}; })(
        Tensors{t[0], t[1], t[2]});
    return Tensors(pulled.second(Tensors{t[3]}));
  });
  const schedule::Plan plan = planned_on(graph, small_device(2, shared_kib, true));
  const std::string text = text_of(plan);
  // In front of the row loop a row of two is waited for apart from the other.
  EXPECT_EQ(count_of(text, "wait_copies 0\n"), prefetch_distance == 1 ? 1 : 0) << text;
  EXPECT_EQ(count_of(text, "wait_copies 1\n"), prefetch_distance == 2 ? 2 : 0) << text;
  EXPECT_EQ(count_of(text, "async_copy ") > 0, prefetch_distance > 0) << text;
  EXPECT_GT(count_of(text, "_next["), 0) << text;
  const Interpreted ran = expect_right(graph, plan, static_cast<double>(count * length));
  // Two arrays once, weights for each row of at most 8 blocks, and what those leave of two sums; and by
  // each thread, which has 8 elements of a row or more, the first one of it.
  const int64_t arrays = 2 * (count + rows) * length, firsts = count * length / 8;
  EXPECT_LE(ran.loaded, arrays + 8 * (rows + 2) * length + firsts);
}

// Blocks with one row and none prefetched, with an even and odd number of them; two rows in a block, the last
// of which has one; short rows; little memory.
INSTANTIATE_TEST_SUITE_P(
    Rows, RowsAhead,
    ::testing::Values(WalkedRows{3, 8192, 1, 228, 2}, WalkedRows{9, 8192, 1, 228, 2},
                      WalkedRows{8, 7000, 1, 228, 2}, WalkedRows{9, 8192, 1, 60, 1},
                      WalkedRows{9, 8192, 1, 40, 0}, WalkedRows{7, 4096, 1, 228, 1},
                      WalkedRows{29, 768, 2, 228, 1}, WalkedRows{150, 128, 16, 228, 1}),
    [](const auto& made_for) {
      return concat(made_for.param.count, "x", made_for.param.length, "_in_",
                    made_for.param.shared_kib);
    });

}  // namespace
}  // namespace ridge::testing::gpu_shared_rows_test
