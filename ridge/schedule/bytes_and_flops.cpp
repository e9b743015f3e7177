#include <algorithm>
#include <map>
#include <set>

#include "ridge/cost/distinct_bytes.h"
#include "ridge/cost/index_steps.h"
#include "ridge/schedule/kernel_call.h"

namespace ridge::schedule {

namespace {

// How many elements an access touches: one for each point of the axes it moves along.
Size touched_by(const AccessPattern& pattern, const Shape& extents) {
  const uint64_t axes = axes_in(pattern.address);
  Size count = 1;
  for (size_t i = 0; i < extents.size(); ++i) {
    if (((axes >> i) & 1) != 0) count = count * extents[i];
  }
  return count;
}

// The smaller one; of sizes that are not known the first.
Size smaller(const Size& a, const Size& b) {
  const auto x = a.known(), y = b.known();
  return x && y && *y < *x ? b : a;
}

// Is everything about it a number, symbolic strides too?
bool is_countable(const AccessPattern& pattern, const Shape& extents, const Shape& whole) {
  bool result = numel(extents).known() && numel(whole).known();
  expr::walk(pattern.address, [&](const Expr& e) { result &= e->kind != expr::Kind::symbol; });
  return result;
}

cost::MemoryAccess access_of(const AccessPattern& pattern, const Shape& extents,
                             const Shape& whole) {
  std::vector<cost::AroundLoop> around;
  for (size_t i = 0; i < extents.size(); ++i) {
    around.push_back({static_cast<int>(i), static_cast<double>(*extents[i].known())});
  }
  cost::AxisSet random;
  expr::walk(pattern.address, [&](const Expr& e) {
    if (e->kind != expr::Kind::load) return;
    for (const Expr& index : e->args) random |= cost::AxisSet(axes_in(index));
  });
  return {.buffer = pattern.buffer,
          .is_store = pattern.is_store,
          .element_bytes = 1,
          .elements = static_cast<double>(*numel(whole).known()),
          .steps = cost::steps_of(pattern.address, around, {}, random),
          .origin = cost::value_at(pattern.address, {}, {})};
}

int64_t functions_at(const InlinedGraph& program, int32_t node, std::map<int32_t, int64_t>& known) {
  const auto found = known.find(node);
  if (found != known.end()) return 0;  // shared: counted where it was met first
  const NodeDefinition& node_definition = program.node_definition(node);
  int64_t count = 0;
  expr::walk(node_definition.definition.value, [&](const Expr& e) {
    if (e->kind == expr::Kind::call && e->args[0]->type == expr::Type::real) ++count;
  });
  known[node] = count;
  for (const ValueId operand : node_definition.operands) {
    const int32_t producer = operand.index < 0 ? -1 : program.graph()[operand].node;
    if (producer >= 0 && program.is_inlined(producer)) {
      count += functions_at(program, producer, known);
    }
  }
  return count;
}

}  // namespace

Size bytes_moved(const std::vector<AccessPattern>& patterns, const Shape& extents,
                 const std::vector<PlannedBuffer>& buffers) {
  std::map<std::pair<int, bool>, Size> elements;
  std::map<std::pair<int, bool>, cost::DistinctBytes> counted;
  for (const AccessPattern& pattern : patterns) {
    const Shape& shape = buffers[static_cast<size_t>(pattern.buffer)].shape;
    const std::pair key(pattern.buffer, pattern.is_store);
    if (is_countable(pattern, extents, shape)) {
      cost::DistinctBytes& touched = counted.try_emplace(key, 1.0).first->second;
      touched.add(access_of(pattern, extents, shape), {});
      elements[key] = Size(static_cast<int64_t>(touched.bytes()));
      continue;
    }
    // Two reads of one buffer touch at most all of it, and usually the same part.
    const Size before = elements.count(key) != 0 ? elements[key] : Size(0);
    const Size one = smaller(touched_by(pattern, extents), numel(shape));
    const bool is_less = before.known() && one.known() && *before.known() > *one.known();
    elements[key] = smaller(is_less ? before : one, numel(shape));
  }
  Size bytes = 0;
  for (const auto& [key, count] : elements) {
    const DType dtype = buffers[static_cast<size_t>(key.first)].dtype;
    bytes = bytes + count * static_cast<int64_t>((dtype.bits + 7) / 8);
  }
  return bytes;
}

Size flops_of(const InlinedGraph& program, const Group& group) {
  Size flops = 0;
  std::map<int32_t, int64_t> known;
  for (const Member& member : group.members) {
    const NodeDefinition& node_definition = program.node_definition(member.node);
    int64_t functions = functions_at(program, member.node, known);
    if (!node_definition.is_map()) ++functions;  // combining
    flops = flops + program.computed_points(member.node) * functions;
  }
  return flops;
}

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
