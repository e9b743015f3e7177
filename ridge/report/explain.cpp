#include "ridge/report/explain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "ridge/graph/pass.h"

namespace ridge::report {
namespace {

using schedule::KernelCall;
using schedule::Plan;

constexpr size_t kMaxRefused = 5;

std::vector<ClassSummary> classes_of(const std::vector<KernelRow>& rows) {
  std::array<ClassSummary, kKernelClassCount> classes{};
  double flops = 0, time = 0;
  for (const KernelRow& row : rows) {
    ClassSummary& one = classes[static_cast<size_t>(row.kind)];
    ++one.kernels;
    one.flops_share += static_cast<double>(row.flops);
    one.time_share += row.time_us();
    flops += static_cast<double>(row.flops);
    time += row.time_us();
  }
  std::vector<ClassSummary> result;
  for (size_t i = 0; i < classes.size(); ++i) {
    ClassSummary& one = classes[i];
    if (one.kernels == 0) continue;
    one.kind = static_cast<KernelClass>(i);
    one.flops_share /= std::max(flops, 1.0);
    one.time_share = time > 0 ? one.time_share / time : 0;
    result.push_back(one);
  }
  return result;
}

// What one kernel computes and the other one reads.
int64_t bytes_between(const KernelCall& from, const KernelCall& to, const graph::Graph& graph) {
  const std::set<int32_t> there(from.nodes.begin(), from.nodes.end());
  const std::set<int32_t> here(to.nodes.begin(), to.nodes.end());
  std::set<graph::ValueId> values;
  for (const int32_t node : to.nodes) {
    for (const graph::ValueId operand : graph::operands(graph.nodes[static_cast<size_t>(node)])) {
      const int32_t producer = operand.index < 0 ? -1 : graph[operand].node;
      if (there.contains(producer) && !here.contains(producer)) values.insert(operand);
    }
  }
  int64_t bytes = 0;
  for (const graph::ValueId value : values) {
    const graph::Type& type = graph[value].type;
    bytes += (numel(type.shape).hint_or(0) * type.dtype.bits + 7) / 8;
  }
  return bytes;
}

// The last word on each two kernels: groups grow while they merge, and are asked about again.
std::map<std::pair<size_t, size_t>, const schedule::FusionDecision*> last_refusals(
    const Plan& plan) {
  std::map<int32_t, size_t> call_of;
  for (size_t i = 0; i < plan.calls.size(); ++i) {
    for (const int32_t node : plan.calls[i].nodes) call_of[node] = i;
  }
  std::map<std::pair<size_t, size_t>, const schedule::FusionDecision*> refusals;
  for (const schedule::FusionDecision& one : plan.decisions) {
    const auto from = call_of.find(one.producer), to = call_of.find(one.consumer);
    if (from == call_of.end() || to == call_of.end() || from->second == to->second) continue;
    if (!one.decision) refusals[{from->second, to->second}] = &one;
  }
  return refusals;
}

std::vector<RefusedFusion> refused_of(const Plan& plan, const graph::Graph& graph) {
  // The same two ops, refused for the same reason, are one line: layers repeat.
  std::map<std::tuple<std::string, std::string, std::string>, RefusedFusion> found;
  for (const auto& [calls, refusal] : last_refusals(plan)) {
    const auto op = [&](int32_t node) { return graph.nodes[static_cast<size_t>(node)].op->name(); };
    const Decision& decision = refusal->decision;
    RefusedFusion one{op(refusal->producer), op(refusal->consumer), decision.reason};
    one.bytes = bytes_between(plan.calls[calls.first], plan.calls[calls.second], graph);
    if (decision.cost_if_yes_us && decision.cost_if_no_us) {
      one.gain_us = *decision.cost_if_no_us - *decision.cost_if_yes_us;
    }
    const auto [place, is_new] = found.try_emplace({one.producer, one.consumer, one.reason}, one);
    if (is_new) continue;
    RefusedFusion& known = place->second;
    ++known.count;
    known.bytes += one.bytes;
    if (one.gain_us) known.gain_us = known.gain_us.value_or(0) + *one.gain_us;
  }
  std::vector<RefusedFusion> result;
  for (auto& [key, one] : found) result.push_back(std::move(one));
  // One without a price may gain something, one that would lose does not.
  std::ranges::stable_sort(result, std::ranges::greater(), [](const RefusedFusion& one) {
    return std::pair(one.gain_us.value_or(0), one.bytes);
  });
  return result;
}

std::vector<MappingChoice> mappings_of(const Plan& plan) {
  std::vector<std::pair<double, MappingChoice>> found;
  for (const KernelCall& call : plan.calls) {
    double stake = 0;
    for (const Decision& one : call.decisions) {
      stake =
          std::max(stake, std::abs(one.cost_if_no_us.value_or(0) - one.cost_if_yes_us.value_or(0)));
    }
    if (!call.decisions.empty()) found.push_back({stake, {call.kernel.name, call.decisions}});
  }
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [](const auto& one) { return one.first; });
  std::vector<MappingChoice> result;
  std::set<std::string> named;  // the name has the content in it: layers repeat
  for (auto& [stake, choice] : found) {
    if (named.insert(choice.kernel).second) result.push_back(std::move(choice));
  }
  return result;
}

}  // namespace

double Report::time_us() const {
  if (run_us) return *run_us;
  double time = 0;
  for (const KernelRow& row : rows) time += row.time_us();
  return time;
}

Report make_report(const std::string& name, const Plan& plan, const graph::Graph& graph,
                   std::vector<KernelRow> rows) {
  Report report;
  report.name = name;
  report.sheet = plan.sheet;
  report.classes = classes_of(rows);
  report.refused = refused_of(plan, graph);
  report.refused_count = report.refused.size();
  if (report.refused_count > kMaxRefused) report.refused.resize(kMaxRefused);
  report.mappings = mappings_of(plan);
  report.rows = std::move(rows);
  return report;
}

}  // namespace ridge::report
