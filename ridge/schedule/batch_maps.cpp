#include "ridge/schedule/batch_maps.h"

#include <algorithm>
#include <map>

#include "ridge/base/text.h"

namespace ridge::schedule {
namespace {

// What equal kernels have in common for sure, and what is quick to find.
std::string outline_of(const InlinedGraph& program, const Group& group) {
  if (group.kind != GroupKind::map) return {};
  std::string text;
  for (const Member& member : group.members) {
    const graph::Node& node = program.graph().nodes[static_cast<size_t>(member.node)];
    const DType dtype = program.graph()[program.result(member.node)].type.dtype;
    text += concat(node.op->name(), " ", name(dtype), " ", program.reads(member.node).size(), ";");
  }
  return text;
}

// The buffer that became of one of the old plan: it has a new number where groups changed places.
int moved(int buffer, const Memory& before, const Memory& now) {
  const ValueId value = before.buffers[static_cast<size_t>(buffer)].value;
  return now.places[static_cast<size_t>(value.index)].buffer;
}

// Does each value of the group lie in what became of its buffer, at its old strides?
bool lies_as_before(const InlinedGraph& program, const Group& group, const Memory& before,
                    const Memory& now) {
  const auto is_same_place = [&](ValueId value) {
    const ValueLocation& old = before.places[static_cast<size_t>(value.index)];
    const ValueLocation& next = now.places[static_cast<size_t>(value.index)];
    if (old.buffer < 0 || next.buffer < 0) return old.buffer == next.buffer;
    return moved(old.buffer, before, now) == next.buffer && is_same(old.strides, next.strides);
  };
  return std::ranges::all_of(group.members, [&](const Member& member) {
    const auto& reads = program.reads(member.node);
    return is_same_place(program.result(member.node)) &&
           std::ranges::all_of(reads, [&](const Read& read) { return is_same_place(read.value); });
  });
}

}  // namespace

BatchMaps find_batch_maps(const InlinedGraph& program, const Fusion& fusion,
                          const std::function<std::optional<LoopInput>(const Group&)>& input_of) {
  std::vector<std::string> outlines;
  std::map<std::string, int> times;
  for (const Group& group : fusion.groups) {
    outlines.push_back(outline_of(program, group));
    ++times[outlines.back()];
  }
  BatchMaps maps(fusion.groups.size());
  for (size_t g = 0; g < fusion.groups.size(); ++g) {
    if (outlines[g].empty() || times[outlines[g]] < 2) continue;
    if (const auto input = input_of(fusion.groups[g])) maps[g] = find_batch_map(*input);
  }
  return maps;
}

void move_buffers(const InlinedGraph& program, Fusion& fusion, BatchMaps& maps,
                  const Memory& before, const Memory& now) {
  for (size_t g = 0; g < fusion.groups.size(); ++g) {
    Group& group = fusion.groups[g];
    if (group.batch < 0) continue;
    if (!lies_as_before(program, group, before, now)) {
      group.batch = -1;
      continue;
    }
    for (int& buffer : maps[g]->buffers) buffer = moved(buffer, before, now);
  }
}

}  // namespace ridge::schedule
