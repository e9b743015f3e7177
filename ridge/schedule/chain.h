// Chains: a product, a softmax along its rows, and a product that sums over them.
//
//   s[m, n] = sum over k of q[m, k] * key[n, k]                   first
//   x[m, n] = f(s[m, n], bias, masks, m, n)                       row work
//   p[m, n] = exp(x - top[m]) / total[m],  total[m] = sum over n of exp(x - top[m])
//   o[m, d] = sum over n of p[m, n] * v[n, d]                     second
//
// Streamed over n, with the maximum and the sum so far, it needs tiles of s and p only, never all of
// them: memory of order m + n. It is found by what nodes compute at which indices, whatever their ops
// are called. Factors, masks, biases and positions between the products are x, an expression over a tile.
//
// As a group: outer axes are those of the second product's result, inner ones n and k. Members are all
// roots from the first product to the second, and what follows at each point of the result.
//
// Note [Streamed softmax]: tile by tile, with `top` the maximum so far and `shift` the same, but 0 where
// it is -inf, so that nothing is subtracted from itself there:
//   before = top; top = max(top, x); f = exp(before - shift)
//   total = total * f + sum of exp(x - shift); o = o * f + exp(x - shift) v
// and o / total at the end. Each of n / tile steps rounds total and o once more by f and by the sum, so
// beside the plain way, which rounds p once, o is off by at most n / tile + 2 further roundings of the
// weighted mean of |v|. Rows whose x are all -inf are 0 / 0, as in the plain way, unless the program
// gives them 0 itself. Where a condition on positions leaves out whole tiles, v is not read there:
// 0 * inf, which the plain way adds, is not seen.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ridge/base/decision.h"
#include "ridge/schedule/inlined_graph.h"

namespace ridge::schedule {

struct Group;

struct Chain {
  int32_t first = -1, second = -1;  // nodes: the products
  int32_t top = -1, total = -1;     // the maximum and the sum of a row
  int32_t exponential = -1;
  // x, at a point of the group.
  ValueId x{};
  std::vector<Expr> position{};
  // Whether any x of a row is more than -inf: if not, the row of the result is 0. -1: nobody asks.
  int32_t visible = -1;
  DType dtype = f32;  // of sums
  // Axes of the group.
  int m = -1, n = -1, k = -1, d = -1;
  // A key beyond this one, over the axes of the group, counts nothing: x is -inf there. Null: unknown.
  Expr last_key{};
};

struct FoundChain {
  Decision decision;
  std::shared_ptr<const Chain> chain{};
  std::shared_ptr<const Group> group{};
};

// The chain that ends in the product of this group; nothing where that reads no softmax. A refusal is of
// one that reads a softmax of something else than a chain. Who else reads its values is not looked at.
std::optional<FoundChain> find_chain(const InlinedGraph& program, const Group& product);

}  // namespace ridge::schedule
