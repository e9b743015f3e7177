// Lesson 20: what gradients keep of the forward pass, and what they compute again.
//
// A gradient reads values of the forward pass. They can wait in memory, or be computed a second time. The
// compiler decides by price, within a budget of bytes if there is one; checkpoint(f) decides by hand.
#include <cstdio>
#include <set>
#include <string>

#include "ridge/cost/sheets.h"
#include "ridge/graph/pass.h"
#include "ridge/linker/link.h"
#include "ridge/recompute/recompute.h"
#include "ridge/ridge.h"

using namespace ridge;

struct Block {
  Tensor up, down;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("up", self.up);
    visit("down", self.down);
  }
};

int runs = 0;

Tensor run_block(const Block& block, const Tensor& x) {
  ++runs;
  return x + matmul(gelu(matmul(x, block.up)), block.down);
}

Tensor loss(const std::vector<Block>& blocks, const Tensor& x) {
  Tensor y = x;
  for (const Block& block : blocks) y = checkpoint(run_block)(block, y);
  return mean(square(y));
}

std::vector<Block> make_blocks(size_t count, int64_t width, Generator& generator) {
  std::vector<Block> blocks;
  for (size_t i = 0; i < count; ++i) {
    blocks.push_back(
        {normal({width, 4 * width}, generator), normal({4 * width, width}, generator)});
  }
  return blocks;
}

int main() {
  Generator generator(7);

  // Eagerly: autograd keeps the arguments of each block, and runs it again for its gradient.
  std::vector<Block> blocks = make_blocks(3, 4, generator);
  for (const Block& block : blocks) {
    set_requires_grad(block.up);
    set_requires_grad(block.down);
  }
  const Tensor value = loss(blocks, normal({2, 4}, generator));
  std::printf("runs of a block, forward: %d\n", runs);
  backward(value);
  std::printf("and after the gradient:   %d\n", runs);

  // In a program: nothing inside of a block is kept. Planned for a GPU by its sheet; none is needed.
  const auto step = [](const std::vector<Block>& all, const Tensor& x) {
    return value_and_grad(loss)(all, x);
  };
  const std::vector<Block> wide(4, {full({512, 2048}, 0.01), full({2048, 512}, 0.01)});
  graph::Graph graph = capture::capture(step, {.name = "step"}, wide, full({8192, 512}, 0.5)).graph;
  graph::PassContext context;
  graph = graph::run_passes(std::move(graph), graph::standard_passes(), context);
  const auto options = linker::options_for(cost::find_sheet("h200"));
  const auto marked = recompute::choose_recomputation(graph, options);
  std::set<std::string> reasons;
  for (const auto& one : marked.report.decisions) {
    const graph::Node& node = graph.nodes[static_cast<size_t>(graph[one.value].node)];
    if (!one.decision) reasons.insert(node.op->name() + ", recomputed: " + one.decision.reason);
  }
  for (const std::string& reason : reasons) std::printf("%s\n", reason.c_str());

  // The same without the marks: as fast as can be, then in three quarters of that memory.
  for (graph::Node& node : graph.nodes) node.region = 0;
  const auto fast = recompute::choose_recomputation(graph, options);
  const int64_t peak = fast.report.point.peak_bytes;
  const auto small = recompute::choose_recomputation(graph, options, peak * 3 / 4);
  std::printf("checkpoints need less memory: %s\n",
              marked.report.point.peak_bytes < peak ? "yes" : "no");
  std::printf("a budget of 3/4 is met:       %s\n",
              small.report.point.peak_bytes <= peak * 3 / 4 ? "yes" : "no");
  std::printf(
      "for less than 15%% more time:  %s\n",
      small.report.point.predicted_us < 1.15 * fast.report.point.predicted_us ? "yes" : "no");

  // A budget of compile is of the same kind; one that cannot be met says which can.
  try {
    recompute::choose_recomputation(graph, options, 1);
  } catch (const Error& error) {
    const std::string text = error.expected();
    std::printf("%s...\n", text.substr(0, text.find_first_of("0123456789")).c_str());
  }
}
