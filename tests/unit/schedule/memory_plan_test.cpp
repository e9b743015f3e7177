// Updates written in place where that is safe, and the arena.
#include <gtest/gtest.h>

#include <map>

#include "ridge/base/random.h"
#include "ridge/core/arena.h"
#include "ridge/graph/pass.h"
#include "ridge/graph/recorder.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::memory_test {
namespace {

using graph::Graph;

TEST(Arena, PiecesThatLiveTogetherDoNotOverlap) {
  SplitMix64 random(3);
  Arena arena;
  std::map<int64_t, int64_t> live;
  int64_t in_use = 0, most = 0;
  for (int step = 0; step < 2000; ++step) {
    if (live.empty() || random.next() % 3 != 0) {
      const auto bytes = static_cast<int64_t>(random.next() % 5000);
      const int64_t offset = arena.take(bytes);
      EXPECT_EQ(offset % Arena::kAlignment, 0);
      for (const auto& [other, size] : live) {
        EXPECT_TRUE(offset + bytes <= other || other + size <= offset);
      }
      live[offset] = bytes;
      in_use += bytes;
      most = std::max(most, in_use);
      EXPECT_LE(offset + bytes, arena.peak());
    } else {
      auto it = live.begin();
      std::advance(it, static_cast<ptrdiff_t>(random.next() % live.size()));
      arena.give_back(it->first, it->second);
      in_use -= it->second;
      live.erase(it);
    }
  }
  // Best fit wastes something, but not a multiple.
  EXPECT_LT(arena.peak(), 2 * most);
}

// A graph of the function, whose inputs it may write.
Graph written(const std::vector<graph::Type>& types,
              const std::function<void(std::vector<Tensor>&)>& function) {
  Graph graph;
  graph::Recorder recorder(graph);
  std::vector<Tensor> fakes;
  for (const graph::Type& type : types) fakes.push_back(recorder.input(type));
  {
    const graph::Recorder::Scope scope(recorder);
    function(fakes);
  }
  graph::PassContext context;
  return graph::run_passes(std::move(graph), graph::standard_passes(), context);
}

std::vector<Tensor> copies(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> result;
  for (const Tensor& t : tensors) result.push_back(Tensor::of(t.to_vector<float>(), t.shape()));
  return result;
}

void expect_same_updates(const Graph& graph, const schedule::Plan& plan) {
  const std::vector<Tensor> inputs = random_inputs(graph);
  const std::vector<Tensor> a = copies(inputs), b = copies(inputs);
  interpret(graph, plan, a);
  expected_outputs(graph, b);
  expect_near(a, b, 64);
}

TEST(Updates, APointwiseOneIsWrittenInPlace) {
  const Graph graph =
      written({floats({40}), floats({40})}, [](std::vector<Tensor>& x) { add_(x[0], x[1] * 0.5); });
  const schedule::Plan plan = schedule::schedule(graph, {});
  EXPECT_EQ(plan.calls.size(), 1u);
  EXPECT_EQ(plan.buffers.size(), 2u + 1u);  // the inputs, and the number
  expect_same_updates(graph, plan);
}

TEST(Updates, OneThatReadsElsewhereIsCopied) {
  const Graph graph =
      written({floats({8, 8})}, [](std::vector<Tensor>& x) { add_(x[0], transpose(x[0], 0, 1)); });
  const schedule::Plan plan = schedule::schedule(graph, {});
  EXPECT_EQ(plan.calls.size(), 2u);
  expect_same_updates(graph, plan);
}

TEST(Updates, ASwapKeepsBoth) {
  Graph graph;
  graph.add_input(floats({12}));
  graph.add_input(floats({12}));
  graph.updates = {{graph.inputs[0], graph.inputs[1]}, {graph.inputs[1], graph.inputs[0]}};
  expect_same_updates(graph, schedule::schedule(graph, {}));
}

TEST(Updates, ALaterReaderSeesTheOldValue) {
  const Graph graph = written({floats({16, 4}), floats({4})}, [](std::vector<Tensor>& x) {
    const Tensor before = sum(x[0], {0});
    mul_(x[0], 2.0);
    add_(x[1], before);
  });
  expect_same_updates(graph, schedule::schedule(graph, {}));
}

bool has_thread_loop(const loop::Body& body) {
  return std::any_of(body.begin(), body.end(), [](const loop::Statement& statement) {
    const auto* loop = std::get_if<loop::Loop>(&statement.kind);
    return loop != nullptr &&
           (loop->place == loop::Place::cpu_thread || has_thread_loop(loop->body));
  });
}

TEST(Copies, ALongOneIsSharedByThreads) {
  for (const int64_t count : {100, 4096, 4097, 10000}) {
    Graph graph;
    graph.outputs = {graph.add_input(floats({count}))};
    const schedule::Plan plan = schedule::schedule(graph, {});
    ASSERT_EQ(plan.calls.size(), 1u);
    EXPECT_EQ(has_thread_loop(plan.calls[0].kernel.body), count > 4096) << count;
    const std::vector<Tensor> inputs = random_inputs(graph);
    const Tensor output = interpret(graph, plan, inputs).outputs[0];
    EXPECT_FALSE(output.shares_storage_with(inputs[0]));
    EXPECT_EQ(output.to_vector<float>(), inputs[0].to_vector<float>());
  }
}

}  // namespace
}  // namespace ridge::testing::memory_test
