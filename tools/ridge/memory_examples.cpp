#include "memory_examples.h"

#include <algorithm>

#include "gpt_step.h"
#include "ridge/aot/differentiate.h"
#include "ridge/graph/pass.h"
#include "ridge/recompute/gradient_halves.h"

namespace ridge::command {
namespace {

using graph::Graph;
using nlohmann::ordered_json;

template <class F, class... Args>
Graph captured_graph(const std::string& name, F function, Args&... args) {
  return capture::capture(function, {.name = name}, args...).graph;
}

int64_t accesses_of(const recompute::PlannedHalves& planned) {
  return recompute::array_accesses(planned.forward) + recompute::array_accesses(planned.backward);
}

// Three sigmoids and their gradient, as two programs: arrays read and written.
ordered_json plan_sigmoids(int64_t batch, const schedule::Options& options) {
  Tensor x = expand(full({1}, 0.5), {batch << 20});
  const Graph graph = aot::prepare(
      captured_graph(
          "three-sigmoids", [](const Tensor& in) { return sigmoid(sigmoid(sigmoid(in))); }, x),
      {0});
  const aot::Joint joint = recompute::joint_of(graph, {0}, {0});
  const recompute::GradientHalves made = recompute::choose_halves(joint, options);
  ordered_json report = {{"accesses_unfused", recompute::unfused_accesses(graph, options)},
                         {"accesses_saved_all", accesses_of(made.everything_saved)},
                         {"accesses_after_cut", accesses_of(made.chosen)},
                         {"saved_all", point_json(made.everything_saved.point)},
                         {"after_cut", point_json(made.chosen.point)}};
  report["decisions"] = decisions_json(made.decisions, joint.graph);
  return report;
}

// Forward, backward and AdamW of GPT-2's shape, bf16 by autocast over f32 parameters.
ordered_json plan_gpt2(int64_t batch, const schedule::Options& options) {
  Generator generator(1);
  const GptSizes sizes{.vocabulary = 50304};
  Gpt model(sizes, generator);
  nn::AdamW<Gpt> optimizer(model);
  const Tensor tokens = zeros({batch, sizes.tokens}, i64),
               targets = zeros({batch, sizes.tokens}, i64);
  Graph graph = captured_graph(
      "gpt2",
      [](Gpt& m, nn::AdamW<Gpt>& state, const Tensor& in, const Tensor& out) {
        const AutocastScope autocast(bf16);
        return gpt_step(m, state, in, out);
      },
      model, optimizer, tokens, targets);
  graph::PassContext context;
  graph = graph::run_passes(std::move(graph), graph::standard_passes(), context);
  return memory_json(graph, options);
}

}  // namespace

const std::vector<MemoryExample>& memory_examples() {
  static const std::vector<MemoryExample>& list = *new std::vector<MemoryExample>{
      {"three-sigmoids", "three sigmoids and their gradient: arrays read and written",
       "million elements", 64, plan_sigmoids},
      {"gpt2", "a training step of GPT-2's shape: memory against time", "sequences", 8, plan_gpt2}};
  return list;
}

const MemoryExample* find_memory_example(const std::string& name) {
  const auto found = std::ranges::find(memory_examples(), name, &MemoryExample::name);
  return found == memory_examples().end() ? nullptr : &*found;
}

}  // namespace ridge::command
