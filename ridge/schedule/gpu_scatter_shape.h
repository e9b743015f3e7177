// How the threads of a GPU share a scatter: columns go to threads, slots to blocks.
#pragma once

#include "ridge/schedule/loops.h"
#include "ridge/schedule/scatter_loops.h"

namespace ridge::schedule {

struct ScatterShape {
  Size columns, slots, points;  // of the result, of one column, and of the index
  int64_t width = 1;            // neighboring columns that a thread takes
  int64_t threads = 0;          // of a block
  int64_t owners = 1;           // blocks that share the slots of the same columns

  Size slots_of_owner() const { return divided_up(slots, owners); }
};

ScatterShape scatter_shape(const LoopInput& input, const NodeDefinition& node_definition,
                           const ScatterTargets& targets);

// How often the branches of a scatter are taken, for its price: what to expect of an index whose points
// lead anywhere, each slot as likely as any other.
class BranchProbabilities {
 public:
  explicit BranchProbabilities(const ScatterShape& shape);

  double own() const { return 1 / owners_; }  // a point leads to a slot of a given block
  double hit(int64_t points) const;           // one of so many does
  double touched() const;                     // a slot has a point
  double repeated() const;                    // a point leads where an earlier one has

 private:
  double owners_, points_, slots_;
};

// Of so many one, about: the inverse_probability of a loop::If.
int64_t inverse(double share);

}  // namespace ridge::schedule
