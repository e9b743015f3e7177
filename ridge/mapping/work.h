// What a kernel computes, as far as its mapping depends on it: plain numbers, given by the caller.
//
//   out[b, m, n] = epilogue(sum over k of lhs[b, m, k] * rhs[b, k, n])
//
//   ProductWork work{.m = 16384, .n = 3072, .k = 768,
//                    .lhs = {.is_k_contiguous = true}, .rhs = {.is_k_contiguous = true},
//                    .results = {{}}};
//
// Sizes are those that the price is for; a kernel of symbolic sizes is mapped for an example of them.
#pragma once

#include <cstdint>
#include <vector>

#include "ridge/core/dtype.h"

namespace ridge::mapping {

// Who decides how far apart the rows of a matrix are.
enum class PitchOwner : uint8_t {
  user,      // given with the argument
  constant,  // as above, but the contents stay: a copy of it is made once and kept
  program,   // the memory plan: it can pad
};

struct Operand {
  DType dtype = bf16;
  bool is_k_contiguous = true;  // else m of lhs, n of rhs
  // The largest power of two, up to kLineAlignment, that divides the address of each row, in bytes.
  int64_t alignment = 128;
  PitchOwner owner = PitchOwner::user;
};
// Alignments above that of a line of the first-level cache make no difference.
inline constexpr int64_t kLineAlignment = 128;

struct Result {
  DType dtype = bf16;
  bool is_n_contiguous = true;
  int64_t alignment = kLineAlignment;
  PitchOwner owner = PitchOwner::user;
};

// Of the epilogue, for each element of the result.
struct EpilogueWork {
  int column_loads = 0;        // values shared by all of a column
  double tile_load_bytes = 0;  // of what is loaded for this element alone
  double flops = 0;
  double special_functions = 0;
};

struct ProductWork {
  double m = 1, n = 1, k = 1, batch = 1;
  Operand lhs{}, rhs{};
  DType accumulator = f32;
  EpilogueWork epilogue{};
  std::vector<Result> results{};  // at least one
};

using Work = ProductWork;

// Bytes of both operands and of all results, each element once.
double operand_bytes(const ProductWork& work);
double result_bytes(const ProductWork& work);

}  // namespace ridge::mapping
