#include "ridge/report/peak_holders.h"

#include <algorithm>

namespace ridge::report {
namespace {

using schedule::PlannedBuffer;

struct Life {
  size_t first = 0, last = 0;
  bool is_used = false;
};

std::vector<Life> lives_of(const schedule::Plan& plan) {
  std::vector<Life> lives(plan.buffers.size());
  for (size_t i = 0; i < plan.calls.size(); ++i) {
    for (const schedule::KernelRun& run : schedule::runs_of(plan.calls[i])) {
      for (const int buffer : run.buffers) {
        Life& life = lives[static_cast<size_t>(buffer)];
        if (!life.is_used) life.first = i;
        life.last = i;
        life.is_used = true;
      }
    }
  }
  for (size_t i = 0; i < lives.size(); ++i) {
    if (plan.buffers[i].kind == BufferKind::output && lives[i].is_used) {
      lives[i].last = plan.calls.size() - 1;
    }
  }
  return lives;
}

int64_t bytes_of_buffer(const PlannedBuffer& buffer) {
  return (numel(buffer.shape).hint_or(1) * buffer.dtype.bits + 7) / 8;
}

bool is_counted(const PlannedBuffer& buffer) {
  return buffer.kind == BufferKind::temporary || buffer.kind == BufferKind::output;
}

}  // namespace

Peak find_peak(const schedule::Plan& plan, const graph::Graph& graph) {
  const std::vector<Life> lives = lives_of(plan);
  std::vector<int64_t> change(plan.calls.size() + 1);
  for (size_t i = 0; i < lives.size(); ++i) {
    if (!lives[i].is_used || !is_counted(plan.buffers[i])) continue;
    change[lives[i].first] += bytes_of_buffer(plan.buffers[i]);
    change[lives[i].last + 1] -= bytes_of_buffer(plan.buffers[i]);
  }
  Peak peak;
  size_t when = 0;
  int64_t live = 0;
  for (size_t i = 0; i < plan.calls.size(); ++i) {
    live += change[i];
    if (live <= peak.live_bytes) continue;
    peak.live_bytes = live;
    when = i;
  }
  if (!plan.calls.empty()) peak.kernel = plan.calls[when].kernel.name;
  for (size_t i = 0; i < lives.size(); ++i) {
    const PlannedBuffer& buffer = plan.buffers[i];
    const bool is_there = lives[i].is_used && lives[i].first <= when && when <= lives[i].last;
    if (!is_there || !is_counted(buffer)) continue;
    const int32_t maker = graph[buffer.value].node;
    Holder holder{.value = buffer.value, .op = {}, .scope = {}, .type = graph[buffer.value].type};
    holder.bytes = bytes_of_buffer(buffer);
    holder.calls = static_cast<int64_t>(lives[i].last - lives[i].first + 1);
    if (maker >= 0) {
      holder.op = graph.nodes[static_cast<size_t>(maker)].op->name();
      holder.scope = graph.nodes[static_cast<size_t>(maker)].scope;
    }
    peak.holders.push_back(std::move(holder));
  }
  std::ranges::stable_sort(peak.holders, std::ranges::greater(),
                           [](const Holder& one) { return std::pair(one.bytes, one.calls); });
  return peak;
}

}  // namespace ridge::report
