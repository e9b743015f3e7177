// Contractions (Note [Contraction] in loop.h): a blocked product with a micro-kernel in registers.
//
//                panel                            for m0 in m, by m_block rows
//   m0   +--------+--------+   C: m_block x n_block   for n0 in n, by n_block columns
//        | 8 x 2v |        |   on the stack             for k0 in k, by k_block
//        +--------+--------+ =  A (rows, k) x B           pack B: k_block x n_block, by panels
//        | 8 x 2v |        |              packed          for each panel, each tile: micro-kernel
//        +--------+--------+                            body once for each row and vector of C
//
// A tile of C lives in registers while k runs over a block, then in C, so each element is summed in
// order of increasing k. A panel of B (width() columns) fits the first-level cache, the blocks of A,
// B and C the second. A is packed row by row, or read where it lies where that is sure to be better:
// a plain load along k whose rows do not fall on the same lines of the cache, or few columns. With
// two FMA units a tile of 8 x 2 registers keeps both busy: 16 sums in flight, 10 loads for 16
// products.
#pragma once

#include <optional>

#include "ridge/codegen/llvm/emission.h"

namespace ridge::codegen {

// How a product is cut. Sizes are in elements.
struct ContractPlan {
  llvm::Type* element;  // of accumulator, A and B
  DType arithmetic;     // of the reals in lhs and rhs
  unsigned lanes;       // in one register
  unsigned vectors;     // registers of a tile, along n
  unsigned rows;        // of a tile
  int64_t k_block;
  int64_t m_block;
  int64_t n_block;  // some panels
  // The stride of A along m, if it is read where it lies.
  bool is_lhs_direct = false;
  Expr m_stride{};
  // B lies contiguous along k, or A along m: packed by transposing squares of lanes x lanes.
  bool is_rhs_transposed = false;
  bool is_lhs_transposed = false;
  // The last panel may be one register wide, and then has tiles of its own; else it is filled up.
  bool has_narrow_tiles = false;
  int64_t lhs_pitch;         // from row to row of the packed block of A
  int64_t sum_pitch = 0;     // from row to row of C; 0: a panel is as wide as it is
  bool fills_zeros = false;  // where packed columns end, instead of anything

  unsigned width() const { return vectors * lanes; }
};

ContractPlan plan_contract(Emission& emission, const loop::Contract& contract);
// Whether lanes of `e` along `axis` would have to be gathered, while along `other` they are neighbors.
bool is_transposed(Emission& emission, const Expr& e, int axis, int other);

// contract_pack.cpp. The block of lhs from (m0, k0) on, to rows `lhs_pitch` apart,
// and the last one again up to a whole tile.
void pack_lhs(Emission& emission, const loop::Contract& contract, const ContractPlan& plan,
              Value* target, Value* m0, Value* rows, Value* k0, Value* depth);
// The block of rhs from (k0, n0) on, `columns` wide, to panels of k_block rows of width() elements.
void pack_rhs(Emission& emission, const loop::Contract& contract, const ContractPlan& plan,
              Value* target, Value* k0, Value* depth, Value* n0, Value* columns);

// contract_micro.cpp. c[i][j] += sum over k of a[i][k] * b[k][j], for one tile. Rows beyond
// `last_row` (null: there are none) repeat it, so that what they read is there; `is_first` starts
// from zero.
struct MicroArguments {
  Value* a;
  Value* m_stride;
  Value* b;
  Value* depth;
  Value* c;
  Value* is_first;
  Value* last_row;
};
void call_micro_kernel(Emission& emission, const ContractPlan& plan, unsigned rows,
                       unsigned vectors, const MicroArguments& arguments);

}  // namespace ridge::codegen
