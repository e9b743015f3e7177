// Declarations of a mapped product, and the expressions that its roles share.
//
// Axes: batches, rows, columns and depth of tiles as in the unmapped kernel's order, then row and column of
// an element, the warpgroup's number, and two loops over what is stored.
#pragma once

#include "ridge/loop/device_limits.h"
#include "ridge/mapping/mapping.h"
#include "ridge/mapping/passes/skeleton.h"
#include "ridge/mapping/product_shape.h"

namespace ridge::mapping {

// A store tile, and the view that it is copied to.
struct StoreTarget {
  StorePiece piece;
  int tile, view;
};

struct ProductParts {
  const loop::Kernel& source;
  const ProductSkeleton& skeleton;
  const Product& product;
  ProductShape shape;
  loop::Kernel kernel;  // with everything declared, without a body

  std::string consumer{}, producer{};  // names of roles
  int ring = 0;
  int lhs = 0, rhs = 0, sum = 0;  // tiles
  int lhs_view = 0, rhs_view = 0;
  Window lhs_window{}, rhs_window{}, result_window{};
  std::vector<StoreTarget> stores{};
  int row_tile = 0, column_tile = 0, depth_axis = 0;  // axes
  int row = 0, column = 0, index = 0, store_row = 0, store_column = 0;

  bool has_index() const { return product.warpgroups > 1; }
  bool takes_turns() const { return product.consumers == Consumers::ping_pong; }
  // Rows of the tile in front of those of a warpgroup, which is 0 where each has a tile of its own.
  Expr first_row() const;
  Expr steps() const;  // of depth
  std::vector<Expr> lhs_at() const;
  std::vector<Expr> rhs_at() const;
  // Of a part of the result that begins at this row and column of the warpgroup's tile.
  std::vector<Expr> result_at(const Expr& row_in_tile, const Expr& column_in_tile) const;
  loop::TileLoop tile_loop(loop::Body body) const;
  // An expression of the unmapped kernel, at an element of a warpgroup's tile.
  Expr here(const Expr& e) const;
};

// Throws Refused where operands or results are no windows.
ProductParts make_parts(const loop::Kernel& kernel, const ProductSkeleton& skeleton,
                        const Mapping& mapping, const loop::DeviceLimits& limits);

}  // namespace ridge::mapping
