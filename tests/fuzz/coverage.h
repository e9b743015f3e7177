// What the graphs of a run were made of: ops by dtype, and the mappings of their kernels.
//
// The list of ops is that of the registry and of control flow, so an op that no step of the fuzzer
// calls is missing here, whenever it was added. A mapping is named after what the schedule decided and
// what the loops of the kernel are made of:
//
//   gpu reduction: threads over columns (vector, block)
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ridge/graph/graph.h"
#include "ridge/ops/record.h"
#include "ridge/schedule/plan.h"

namespace ridge::fuzz {

// Plain data, because a worker counts in memory that it shares with its parent.
struct Coverage {
  static constexpr size_t kMostOps = 512, kDTypes = 9, kMostMappings = 256;
  struct Mapping {
    char name[140];
    int64_t kernels;
  };

  std::array<std::array<int64_t, kDTypes>, kMostOps> nodes{};  // by op of `op_names` and dtype
  std::array<Mapping, kMostMappings> mappings{};               // those met, in no order

  void add(const graph::Graph& graph);  // its nodes, bodies of control flow included
  void add(const schedule::Plan& plan, schedule::Target target);
  void add(const Coverage& other);

 private:
  void add_kernels(const char* name, int64_t kernels);
};

// The records of the registry when this is first asked, which must be before any case is made: gradients
// of control flow add ops of their own, and a case must not depend on what ran before it.
const std::vector<const ops::OpRecord*>& records();
// Their names and those of control flow.
const std::vector<std::string>& op_names();
std::vector<std::string> missing_ops(const Coverage& coverage);

// One line: how many ops, pairs of op and dtype, and mappings there were.
std::string summary(const Coverage& coverage);
// A line for each op, with its nodes by the dtype of the first operand, and one for each mapping.
std::string to_text(const Coverage& coverage);

}  // namespace ridge::fuzz
