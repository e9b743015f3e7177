#include "ridge/graph/pass.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>

#include "ridge/base/files.h"
#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "ridge/graph/passes/passes.h"

namespace ridge::graph {
namespace {

constexpr int64_t kDebugGraphs = 6;   // RIDGE_DEBUG from here on prints graphs
constexpr int64_t kVerifyPasses = 1;  // RIDGE_VERIFY: check each graph,
constexpr int64_t kVerifyText = 3;    // and that its text reads back

std::string with_hyphens(std::string_view name) {
  std::string result(name);
  std::ranges::replace(result, '_', '-');
  return result;
}

// RIDGE_STOP_AFTER counts the optional passes that ran.
bool is_stopped(const Pass& pass, const PassContext& context) {
  const int64_t limit = knob_int(Knob::stop_after);
  if (!pass.is_optional || limit < 0) return false;
  int64_t ran = 0;
  for (const PassRun& run : context.runs) {
    ran += run.outcome != PassRun::Outcome::skipped && run.is_optional ? 1 : 0;
  }
  return ran >= limit;
}

void show(const Graph& graph, const Pass& pass) {
  const std::string stem = with_hyphens(pass.name);
  const std::string only = knob_text(Knob::only);
  if (!only.empty() && with_hyphens(only) != stem && only != graph.name) return;
  const bool prints = knob_int(Knob::debug) >= kDebugGraphs;
  if (!prints && !is_knob_set(Knob::dump)) return;
  const std::string text = concat("// after ", stem, "\n", to_text(graph));
  dump_artifact(stem, "ir", text);
  if (prints) std::fputs(text.c_str(), stderr);
}

void check(const Graph& graph) {
  const int64_t level = knob_int(Knob::verify);
  if (level >= kVerifyPasses) verify(graph);
  if (level < kVerifyText) return;
  const std::string text = to_text(graph);
  const Graph reread = parse(text);
  verify(reread);
  RIDGE_INTERNAL_CHECK(hash(reread) == hash(graph), "a graph that reads back as another: " + text);
}

[[noreturn]] void throw_from(const Pass& pass, const Error& error) {
  throw Error({.code = error.code(),
               .op = concat("pass ", pass.name, error.op().empty() ? "" : ", ", error.op()),
               .expected = error.expected(),
               .given = error.given(),
               .hint = error.hint(),
               .where = error.where()});
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

[[noreturn]] void throw_unknown(std::string_view name, const std::vector<std::string>& known,
                                const char* op = "") {
  throw Error({.code = ErrorCode::unknown_name,
               .op = op,
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
  known.emplace_back("fuse");
  known.emplace_back("cublaslt");
  known.emplace_back("recompute");
  bool is_named = false;
  for (const std::string& name : knob_list(Knob::disable)) {
    const bool is_known = std::ranges::any_of(
        known, [&](const std::string& k) { return with_hyphens(k) == with_hyphens(name); });
    if (!is_known) throw_unknown(name, known, "RIDGE_DISABLE");
    is_named |= with_hyphens(name) == with_hyphens(stage);
  }
  return is_named;
}

std::string PassContext::to_text() const {
  return join(runs, "\n", [](const PassRun& run) {
    switch (run.outcome) {
      case PassRun::Outcome::skipped: return run.name + ": skipped";
      case PassRun::Outcome::unchanged:
        return concat(run.name, ": unchanged, ", Microseconds(run.microseconds));
      case PassRun::Outcome::changed:
        return concat(run.name, ": changed, ", Microseconds(run.microseconds));
    }
    return run.name;
  });
}

ReplacedPass::ReplacedPass(std::string_view name, Graph (*run)(Graph, const PassContext&))
    : pass_(find_pass(name)) {
  pass_.run = run;
  replacement.store(&pass_, std::memory_order_release);
}

ReplacedPass::~ReplacedPass() { replacement.store(nullptr, std::memory_order_release); }

Graph run_passes(Graph graph, std::span<const Pass> passes, PassContext& context) {
  const uint64_t graph_hash = hash(graph);
  return run_passes(std::move(graph), passes, context, graph_hash);
}

Graph run_passes(Graph graph, std::span<const Pass> passes, PassContext& context,
                 uint64_t graph_hash) {
  uint64_t before = graph_hash;
  for (const Pass& pass : passes) {
    PassRun run{.name = std::string(pass.name), .is_optional = pass.is_optional};
    if (is_disabled(pass.name) || is_stopped(pass, context)) {
      run.outcome = PassRun::Outcome::skipped;
      context.runs.push_back(std::move(run));
      continue;
    }
    const Node* nodes = graph.nodes.data();
    try {
      const auto start = std::chrono::steady_clock::now();
      graph = in_place_of(pass).run(std::move(graph), context);
      const std::chrono::duration<double, std::micro> taken =
          std::chrono::steady_clock::now() - start;
      run.microseconds = taken.count();
      check(graph);
    } catch (const Error& error) {
      throw_from(pass, error);
    }
    // A pass that finds nothing to do gives back what it got; none is believed where it is checked.
    const bool is_given_back =
        pass.is_optional && graph.nodes.data() == nodes && knob_int(Knob::verify) == 0;
    const uint64_t after = is_given_back ? before : hash(graph);
    run.outcome = after != before ? PassRun::Outcome::changed : PassRun::Outcome::unchanged;
    if (after != before) show(graph, pass);
    before = after;
    context.runs.push_back(std::move(run));
  }
  return graph;
}

}  // namespace ridge::graph
