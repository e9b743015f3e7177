#include "ridge/graph/recorder.h"

#include <gtest/gtest.h>

#include "ridge/graph/replay.h"
#include "ridge/ops/record.h"
#include "ridge/ridge.h"

namespace ridge::graph::recorder_test {
namespace {

const bool kInstalled = (install_recorder(), true);

std::string op_name(const Graph& graph, size_t node) { return graph.nodes[node].op->name(); }

// What fails inside, and where.
template <class Run>
Error error_of(Run run) {
  try {
    run();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error({});
}

TEST(Recorder, RecordsCallsWithTheirLines) {
  Graph graph;
  Recorder recorder(graph);
  const Tensor x = recorder.input({f32, {8, 4}}, "x");
  Tensor y;
  int line = 0;
  {
    const Recorder::Scope scope(recorder);
    line = __LINE__ + 1;
    y = relu(x) * 2 + softmax(x, 1) * 2;
  }
  graph.outputs = {recorder.id(y)};
  ASSERT_EQ(graph.nodes.size(), 5U);
  EXPECT_EQ(op_name(graph, 4), "add");
  for (const Node& node : graph.nodes) EXPECT_EQ(static_cast<int>(node.where.line()), line);
  // x, the two results of 2, and one 2: numbers are shared.
  EXPECT_EQ(graph.values.size(), 1U + 5U + 1U);
  EXPECT_EQ(y.shape(), (Shape{8, 4}));
  EXPECT_EQ(y.dtype(), f32);
  EXPECT_FALSE(y.requires_grad());
  EXPECT_EQ(Recorder::active(), nullptr);
  EXPECT_EQ((Tensor::of<float>({1, 2}, {2}) + 1).to_vector<float>(), (std::vector<float>{2, 3}));
}

TEST(Recorder, NumbersAreSharedByValueAndType) {
  Graph graph;
  Recorder recorder(graph);
  const Tensor x = recorder.input({f32, {3}});
  const Recorder::Scope scope(recorder);
  const Tensor y = x * 2 + 2 * x + 2.0 * x + 0.0 * x + -0.0 * x + true;
  size_t constants = 0;
  for (const Value& value : graph.values) constants += value.constant.defined() ? 1 : 0;
  EXPECT_EQ(constants, 5U);  // 2, 2.0, 0.0, -0.0, true
  for (const Value& value : graph.values) {
    EXPECT_EQ(value.type.is_weak, value.constant.defined());
  }
  EXPECT_EQ(y.dtype(), f32);
}

TEST(Recorder, WritesCarryTokensAndViewsAliases) {
  Graph graph;
  Recorder recorder(graph);
  const Tensor x = recorder.input({f32, {4, 4}}, "x");
  const Recorder::Scope scope(recorder);
  const Tensor row = select(x, 0, 1);
  add_(row, 1);
  const Tensor returned = mul_(x, row);
  EXPECT_TRUE(returned.is_same(x));
  ASSERT_EQ(graph.nodes.size(), 3U);
  EXPECT_EQ(graph.nodes[0].token, 0);
  EXPECT_EQ(graph.nodes[1].token, 1);
  EXPECT_EQ(graph.nodes[2].token, 2);
  EXPECT_EQ(graph[recorder.id(row)].alias, recorder.id(x));
  EXPECT_EQ(graph[graph.nodes[1].results[0]].alias, recorder.id(row));
  EXPECT_TRUE(row.shares_storage_with(x));
  // A reshape that has to copy shares nothing.
  EXPECT_FALSE(reshape(transpose(x, 0, 1), {16}).shares_storage_with(x));
  EXPECT_TRUE(reshape(x, {16}).shares_storage_with(x));
}

TEST(Recorder, RefusesTensorsFromOutside) {
  Graph graph;
  Recorder recorder(graph);
  const Tensor x = recorder.input({f32, {2}});
  const Tensor outside = Tensor::of<float>({1, 2}, {2});
  const Recorder::Scope scope(recorder);
  int line = __LINE__ + 1;
  const Error error = error_of([&] { add(x, outside); });
  EXPECT_EQ(error.code(), ErrorCode::state);
  EXPECT_EQ(static_cast<int>(error.where()->line()), line);
  EXPECT_NE(error.hint().find("constant(t)"), std::string::npos) << error.what();
  EXPECT_EQ(graph.nodes.size(), 0U);

  const Tensor frozen = recorder.constant(outside);
  EXPECT_NO_THROW(add(x, frozen));
  EXPECT_EQ(error_of([&] { add_(frozen, x); }).code(), ErrorCode::state);
}

TEST(Recorder, ErrorsOfTheRulesNameTheUsersTensors) {
  Graph graph;
  Recorder recorder(graph);
  const Tensor x = recorder.input({f32, {2}});
  const Tensor y = recorder.input({f32, {3}});
  const Recorder::Scope scope(recorder);
  const Error error = error_of([&] { add(x, y); });
  EXPECT_EQ(error.code(), ErrorCode::shape);
  EXPECT_EQ(std::string(error.what()).find("meta"), std::string::npos) << error.what();
  EXPECT_EQ(error_of([&] { gelu(recorder.input({i64, {3}})); }).code(), ErrorCode::dtype);
}

TEST(FakeTensor, CannotBeReadWhileTracing) {
  Graph graph;
  Recorder recorder(graph);
  const Tensor x = recorder.input({f32, {}});
  const Recorder::Scope scope(recorder);
  const Tensor y = x * x;
  int line = __LINE__ + 1;
  const Error error = error_of([&] { y.item<float>(); });
  EXPECT_EQ(error.code(), ErrorCode::state);
  EXPECT_EQ(static_cast<int>(error.where()->line()), line);
  EXPECT_NE(std::string(error.what()).find("known while tracing"), std::string::npos);
  EXPECT_NE(error.hint().find("where"), std::string::npos);
  EXPECT_EQ(error_of([&] { y.to_vector<float>(); }).code(), ErrorCode::state);
  EXPECT_EQ(error_of([&] { y.raw_data(); }).code(), ErrorCode::state);
  EXPECT_EQ(error_of([&] { y.storage().data(); }).code(), ErrorCode::state);
  EXPECT_NE(to_text(y).find("capture"), std::string::npos);
}

TEST(FakeTensor, OfAnEndedCaptureIsAnErrorEverywhere) {
  Tensor left;
  Tensor matrix;
  {
    Graph graph;
    Recorder recorder(graph);
    const Recorder::Scope scope(recorder);
    left = relu(recorder.input({f32, {4}}));
    matrix = recorder.input({f32, {4, 4}});
  }
  const Tensor real = Tensor::of<float>({1, 2, 3, 4}, {4});
  const auto message = [&](auto run) { return std::string(error_of(run).what()); };
  const std::string ended = "capture that has ended";
  EXPECT_NE(message([&] { left.item<float>(); }).find(ended), std::string::npos);
  EXPECT_NE(message([&] { add(left, real); }).find(ended), std::string::npos);
  EXPECT_NE(message([&] { sum(left); }).find(ended), std::string::npos);
  EXPECT_NE(message([&] { reshape(left, {2, 2}); }).find(ended), std::string::npos);
  EXPECT_NE(message([&] { add_(left, real); }).find(ended), std::string::npos);
  EXPECT_NE(message([&] { add_(real, left); }).find(ended), std::string::npos);
  EXPECT_NE(message([&] { matmul(matrix, matrix); }).find(ended), std::string::npos);
  EXPECT_NE(message([&] { softmax(matrix, 0); }).find(ended), std::string::npos);
  const Error located = error_of([&] { add(left, real); });
  EXPECT_EQ(located.code(), ErrorCode::state);
  EXPECT_TRUE(located.where().has_value());
  set_requires_grad(real);
  EXPECT_NE(message([&] { mul(real, left); }).find(ended), std::string::npos);

  Graph graph;
  Recorder recorder(graph);
  const Recorder::Scope scope(recorder);
  EXPECT_NE(message([&] { relu(left); }).find(ended), std::string::npos);
}

TEST(Recorder, NestsAndListsWhatItCaptured) {
  Graph outer_graph;
  Graph inner_graph;
  Recorder outer(outer_graph);
  const Tensor x = outer.input({f32, {3}}, "x");
  const Recorder::Scope outer_scope(outer);
  const Tensor y = relu(x);
  Recorder inner(inner_graph);
  Tensor z;
  {
    const Recorder::Scope inner_scope(inner);
    EXPECT_EQ(Recorder::active(), &inner);
    z = y * y + x;
  }
  EXPECT_EQ(Recorder::active(), &outer);
  ASSERT_EQ(inner.captured().size(), 2U);
  EXPECT_TRUE(inner.captured()[0].outer.is_same(y));
  EXPECT_EQ(inner.captured()[0].input, inner_graph.inputs[0]);
  EXPECT_EQ(outer_graph.nodes.size(), 1U);
  inner_graph.outputs = {inner.id(z)};
  // Inlined: the calls of the inner graph, now of the outer one.
  const std::vector<Tensor> inlined = replay(inner_graph, std::vector<Tensor>{y, x});
  EXPECT_EQ(outer_graph.nodes.size(), 3U);
  EXPECT_TRUE(outer.owns(inlined[0]));
  EXPECT_FALSE(outer.owns(z));
}

TEST(Recorder, AnErrorInTheMiddleLeavesTheThreadAsItWas) {
  Graph graph;
  Recorder recorder(graph);
  const Tensor x = recorder.input({f32, {3}});
  EXPECT_THROW(
      {
        const Recorder::Scope scope(recorder);
        matmul(relu(x), recorder.input({f32, {4, 4}}));
      },
      Error);
  EXPECT_EQ(Recorder::active(), nullptr);
  EXPECT_FALSE(dispatch::thread_state().included.has(dispatch::Key::trace));
  EXPECT_EQ((Tensor::of<float>({1}, {1}) * 3).to_vector<float>(), (std::vector<float>{3}));
}

TEST(Recorder, AutocastIsSeenAsCasts) {
  Graph graph;
  Recorder recorder(graph);
  const Tensor x = recorder.input({f32, {3, 3}});
  const Recorder::Scope scope(recorder);
  const AutocastScope autocast(bf16);
  const Tensor y = matmul(x, x);
  EXPECT_EQ(y.dtype(), bf16);
  EXPECT_EQ(graph.nodes.size(), 3U);  // a cast of each operand, then the product
}

TEST(Recorder, CreationAndSymbolicSizesKeepTheirDevice) {
  Graph graph;
  Recorder recorder(graph);
  const Size n = symbolic_size("n", {1, 4096});
  const Tensor x = recorder.input({f32, {n, 4}, Device{DeviceKind::cuda, 0}});
  const Recorder::Scope scope(recorder);
  const Tensor y = x * ones({4}, f32, x.device()) + 1;
  EXPECT_EQ(y.device(), (Device{DeviceKind::cuda, 0}));
  EXPECT_TRUE(y.size(0).is_same(n));
  EXPECT_EQ(zeros_like(y).device(), y.device());
  EXPECT_TRUE(mean(y, {0}).shape()[0].known() == 4);
}

TEST(Recorder, ExpandsCompositeOpsIfAsked) {
  Graph graph;
  Recorder recorder(graph);
  recorder.set_expands([](const dispatch::Operator& op) {
    return op.record() != nullptr && static_cast<bool>(op.record()->decompose) && !writes(op);
  });
  const Tensor x = recorder.input({f32, {3, 5}});
  const Recorder::Scope scope(recorder);
  const int line = __LINE__ + 1;
  layer_norm(x);
  EXPECT_GT(graph.nodes.size(), 4U);
  for (const Node& node : graph.nodes) {
    EXPECT_FALSE(static_cast<bool>(node.op->record()->decompose)) << node.op->name();
    EXPECT_EQ(static_cast<int>(node.where.line()), line);
  }
}

}  // namespace
}  // namespace ridge::graph::recorder_test
