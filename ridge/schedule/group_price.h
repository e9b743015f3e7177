// What a group would cost as a kernel, before it is one: from its space, what its members read and
// compute, and what must be stored because someone outside reads it.
//
//   GroupPricer pricer(program, sheet, resident_bytes(program));
//   pricer.seconds(group)
//
// An estimate of what cpu_loops or gpu_loops make of it (group_nest.h). Sizes that are symbols count
// as their hints. The same group always has the same price: what a kernel finds in caches is what
// the whole program leaves there, not what it would find by itself.
#pragma once

#include <unordered_map>

#include "ridge/cost/price.h"
#include "ridge/schedule/gpu_pipeline_shape.h"
#include "ridge/schedule/gpu_row_shape.h"
#include "ridge/schedule/group_nest.h"
#include "ridge/schedule/group_signature.h"

namespace ridge::schedule {

class GroupPricer {
 public:
  // `maps_products`: those that some mapping fits are priced in tiles of it (mapped_product.h).
  GroupPricer(const InlinedGraph& program, const cost::Sheet& sheet, double resident,
              bool maps_products = false);

  double seconds(const Group& group);
  // Of its first kernel, by resource: the others, where there are any, combine what it found.
  cost::Price price(const Group& group) const;
  bool is_of_gpu() const { return sheet_.kind == cost::SheetKind::gpu; }
  // Do the column sums of a group fit in the registers of persistent blocks?
  Decision can_be_persistent(const Group& group);
  // Of a program made of these kernels, for `Decision`: microseconds.
  double microseconds(const Group& group) { return 1e6 * seconds(group); }

 private:
  double worked_out(const Group& group) const;
  // What rows of a reduction need; and, of a group with columns, the pipeline that they would have.
  RowWork work_of(const Group& group) const;
  std::optional<PipelineShape> pipelined_rows(const Group& group) const;
  template <class Query>
  auto as_lowered(const Group& group, const Query& query) const;
  GroupKernels kernels(const Group& group) const;
  cost::Price price_of_chain(const Group& group) const;
  cost::Price price(const Group& group, const GroupKernels& kernels) const;

  const InlinedGraph& program_;
  const cost::Sheet& sheet_;
  loop::DeviceLimits limits_;
  Readers readers_;
  // By value, each in its own buffer and none stored, but for those of a group that is asked about.
  mutable ValueLocations plain_;
  mutable std::vector<bool> is_stored_;
  double resident_;  // bytes that lie between two launches of a kernel
  bool maps_products_;
  // What was found, by the form of a group.
  GroupSignatures forms_;
  std::unordered_map<std::vector<uint64_t>, double, SignatureHash> seconds_;
  std::unordered_map<std::vector<uint64_t>, bool, SignatureHash> can_be_persistent_;
};

}  // namespace ridge::schedule
