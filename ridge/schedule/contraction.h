// Sums of products: which reductions are matrix products, and along which axes.
//
//   sum over k of x[b, m, k] * w[k, n]    ->    batch {b}, m {m}, n {n}, k {k}
//
// A contraction is computed in tiles (Note [Contraction] in loop/loop.h), so that each element that
// is loaded serves many products.
#pragma once

#include <functional>

#include "ridge/base/decision.h"
#include "ridge/schedule/group_emitter.h"
#include "ridge/schedule/node_definition.h"

namespace ridge::schedule {

// The two factors of the summed product, casts around it removed.
struct Factors {
  Expr lhs, rhs;
};
std::optional<Factors> factors_of(const Expr& value);

// Is this node a sum of products of two operands that each leave out an axis of the result?
Decision can_contract(const NodeDefinition& node_definition);

// A product in tiles: `contract` over a tile, in loops over the tiles and the batch.
//
//   for b, for m / rows, for n / columns @place { contract over m in rows, n in columns, sum k ... }
//
// On a CPU a tile is a task of a thread; on a GPU it is what a block does, whose threads the code
// generator, or the library that takes its place, arranges by itself.
//
// An axis cut into pieces: the outer part, and the inner one with what is left of it in a piece.
struct Split {
  int part, within;
  Expr within_extent;
};
// The group's axes follow.
Split split(Emitter& emitter, int axis, int64_t chunk);

struct ProductTile {
  int64_t rows, columns;
  loop::Place place;
};
// The axes of the kernel that are m and n.
struct ProductAxes {
  int m = -1, n = -1;
};
struct ProductExtents {
  Size m, n, k, batch;
};
// Before anything is emitted; nothing where emit_contraction has nothing to emit.
std::optional<ProductExtents> product_extents(GroupEmitter& group);
// Of a sum in parts of k: where the value at an element of the result, by its row-major position, goes in
// part number `part`.
struct PartialProduct {
  int64_t parts;  // of one size
  std::function<loop::Store(const Expr& part, const Expr& element, int value)> store;
};
// Nothing, with nothing emitted, where the summed axes do not run as one, as in a convolution. On a
// GPU a row or a column is a product too, of extent 1. With `partial`, sums of parts are stored in the place of
// what the group stores.
std::optional<ProductAxes> emit_contraction(GroupEmitter& group, const ProductTile& tile,
                                            const PartialProduct* partial = nullptr);

}  // namespace ridge::schedule
