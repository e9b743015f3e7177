#include "ridge/graph/pass.h"

#include <atomic>
#include <utility>

#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "ridge/graph/passes/passes.h"

namespace ridge::graph {
namespace {

void check(const Graph& graph) {
  const int64_t level = knob_int(Knob::verify);
  if (level >= kVerifyPasses) verify(graph);
  if (level < kVerifyText) return;
  const std::string text = to_text(graph);
  const Graph reread = parse(text);
  verify(reread);
  RIDGE_INTERNAL_CHECK(hash(reread) == hash(graph), "a graph that reads back as another: " + text);
}

constexpr Pass kPasses[] = {
    {"functionalize", functionalize, false},
    {"decompose", decompose, false},
    {"simplify_algebra", simplify_algebra},
    {"fold_constants", fold_constants},
    {"eliminate_duplicates", eliminate_duplicates},
    {"eliminate_dead_code", eliminate_dead_code},
    {"form_fma", form_fma, true, false},
    {"choose_forms", choose_forms, false},
};

// Of other layers.
constexpr const char* kStages[] = {
    "fuse", "chains", "cublaslt", "recompute", "contract_to_tiles", "map_product"};

std::atomic<const Pass*> replacement = nullptr;  // a ReplacedPass

const Pass& in_place_of(const Pass& pass) {
  const Pass* other = replacement.load(std::memory_order_acquire);
  return other != nullptr && other->name == pass.name ? *other : pass;
}

std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (const Pass& pass : kPasses) names.emplace_back(pass.name);
  return names;
}

[[noreturn]] void throw_unknown(std::string_view name, const std::vector<std::string>& known) {
  throw Error({.code = ErrorCode::unknown_name,
               .expected = "one of " + join(known, ", "),
               .given = std::string(name),
               .hint = did_you_mean(name, known)});
}

}  // namespace

std::span<const Pass> standard_passes() { return kPasses; }

const Pass& find_pass(std::string_view name) {
  for (const Pass& pass : kPasses) {
    if (with_hyphens(pass.name) == with_hyphens(name)) return pass;
  }
  throw_unknown(name, pass_names());
}

bool is_disabled(std::string_view stage) {
  if (!is_knob_set(Knob::disable)) return false;
  std::vector<std::string> known = pass_names();
  known.insert(known.end(), std::begin(kStages), std::end(kStages));
  return is_stage_disabled(stage, known);
}

std::string PassContext::to_text() const { return ridge::to_text(runs); }

ReplacedPass::ReplacedPass(std::string_view name, Graph (*run)(Graph, const PassContext&))
    : pass_(find_pass(name)) {
  pass_.run = run;
  replacement.store(&pass_, std::memory_order_release);
}

ReplacedPass::~ReplacedPass() { replacement.store(nullptr, std::memory_order_release); }

Graph run_passes(Graph graph, std::span<const Pass> passes, PassContext& context,
                 std::optional<uint64_t> graph_hash) {
  std::optional<uint64_t> before =
      graph_hash;  // where it is known: hashing takes as long as a pass
  for (const Pass& pass : passes) {
    // A pass that finds nothing to do gives back what it got; none is believed where it is checked.
    const bool is_believed = pass.is_optional && knob_int(Knob::verify) == 0;
    if (!is_believed && !before) before = hash(graph);
    const Node* const nodes = graph.nodes.data();
    const size_t node_count = graph.nodes.size();
    const auto has_changed = [&] {
      if (is_believed && graph.nodes.data() == nodes) return false;
      const std::optional<uint64_t> was = std::exchange(before, std::nullopt);
      if (is_believed && (!was || graph.nodes.size() != node_count)) return true;
      before = hash(graph);
      return before != was;
    };
    const std::string name = graph.name;
    context.runs.push_back(
        run_pass({pass.name, pass.is_optional}, context.runs, is_disabled(pass.name),
                 {.run = [&] { graph = in_place_of(pass).run(std::move(graph), context); },
                  .verify = [&] { check(graph); },
                  .has_changed = has_changed,
                  .text = [&] { return to_text(graph); },
                  .subject = name,
                  .ending = "ir"}));
  }
  return graph;
}

}  // namespace ridge::graph
