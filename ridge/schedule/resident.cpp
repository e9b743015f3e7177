#include "ridge/schedule/resident.h"

#include <algorithm>
#include <map>
#include <set>

namespace ridge::schedule {
namespace {

double bytes_of(const InlinedGraph& program, ValueId value) {
  const auto& type = program.graph()[value].type;
  return static_cast<double>(numel(type.shape).hint_or(1)) * type.dtype.bits / 8;
}

// The last root that reads each value that a root computes.
std::map<int32_t, int32_t> last_readers(const InlinedGraph& program) {
  std::map<int32_t, int32_t> last;
  const auto count = static_cast<int32_t>(program.graph().nodes.size());
  for (int32_t node = 0; node < count; ++node) {
    if (program.is_inlined(node)) continue;
    for (const Read& read : program.reads(node)) last[read.value.index] = node;
  }
  return last;
}

}  // namespace

double resident_bytes(const InlinedGraph& program) {
  const Graph& graph = program.graph();
  const std::map<int32_t, int32_t> last = last_readers(program);
  double kept = 0, live = 0, most = 0;
  std::set<int32_t> lasting;  // inputs and constants that were counted
  for (const ValueId input : graph.inputs) {
    if (lasting.insert(input.index).second) kept += bytes_of(program, input);
  }
  std::multimap<int32_t, double> ends;  // bytes that nobody needs after a node
  for (int32_t node = 0; node < static_cast<int32_t>(graph.nodes.size()); ++node) {
    if (program.is_inlined(node)) continue;
    for (const Read& read : program.reads(node)) {
      const bool is_lasting = graph[read.value].node < 0;
      if (is_lasting && lasting.insert(read.value.index).second) {
        kept += bytes_of(program, read.value);
      }
    }
    const ValueId result = program.result(node);
    const double bytes = bytes_of(program, result);
    const auto reader = last.find(result.index);
    if (program.is_live_out(result)) {
      kept += bytes;
    } else if (reader != last.end()) {
      live += bytes;
      ends.emplace(reader->second, bytes);
    }
    most = std::max(most, live);
    const auto [first, end] = ends.equal_range(node);
    for (auto one = first; one != end; ++one) live -= one->second;
  }
  return kept + most;
}

}  // namespace ridge::schedule
