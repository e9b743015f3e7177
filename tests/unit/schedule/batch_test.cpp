#include "ridge/schedule/batch.h"

#include <gtest/gtest.h>

#include <set>

#include "ridge/base/random.h"
#include "ridge/nn/optimizer.h"
#include "ridge/report/kernel_table.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::batch_test {
namespace {

using schedule::KernelCall;
using schedule::Plan;

Plan gpu_plan(const graph::Graph& graph, bool batches = true) {
  return schedule::schedule(graph, {.target = schedule::Target::gpu, .batches = batches});
}

size_t batch_count(const Plan& plan) {
  size_t count = 0;
  for (const KernelCall& call : plan.calls) count += call.entries.empty() ? 0 : 1;
  return count;
}

int64_t bytes_of(const Plan& plan) {
  int64_t bytes = 0;
  for (const KernelCall& call : plan.calls) bytes += call.bytes.value();
  return bytes;
}

// p - 0.1 * g of each pair.
Function steps() {
  return [](const std::vector<Tensor>& x) {
    std::vector<Tensor> outputs;
    for (size_t i = 0; i + 1 < x.size(); i += 2) outputs.push_back(x[i] - 0.1 * x[i + 1]);
    return outputs;
  };
}

// Four tensors for each shape, then the learning rate and the count of steps.
graph::Graph adamw(const std::vector<Shape>& shapes) {
  std::vector<graph::Type> types;
  for (const Shape& shape : shapes) types.insert(types.end(), 4, floats(shape));
  types.push_back({f64, {}, kCpu, false});
  types.push_back({i64, {}, kCpu, false});
  return graph_of(types, [](std::vector<Tensor> x) {
    std::vector<Tensor*> lists[4];
    for (size_t i = 0; i + 2 < x.size(); ++i) lists[i % 4].push_back(&x[i]);
    const nn::ParameterGroups groups;
    nn::update_adamw({lists[0], lists[1], {}, groups, x[x.size() - 2], x.back()}, lists[2],
                     lists[3], {});
    return std::vector<Tensor>();
  });
}

std::vector<Tensor> copies(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> result;
  for (const Tensor& tensor : tensors) result.push_back(clone(tensor));
  return result;
}

TEST(Batch, EqualMapsOfManySizesAreOneCall) {
  SplitMix64 random(3);
  std::vector<graph::Type> types;
  for (int i = 0; i < 150; ++i) {
    const auto some = static_cast<int64_t>(random.uniform(2, 3000));
    const int64_t count = i == 20 ? 3 : i == 40 ? 100003 : some;
    types.insert(types.end(), 2, floats(i % 3 == 0 ? Shape{count, 2} : Shape{count}));
  }
  const graph::Graph graph = graph_of(types, steps());
  const Plan plan = gpu_plan(graph), apart = gpu_plan(graph, false);
  EXPECT_EQ(apart.calls.size(), 150u);
  ASSERT_EQ(plan.calls.size(), 1u);
  EXPECT_EQ(plan.calls[0].entries.size(), 150u);
  EXPECT_EQ(bytes_of(plan), bytes_of(apart));
  const std::vector<Tensor> inputs = random_inputs(graph);
  expect_near(interpret(graph, plan, inputs).outputs, expected_outputs(graph, inputs), 1);
}

TEST(Batch, AdamWIsOneLaunchBesideItsScalars) {
  const graph::Graph graph =
      adamw({{3, 5}, {1024}, {64, 48}, {64, 48}, {7}, {2, 3, 4}, {1025}, {3}, {4099}});
  const Plan plan = gpu_plan(graph);
  ASSERT_EQ(batch_count(plan), 1u);
  EXPECT_LE(plan.calls.size(), 3u);
  EXPECT_EQ(plan.calls.back().entries.size(), 9u);
  EXPECT_EQ(plan.arena_bytes, gpu_plan(graph, false).arena_bytes);
  std::vector<Tensor> inputs = random_inputs(graph);
  for (size_t i = 3; i < inputs.size() - 2; i += 4) inputs[i] = square(inputs[i]);
  inputs.back() = Tensor::of(std::vector<int64_t>{5}, {});
  const std::vector<Tensor> ours = copies(inputs), theirs = copies(inputs);
  interpret(graph, plan, ours);
  expected_outputs(graph, theirs);
  expect_near(ours, theirs, 4);
}

// Sizes of a transformer of 124 M parameters.
TEST(Batch, IsOneRowOfTheTableWithAllBytes) {
  std::vector<Shape> shapes = {{50257, 768}, {1024, 768}};
  for (int layer = 0; layer < 12; ++layer) {
    for (const Shape& shape : std::vector<Shape>{{768},
                                                 {768},
                                                 {768, 2304},
                                                 {2304},
                                                 {768, 768},
                                                 {768},
                                                 {768},
                                                 {768},
                                                 {768, 3072},
                                                 {3072},
                                                 {3072, 768},
                                                 {768}}) {
      shapes.push_back(shape);
    }
  }
  shapes.insert(shapes.end(), 2, Shape{768});
  const graph::Graph graph = adamw(shapes);
  const Plan plan = gpu_plan(graph);
  EXPECT_EQ(batch_count(plan), 1u);
  const KernelCall& call = plan.calls.back();
  ASSERT_EQ(call.entries.size(), shapes.size());
  const report::KernelRow row = report::rows_of(plan, graph).back();
  int64_t elements = 0;
  for (const Shape& shape : shapes) elements += numel(shape).value();
  EXPECT_GT(elements, 124'000'000);
  // And in each entry a few numbers.
  EXPECT_GT(row.bytes, 28 * elements);
  EXPECT_LT(row.bytes, 28 * elements + 100 * static_cast<int64_t>(shapes.size()));
  ASSERT_TRUE(row.price.has_value());
  const double bandwidth = static_cast<double>(row.bytes) / row.price->predicted;
  EXPECT_GT(bandwidth, 3e12) << "as of one large kernel";
  ASSERT_EQ(call.decisions.size(), 1u);
  const Decision& decision = call.decisions[0];
  EXPECT_LT(*decision.cost_if_yes_us, *decision.cost_if_no_us) << decision.to_text();
}

// y = x * s, a sum that needs y, and z = u * s, or u times that sum: equal kernels all the same.
graph::Graph two_products(bool depends) {
  return graph_of({floats({16, 16}), floats({}), floats({500})}, [&](const std::vector<Tensor>& x) {
    const Tensor y = x[0] * x[1];
    Tensor z = x[2] * x[1];
    const Tensor total = sum(matmul(y, y), {0, 1});
    if (depends) z = x[2] * total;
    return std::vector<Tensor>{y, total, z};
  });
}

TEST(Batch, NotWhereOneNeedsTheOther) {
  EXPECT_EQ(batch_count(gpu_plan(two_products(true))), 0u);
  const graph::Graph graph = two_products(false);
  const Plan plan = gpu_plan(graph);
  EXPECT_EQ(batch_count(plan), 1u);
  const std::vector<Tensor> inputs = random_inputs(graph);
  expect_near(interpret(graph, plan, inputs).outputs, expected_outputs(graph, inputs), 256);
}

TEST(Batch, NotWhereOneOverwritesWhatAnotherReads) {
  const graph::Graph graph =
      graph_of({floats({300}), floats({300}), floats({})}, [](const std::vector<Tensor>& x) {
        const Tensor before = x[0] * x[2];
        copy_(x[0], x[1] * x[2]);
        return std::vector<Tensor>{before};
      });
  for (const KernelCall& call : gpu_plan(graph).calls) {
    std::set<int> written;
    for (const KernelCall::Entry& entry : call.entries) written.insert(entry.buffers.back());
    for (const KernelCall::Entry& entry : call.entries) {
      EXPECT_FALSE(written.contains(entry.buffers[0])) << to_text(call.kernel);
    }
  }
}

TEST(Batch, NotDifferentKernels) {
  const graph::Graph graph = graph_of(
      {floats({100}), floats({200}), {bf16, {300}, kCpu, false}, floats({20, 30})},
      [](const std::vector<Tensor>& x) {
        return std::vector<Tensor>{x[0] * 2.0, x[1] * 3.0, x[2] * 2.0, transpose(x[3], 0, 1) * 2.0};
      });
  const Plan plan = gpu_plan(graph);
  EXPECT_EQ(plan.calls.size(), 4u);
  EXPECT_EQ(batch_count(plan), 0u);
}

// Each table is scattered into, and its sum then added to another tensor: temporaries of the arena.
graph::Graph scattered(const std::vector<int64_t>& counts) {
  std::vector<graph::Type> types;
  for (const int64_t count : counts) {
    types.push_back(floats({count}));
    types.push_back({i64, {5}, kCpu, false});
    types.push_back(floats({5}));
  }
  return graph_of(types, [](const std::vector<Tensor>& x) {
    std::vector<Tensor> outputs;
    for (size_t i = 0; i < x.size(); i += 3) {
      const Tensor table = scatter_add(x[i], 0, x[i + 1] * 0, x[i + 2]);
      outputs.push_back(x[i] - 0.1 * table);
    }
    return outputs;
  });
}

TEST(Batch, WhatItReadsIsKeptUntilAllHaveRun) {
  const graph::Graph graph = scattered({700, 900, 40, 700});
  const Plan plan = gpu_plan(graph), apart = gpu_plan(graph, false);
  ASSERT_EQ(batch_count(plan), 1u);
  EXPECT_EQ(plan.calls.back().entries.size(), 4u);
  EXPECT_GT(plan.arena_bytes, apart.arena_bytes);
  std::set<int64_t> offsets;
  for (const KernelCall::Entry& entry : plan.calls.back().entries) {
    for (const int id : entry.buffers) {
      const schedule::PlannedBuffer& buffer = plan.buffers[static_cast<size_t>(id)];
      if (buffer.kind == BufferKind::temporary) offsets.insert(buffer.offset);
    }
  }
  EXPECT_EQ(offsets.size(), 4u);
  const std::vector<Tensor> inputs = random_inputs(graph);
  expect_near(interpret(graph, plan, inputs).outputs, expected_outputs(graph, inputs), 5);
}

TEST(Batch, LargeTemporariesAreReadAtOnce) {
  const graph::Graph graph = scattered({2'000'000, 3'000'000});
  const Plan plan = gpu_plan(graph);
  EXPECT_EQ(batch_count(plan), 0u);
  EXPECT_EQ(plan.arena_bytes, gpu_plan(graph, false).arena_bytes);
}

TEST(Batch, MoreThanTheArgumentsHoldAreSeveralCalls) {
  const graph::Graph graph = graph_of(std::vector<graph::Type>(4000, floats({33})), steps());
  const Plan plan = gpu_plan(graph);
  size_t entries = 0;
  for (const KernelCall& call : plan.calls) {
    const size_t entry = call.kernel.argument_count() * 8 + 8;
    EXPECT_LE(call.entries.size() * entry, 32764u);
    entries += call.entries.size();
  }
  EXPECT_EQ(entries, 2000u);
  EXPECT_EQ(plan.calls.size(), 2u);
}

TEST(Batch, NoneWhereNothingIsFused) {
  const graph::Graph graph = graph_of(std::vector<graph::Type>(8, floats({100})), steps());
  EXPECT_EQ(batch_count(gpu_plan(graph)), 1u);
  EXPECT_EQ(
      batch_count(schedule::schedule(graph, {.target = schedule::Target::gpu, .fuses = false})),
      0u);
}

// On a CPU results stay apart, and updates of inputs are one call, the smallest of them too.
TEST(Batch, OnACpuOnlyUpdatesAreOneCall) {
  const graph::Graph results = graph_of(std::vector<graph::Type>(20, floats({100})), steps());
  EXPECT_EQ(batch_count(schedule::schedule(results, {})), 0u);
  const graph::Graph graph =
      adamw({{3, 5}, {1024}, {64, 48}, {64, 48}, {7}, {2, 3, 4}, {1025}, {1}, {9000}});
  const Plan plan = schedule::schedule(graph, {});
  ASSERT_EQ(batch_count(plan), 1u);
  EXPECT_LE(plan.calls.size(), 4u) << "a parameter of one element has a kernel of its own";
  std::vector<Tensor> inputs = random_inputs(graph);
  for (size_t i = 3; i < inputs.size() - 2; i += 4) inputs[i] = square(inputs[i]);
  inputs.back() = Tensor::of(std::vector<int64_t>{5}, {});
  const std::vector<Tensor> ours = copies(inputs), theirs = copies(inputs);
  interpret(graph, plan, ours);
  expected_outputs(graph, theirs);
  expect_near(ours, theirs, 4);
}

// Gradients of 12 MB, each made by a product just before its update: one update all the same.
TEST(Batch, UpdatesWaitForEachOther) {
  std::vector<graph::Type> types;
  for (int i = 0; i < 5; ++i) {
    types.push_back(floats({1024, 3072}));
    types.push_back(floats({1024, 16}));
    types.push_back(floats({16, 3072}));
  }
  const graph::Graph graph = graph_of(types, [](const std::vector<Tensor>& x) {
    for (size_t i = 0; i < x.size(); i += 3) {
      const Tensor gradient = matmul(x[i + 1], x[i + 2]);
      copy_(x[i], x[i] * 0.9 - sign(gradient) - 0.1 * gradient);
    }
    return std::vector<Tensor>();
  });
  const Plan plan =
      schedule::schedule(graph, {.target = schedule::Target::gpu, .has_library_products = true});
  EXPECT_EQ(plan.calls.size(), 6u);
  EXPECT_EQ(plan.calls.back().entries.size(), 5u);
}

// Gradients that are sums over rows, and AdamW of them.
graph::Graph adamw_of_sums(size_t count) {
  std::vector<graph::Type> types;
  for (size_t i = 0; i < count; ++i) {
    const int64_t width = 96 + 32 * static_cast<int64_t>(i);
    types.insert(types.end(), 3, floats({width}));
    types.push_back(floats({4096, width}));
  }
  types.push_back({f64, {}, kCpu, false});
  types.push_back({i64, {}, kCpu, false});
  return graph_of(types, [](std::vector<Tensor> x) {
    std::vector<Tensor*> lists[4];
    for (size_t i = 0; i + 2 < x.size(); ++i) {
      if (i % 4 == 3) x[i] = sum(x[i] * 2, {0});
      lists[i % 4].push_back(&x[i]);
    }
    const nn::ParameterGroups groups;
    nn::update_adamw({lists[0], lists[3], {}, groups, x[x.size() - 2], x.back()}, lists[1],
                     lists[2], {});
    return std::vector<Tensor>();
  });
}

bool are_updates_apart(const Plan& plan) {
  return std::ranges::any_of(plan.decisions, [](const schedule::FusionDecision& one) {
    return one.decision.reason == "the updates of all parameters are one launch";
  });
}

// Parameters are counted, not the three tensors that AdamW writes for each.
TEST(Batch, UpdatesAreKeptApartFromTwoParametersOnAGpuAndFourOnACpu) {
  const auto cpu_plan = [](size_t count) { return schedule::schedule(adamw_of_sums(count), {}); };
  EXPECT_FALSE(are_updates_apart(gpu_plan(adamw_of_sums(1))));
  const Plan two = gpu_plan(adamw_of_sums(2));
  EXPECT_TRUE(are_updates_apart(two));
  EXPECT_EQ(two.calls.back().entries.size(), 2u);
  EXPECT_FALSE(are_updates_apart(cpu_plan(3)));
  EXPECT_TRUE(are_updates_apart(cpu_plan(4)));
}

}  // namespace
}  // namespace ridge::testing::batch_test
