// A scatter: the result starts as `initial`, then every point is combined into its target, one after
// the other, because two points may have the same one. Without a reducer they do not, and each value is written.
#pragma once

#include "ridge/schedule/loops.h"

namespace ridge::schedule {

// One element of the result, and one point.
struct ScatterStep {
  Emitter& emitter;
  const LoopInput& input;
  int32_t node;

  // What the element of the result at this position starts as.
  int initial(const std::vector<Expr>& at) const;
  // Combines the value of the point with these axes into an element of a buffer.
  void combine(int buffer, const Expr& index, const std::vector<Expr>& point) const;
  // The same where it is the first: into what the element of the result at `at` starts as.
  void begin(int buffer, const Expr& index, const std::vector<Expr>& at,
             const std::vector<Expr>& point) const;
  // What a point brings.
  int value_at(const std::vector<Expr>& point) const;

 private:
  void store_combined(int buffer, const Expr& index, int before, int value) const;
};

// Where the point goes, by axis of the result.
std::vector<Expr> scatter_target(Emitter& emitter, int32_t node, const ops::Definition& definition,
                                 const std::vector<Expr>& point);

void emit_scatter(Emitter& emitter, const LoopInput& input, bool may_use_lanes);

}  // namespace ridge::schedule
