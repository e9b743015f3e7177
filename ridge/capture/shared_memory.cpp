#include "ridge/capture/shared_memory.h"

#include <algorithm>
#include <map>

#include "ridge/base/text.h"
#include "ridge/core/shape.h"
#include "ridge/graph/recorder.h"
#include "ridge/graph/rewriter.h"
#include "ridge/graph/symbols.h"
#include "ridge/ops/view.h"

namespace ridge::capture {
namespace {

using graph::ValueId;

// Where an argument lies in its storage, in bytes.
struct ByteRange {
  size_t input;
  int64_t begin, end;
};

// Arguments whose byte ranges overlap, directly or through others; or one argument whose strides show
// an element twice.
using AliasGroup = std::vector<ByteRange>;

// Which ranges overlap depends on sizes, so symbols are read here, with a guard.
std::optional<ByteRange> byte_range_of(size_t input, const Tensor& t) {
  const int64_t end = extent(t.shape(), t.strides(), t.offset()).value();
  if (end == 0) return std::nullopt;
  const auto bytes = [&](int64_t elements) {
    return static_cast<int64_t>(bytes_for(t.dtype(), elements));
  };
  return ByteRange{input, bytes(t.offset().value()), bytes(end)};
}

void add_alias_groups(std::span<const size_t> inputs, std::span<const NamedTensor> given,
                      std::vector<AliasGroup>& found) {
  AliasGroup ranges;
  for (const size_t input : inputs) {
    if (const auto range = byte_range_of(input, given[input].tensor)) ranges.push_back(*range);
  }
  std::ranges::sort(ranges, {}, &ByteRange::begin);
  int64_t reach = -1;
  for (const ByteRange& range : ranges) {
    if (range.begin >= reach) found.emplace_back();
    found.back().push_back(range);
    reach = std::max(reach, range.end);
  }
}

// Only of storages that are written: nobody sees what others share.
std::vector<AliasGroup> alias_groups(std::span<const NamedTensor> given,
                                     const graph::Graph& graph) {
  std::map<const Storage*, std::vector<size_t>> by_storage;
  for (size_t i = 0; i < given.size(); ++i) by_storage[&given[i].tensor.storage()].push_back(i);
  const auto written = written_inputs(graph);
  std::vector<AliasGroup> found;
  for (const auto& [storage, inputs] : by_storage) {
    const bool is_written = std::ranges::any_of(
        inputs, [&](size_t input) { return written.contains(graph.inputs[input]); });
    if (!is_written) continue;
    if (inputs.size() > 1) {
      add_alias_groups(inputs, given, found);
    } else {
      found.push_back({{inputs[0], 0, 0}});  // where it lies is of no interest
    }
  }
  std::erase_if(found, [&](const AliasGroup& group) {
    return group.size() < 2 && !given[group[0].input].tensor.may_overlap_itself();
  });
  std::ranges::sort(found, {}, [](const AliasGroup& group) {
    return std::ranges::min(group, {}, &ByteRange::input).input;
  });
  return found;
}

// The node that first writes one of them, if any does.
const graph::Node* writer_of(const AliasGroup& group, const graph::Graph& graph) {
  const auto written = written_inputs(graph);
  for (const ByteRange& range : group) {
    const auto found = written.find(graph.inputs[range.input]);
    if (found != written.end()) return found->second;
  }
  return nullptr;
}

void check_shareable(const AliasGroup& group, std::span<const NamedTensor> given,
                     const graph::Node& writer, bool restored) {
  const NamedTensor& first = given[group[0].input];
  const NamedTensor& second = given[group.back().input];
  RIDGE_CHECK(restored, .code = ErrorCode::state, .op = writer.op->name(),
              .expected = "to write an argument whose memory no other argument views",
              .given = group.size() == 1
                           ? concat(first.name, ", which shows elements twice, with strides ",
                                    to_text(first.tensor.strides()))
                           : concat(first.name, ", which shares memory with ", second.name),
              .hint = "pass one of them, or a copy", .where = writer.where);
  for (const ByteRange& range : group) {
    const NamedTensor& other = given[range.input];
    RIDGE_CHECK(other.tensor.dtype() == first.tensor.dtype(), .code = ErrorCode::state,
                .op = writer.op->name(),
                .expected = "to write memory that all arguments view with one dtype",
                .given = concat(first.name, ", ", describe(first.tensor), ", and ", other.name,
                                ", ", describe(other.tensor), ", which share memory"),
                .hint = "pass one of them, or a copy", .where = writer.where);
  }
}

}  // namespace

void share_memory(Captured& captured, std::span<const NamedTensor> given, bool restored) {
  std::vector<AliasGroup> written;
  for (AliasGroup& group : alias_groups(given, captured.graph)) {
    const graph::Node* writer = writer_of(group, captured.graph);
    if (writer == nullptr) continue;
    check_shareable(group, given, *writer, restored);
    written.push_back(std::move(group));
  }
  if (written.empty()) return;

  const graph::Graph& old = captured.graph;
  graph::Rewriter rewriter(old);
  graph::Recorder recorder(rewriter.graph());
  recorder.set_origin(Location(), {});
  for (const AliasGroup& group : written) {
    const NamedTensor& first = given[group[0].input];
    const graph::Type& type = old[old.inputs[group[0].input]].type;
    Size end = 0;
    for (const ByteRange& range : group) {
      const Tensor& t = given[range.input].tensor;
      end = max(end, extent(t.shape(), t.strides(), t.offset()));
    }
    const Size begin = first.tensor.offset();  // the first begins before all others
    captured.shared.push_back({static_cast<int32_t>(group[0].input), end - begin});
    const Tensor memory =
        recorder.input({.dtype = type.dtype, .shape = {end - begin}, .device = type.device},
                       concat("memory of ", first.name));
    const graph::Recorder::Scope recording(recorder);
    for (const ByteRange& range : group) {
      const Tensor& t = given[range.input].tensor;
      const Tensor view = strided(memory, t.shape(), t.strides(), t.offset() - begin);
      rewriter.map(old.inputs[range.input], recorder.id(view));
    }
  }
  for (const graph::Node& node : old.nodes) rewriter.copy(node);
  captured.graph = rewriter.finish();
}

void CallInputs::add_memory(const Captured& captured) {
  with_memory_.assign(inputs_.begin(), inputs_.end());
  memory_.reserve(captured.shared.size());
  for (const SharedMemory& shared : captured.shared) {
    const Tensor& seen = *inputs_[static_cast<size_t>(shared.input)];
    // Symbols are there only where no other argument sees the memory.
    const Size length =
        shared.length.is_symbolic() ? extent(seen.shape(), seen.strides(), 0) : shared.length;
    memory_.push_back(Tensor::view_of(Ref<Storage>(&seen.storage()), {length}, {Size(1)},
                                      seen.offset(), seen.dtype()));
    with_memory_.push_back(&memory_.back());
  }
  inputs_ = with_memory_;
}

using graph::ValueId;

ValueId memory_of(const graph::Graph& graph, ValueId id) {
  while (graph[id].alias) id = *graph[id].alias;
  return id;
}

std::map<ValueId, const graph::Node*> written_inputs(const graph::Graph& graph) {
  std::map<ValueId, const graph::Node*> written;
  for (const graph::Node& node : graph.nodes) {
    const auto& parameters = node.op->schema().parameters;
    for (size_t i = 0; i < node.args.size(); ++i) {
      const ValueId* operand = std::get_if<ValueId>(&node.args[i]);
      if (operand == nullptr || !parameters[i].alias.is_write) continue;
      const ValueId memory = memory_of(graph, *operand);
      const bool is_input = graph[memory].node < 0 && !graph[memory].constant.defined();
      if (is_input) written.try_emplace(memory, &node);
    }
  }
  return written;
}

}  // namespace ridge::capture
