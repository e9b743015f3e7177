#include "ridge/schedule/memory_plan.h"

#include <algorithm>
#include <map>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/domain.h"

namespace ridge::schedule {
namespace {

int64_t expected_bytes(const PlannedBuffer& buffer) {
  return static_cast<int64_t>(bytes_for(buffer.dtype, numel(buffer.shape).hint_or(1)));
}

class MemoryPlanner {
 public:
  MemoryPlanner(const InlinedGraph& program, const Fusion& fusion, const Options& options,
                const ValueStrides& strides)
      : program_(program),
        graph_(program.graph()),
        fusion_(fusion),
        options_(options),
        strides_(strides) {}

  MemoryPlan run() {
    memory_.locations.resize(graph_.values.size());
    memory_.is_stored.resize(graph_.values.size());
    last_use_.assign(graph_.values.size(), -1);
    is_handed_out_.resize(graph_.values.size());
    for (const ValueId id : graph_.outputs) hand_out(id);
    for (const auto& update : graph_.updates) hand_out(update.value);
    place_inputs();
    find_stored();
    place_parts();
    place_updates();
    place_outputs();
    place_temporaries();
    return std::move(memory_);
  }

 private:
  ValueLocation& place(ValueId id) { return memory_.locations[static_cast<size_t>(id.index)]; }

  int add_buffer(BufferKind kind, int32_t index, ValueId value) {
    const graph::Type& type = graph_[value].type;
    memory_.buffers.push_back({kind, index, value, type.dtype, type.shape});
    return static_cast<int>(memory_.buffers.size()) - 1;
  }

  void place_inputs() {
    for (size_t i = 0; i < graph_.inputs.size(); ++i) {
      const ValueId id = graph_.inputs[i];
      const bool has_strides = i < options_.input_strides.size() && options_.input_strides[i];
      place(id) = {
          add_buffer(BufferKind::input, static_cast<int32_t>(i), id),
          has_strides ? *options_.input_strides[i] : contiguous_strides(graph_[id].type.shape)};
    }
    for (size_t i = 0; i < graph_.values.size(); ++i) {
      const ValueId id{static_cast<int32_t>(i)};
      if (!graph_[id].constant.defined()) continue;
      place(id) = {add_buffer(BufferKind::constant, 0, id),
                   contiguous_strides(graph_[id].type.shape)};
    }
  }

  // A value is stored if it outlives the program or another kernel reads it.
  void find_stored() {
    for (size_t g = 0; g < fusion_.groups.size(); ++g) {
      for (const Member& member : fusion_.groups[g].members) {
        const ValueId result = program_.result(member.node);
        if (program_.is_live_out(result)) store(result);
        for (const Read& read : program_.reads(member.node)) {
          last_use_[static_cast<size_t>(read.value.index)] = static_cast<int>(g);
          const int32_t node = graph_[read.value].node;
          if (node < 0) continue;
          if (fusion_.group_of[static_cast<size_t>(node)] != static_cast<int32_t>(g)) {
            store(read.value);
          }
        }
      }
    }
  }
  void hand_out(ValueId id) { is_handed_out_[static_cast<size_t>(id.index)] = true; }
  void store(ValueId id) { memory_.is_stored[static_cast<size_t>(id.index)] = true; }

  // May the kernel that makes `value` write it over `input`? Only if nobody reads the input later,
  // and the kernel itself reads it only at the element it is about to write.
  bool can_write_over(ValueId input, ValueId value) const {
    const int32_t node = graph_[value].node;
    if (node < 0) return false;
    const graph::Type& from = graph_[value].type;
    const graph::Type& to = graph_[input].type;
    if (!(from.dtype == to.dtype) || !is_same(from.shape, to.shape)) return false;
    const int32_t maker = fusion_.group_of[static_cast<size_t>(node)];
    return is_done_with(input, node, maker);
  }

  // Has everybody read the value when that node of the group is written over it?
  bool is_done_with(ValueId value, int32_t node, int32_t group) const {
    if (last_use_[static_cast<size_t>(value.index)] > group) return false;
    if (is_handed_out_[static_cast<size_t>(value.index)]) return false;
    return reads_only_where_written(fusion_.groups[static_cast<size_t>(group)], value, node);
  }

  // Parts of inputs, in the order they were written: each over the memory of the one before. All of an
  // input's, or none: what is computed in full does not lie there.
  void place_parts() {
    for (const auto& update : graph_.updates) {
      std::vector<int32_t> nodes;
      for (ValueId value = update.value; graph_[value].node >= 0;) {
        const NodeDefinition& node_definition = program_.node_definition(graph_[value].node);
        if (node_definition.written.empty()) break;
        nodes.push_back(graph_[value].node);
        value = node_definition.over;
      }
      std::reverse(nodes.begin(), nodes.end());
      if (!are_in_order(update.input, nodes)) memory_.refused.push_back(update.input);
      for (const int32_t node : nodes) place(program_.result(node)) = place(update.input);
    }
  }

  // A part is written when everybody has read what was there before, in a kernel after that of the
  // part before it.
  bool are_in_order(ValueId input, const std::vector<int32_t>& nodes) const {
    std::vector<ValueId> before{input};
    int32_t last = -1;
    for (const int32_t node : nodes) {
      const int32_t group = fusion_.group_of[static_cast<size_t>(node)];
      if (group <= last) return false;
      for (const ValueId value : before) {
        if (!is_done_with(value, node, group)) return false;
      }
      before.push_back(program_.result(node));
      last = group;
    }
    return true;
  }

  bool reads_only_where_written(const Group& group, ValueId input, int32_t writer) const {
    if (group.kind == GroupKind::scatter || group.kind == GroupKind::chain) return false;
    const Shape extents = group.extents();
    const Shape& shape = graph_[input].type.shape;
    const auto member = std::find_if(group.members.begin(), group.members.end(),
                                     [&](const Member& m) { return m.node == writer; });
    const Expr written =
        linear_position(program_.node_definition(writer).position(member->axes), shape, extents);
    for (const Member& other : group.members) {
      for (const Read& read : program_.reads(other.node)) {
        if (read.value != input) continue;
        // Both in one pass: at every point of a map, or once a row, after all passes along it. In
        // two passes the second reader would see what the first wrote; and where threads share a
        // row, another one may still be reading.
        const bool shares_rows =
            group.kind == GroupKind::reduction && options_.target == Target::gpu;
        const bool is_one_pass = group.kind == GroupKind::map ||
                                 (member->is_per_row && other.is_per_row && !shares_rows);
        if (!is_one_pass || read.is_indirect || read.is_predicated) return false;
        std::vector<Expr> position;
        for (const Expr& index : read.position) {
          position.push_back(substitute_axes(index, other.axes));
        }
        if (!expr::same(linear_position(position, shape, extents), written)) return false;
      }
    }
    return true;
  }

  void place_updates() {
    for (const auto& update : graph_.updates) {
      if (update.input == update.value) continue;
      if (place(update.value).buffer == place(update.input).buffer) continue;  // it is there
      const bool is_free = graph_[update.value].node >= 0 && place(update.value).buffer < 0;
      if (is_free && can_write_over(update.input, update.value)) {
        place(update.value) = place(update.input);
      } else {
        late_.push_back(update);
      }
    }
  }

  // Outputs are tensors of the caller, who may write each of them: one that lies in memory of an
  // input, of the program (a constant) or of another output is copied.
  void place_outputs() {
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      const ValueId id = graph_.outputs[i];
      const Shape strides = contiguous_strides(graph_[id].type.shape);
      const int buffer = add_buffer(BufferKind::output, static_cast<int32_t>(i), id);
      memory_.outputs.push_back(buffer);
      if (place(id).buffer < 0) {
        place(id) = {buffer, strides};
      } else {
        memory_.copies.push_back({place(id).buffer, buffer, place(id).strides, strides, id});
      }
    }
  }

  void place_temporaries() {
    for (const auto& update : late_) {
      last_use_[static_cast<size_t>(update.value.index)] = static_cast<int>(fusion_.groups.size());
    }
    std::multimap<int, int> ends;  // group -> buffer to give back
    for (size_t g = 0; g < fusion_.groups.size(); ++g) {
      for (const Member& member : fusion_.groups[g].members) {
        const ValueId id = program_.result(member.node);
        if (!memory_.is_stored[static_cast<size_t>(id.index)] || place(id).buffer >= 0) continue;
        const int buffer = add_buffer(BufferKind::temporary, 0, id);
        const auto& chosen = strides_[static_cast<size_t>(id.index)];
        place(id) = {buffer, chosen ? *chosen : contiguous_strides(graph_[id].type.shape)};
        if (chosen) make_room(memory_.buffers[static_cast<size_t>(buffer)], *chosen);
        memory_.arena.steps.push_back({buffer, true});
        ends.insert({end_of(last_use_[static_cast<size_t>(id.index)]), buffer});
      }
      place_scratch(fusion_.groups[g]);
      for (auto [it, last] = ends.equal_range(static_cast<int>(g)); it != last; ++it) {
        memory_.arena.steps.push_back({it->second, false});
      }
    }
    lay_out_as_expected();
    copy_late_updates();
  }

  // Of a padded pitch, the elements between rows belong to the buffer.
  static void make_room(PlannedBuffer& buffer, const Shape& strides) {
    const size_t rank = strides.size();
    if (rank < 2 || strides[rank - 1].known() != 1) return;
    Shape room = buffer.shape;
    room.back() = strides[rank - 2];
    if (is_same(contiguous_strides(room), strides)) buffer.shape = std::move(room);
  }

  void lay_out_as_expected() {
    std::vector<int64_t> bytes;
    for (const PlannedBuffer& buffer : memory_.buffers) bytes.push_back(expected_bytes(buffer));
    const ArenaLayout layout = lay_out(memory_.arena, bytes);
    for (size_t i = 0; i < bytes.size(); ++i) memory_.buffers[i].offset = layout.offsets[i];
    memory_.arena_bytes = layout.bytes;
  }

  // A group that ends when its batch does, because all of that runs at a time.
  int end_of(int group) const {
    if (group < 0 || group >= static_cast<int>(fusion_.groups.size())) return group;
    return static_cast<int>(batch_end(fusion_, static_cast<size_t>(group))) - 1;
  }

  void place_scratch(const Group& group) {
    const int32_t node = group.members.front().node;
    const NodeDefinition& node_definition = program_.node_definition(node);
    const bool rounds = group.kind == GroupKind::scatter &&
                        is_16_bit_float(node_definition.dtype) &&
                        node_definition.definition.reducer != ops::Reducer::none;
    if (!rounds) return;
    const int id = add_buffer(BufferKind::temporary, 0, program_.result(node));
    PlannedBuffer& buffer = memory_.buffers[static_cast<size_t>(id)];
    buffer.dtype = f32;
    memory_.scratch[node] = id;
    // What comes later does not run at the same time.
    memory_.arena.steps.push_back({id, true});
    memory_.arena.steps.push_back({id, false});
  }

  // From inputs first into memory of their own: another update may overwrite them.
  void copy_late_updates() {
    std::vector<MemoryPlan::Copy> final_copies;
    for (const auto& update : late_) {
      ValueLocation from = place(update.value);
      if (graph_[update.value].node < 0 && !graph_[update.value].constant.defined()) {
        const ValueLocation aside{add_buffer(BufferKind::temporary, 0, update.value),
                                  contiguous_strides(graph_[update.value].type.shape)};
        memory_.copies.push_back(
            {from.buffer, aside.buffer, from.strides, aside.strides, update.value});
        from = aside;
      }
      const ValueLocation& to = place(update.input);
      final_copies.push_back({from.buffer, to.buffer, from.strides, to.strides, update.value});
    }
    for (MemoryPlan::Copy& copy : final_copies) memory_.copies.push_back(std::move(copy));
  }

  const InlinedGraph& program_;
  const Graph& graph_;
  const Fusion& fusion_;
  const Options& options_;
  const ValueStrides& strides_;
  std::vector<int> last_use_;        // group that reads a value last
  std::vector<bool> is_handed_out_;  // by value: an output, or what an input is updated with
  std::vector<graph::Update> late_;
  MemoryPlan memory_;
};

}  // namespace

void MemoryPlan::add_scratch(ValueId value, const std::vector<ScratchBuffer>& scratch_buffers) {
  if (scratch_buffers.empty()) return;
  Arena own;
  std::vector<int>& numbers = arena.scratch.emplace_back();
  for (const ScratchBuffer& buffer : scratch_buffers) {
    numbers.push_back(static_cast<int>(buffers.size()));
    buffers.push_back({BufferKind::temporary, 0, value, buffer.dtype, buffer.shape});
    buffers.back().offset = arena_bytes + own.take(expected_bytes(buffers.back()));
  }
  scratch_bytes = std::max(scratch_bytes, own.peak());
}

MemoryPlan plan_memory(const InlinedGraph& program, const Fusion& fusion, const Options& options,
                       const ValueStrides& strides) {
  return MemoryPlanner(program, fusion, options, strides).run();
}

}  // namespace ridge::schedule
