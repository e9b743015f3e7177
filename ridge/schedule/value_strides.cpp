#include <algorithm>
#include <numeric>

#include "ridge/core/shape.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/domain.h"
#include "ridge/schedule/library_products.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

constexpr size_t kFewestAxes = 3, kMaxAxes = 5;  // all orders of the others are tried

struct Reader {
  int32_t node;
  const Read* read;
};

// Who reads each value, and whether a product does.
struct ReadsOfValue {
  std::vector<Reader> list;
  bool has_product = false;
};

std::vector<ReadsOfValue> reads_by_value(const InlinedGraph& program) {
  std::vector<ReadsOfValue> readers(program.graph().values.size());
  for (size_t i = 0; i < program.graph().nodes.size(); ++i) {
    const auto node = static_cast<int32_t>(i);
    if (program.is_inlined(node)) continue;
    for (const Read& read : program.reads(node)) {
      ReadsOfValue& of_value = readers[static_cast<size_t>(read.value.index)];
      of_value.list.push_back({node, &read});
      of_value.has_product |= program.is_contraction(node);
    }
  }
  return readers;
}

// Does each axis of the reader lead through the value by a step of its own?
bool goes_by_steps(const InlinedGraph& program, const Reader& reader, const Shape& strides) {
  const Shape& extents = program.node_definition(reader.node).definition.extents;
  Expr address = 0;
  for (size_t i = 0; i < strides.size(); ++i) {
    address = address + reader.read->position[i] * strides[i].expression();
  }
  const Expr simple = expr::simplify(address, ranges_of(extents));
  return !has_load(simple) && expr::as_affine(simple, static_cast<int>(extents.size())).has_value();
}

bool all_go_by_steps(const InlinedGraph& program, const ReadsOfValue& readers,
                     const Shape& strides) {
  return std::ranges::all_of(
      readers.list, [&](const Reader& reader) { return goes_by_steps(program, reader, strides); });
}

// Of a value whose axes lie in this order, the one that moves slowest first.
Shape strides_in_order(const Shape& shape, const std::vector<size_t>& order) {
  Shape ordered;
  for (const size_t axis : order) ordered.push_back(shape[axis]);
  const Shape steps = contiguous_strides(ordered);
  Shape strides = shape;
  for (size_t i = 0; i < order.size(); ++i) strides[order[i]] = steps[i];
  return strides;
}

bool may_be_reordered(const InlinedGraph& program, ValueId value) {
  const graph::Value& info = program.graph()[value];
  if (info.node < 0 || info.constant.defined() || program.is_live_out(value)) return false;
  const NodeDefinition& node_definition = program.node_definition(info.node);
  if (node_definition.definition.is_scatter() || !node_definition.written.empty()) return false;
  const Shape& shape = info.type.shape;
  if (shape.size() < kFewestAxes || shape.size() > kMaxAxes) return false;
  return shape.back().known().value_or(0) * info.type.dtype.bits / 8 >= kMinRunBytes;
}

std::optional<Shape> strides_for(const InlinedGraph& program, ValueId value,
                                 const ReadsOfValue& readers) {
  const Shape& shape = program.graph()[value].type.shape;
  if (all_go_by_steps(program, readers, contiguous_strides(shape))) return std::nullopt;
  std::vector<size_t> order(shape.size());
  std::iota(order.begin(), order.end(), size_t{0});
  while (std::next_permutation(order.begin(), order.end() - 1)) {
    Shape strides = strides_in_order(shape, order);
    if (all_go_by_steps(program, readers, strides)) return strides;
  }
  return std::nullopt;
}

}  // namespace

ValueStrides choose_strides(const InlinedGraph& program) {
  const std::vector<ReadsOfValue> readers = reads_by_value(program);
  ValueStrides strides(readers.size());
  for (size_t i = 0; i < readers.size(); ++i) {
    const ValueId value{static_cast<int32_t>(i)};
    if (!readers[i].has_product || !may_be_reordered(program, value)) continue;
    strides[i] = strides_for(program, value, readers[i]);
  }
  return strides;
}

}  // namespace ridge::schedule
