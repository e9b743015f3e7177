// The parts of contract.cpp: a kernel being rebuilt, and how a block divides a tile.
#pragma once

#include "ridge/codegen/cuda/contract.h"
#include "ridge/codegen/cuda/value_ranges.h"

namespace ridge::codegen::cuda {

inline constexpr int64_t kContractThreads = 256;

// The positions along one side of a tile that a thread has: runs of `lanes` consecutive ones.
struct ThreadPart {
  int64_t groups, lanes;
  Expr first;
  int64_t group_step;

  int64_t count() const { return groups * lanes; }
  Expr at(const Expr& group, const Expr& lane) const { return first + group * group_step + lane; }
};

struct ContractBuilder {
  ContractBuilder(const loop::Kernel& given, const loop::Contract& contract,
                  const CudaTarget& target);

  int add_axis(int64_t extent);
  int add_buffer(std::string name, DType dtype, loop::Space space, int64_t elements);
  int add_value(std::string name, DType dtype);
  Expr simplified(const Expr& e) const;
  // A power of two that divides it wherever the axes are.
  int64_t multiple_of(const Expr& e) { return ranges.of(e).multiple; }
  loop::Statement store(int buffer, const Expr& index, int value) const {
    return {loop::Store{buffer, index, value}};
  }
  loop::Statement loop(int axis, loop::Body body, loop::Place place = loop::Place::serial) const;

  loop::Kernel kernel;
  const loop::Contract& contract;
  DType arithmetic;
  std::vector<int64_t> extents;  // by axis; those from outside where they are constant
  ValueRanges ranges;            // of the axes from outside
  int thread = -1;               // axes
  int step = -1;
};

// One operand's elements of this step into its tile, a few consecutive ones for each thread at a time.
struct Staging {
  Expr operand;
  int side_axis;  // m of lhs, n of rhs
  Expr side_extent;
  SharedTile tile;
  int64_t depth;
  int64_t width;  // of a vectorized copy, in elements
  bool is_read_along_k;
  // Where sizes are params, more of them at once if these params are multiples of the width.
  struct Wider {
    int64_t width;
    std::vector<Expr> params;
  };
  std::vector<Wider> wider{};  // the widest first
};
// The axis along which its elements are contiguous, and how many of them one access may take.
void choose_access(ContractBuilder& builder, Staging& staging);
loop::Body stage(ContractBuilder& builder, const Staging& staging);

// e at these positions of m, n and k; null ones stay.
struct TilePosition {
  Expr m{}, n{}, k{};
};
Expr at_position(const loop::Contract& contract, const Expr& e, const TilePosition& position);

}  // namespace ridge::codegen::cuda
