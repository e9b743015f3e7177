// A matrix product to measure, as a word that reads back.
//
//   16384x3072x768                 MxNxK in bf16, of operands [M, K] and [N, K] (nt), as linear layers keep them
//   768x3072x16384:tn              of [K, M] and [K, N]: the gradient of a weight
//   4096x4096x4096:nn:f16          of [M, K] and [K, N]
//   16384x3072x768:bias_gelu       with a bias and GELU (tanh form) behind it
//   1x4096x14336:int8              weights in blocks of 8 bits (q8_0); int4: of 4 (q4_0)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/core/block_format.h"
#include "ridge/core/dtype.h"
#include "ridge/cost/roofline/query.h"

namespace ridge::command {

struct ProductCase {
  int64_t m = 1, n = 1, k = 1;
  cost::MatmulLayout layout{.w_is_transposed = true};
  DType dtype = bf16;
  bool has_bias_gelu = false;
  std::optional<BlockFormat> weights{};

  double flops() const;
  // Of both operands and the result, each once.
  double bytes() const;
};

std::string to_text(const ProductCase& product);
// Error{parse} or Error{value}: what was expected, what was found.
ProductCase parse_product(std::string_view word);

// What is wanted of a product, and of which figure: the smaller is required, the other aimed at.
struct ProductGoal {
  enum class Of : uint8_t { none, ratio, tflops, tbytes, added } of = Of::none;
  double least = 0, aim = 0;
};
std::string to_text(const ProductGoal& goal);  // "0.97x", "370 TFLOP/s", "2.8 TB/s", "+8 %"

struct ListedProduct {
  ProductCase product;
  ProductGoal goal{};
  bool counts_for_median = false;  // of ratios, which is to be at least 1
};
// Those that Ridge is judged by.
const std::vector<ListedProduct>& listed_products();

// Sizes, orders and dtypes by chance, the same for the same seed: what a mapping can take, up to some
// milliseconds each.
std::vector<ProductCase> drawn_products(uint64_t seed, int count);

}  // namespace ridge::command
