// Whole steps as one program: the same bits however they run, and few kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "ridge/aot/partition.h"
#include "ridge/base/knobs.h"
#include "ridge/base/random.h"
#include "ridge/driver/entry.h"
#include "ridge/graph/pass.h"
#include "ridge/schedule/plan.h"
#include "transformer.h"

namespace ridge::testing::whole_step_test {
namespace {

constexpr TransformerSizes kSizes{.vocabulary = 96, .tokens = 48, .width = 64, .depth = 1};

Tensor random_tokens(int64_t batch, int64_t length, uint64_t seed) {
  SplitMix64 numbers(seed);
  std::vector<int64_t> tokens(static_cast<size_t>(batch * length));
  for (int64_t& token : tokens) token = static_cast<int64_t>(numbers.uniform(0, 96));
  return Tensor::of<int64_t>(tokens, {batch, length});
}

Tensor dropped_loss(const Transformer& model, const Tensor& tokens, Generator& generator) {
  const Tensor logits = dropout(model(slice(tokens, 1, 0, -1)), 0.2, generator);
  return cross_entropy(flatten(logits, 0, 1), flatten(slice(tokens, 1, 1)));
}

Tensor dropped_step(Transformer& model, TransformerOptimizer& optimizer, Generator& generator,
                    const Tensor& tokens) {
  auto [loss, gradient] = value_and_grad(dropped_loss)(model, tokens, generator);
  nn::clip_by_norm(gradient, 1.0);
  optimizer.update(model, gradient);
  return loss;
}

// The bits of everything that two steps leave behind.
std::vector<uint64_t> bits_after_two_steps(const auto& step) {
  Generator generator(3);
  Transformer model(kSizes, generator);
  TransformerOptimizer optimizer(model, {.learning_rate = 0.01});
  std::vector<uint64_t> bits;
  const auto keep = [&](const Tensor& tensor) {
    if (!tensor.defined()) return;
    for (const double x : cast(tensor, f64).to_vector<double>()) {
      bits.push_back(std::bit_cast<uint64_t>(x));
    }
  };
  for (uint64_t i = 0; i < 2; ++i) {
    keep(step(model, optimizer, generator, random_tokens(8, 49, i)));
  }
  for_each_tensor(model, [&](const std::string&, Tensor& tensor) { keep(tensor); });
  for_each_tensor(optimizer, [&](const std::string&, Tensor& tensor) { keep(tensor); });
  return bits;
}

TEST(WholeStep, HasTheSameBitsAtAnyThreadCount) {
  const auto step = compile(dropped_step);
  std::vector<uint64_t> first;
  for (const int threads : {1, 2, 7, 2}) {
    const ScopedKnob knob(Knob::threads, threads);
    const std::vector<uint64_t> bits = bits_after_two_steps(step);
    if (first.empty()) first = bits;
    EXPECT_GT(bits.size(), 100'000u);
    EXPECT_TRUE(bits == first) << threads << " threads";
  }
  // Compiled again, it is the same program.
  EXPECT_TRUE(bits_after_two_steps(compile(dropped_step)) == first);
  EXPECT_EQ(step.programs().size(), 1u);
}

// Twelve layers, parameters in two groups, 148 tensors: kernels for the numbers, and one for the rest.
TEST(WholeStep, AdamWOfTwelveLayersIsThreeKernels) {
  Generator generator(3);
  Transformer model({.tokens = 4, .width = 8, .heads = 2, .depth = 12}, generator);
  TransformerOptimizer optimizer(model, {.learning_rate = 0.01},
                                 {{.has = nn::is_vector, .weight_decay = 0}});
  Transformer gradient = model;
  size_t parameters = 0;
  for_each_tensor(gradient, [&](const std::string&, Tensor& tensor) {
    tensor = normal(tensor.shape(), generator);
    ++parameters;
  });
  Transformer expected = model;
  for_each_tensor(expected, [](const std::string&, Tensor& tensor) { tensor = clone(tensor); });
  TransformerOptimizer eager(expected, {.learning_rate = 0.01},
                             {{.has = nn::is_vector, .weight_decay = 0}});
  const auto update = compile(
      [](Transformer& m, TransformerOptimizer& o, const Transformer& g) { o.update(m, g); });
  for (int i = 0; i < 2; ++i) {
    update(model, optimizer, gradient);
    eager.update(expected, gradient);
  }
  const auto entry = update.programs()[0];
  // Without a code generator there are no kernels.
  if (const execute::CompiledProgram* program = entry->compiled->program()) {
    EXPECT_LE(program->plan().calls.size(), 3u);
    EXPECT_EQ(program->plan().calls.back().entries.size(), parameters);
  }
  for_each_tensor(model, [&](const std::string& path, Tensor& tensor) {
    const auto actual = tensor.to_vector<float>();
    Tensor same;
    for_each_tensor(expected, [&](const std::string& other, Tensor& t) {
      if (other == path) same = t;
    });
    const auto wanted = same.to_vector<float>();
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_NEAR(actual[i], wanted[i], 1e-6 * (1 + std::fabs(wanted[i]))) << path;
    }
  });
}

std::pair<Tensor, Tensor> unclipped_step(Transformer& model, TransformerOptimizer& optimizer,
                                         const nn::Schedule& schedule, const Tensor& tokens) {
  auto [loss, gradient] = value_and_grad(loss_of)(model, tokens);
  copy_(optimizer.learning_rate, schedule(optimizer.step));
  optimizer.update(model, gradient);
  return {loss, sum(loss)};
}

size_t update_kernels(const schedule::Plan& plan, const graph::Graph& graph) {
  size_t updates = 0;
  for (const schedule::KernelCall& call : plan.calls) {
    updates += std::ranges::any_of(call.nodes, [&](int32_t node) {
      return graph.nodes[static_cast<size_t>(node)].scope == "adamw";
    });
  }
  return updates;
}

// In a whole step too, where gradients come one after the other: whether their norm is needed first, or
// each could be used as soon as it is there; as it was captured, and after some of it is computed again.
TEST(WholeStep, UpdatesAreThreeKernelsOnEitherDevice) {
  Generator generator(3);
  Transformer model({.tokens = 8, .width = 16, .heads = 2, .depth = 12}, generator);
  TransformerOptimizer optimizer(model, {}, {{.has = nn::is_vector, .weight_decay = 0}});
  const nn::Schedule schedule = nn::Schedule::constant(0.01);
  const Tensor tokens = random_tokens(2, 9, 1);
  for (const auto step : {train_step, unclipped_step}) {
    graph::PassContext context;
    const graph::Graph graph = graph::run_passes(
        capture::capture(step, {.name = "step"}, model, optimizer, schedule, tokens).graph,
        graph::standard_passes(), context);
    for (const auto target : {schedule::Target::cpu, schedule::Target::gpu}) {
      const std::string where = target == schedule::Target::cpu ? "on a CPU" : "on a GPU";
      const schedule::Options options{.target = target, .has_library_products = true};
      EXPECT_LE(update_kernels(schedule::schedule(graph, options), graph), 3u) << where;
      if (step == train_step) continue;
      const std::vector<aot::ValueCost> cheap(graph.values.size(), {.recompute = 1, .read = 100});
      const graph::Graph again = aot::recompute(graph, aot::partition(graph, cheap));
      EXPECT_LE(update_kernels(schedule::schedule(again, options), again), 3u) << where;
    }
  }
}

}  // namespace
}  // namespace ridge::testing::whole_step_test
