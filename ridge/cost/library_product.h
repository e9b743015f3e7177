// The price of a product that a library of the device computes.
//
//   out[b, m, n] = sum over k of lhs[b, m, k] * rhs[b, k, n]
//
// A library has its own kernels, which no nest describes: tiles in whole waves, at the rate that the
// library was measured to reach. It is the price that the roofline calculator gives a matmul
// (roofline/matmul_price.cpp).
#pragma once

#include <optional>

#include "ridge/cost/price.h"

namespace ridge::cost {

struct LibraryProduct {
  double m = 1, n = 1, k = 1, batch = 1;
  DType operand = f32, result = f32;
  // Every row of every matrix starts at a multiple of 16 bytes: what bulk copies need.
  bool is_aligned = true;
};

// Nothing where the sheet has no rate of such products: `matrix.bf16`, `vector.f32.fma`.
std::optional<Price> price_library_product(const LibraryProduct& product, const Sheet& sheet,
                                           const Context& context = {});

}  // namespace ridge::cost
