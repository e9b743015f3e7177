// Passes over graphs, and the one runner they all go through (base/pass_runner.h).
//
// A pass is a free function from a graph to a graph. The runner skips what RIDGE_DISABLE names, stops
// optional passes after RIDGE_STOP_AFTER of them, times each, dumps and prints a graph that changed,
// and verifies what came out when RIDGE_VERIFY asks for it. Names may be written with `_` or `-`.
//
//   PassContext context;
//   graph = run_passes(std::move(graph), standard_passes(), context);
//   context.runs[0]     {"functionalize", changed, 34.1 us}
//
// An error that leaves a pass names the pass. An optional one that finds nothing to do returns the graph
// it was given; one that changes a graph builds another.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/base/pass_runner.h"
#include "ridge/graph/graph.h"

namespace ridge::graph {

using ridge::PassRun;

// Where passes leave what they did. It outlives several calls of run_passes.
struct PassContext {
  std::vector<PassRun> runs{};
  std::string to_text() const;  // one line for each run
};

struct Pass {
  std::string_view name;
  Graph (*run)(Graph, const PassContext&);
  bool is_optional =
      true;  // false: what follows relies on it, so RIDGE_STOP_AFTER does not count it
  bool keeps_bits = true;  // false: it rounds once where the graph it was given rounds twice
};

// Every pass of this folder, in the order that suits: writes gone first, then parts, then less.
std::span<const Pass> standard_passes();
// The pass of that name; Error{unknown_name} suggests the nearest one.
const Pass& find_pass(std::string_view name);

// Is this pass, or a stage that is none (`fuse`, `recompute`), named by RIDGE_DISABLE? Error{unknown_name} if
// that names anything else: a misspelled name would seem to have no effect.
bool is_disabled(std::string_view stage);

// `graph_hash`: for who knows it.
Graph run_passes(Graph graph, std::span<const Pass> passes, PassContext& context,
                 std::optional<uint64_t> graph_hash = {});

// For as long as it lives, this is what the pass of that name does, on all threads: how tests put in
// a wrong one, to see that it is found. One at a time.
class ReplacedPass {
 public:
  ReplacedPass(std::string_view name, Graph (*run)(Graph, const PassContext&));
  ~ReplacedPass();
  ReplacedPass(const ReplacedPass&) = delete;
  ReplacedPass& operator=(const ReplacedPass&) = delete;

 private:
  Pass pass_;
};

}  // namespace ridge::graph
