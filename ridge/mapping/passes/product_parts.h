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

// Columns of the sums, and where their results go.
struct EpiloguePiece {
  StorePiece piece;
  // Register tiles: the sums, into which the first result is written, and one for each further result that
  // has a store tile. None where sums are moved as they are.
  std::vector<int> values{};
  std::vector<int> tiles{}, views{};  // by result: store tile and view; none for `store elements`
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
  Window lhs_window{}, rhs_window{};
  std::vector<Window> result_windows{};  // none for `store elements`
  std::vector<EpiloguePiece> pieces{};
  int row_tile = 0, column_tile = 0, depth_axis = 0;  // axes
  int row = 0, column = 0, index = 0, store_row = 0, store_column = 0;

  bool has_index() const { return product.warpgroups > 1; }
  // Do sums go to store tiles as they are?
  bool moves_sums() const {
    return product.store == StoreWay::tile && skeleton.has_plain_epilogue();
  }
  bool takes_turns() const { return product.consumers == Consumers::ping_pong; }
  // Rows of the tile in front of those of a warpgroup, which is 0 where each has a tile of its own.
  Expr first_row() const;
  Expr steps() const;  // of depth
  std::vector<Expr> lhs_at() const;
  std::vector<Expr> rhs_at() const;
  // Of a part of a result that begins at this row and column of the warpgroup's tile.
  std::vector<Expr> result_at(size_t result, const Expr& row_in_tile,
                              const Expr& column_in_tile) const;
  loop::TileLoop tile_loop(loop::Body body) const;
  // An expression of the unmapped kernel, at an element of a part of a warpgroup's tile.
  Expr here(const Expr& e, const Expr& row_in_tile, const Expr& column_in_tile) const;
  int blocks() const { return rows_of_warpgroup(product) / kWarpgroupRows; }
};

// Throws Refused where operands or results are no windows.
ProductParts make_parts(const loop::Kernel& kernel, const ProductSkeleton& skeleton,
                        const Mapping& mapping, const loop::DeviceLimits& limits);

}  // namespace ridge::mapping
