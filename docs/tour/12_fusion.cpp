// Lesson 12: fusion, or why an op by itself is slow.
//
// An op by itself reads its operands from memory and writes its result there. The next op reads
// that result again. In one kernel the value stays in a register: the arithmetic is the same, the
// traffic is not, and for ops that are bound by bandwidth traffic is all there is.
#include <cstdio>
#include <string>

#include "ridge/cost/price.h"
#include "ridge/cost/sheets.h"
#include "ridge/graph/pass.h"
#include "ridge/graph/recorder.h"
#include "ridge/ridge.h"
#include "ridge/schedule/plan.h"

using namespace ridge;

constexpr int64_t kRows = 8192, kColumns = 4096;
constexpr double kMiB = 1 << 20;

// The graph of a function of x[8192,4096], bias[4096] and residual[8192,4096], in f32: arrays of
// 128 MiB, and a bias of 16 KiB.
template <class Function>
graph::Graph graph_of(Function function) {
  graph::Graph graph;
  graph::Recorder recorder(graph);
  const Tensor x = recorder.input({f32, {kRows, kColumns}}, "x");
  const Tensor bias = recorder.input({f32, {kColumns}}, "bias");
  const Tensor residual = recorder.input({f32, {kRows, kColumns}}, "residual");
  Tensor y;
  {
    const graph::Recorder::Scope scope(recorder);
    y = function(x, bias, residual);
  }
  graph.outputs = {recorder.id(y)};
  graph::PassContext context;
  return graph::run_passes(std::move(graph), graph::standard_passes(), context);
}

// Prints the kernels of a plan, the bytes they move at least, and the time those take.
schedule::Plan show(const char* name, const graph::Graph& graph, bool fuses) {
  const auto sheet = cost::find_sheet("h200");
  schedule::Plan plan =
      schedule::schedule(graph, {.target = schedule::Target::gpu, .fuses = fuses, .sheet = sheet});
  double bytes = 0, floor = 0;
  for (const schedule::KernelCall& call : plan.calls) {
    const cost::Price price = cost::price(cost::nest_of(call.kernel, {}), *sheet);
    bytes += price.compulsory_bytes;
    floor += price.floor;
  }
  std::printf("%-8s %s: %zu kernels, %6.1f MiB, at least %5.1f us\n", name,
              fuses ? "fused   " : "op by op", plan.calls.size(), bytes / kMiB, floor * 1e6);
  return plan;
}

// Prints what the scheduler considered, with the predicted time of either answer.
void show_decisions(const graph::Graph& graph, const schedule::Plan& plan) {
  const auto op = [&](int32_t node) { return graph.nodes[static_cast<size_t>(node)].op->name(); };
  for (const schedule::FusionDecision& taken : plan.decisions) {
    std::printf("  %s with %s: %s\n", op(taken.producer).c_str(), op(taken.consumer).c_str(),
                taken.decision.to_text().c_str());
  }
}

int main() {
  // 1. A chain. Op by op, in arrays of 128 MiB: the addition of the bias reads and writes one, exp
  // reads and writes one, the product reads two and writes one. That is 7 arrays, and the fused
  // kernel has 3: x, residual and the result. At the 4.8 TB/s that no kernel of an H200 exceeds
  // 7 * 128 MiB take 195.7 us, and 3 of them 83.9 us. (A kernel's start adds 3 us to what is predicted.)
  const graph::Graph chain = graph_of(
      [](const Tensor& x, const Tensor& bias, const Tensor& r) { return exp(x + bias) * r; });
  show("chain", chain, false);
  show("chain", chain, true);

  // 2. The longer the chain, the greater the ratio: n ops on one array move 2 n arrays apart and 2
  // together. That ends where the arithmetic no longer hides behind the memory, as in lesson 11. A
  // tanh takes two special functions, of which the sheet has 4.18e12 a second, and 8 on each of
  // 2^25 numbers take 128.4 us: more than the 55.9 us of memory. Neither hides wholly behind the other.
  for (const int length : {2, 8}) {
    const graph::Graph many = graph_of([&](const Tensor& x, const Tensor&, const Tensor&) {
      Tensor y = x;
      for (int i = 0; i < length; ++i) y = tanh(y);
      return y;
    });
    const char* name = length == 2 ? "2 tanh" : "8 tanh";
    show(name, many, false);
    const schedule::Plan plan = show(name, many, true);
    const cost::Price price =
        cost::price(cost::nest_of(plan.calls.at(0).kernel, {}), *cost::find_sheet("h200"));
    std::printf("  predicted %.1f us, bound by %s\n", price.predicted * 1e6,
                std::string(cost::name(price.limiter)).c_str());
  }

  // 3. A reduction ends a chain of ops on single numbers, but not a kernel: the block that found
  // the maximum of a row goes on to its sum and its quotients. Op by op: add 2 arrays, max 1, sub
  // 2, exp 2, sum 1, div 2, that is 10, and small ones of a number for each row. Fused: 2.
  const graph::Graph rows = graph_of(
      [](const Tensor& x, const Tensor& bias, const Tensor&) { return softmax(x + bias, -1); });
  show("softmax", rows, false);
  show_decisions(rows, show("softmax", rows, true));

  // 4. A sum along columns needs all rows, and the rows of a softmax are spread over blocks that do not
  // wait for each other. But persistent blocks can keep what they found of each column until
  // they are done: x is read once, and a second kernel adds up what the blocks left. What cannot share a
  // kernel says why, as the two sums did that were tried the other way round.
  const graph::Graph columns = graph_of(
      [](const Tensor& x, const Tensor&, const Tensor&) { return sum(softmax(x, -1), {0}); });
  show_decisions(columns, show("columns", columns, true));
  // Now set RIDGE_DEBUG=3 for lesson 8 and look: which ops were not fused, and why.
}
