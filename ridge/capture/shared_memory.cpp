#include "ridge/capture/shared_memory.h"

#include <algorithm>
#include <map>

#include "ridge/base/text.h"
#include "ridge/capture/written.h"
#include "ridge/core/layout.h"
#include "ridge/graph/recorder.h"
#include "ridge/graph/rewriter.h"
#include "ridge/graph/symbols.h"
#include "ridge/ops/view.h"

namespace ridge::capture {
namespace {

using graph::ValueId;

// An argument in its storage, in bytes.
struct Place {
  size_t input;
  int64_t begin, end;
};

// Arguments whose stretches of a storage meet, directly or through others; or one that shows elements
// twice, which meets itself.
using Meeting = std::vector<Place>;

// Where an argument lies. Which ones meet depends on sizes, so symbols are read, with a guard.
std::optional<Place> place_of(size_t input, const Tensor& t) {
  const int64_t end = extent(t.shape(), t.strides(), t.offset()).value();
  if (end == 0) return std::nullopt;
  const auto bytes = [&](int64_t elements) {
    return static_cast<int64_t>(bytes_for(t.dtype(), elements));
  };
  return Place{input, bytes(t.offset().value()), bytes(end)};
}

void add_meetings(std::span<const size_t> inputs, std::span<const NamedTensor> given,
                  std::vector<Meeting>& found) {
  Meeting places;
  for (const size_t input : inputs) {
    if (const auto place = place_of(input, given[input].tensor)) places.push_back(*place);
  }
  std::ranges::sort(places, {}, &Place::begin);
  int64_t reach = -1;
  for (const Place& place : places) {
    if (place.begin >= reach) found.emplace_back();
    found.back().push_back(place);
    reach = std::max(reach, place.end);
  }
}

// Only of storages that are written: nobody sees what others share.
std::vector<Meeting> meetings(std::span<const NamedTensor> given, const graph::Graph& graph) {
  std::map<const Storage*, std::vector<size_t>> by_storage;
  for (size_t i = 0; i < given.size(); ++i) by_storage[&given[i].tensor.storage()].push_back(i);
  const auto written = written_inputs(graph);
  std::vector<Meeting> found;
  for (const auto& [storage, inputs] : by_storage) {
    const bool is_written = std::ranges::any_of(
        inputs, [&](size_t input) { return written.contains(graph.inputs[input]); });
    if (!is_written) continue;
    if (inputs.size() > 1) {
      add_meetings(inputs, given, found);
    } else {
      found.push_back({{inputs[0], 0, 0}});  // where it lies is of no interest
    }
  }
  std::erase_if(found, [&](const Meeting& meeting) {
    return meeting.size() < 2 && !given[meeting[0].input].tensor.may_overlap_itself();
  });
  std::ranges::sort(found, {}, [](const Meeting& meeting) {
    return std::ranges::min(meeting, {}, &Place::input).input;
  });
  return found;
}

// The node that first writes one of them, if any does.
const graph::Node* writer_of(const Meeting& meeting, const graph::Graph& graph) {
  const auto written = written_inputs(graph);
  for (const Place& place : meeting) {
    const auto found = written.find(graph.inputs[place.input]);
    if (found != written.end()) return found->second;
  }
  return nullptr;
}

void check_shareable(const Meeting& meeting, std::span<const NamedTensor> given,
                     const graph::Node& writer, bool restored) {
  const NamedTensor& first = given[meeting[0].input];
  const NamedTensor& second = given[meeting.back().input];
  RIDGE_CHECK(restored, .code = ErrorCode::state, .op = writer.op->name(),
              .expected = "to write an argument whose memory no other argument views",
              .given = meeting.size() == 1
                           ? concat(first.name, ", which shows elements twice, with strides ",
                                    to_text(first.tensor.strides()))
                           : concat(first.name, ", which shares memory with ", second.name),
              .hint = "pass one of them, or a copy", .where = writer.where);
  for (const Place& place : meeting) {
    const NamedTensor& other = given[place.input];
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
  std::vector<Meeting> written;
  for (Meeting& meeting : meetings(given, captured.graph)) {
    const graph::Node* writer = writer_of(meeting, captured.graph);
    if (writer == nullptr) continue;
    check_shareable(meeting, given, *writer, restored);
    written.push_back(std::move(meeting));
  }
  if (written.empty()) return;

  const graph::Graph& old = captured.graph;
  graph::Rewriter rewriter(old);
  graph::Recorder recorder(rewriter.graph());
  recorder.set_origin(Location(), {});
  for (const Meeting& meeting : written) {
    const NamedTensor& first = given[meeting[0].input];
    const graph::Type& type = old[old.inputs[meeting[0].input]].type;
    Size end = 0;
    for (const Place& place : meeting) {
      const Tensor& t = given[place.input].tensor;
      end = max(end, extent(t.shape(), t.strides(), t.offset()));
    }
    const Size begin = first.tensor.offset();  // the first begins before all others
    captured.shared.push_back({static_cast<int32_t>(meeting[0].input), end - begin});
    const Tensor memory =
        recorder.input({.dtype = type.dtype, .shape = {end - begin}, .device = type.device},
                       concat("memory of ", first.name));
    const graph::Recorder::Scope recording(recorder);
    for (const Place& place : meeting) {
      const Tensor& t = given[place.input].tensor;
      const Tensor view = strided(memory, t.shape(), t.strides(), t.offset() - begin);
      rewriter.map(old.inputs[place.input], recorder.id(view));
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

}  // namespace ridge::capture
