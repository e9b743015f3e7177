// The body of an `each` at one element: axes replaced, elements as loads and stores, values of its own.
//
//   read v0: f32 = sum                       let v7: f32 = sum[4 * i9 + i10]
//   let v1: f32 = v0 + bias[256 * i1 + i4]   let v8: f32 = v7 + bias[256 * i1 + (8 * i9 + 2 * quad + i10)]
//   write sum = v1                           sum[4 * i9 + i10] = v8
#pragma once

#include <functional>
#include <map>

#include "ridge/codegen/cuda/tiles_elements.h"

namespace ridge::codegen::cuda {

// One element of a tile, as seen by the thread that has it.
struct Place {
  loop::Expr row, column;
  loop::Expr block{}, group{}, half{}, lane{};  // 64 rows, 8 columns, 8 rows below, the next column
};

class BodyCopier {
 public:
  // `index` says where a tile's element lies in its buffer.
  using Index = std::function<loop::Expr(int tile, const Place&)>;
  BodyCopier(TileElements& out, int row_axis, int column_axis, const Place& place, Index index)
      : out_(out), row_(row_axis), column_(column_axis), place_(place), index_(std::move(index)) {}

  loop::Expr copied(const loop::Expr& e) const;
  loop::Body copied(const loop::Body& body);

 private:
  int value(int old) const;
  int define(int old);
  loop::Statement copied(const loop::Statement& statement);
  loop::Statement copied(const loop::Loop& inner);

  TileElements& out_;
  int row_, column_;
  Place place_;
  Index index_;
  std::map<int, int> values_;
};

}  // namespace ridge::codegen::cuda
