// What a definition loads, and what a kernel reads of what it inlines: each once, however often expressions use it.
#include <gtest/gtest.h>

#include "ridge/ridge.h"
#include "ridge/schedule/inlined_graph.h"
#include "scheduled.h"

namespace ridge::schedule::load_sites_test {
namespace {

using testing::floats;
using testing::graph_of;
using Tensors = std::vector<Tensor>;

// The series of atan2 has its argument thousands of times when it is written out.
TEST(LoadSites, OfAnExpressionWithSharedPartsAreFew) {
  const graph::Graph graph = graph_of({floats({3, 1}), floats({1, 5})}, [](const Tensors& in) {
    return Tensors{atan2(in[0], in[1])};
  });
  EXPECT_EQ(load_sites(graph, define_nodes(graph).at(0)).size(), 2U);
}

TEST(LoadSites, OfAChainThatIsInlinedDoNotMultiply) {
  const graph::Graph graph = graph_of({floats({3, 1}), floats({1, 5})}, [](const Tensors& in) {
    return Tensors{mean(log1p(log1p(log1p(atan2(in[0], in[1])))), {}, false)};
  });
  const InlinedGraph program(graph);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto node = static_cast<int32_t>(i);
    if (program.is_inlined(node)) continue;
    EXPECT_LE(program.reads(node).size(), 2U);
  }
}

TEST(LoadSites, AtTwoPositionsAreTwo) {
  const graph::Graph graph = graph_of({floats({3, 5})}, [](const Tensors& in) {
    return Tensors{add(in[0], slice(in[0], 0, 0, 1))};
  });
  size_t reads = 0;
  const InlinedGraph program(graph);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto node = static_cast<int32_t>(i);
    if (!program.is_inlined(node)) reads += program.reads(node).size();
  }
  EXPECT_EQ(reads, 2U);
}

}  // namespace
}  // namespace ridge::schedule::load_sites_test
