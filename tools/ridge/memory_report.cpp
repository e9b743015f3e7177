#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "memory_examples.h"
#include "ridge/base/text.h"
#include "ridge/report/peak_holders.h"

namespace ridge::command {
namespace {

using nlohmann::ordered_json;

constexpr size_t kMostLines = 10;

std::string bytes_text(const ordered_json& bytes) { return to_text(Bytes(bytes.get<int64_t>())); }
std::string us_text(const ordered_json& us) { return to_text(Microseconds(us.get<double>())); }

ordered_json most_bytes_first(std::vector<ordered_json> list) {
  std::ranges::stable_sort(list, [](const ordered_json& a, const ordered_json& b) {
    return a["bytes"].get<int64_t>() > b["bytes"].get<int64_t>();
  });
  return list;
}

// Values of layers that are alike are one line.
ordered_json holders_json(const report::Peak& peak) {
  std::map<std::tuple<std::string, std::string, std::string>, ordered_json> lines;
  std::vector<std::tuple<std::string, std::string, std::string>> order;
  for (const report::Holder& one : peak.holders) {
    const std::tuple key(one.op, one.scope, to_text(one.type));
    const auto [place, is_new] = lines.try_emplace(key, ordered_json{{"op", one.op},
                                                                     {"layer", one.scope},
                                                                     {"type", to_text(one.type)},
                                                                     {"count", 0},
                                                                     {"bytes", 0}});
    if (is_new) order.push_back(key);
    place->second["count"] = place->second["count"].get<int64_t>() + 1;
    place->second["bytes"] = place->second["bytes"].get<int64_t>() + one.bytes;
  }
  std::vector<ordered_json> list;
  for (const auto& key : order) list.push_back(lines[key]);
  return most_bytes_first(std::move(list));
}

void add_point(std::string& text, const std::string& what, const ordered_json& point) {
  fmt::format_to(std::back_inserter(text), "{:<18}{:>12}{:>12}{:>12}{:>8}{:>12}\n", what,
                 bytes_text(point["peak_bytes"]), us_text(point["predicted_us"]),
                 bytes_text(point["kept_bytes"]), point["kept"].get<int64_t>(),
                 point["recomputed"].get<int64_t>());
}

// The curve begins with what is taken without a budget, which has a row of its own.
bool is_same_program(const ordered_json& a, const ordered_json& b) {
  return a["peak_bytes"] == b["peak_bytes"] && a["predicted_us"] == b["predicted_us"];
}

void add_decisions(std::string& text, const ordered_json& decisions) {
  text += "\nkept or computed again, most bytes first\n";
  for (size_t i = 0; i < std::min(decisions.size(), kMostLines); ++i) {
    const ordered_json& one = decisions[i];
    text += concat("  ", one["op"].get<std::string>(), " ", one["type"].get<std::string>(), ", ",
                   one["count"].get<int64_t>(),
                   " times: ", one["is_kept"].get<bool>() ? "kept" : "again", ", ",
                   one["reason"].get<std::string>());
    if (!one["keep_us"].is_null()) {
      text +=
          concat(" (keeping ", us_text(one["keep_us"]), ", again ", us_text(one["again_us"]), ")");
    }
    text += "\n";
  }
}

}  // namespace

ordered_json point_json(const recompute::MemoryPoint& point) {
  return {{"peak_bytes", point.peak_bytes}, {"predicted_us", point.predicted_us},
          {"kept_bytes", point.kept_bytes}, {"kept", point.kept},
          {"recomputed", point.recomputed}, {"charge", point.charge}};
}

ordered_json decisions_json(const std::vector<aot::SavedOrRecomputed>& decisions,
                            const graph::Graph& graph) {
  std::map<std::tuple<std::string, std::string, bool, std::string>, ordered_json> lines;
  for (const aot::SavedOrRecomputed& one : decisions) {
    const std::string op = graph.nodes[static_cast<size_t>(graph[one.value].node)].op->name();
    const std::string type = to_text(graph[one.value].type);
    const Decision& made = one.decision;
    const auto price = [](const std::optional<double>& us) {
      return us ? ordered_json(*us) : ordered_json(nullptr);
    };
    auto [place, is_new] = lines.try_emplace(std::tuple(op, type, made.verdict, made.reason),
                                             ordered_json{{"op", op},
                                                          {"type", type},
                                                          {"is_kept", made.verdict},
                                                          {"reason", made.reason},
                                                          {"keep_us", price(made.cost_if_yes_us)},
                                                          {"again_us", price(made.cost_if_no_us)},
                                                          {"count", 0},
                                                          {"bytes", 0}});
    place->second["count"] = place->second["count"].get<int64_t>() + 1;
    place->second["bytes"] = place->second["bytes"].get<int64_t>() + one.bytes;
  }
  std::vector<ordered_json> list;
  for (auto& [key, line] : lines) list.push_back(std::move(line));
  return most_bytes_first(std::move(list));
}

ordered_json memory_json(const graph::Graph& graph, const schedule::Options& options) {
  const recompute::Recomputation made = recompute::choose_recomputation(graph, options);
  const report::Peak peak = report::find_peak(made.plan, made.graph);
  ordered_json report = {{"keeping_everything", point_json(made.report.everything_kept)},
                         {"default", point_json(made.report.point)},
                         {"peak_kernel", peak.kernel},
                         {"holders", holders_json(peak)},
                         {"decisions", decisions_json(made.report.decisions, graph)}};
  ordered_json& curve = report["curve"] = ordered_json::array();
  for (const recompute::MemoryPoint& point : recompute::memory_curve(graph, options)) {
    curve.push_back(point_json(point));
  }
  return report;
}

std::string memory_text(const ordered_json& report) {
  std::string text;
  if (report.contains("accesses_unfused")) {
    text += concat("arrays read and written: ", report["accesses_unfused"].get<int64_t>(),
                   " op by op, ", report["accesses_saved_all"].get<int64_t>(),
                   " with everything saved, ", report["accesses_after_cut"].get<int64_t>(),
                   " after the cut\n\n");
  }
  fmt::format_to(std::back_inserter(text), "{:<18}{:>12}{:>12}{:>12}{:>8}{:>12}\n", "", "peak",
                 "predicted", "kept", "values", "recomputed");
  const std::pair<const char*, const char*> rows[] = {{"saved_all", "everything saved"},
                                                      {"after_cut", "after the cut"},
                                                      {"keeping_everything", "keeping everything"},
                                                      {"default", "default"}};
  for (const auto& [key, what] : rows) {
    if (report.contains(key)) add_point(text, what, report[key]);
  }
  if (report.contains("curve")) {
    for (const ordered_json& point : report["curve"]) {
      if (!is_same_program(point, report["default"])) add_point(text, "  budget", point);
    }
    text += concat("\nheld at the peak, in ", report["peak_kernel"].get<std::string>(), "\n");
    const ordered_json& holders = report["holders"];
    for (size_t i = 0; i < std::min(holders.size(), kMostLines); ++i) {
      text += concat(
          "  ", bytes_text(holders[i]["bytes"]), ": ", holders[i]["count"].get<int64_t>(), " x ",
          holders[i]["type"].get<std::string>(), " of ", holders[i]["op"].get<std::string>(), " ",
          holders[i]["layer"].get<std::string>(), "\n");
    }
  }
  add_decisions(text, report["decisions"]);
  return text;
}

}  // namespace ridge::command
