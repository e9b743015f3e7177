#include "ridge/schedule/group_signature.h"

#include <algorithm>

#include "ridge/base/hash.h"

namespace ridge::schedule {
namespace {

void add(Hasher& hasher, const Shape& shape) {
  hasher.combine(shape.size());
  for (const Size& size : shape) hasher.combine(size.hash());
}
void add(Hasher& hasher, const Expr& e) { hasher.combine(e.get() == nullptr ? 0 : e->hash); }
void add(Hasher& hasher, const std::vector<Expr>& list) {
  hasher.combine(list.size());
  for (const Expr& e : list) add(hasher, e);
}
void add(Hasher& hasher, DType dtype) { hasher.combine(dtype.kind).combine(dtype.bits); }

uint64_t digest_of(const Shape& shape) {
  Hasher hasher;
  add(hasher, shape);
  return hasher.digest();
}

// A number is part of the kernel; of a larger constant only its memory is.
void add_constant(Hasher& hasher, const Tensor& constant) {
  if (!constant.defined()) return;
  hasher.combine(constant.numel().known() == 1);
  if (constant.numel().known() != 1) return;
  hasher.combine(std::span(static_cast<const std::byte*>(constant.raw_data()),
                           bytes_for(constant.dtype(), 1)));
}

// What a value is to a group.
enum class Role : uint8_t { given, member, inlined, other_root };

}  // namespace

size_t SignatureHash::operator()(const std::vector<uint64_t>& words) const {
  Hasher hasher;
  for (const uint64_t word : words) hasher.combine(word);
  return static_cast<size_t>(hasher.digest());
}

GroupSignatures::GroupSignatures(const InlinedGraph& program)
    : program_(program),
      node_digests_(program.graph().nodes.size()),
      value_digests_(program.graph().values.size()),
      slots_(program.graph().values.size(), -1),
      members_(program.graph().nodes.size(), -1) {}

// Everything about it but its operands.
uint64_t GroupSignatures::node_digest(int32_t node) {
  uint64_t& known = node_digests_[static_cast<size_t>(node)];
  if (known != 0) return known;
  const NodeDefinition& node_definition = program_.node_definition(node);
  const ops::Definition& d = node_definition.definition;
  Hasher hasher;
  hasher.combine(program_.graph().nodes[static_cast<size_t>(node)].op->name());
  add(hasher, d.extents);
  hasher.combine(d.output_rank).combine(d.reducer);
  add(hasher, d.value);
  add(hasher, d.target);
  add(hasher, d.initial);
  hasher.combine(node_definition.operands.size());
  for (const DType dtype : node_definition.compute) add(hasher, dtype);
  add(hasher, node_definition.dtype);
  add(hasher, node_definition.shape);
  add(hasher, node_definition.overwrites);
  add(hasher, node_definition.written);
  hasher.combine(program_.is_contraction(node)).combine(program_.is_unfused(node));
  // Both depend on readers outside of the group too.
  const FunctionForms forms =
      program_.graph().nodes[static_cast<size_t>(node)].forms.value_or(FunctionForms{});
  hasher.combine(forms.precision).combine(forms.is_near).combine(program_.rounds(node));
  known = hasher.digest() | 1;
  return known;
}

uint64_t GroupSignatures::value_digest(ValueId value) {
  uint64_t& known = value_digests_[static_cast<size_t>(value.index)];
  if (known != 0) return known;
  const graph::Value& info = program_.graph()[value];
  Hasher hasher;
  add(hasher, info.type.dtype);
  add(hasher, info.type.shape);
  hasher.combine(info.type.is_weak).combine(info.constant.defined());
  add_constant(hasher, info.constant);
  hasher.combine(program_.is_live_out(value));
  known = hasher.digest() | 1;
  return known;
}

uint64_t GroupSignatures::slot(ValueId value) {
  if (value.index < 0) return ~uint64_t{0};
  int32_t& number = slots_[static_cast<size_t>(value.index)];
  if (number < 0) {
    number = static_cast<int32_t>(form_.values.size());
    form_.values.push_back(value);
  }
  return static_cast<uint64_t>(number);
}

uint64_t GroupSignatures::buffer_slot(int planned) {
  if (planned < 0) return ~uint64_t{0};
  const auto found = std::ranges::find(form_.buffers, planned);
  if (found == form_.buffers.end()) {
    form_.buffers.push_back(planned);
    return form_.buffers.size() - 1;
  }
  return static_cast<uint64_t>(found - form_.buffers.begin());
}

void GroupSignatures::write_node(int32_t node) {
  const NodeDefinition& node_definition = program_.node_definition(node);
  form_.words.push_back(node_digest(node));
  for (const ValueId operand : node_definition.operands) form_.words.push_back(slot(operand));
  if (!node_definition.written.empty()) form_.words.push_back(slot(node_definition.over));
}

// What computes it is part of the group if that is inlined.
void GroupSignatures::write_value(size_t number) {
  const ValueId value = form_.values[number];
  form_.words.push_back(value_digest(value));
  const int32_t node = program_.graph()[value].node;
  const int32_t member = node < 0 ? -1 : members_[static_cast<size_t>(node)];
  const Role role = node < 0                    ? Role::given
                    : member >= 0               ? Role::member
                    : program_.is_inlined(node) ? Role::inlined
                                                : Role::other_root;
  form_.words.push_back(static_cast<uint64_t>(role));
  if (role == Role::member) form_.words.push_back(static_cast<uint64_t>(member));
  if (role == Role::inlined) write_node(node);
}

void GroupSignatures::write_group(const Group& group) {
  form_.words = {static_cast<uint64_t>(group.kind), digest_of(group.outer), digest_of(group.inner),
                 group.members.size()};
  for (size_t i = 0; i < group.members.size(); ++i) {
    members_[static_cast<size_t>(group.members[i].node)] = static_cast<int32_t>(i);
  }
  for (const Member& member : group.members) {
    Hasher hasher;
    add(hasher, member.axes);
    hasher.combine(member.is_per_row).combine(member.is_per_column);
    form_.words.push_back(hasher.digest());
    form_.words.push_back(slot(program_.result(member.node)));
    write_node(member.node);
  }
  // Those that are met on the way are written when it is their turn.
  for (size_t i = 0; i < form_.values.size(); ++i) write_value(i);
}

void GroupSignatures::write_place(const LoopInput& input, size_t number) {
  const auto at = static_cast<size_t>(form_.values[number].index);
  const ValueLocation& place = input.locations[at];
  form_.words.push_back(buffer_slot(place.buffer));
  form_.words.push_back(digest_of(place.strides));
  form_.words.push_back(input.is_stored[at] ? 1 : 0);
}

// Which number is how large among the others.
void GroupSignatures::write_order() {
  const auto write = [&](const auto& list, const auto& number_of) {
    const size_t start = form_.words.size();
    for (size_t i = 0; i < list.size(); ++i) form_.words.push_back(i);
    std::sort(form_.words.begin() + static_cast<ptrdiff_t>(start), form_.words.end(),
              [&](uint64_t a, uint64_t b) { return number_of(list[a]) < number_of(list[b]); });
  };
  write(form_.values, [](ValueId value) { return value.index; });
  write(form_.buffers, [](int buffer) { return buffer; });
}

GroupSignature GroupSignatures::finish(const Group& group) {
  write_order();
  for (const ValueId value : form_.values) slots_[static_cast<size_t>(value.index)] = -1;
  for (const Member& member : group.members) members_[static_cast<size_t>(member.node)] = -1;
  return std::exchange(form_, {});
}

GroupSignature GroupSignatures::with_memory(const LoopInput& input) {
  write_group(input.group);
  for (size_t i = 0; i < form_.values.size(); ++i) write_place(input, i);
  form_.words.push_back(buffer_slot(input.scratch));
  return finish(input.group);
}

GroupSignature GroupSignatures::with_readers(const Group& group, const Readers& readers) {
  write_group(group);
  for (const Member& member : group.members) {
    const auto& readers_of_it = readers[static_cast<size_t>(program_.result(member.node).index)];
    const bool is_read_outside = std::ranges::any_of(
        readers_of_it, [&](int32_t reader) { return members_[static_cast<size_t>(reader)] < 0; });
    form_.words.push_back(is_read_outside ? 1 : 0);
  }
  return finish(group);
}

}  // namespace ridge::schedule
