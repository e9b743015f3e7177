#include "ridge/graph/replay.h"

#include <gtest/gtest.h>

#include <cstring>

#include "ridge/base/hash.h"
#include "ridge/base/knobs.h"
#include "ridge/dispatch/call.h"
#include "ridge/graph/pass.h"
#include "ridge/graph/recorder.h"
#include "ridge/ops/registry.h"
#include "ridge/ridge.h"

namespace ridge::graph::replay_test {
namespace {

const bool kInstalled = (install_recorder(), true);

void expect_same_bytes(const Tensor& a, const Tensor& b, const std::string& text) {
  ASSERT_EQ(describe(a), describe(b)) << text;
  const Tensor x = clone(a), y = clone(b);
  const size_t bytes = bytes_for(x.dtype(), x.numel().value());
  EXPECT_EQ(bytes == 0 ? 0 : std::memcmp(x.raw_data(), y.raw_data(), bytes), 0) << text;
}

TEST(Replay, RunsEagerlyAndUpdatesLast) {
  const Graph graph = parse(
      "graph swap(%0: f32[2], %1: f32[2]) {\n"
      "  %2 = add(%0, %1) : f32[2]\n"
      "  return %2, %0\n"
      "  update %0 = %1\n"
      "  update %1 = %0\n}");
  const Tensor x = Tensor::of<float>({1, 2}, {2});
  const Tensor y = Tensor::of<float>({10, 20}, {2});
  const uint32_t version = x.version();
  const std::vector<Tensor> outputs = replay(graph, std::vector<Tensor>{x, y});
  EXPECT_EQ(outputs[0].to_vector<float>(), (std::vector<float>{11, 22}));
  EXPECT_EQ(outputs[1].to_vector<float>(), (std::vector<float>{1, 2}));
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{10, 20}));
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{1, 2}));
  EXPECT_GT(x.version(), version);
}

TEST(Replay, BindsSymbolsToTheSizesItIsGiven) {
  const Graph graph = parse(
      "graph f<n in [1, 100]>(%0: f32[n, 4]) {\n"
      "  %1 = reshape(%0, shape=[2 * n, 2]) : f32[2 * n, 2]\n"
      "  return %1\n}");
  const Tensor x = zeros({3, 4});
  EXPECT_EQ(replay(graph, std::vector<Tensor>{x})[0].shape(), (Shape{6, 2}));
  EXPECT_THROW(replay(graph, std::vector<Tensor>{zeros({3, 5})}), Error);
  EXPECT_THROW(replay(graph, std::vector<Tensor>{zeros({3, 4}, f64)}), Error);
  EXPECT_THROW(replay(graph, std::vector<Tensor>{}), Error);
}

TEST(Replay, CarriesGradients) {
  const Graph graph = parse(
      "graph f(%0: f64[2]) {\n  %1 = mul(%0, %0) : f64[2]\n"
      "  %2 = sum(%1) : f64[]\n  return %2\n}");
  const Tensor x = Tensor::of<double>({3, -5}, {2});
  set_requires_grad(x);
  backward(replay(graph, std::vector<Tensor>{x})[0]);
  EXPECT_EQ(grad_of(x).to_vector<double>(), (std::vector<double>{6, -10}));
}

TEST(Replay, ConstantsStayTheGraphsOwn) {
  const Graph graph = parse("graph f() {\n  %0 = constant [1, 2] : f32[2]\n  return %0\n}");
  const Tensor first = replay(graph, {})[0];
  add_(first, 5);
  EXPECT_EQ(replay(graph, {})[0].to_vector<float>(), (std::vector<float>{1, 2}));
}

// Records a call of an op with its tensors as inputs.
struct RecordedCall {
  Graph graph;
  std::vector<Tensor> inputs;
};

RecordedCall record_call(const dispatch::Operator& op, const std::vector<dispatch::Value>& args) {
  RecordedCall result;
  Recorder recorder(result.graph);
  const auto fake = [&](const Tensor& t) {
    if (!t.defined() || t.is_weak()) return t;
    result.inputs.push_back(t);
    return recorder.input({t.dtype(), t.shape()});
  };
  std::vector<dispatch::Value> traced = args;
  for (dispatch::Value& value : traced) {
    if (auto* tensor = std::get_if<Tensor>(&value)) *tensor = fake(*tensor);
    if (auto* list = std::get_if<dispatch::Tensors>(&value)) {
      for (Tensor& tensor : *list) tensor = fake(tensor);
    }
  }
  const Recorder::Scope scope(recorder);
  for (const Tensor& t : dispatch::call_values(op, dispatch::borrow(traced))) {
    result.graph.outputs.push_back(recorder.id(t));
  }
  return result;
}

// Every op of every family, as it runs, is what its graph computes: whole, read back from text, and
// after all the passes.
TEST(Replay, EveryOpComputesTheSameFromItsGraph) {
  const ScopedKnob verify_everything(Knob::verify, 3);
  const dispatch::IncludeKeys by_reference(dispatch::Key::reference);  // one kernel for all
  for (const ops::OpRecord* record : ops::registry().all()) {
    if (!record->samples) continue;
    for (const DType dtype : {f32, i64}) {
      ops::SampleMaker maker(record->op->schema(), dtype, hash_bytes(record->op->name()));
      record->samples(maker);
      for (const ops::SampleCall& call : maker.take()) {
        dispatch::Tensors expected;
        try {
          expected = dispatch::call_values(*record->op, dispatch::borrow(call.args));
        } catch (const Error&) {
          continue;  // not of this dtype
        }
        const RecordedCall recorded = record_call(*record->op, call.args);
        // The one pass that changes bits, on purpose: it rounds once where two ops round twice.
        const ScopedKnob disable(Knob::disable, "form-fma");
        PassContext context;
        const Graph optimized =
            run_passes(parse(to_text(recorded.graph)), standard_passes(), context);
        const std::vector<Tensor> whole = replay(recorded.graph, recorded.inputs);
        const std::vector<Tensor> parts = replay(optimized, recorded.inputs);
        for (size_t i = 0; i < expected.size(); ++i) {
          expect_same_bytes(whole[i], expected[i], to_text(recorded.graph));
          expect_same_bytes(parts[i], expected[i], to_text(optimized));
        }
        for (const Node& node : optimized.nodes) {
          EXPECT_FALSE(static_cast<bool>(node.op->record()->decompose)) << to_text(optimized);
        }
      }
    }
  }
}

}  // namespace
}  // namespace ridge::graph::replay_test
