// What several passes over a row load from memory at the same index: what is worth keeping.
#pragma once

#include <optional>
#include <vector>

#include "ridge/schedule/emit.h"

namespace ridge::schedule {

// Some steps of a thread along its row. All passes go over the same stretches in the same order, each
// with a loop over the stretch's own axis.
struct PeeledLoop {
  int step;                        // axis
  int64_t first = 0;               // step of the row
  std::optional<int64_t> count{};  // none: as many as it takes
};

// A load of memory along a stretch, and the statements that do it.
struct RowLoad {
  int buffer;
  Expr index;
  std::vector<loop::Let*> lets;
  size_t last_pass;
  bool is_of_several;  // passes
};

// By stretch, the same ones in the same order in each; none where the kernel writes what it reads, since
// what is written meanwhile would have to be seen. Elements of fewer than `least_bits` do not count.
std::vector<std::vector<RowLoad>> repeated_loads(Emitter& emitter, loop::Body& body,
                                                 const std::vector<PeeledLoop>& peeled_loops,
                                                 int least_bits);

// The same of loads from memory whose index is the same in all rounds of a walk over rows, or in each half
// of them: `walk` is its axis, `half` how many rounds one has, 0 where there are no halves.
std::vector<std::vector<RowLoad>> row_invariant_loads(Emitter& emitter, loop::Body& body,
                                                      const std::vector<PeeledLoop>& peeled_loops,
                                                      int least_bits, int row_loop, int64_t half);

}  // namespace ridge::schedule
