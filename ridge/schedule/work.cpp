#include "ridge/schedule/work.h"

#include <map>

namespace ridge::schedule {
namespace {

// How many elements an access touches: one for each point of the axes it moves along.
Size touched(const AccessPattern& pattern, const Shape& extents) {
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

int64_t functions_at(const Program& program, int32_t node, std::map<int32_t, int64_t>& known) {
  const auto found = known.find(node);
  if (found != known.end()) return 0;  // shared: counted where it was met first
  const Meaning& meaning = program.meaning(node);
  int64_t count = 0;
  expr::walk(meaning.definition.value, [&](const Expr& e) {
    if (e->kind == expr::Kind::call && e->args[0]->type == expr::Type::real) ++count;
  });
  known[node] = count;
  for (const ValueId operand : meaning.operands) {
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
  for (const AccessPattern& pattern : patterns) {
    const auto& buffer = buffers[static_cast<size_t>(pattern.buffer)];
    const Size whole = numel(buffer.shape);
    const std::pair key(pattern.buffer, pattern.is_store);
    const Size before = elements.count(key) != 0 ? elements[key] : Size(0);
    const Size one = smaller(touched(pattern, extents), whole);
    // Two reads of one buffer touch at most all of it, and usually the same part.
    elements[key] = smaller(
        before.known() && one.known() && *before.known() > *one.known() ? before : one, whole);
  }
  Size bytes = 0;
  for (const auto& [key, count] : elements) {
    const DType dtype = buffers[static_cast<size_t>(key.first)].dtype;
    bytes = bytes + count * static_cast<int64_t>((dtype.bits + 7) / 8);
  }
  return bytes;
}

Size flops_of(const Program& program, const Group& group) {
  Size flops = 0;
  std::map<int32_t, int64_t> known;
  for (const Member& member : group.members) {
    const Meaning& meaning = program.meaning(member.node);
    int64_t functions = functions_at(program, member.node, known);
    if (!meaning.is_map()) ++functions;  // combining
    flops = flops + meaning.points() * functions;
  }
  return flops;
}

}  // namespace ridge::schedule
