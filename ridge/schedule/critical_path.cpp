#include "ridge/schedule/critical_path.h"

#include <algorithm>

namespace ridge::schedule {
namespace {

// From the first root to the last of as many as read each other.
std::vector<int32_t> longest_path(const InlinedGraph& program) {
  const size_t count = program.graph().nodes.size();
  std::vector<int32_t> length(count), before(count, -1);
  int32_t last = -1;
  for (size_t i = 0; i < count; ++i) {
    const auto node = static_cast<int32_t>(i);
    if (program.is_inlined(node)) continue;
    for (const Read& read : program.reads(node)) {
      const int32_t producer = program.graph()[read.value].node;
      if (producer < 0 || length[static_cast<size_t>(producer)] < length[i]) continue;
      length[i] = length[static_cast<size_t>(producer)] + 1;
      before[i] = producer;
    }
    if (last < 0 || length[i] > length[static_cast<size_t>(last)]) last = node;
  }
  std::vector<int32_t> path;
  for (; last >= 0; last = before[static_cast<size_t>(last)]) path.push_back(last);
  std::ranges::reverse(path);
  return path;
}

}  // namespace

CriticalPath::CriticalPath(const InlinedGraph& program)
    : nodes_(longest_path(program)),
      joins_(program.graph().nodes.size(), static_cast<int32_t>(nodes_.size())),
      leaves_(program.graph().nodes.size(), -1) {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const auto node = static_cast<size_t>(nodes_[i]);
    joins_[node] = leaves_[node] = static_cast<int32_t>(i);
  }
  const auto for_each_edge = [&](size_t reader, const auto& visit) {
    if (program.is_inlined(static_cast<int32_t>(reader))) return;
    for (const Read& read : program.reads(static_cast<int32_t>(reader))) {
      const int32_t producer = program.graph()[read.value].node;
      if (producer >= 0) visit(static_cast<size_t>(producer));
    }
  };
  for (size_t i = 0; i < leaves_.size(); ++i) {
    for_each_edge(i, [&](size_t from) { leaves_[i] = std::max(leaves_[i], leaves_[from]); });
  }
  for (size_t i = joins_.size(); i-- > 0;) {
    for_each_edge(i, [&](size_t from) { joins_[from] = std::min(joins_[from], joins_[i]); });
  }
}

}  // namespace ridge::schedule
