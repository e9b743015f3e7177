// The skeleton "product" of unmapped kernels: one dot in one loop, an epilogue over its sums.
//
//   for <batches> @gpu_block { for i0 in (m + tm - 1) // tm @gpu_block { for i1 in (n + tn - 1) // tn @gpu_block {
//     fill sum = 0.0
//     for i2 in (k + tk - 1) // tk { load lhs ...  load rhs ...  dot sum += lhs * rhs }
//     each i3, i4 of sum within m - tm * i0, n - tn * i1 { ... }
//     store ...            // one or several
//   } } }
#pragma once

#include <vector>

#include "ridge/mapping/passes/rewritten.h"

namespace ridge::mapping {

// Pointers into the kernel that was matched.
struct ProductSkeleton {
  std::vector<const loop::Loop*> batches;
  int row_tile = 0, column_tile = 0, depth_tile = 0;  // axes
  int tm = 0, tn = 0, tk = 0;                         // params
  Expr m, n, k;                                       // whole extents
  const loop::LoadTile* lhs = nullptr;
  const loop::LoadTile* rhs = nullptr;
  const loop::EachElement* epilogue = nullptr;
  std::vector<const loop::StoreTile*> stores;
  int sum = 0;  // tile

  // `read v0 = sum  write result = v0`: a store rounds by itself.
  bool has_plain_epilogue() const;
};

// Throws Refused where the kernel is another.
ProductSkeleton match_product(const loop::Kernel& kernel);

// A matrix that is loaded or stored tile by tile, as a strided window of its buffer: dimensions of batches,
// then rows, then columns.
struct Window {
  int buffer = 0;
  Expr first{};
  struct Dimension {
    int axis;  // of the loop over batches; -1: rows, -2: columns
    Expr extent, stride;
  };
  std::vector<Dimension> batches;
  Dimension rows, columns;
  bool is_column_contiguous = false;  // else a row is
};
inline constexpr int kRowDimension = -1, kColumnDimension = -2;

// Of the operands and of a result. Throws Refused as window_of does, and where an operand is not one load
// of elements as they are in memory.
Window lhs_window(const loop::Kernel& kernel, const ProductSkeleton& product);
Window rhs_window(const loop::Kernel& kernel, const ProductSkeleton& product);
Window result_window(const loop::Kernel& kernel, const ProductSkeleton& product,
                     const loop::StoreTile& store);

// The tile's rows begin at `row_size` times the axis `row_tile`, its columns alike. Throws Refused where the
// index is no such window, or neither a row nor a column is contiguous.
struct TilePlace {
  int row_axis, column_axis;  // elements of the tile
  int row_tile, column_tile;  // axes
  Expr row_size, column_size;
  Expr rows, columns;  // of the whole matrix
};
Window window_of(const loop::Kernel& kernel, const ProductSkeleton& product, int buffer,
                 const Expr& index, const TilePlace& place);

}  // namespace ridge::mapping
