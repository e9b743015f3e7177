// Compiling takes time in proportion to the graph: twice the nodes, at most 2.4 times as long.
//
//   layers      products, norms and activations, one after the other, sharing one weight
//   branches    chains beside each other that all read one value and end in one sum
//
// Counted is time of the processor, which other programs on the machine change less than time of the
// clock, though they take their part of its caches: so the small graph is compiled twice for each
// time the large one is, right before it, and both take equally long. One round of six within the bound is
// enough, so what is found is work that grows by the square, not a ratio slightly above the bound. Both
// graphs are too large for a cache: from one that fits to one that does not, the time of a miss grows, not
// the work. The graphs have layers that are alike, as models do, so that machine code is made once and the
// graph's own cost shows. Each begins as the compilation of a user's program does, with cold caches and in
// memory that no other left behind.
#include <any>
#include <cstdio>
#include <ctime>
#include <functional>
#include <vector>

#include "ridge/driver/entry.h"
#include "ridge/ridge.h"

namespace {

using ridge::Tensor;
using Model = std::function<Tensor(const Tensor&, const Tensor&, int64_t)>;

Tensor layers(const Tensor& x, const Tensor& weight, int64_t nodes) {
  constexpr int64_t kNodesOfLayer = 10;
  Tensor h = x;
  for (int64_t i = 0; i < nodes / kNodesOfLayer; ++i) {
    const Tensor centered = h - mean(h, {1}, true);
    const Tensor normed = centered * rsqrt(mean(centered * centered, {1}, true) + 1e-5);
    h = h + tanh(matmul(normed, weight)) * 0.1;
  }
  return h;
}

Tensor branches(const Tensor& x, const Tensor& weight, int64_t nodes) {
  constexpr int64_t kNodesOfBranch = 5;
  Tensor total = x;
  for (int64_t i = 0; i < nodes / kNodesOfBranch; ++i) {
    total = total + sum(exp(x * total) * weight, {0}, true);
  }
  return total;
}

struct Compilation {
  size_t nodes;
  double seconds;
};

// Takes the place of whatever the caches hold.
void cool_caches() {
  constexpr size_t kBytes = size_t{64} << 20, kLine = 64;
  static std::vector<char> bytes(kBytes);
  for (size_t i = 0; i < bytes.size(); i += kLine) ++bytes[i];
}

Compilation compile_once(const Model& model, int64_t nodes) {
  static std::vector<std::any> kept;  // so that their memory is not used again
  const Tensor x = ridge::full({16, 16}, 0.25), weight = ridge::full({16, 16}, 0.125);
  const auto compiled = ridge::compile(
      [&](const Tensor& a, const Tensor& b) { return model(a, b, nodes); }, {.name = "growth"});
  kept.emplace_back(compiled);
  cool_caches();
  const std::clock_t start = std::clock();
  compiled(x, weight);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return {compiled.programs().back()->captured.graph.nodes.size(), seconds};
}

// One of `count` of them.
Compilation compile_often(const Model& model, int64_t nodes, int count) {
  Compilation all{};
  for (int i = 0; i < count; ++i) {
    const Compilation one = compile_once(model, nodes);
    all = {one.nodes, all.seconds + one.seconds / count};
  }
  return all;
}

bool report(const char* name, const Model& model) {
  constexpr int64_t kNodes = 20000;
  constexpr int kTimes = 2, kRounds = 6;
  constexpr double kBound = 2.4;
  compile_once(model, 50);  // the machine code of its layers
  Compilation small{}, large{};
  double growth = 2 * kBound;
  for (int round = 0; round < kRounds && growth > kBound; ++round) {
    small = compile_often(model, kNodes, kTimes);
    large = compile_once(model, kTimes * kNodes);
    growth = large.seconds / small.seconds;
  }
  std::printf("%-10s %6zu nodes %6.2f s, %6zu nodes %6.2f s: %5.2f times, at most %.1f%s\n", name,
              small.nodes, small.seconds, large.nodes, large.seconds, growth, kBound,
              growth > kBound ? "   TOO SLOW" : "");
  const bool are_as_large = small.nodes >= kNodes && large.nodes >= kTimes * kNodes;
  if (!are_as_large) std::printf("%s has fewer nodes than it should\n", name);
  return growth <= kBound && are_as_large;
}

}  // namespace

int main() {
  const bool layers_hold = report("layers", layers);
  return report("branches", branches) && layers_hold ? 0 : 1;
}
