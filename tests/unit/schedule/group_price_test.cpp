// What groups and mappings are priced as, beside the kernels they become.
#include "ridge/schedule/group_price.h"

#include <gtest/gtest.h>

#include "ridge/cost/price.h"
#include "ridge/cost/sheets.h"
#include "ridge/report/kernel_table.h"
#include "ridge/ridge.h"
#include "ridge/schedule/kernel_call.h"
#include "scheduled.h"

namespace ridge::schedule::group_price_test {
namespace {

using testing::floats;
using testing::graph_of;
using Tensors = std::vector<Tensor>;

// The one kernel of a graph, as its group is priced and as it is emitted.
struct Both {
  cost::KernelNest group, kernel;
};
Both both_of(const graph::Graph& graph, Target target) {
  const auto sheet = cost::find_sheet(target == Target::gpu ? "h200" : "generic-cpu");
  const InlinedGraph program(graph);
  const Fusion fusion = fuse(program, sheet.get(), resident_bytes(program));
  const Plan plan = schedule(program, {.target = target, .sheet = sheet});
  EXPECT_EQ(fusion.groups.size(), 1U);
  const GroupKernels kernels = target == Target::gpu ? kernels_of(program, fusion.groups.at(0),
                                                                  plain_locations(graph), *sheet)
                                                     : GroupKernels{};
  EXPECT_EQ(plan.calls.size(), static_cast<size_t>(kernels.count));
  return {group_nest(program, fusion.groups.at(0), readers_of(program), target, kernels),
          cost::nest_of(plan.calls.at(0).kernel, {})};
}

TEST(GroupPrice, KnowsTheThreadsOfAGpu) {
  const auto sheet = cost::find_sheet("h200");
  const auto expect_alike = [&](const graph::Graph& graph) {
    const Both both = both_of(graph, Target::gpu);
    const cost::Price group = price(both.group, *sheet), kernel = price(both.kernel, *sheet);
    EXPECT_NEAR(group.transaction_bytes, kernel.transaction_bytes, 0.01 * kernel.transaction_bytes);
    EXPECT_NEAR(group.predicted, kernel.predicted, 0.3 * kernel.predicted);
  };
  const graph::Type matrix = floats({1024, 512});
  expect_alike(graph_of({matrix}, [](const Tensors& x) { return Tensors{exp(x[0])}; }));
  expect_alike(graph_of({matrix, floats({512, 1024})},
                        [](const Tensors& x) { return Tensors{x[0] + transpose(x[1], 0, 1)}; }));
  expect_alike(graph_of({floats({65536, 8})}, [](const Tensors& x) { return Tensors{exp(x[0])}; }));
  expect_alike(graph_of({matrix}, [](const Tensors& x) { return Tensors{sum(x[0], {1})}; }));
  // Down columns, in several kernels and in one, and rows in chunks.
  const graph::Type tall = floats({16384, 4096}), long_rows = floats({16, 1 << 20});
  expect_alike(graph_of({tall}, [](const Tensors& x) { return Tensors{sum(x[0], {0})}; }));
  expect_alike(
      graph_of({floats({64, 1 << 17})}, [](const Tensors& x) { return Tensors{sum(x[0], {0})}; }));
  expect_alike(graph_of({long_rows}, [](const Tensors& x) { return Tensors{sum(x[0], {1})}; }));
}

TEST(GroupPrice, KnowsRowsThatClustersHold) {
  const auto sheet = cost::find_sheet("h200");
  const auto price_of = [&](int64_t length) {
    const graph::Graph graph = graph_of({floats({2048, length})},
                                        [](const Tensors& x) { return Tensors{softmax(x[0], 1)}; });
    const InlinedGraph program(graph);
    const Fusion fusion = fuse(program, sheet.get(), resident_bytes(program));
    EXPECT_EQ(fusion.groups.size(), 1U);
    return GroupPricer(program, *sheet, 0).price(fusion.groups.at(0)).predicted;
  };
  // One block holds the shorter ones: twice the bytes take no more than twice as long.
  EXPECT_LT(price_of(100000), 2 * price_of(50000));
}

const cost::Product& product_in(const cost::Nest& nest) {
  const cost::Item& item = nest.items.at(0);
  if (const auto* product = std::get_if<cost::Product>(&item)) return *product;
  return product_in(std::get<cost::Nest>(item));
}

TEST(GroupPrice, KnowsHowOperandsOfAProductLie) {
  for (const bool flips_lhs : {false, true}) {
    for (const bool flips_rhs : {false, true}) {
      const auto graph = graph_of({floats({96, 96}), floats({96, 96})}, [&](const Tensors& x) {
        return Tensors{matmul(flips_lhs ? transpose(x[0], 0, 1) : x[0],
                              flips_rhs ? transpose(x[1], 0, 1) : x[1])};
      });
      const Both both = both_of(graph, Target::cpu);
      const cost::Product &group = product_in(both.group.root),
                          &kernel = product_in(both.kernel.root);
      EXPECT_EQ(group.is_lhs_along_k, !flips_lhs);
      EXPECT_EQ(group.is_rhs_along_n, !flips_rhs);
      EXPECT_EQ(kernel.is_lhs_along_k, !flips_lhs);
      EXPECT_EQ(kernel.is_rhs_along_n, !flips_rhs);
    }
  }
}

TEST(GroupPrice, CountsAMaximumAsItsKernelDoes) {
  const auto graph = graph_of({floats({64, 4096})},
                              [](const Tensors& x) { return Tensors{ridge::max(x[0], {1})}; });
  const auto reduction_of = [](const cost::Nest& nest) {
    cost::Operations found;
    const auto look = [&](auto&& self, const cost::Nest& inside) -> void {
      for (const cost::Item& item : inside.items) {
        if (const auto* inner = std::get_if<cost::Nest>(&item)) self(self, *inner);
        const auto* block = std::get_if<cost::BasicBlock>(&item);
        if (block != nullptr && block->operations.reductions > 0) found = block->operations;
      }
    };
    look(look, nest);
    return found;
  };
  const Both both = both_of(graph, Target::cpu);
  const cost::Operations group = reduction_of(both.group.root);
  const cost::Operations kernel = reduction_of(both.kernel.root);
  EXPECT_EQ(group.reduction_instructions, kernel.reduction_instructions);
  EXPECT_EQ(group.reduction_steps, kernel.reduction_steps);
}

TEST(Mapping, EveryWayKeepsItsPrice) {
  // Down the columns of a tall matrix: the second way wins.
  const auto graph =
      graph_of({floats({4096, 512})}, [](const Tensors& x) { return Tensors{sum(x[0], {0})}; });
  const Plan plan = schedule(graph, {});
  const std::vector<Decision>& decisions = plan.calls.at(0).decisions;
  ASSERT_EQ(decisions.size(), 2U);
  EXPECT_TRUE(decisions[0].verdict);
  EXPECT_EQ(decisions[0].reason, "one row per lane");
  EXPECT_FALSE(decisions[1].verdict);
  EXPECT_EQ(decisions[1].reason, "lanes along a row");
  EXPECT_LT(*decisions[0].cost_if_yes_us, *decisions[0].cost_if_no_us);
  EXPECT_EQ(decisions[0].cost_if_yes_us, decisions[1].cost_if_no_us);
  EXPECT_EQ(decisions[0].cost_if_no_us, decisions[1].cost_if_yes_us);
}

TEST(Mapping, IsPricedAsTheTableOfKernelsIs) {
  // A program of more than fits the second level of the stand-in, of kernels that do.
  const auto graph = graph_of({floats({1024, 512}), floats({512, 1024})}, [](const Tensors& x) {
    const Tensor y = matmul(x[0], x[1]);
    return Tensors{sum(y, {0}), sum(y * y, {1})};
  });
  const Plan plan = schedule(graph, {});
  EXPECT_GT(plan.resident, 4.0 * (1024 * 512 * 2 + 1024 * 1024));
  const std::vector<report::KernelRow> rows = report::rows_of(plan, graph);
  size_t count = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    for (const Decision& decision : plan.calls[i].decisions) {
      if (!decision.verdict) continue;
      ++count;
      EXPECT_NEAR(*decision.cost_if_yes_us, 1e6 * rows[i].price->predicted, 1e-9);
    }
  }
  EXPECT_GE(count, 2U);
}

TEST(Work, HalvesOfABufferAreTwo) {
  const auto graph = graph_of({floats({4096})}, [](const Tensors& x) {
    return Tensors{slice(x[0], 0, 0, 2048) + slice(x[0], 0, 2048, 4096)};
  });
  const Plan plan = schedule(graph, {});
  ASSERT_EQ(plan.calls.size(), 1U);
  EXPECT_EQ(plan.calls[0].bytes.known(), 4 * (4096 + 2048));
}

}  // namespace
}  // namespace ridge::schedule::group_price_test
