#include "ridge/driver/recompute_text.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "ridge/base/text.h"

namespace ridge::driver {
namespace {

constexpr size_t kKeptShown = 8;

struct KeptLine {
  std::string what;
  Decision decision;
  size_t count = 0;
  int64_t bytes = 0;
};

std::vector<KeptLine> kept_lines(const RecomputeReport& report, const graph::Graph& graph) {
  std::map<std::tuple<std::string, std::string, bool>, KeptLine> found;
  for (const aot::SavedOrRecomputed& one : report.decisions) {
    const graph::Node& node = graph.nodes[static_cast<size_t>(graph[one.value].node)];
    const std::string what = concat(node.op->name(), " ", to_text(graph[one.value].type));
    KeptLine& line = found[{what, one.decision.reason, one.decision.verdict}];
    if (line.count++ == 0) {
      line.what = what;
      line.decision = one.decision;
    }
    line.bytes += one.bytes;
  }
  std::vector<KeptLine> lines;
  for (auto& [key, line] : found) lines.push_back(std::move(line));
  std::ranges::stable_sort(lines, std::ranges::greater(), &KeptLine::bytes);
  return lines;
}

}  // namespace

std::string to_text(const RecomputeReport& report, const graph::Graph& graph) {
  const std::vector<KeptLine> lines = kept_lines(report, graph);
  if (lines.empty()) return "";
  int64_t kept = 0;
  for (const KeptLine& line : lines) kept += line.decision ? line.bytes : 0;
  std::string text =
      concat("what gradients keep, ", Bytes(kept), " of forward values; most bytes first\n");
  for (size_t i = 0; i < std::min(lines.size(), kKeptShown); ++i) {
    const KeptLine& line = lines[i];
    text += concat("  ", line.what, line.count > 1 ? concat(" (", line.count, " times)") : "",
                   line.decision ? ": kept: " : ": recomputed: ", line.decision.reason);
    if (line.decision.cost_if_yes_us && line.decision.cost_if_no_us) {
      text += concat(" (keeping ", Microseconds(*line.decision.cost_if_yes_us), ", again ",
                     Microseconds(*line.decision.cost_if_no_us), ")");
    }
    text += "\n";
  }
  if (lines.size() > kKeptShown) text += concat("  and ", lines.size() - kKeptShown, " more\n");
  return text + "\n";
}

}  // namespace ridge::driver
