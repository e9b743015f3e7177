// What a group is, up to the numbers and names of its nodes, values and buffers.
//
// The layers of a model are alike, so most groups of a program are like another one of it. Groups of one
// form have the same price and become the same kernels, so both are found once (group_price.h,
// lowering_cache.h).
//
//   GroupSignatures forms(program);
//   GroupSignature form = forms.with_memory(input);
//   form.words                  the same for groups that are alike: what nodes compute, dtypes, shapes,
//                               axes, who reads whom, which values lie where at which strides
//   form.values, form.buffers   what stands for what: the first of one are the first of the other
//
// The order of the numbers of values and buffers is part of it, because something may depend on it.
#pragma once

#include <vector>

#include "ridge/schedule/group_nest.h"
#include "ridge/schedule/loops.h"

namespace ridge::schedule {

struct GroupSignature {
  std::vector<uint64_t> words;
  std::vector<ValueId> values;
  std::vector<int> buffers;  // planned; none of a group that has no memory yet
};

// Of `GroupSignature::words`.
struct SignatureHash {
  size_t operator()(const std::vector<uint64_t>& words) const;
};

class GroupSignatures {
 public:
  explicit GroupSignatures(const InlinedGraph& program);

  // Of a group as it is lowered.
  GroupSignature with_memory(const LoopInput& input);
  // Of a group that has no memory yet: what is read outside of it counts.
  GroupSignature with_readers(const Group& group, const Readers& readers);

 private:
  void write_group(const Group& group);
  void write_value(size_t number);
  void write_place(const LoopInput& input, size_t number);
  void write_order();
  void write_node(int32_t node);
  uint64_t slot(ValueId value);
  uint64_t buffer_slot(int planned);
  uint64_t node_digest(int32_t node);
  uint64_t value_digest(ValueId value);
  GroupSignature finish(const Group& group);

  const InlinedGraph& program_;
  GroupSignature form_;
  // By node and by value: what is known of them by themselves, 0 where it was not asked for yet.
  std::vector<uint64_t> node_digests_, value_digests_;
  // Of the group at hand, -1 for all others.
  std::vector<int32_t> slots_;    // by value
  std::vector<int32_t> members_;  // by node
};

}  // namespace ridge::schedule
