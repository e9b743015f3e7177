// A question to the calculator: operation, sizes, types, device, and the options of some operations.
#pragma once

#include <optional>
#include <string>

#include "ridge/cost/roofline/element_type.h"
#include "ridge/cost/roofline/quantization.h"
#include "ridge/cost/roofline/sizes.h"
#include "ridge/cost/sheet.h"

namespace ridge::cost {

// Whether an operand lies as it is multiplied: X[M,K] and W[K,N] (nn), or transposed in memory, so
// that W is [N,K] (nt), as linear layers keep it.
struct MatmulLayout {
  bool x_is_transposed = false;
  bool w_is_transposed = false;
};
MatmulLayout parse_matmul_layout(std::string_view text);  // nn, nt, tn, tt

struct Query {
  const Sheet* sheet = nullptr;
  Sizes sizes{};
  ElementType dtype{};                   // of activations
  std::optional<ElementType> weights{};  // where they differ
  std::optional<ElementType> output{};
  std::optional<Tile> tile{};
  MatmulLayout layout{};

  // Options of single operations; the table of operations says which takes which.
  double repeat = 1;        // pointwise: times the operation is applied
  bool is_fma = false;      // pointwise: the operation is an FMA, 2 flops
  double inputs = 1;        // pointwise: tensors read
  std::string function{};   // pointwise: exp, sin, ...: each operation is a call of it
  std::string axis = "-1";  // reduce: a dimension, or `all`
  std::string algorithm{};  // attention: naive or flash; all-reduce: ring or switch
  bool is_causal = false;
  std::optional<double> keys{};      // attention: where not as many as queries
  std::optional<double> heads{};     // transformer: of queries
  std::optional<double> kv_heads{};  // heads of keys and values, where fewer
  std::optional<double> hidden{};    // transformer: width inside the MLP
  bool is_gated = false;             // transformer: the MLP has a gate beside its up projection
  double layers = 1;
  std::optional<double> vocabulary{};
  double devices = 1;
  std::string split{};             // sharded: the dimension that is split, as the shape names it
  double axes = 1;                 // torus axes a collective runs along
  bool is_open = false;            // torus axes without the link that closes the ring
  double stride = 1, padding = 0;  // convolution

  ElementType weight_type() const { return weights.value_or(dtype); }
  ElementType output_type() const { return output.value_or(default_output(dtype)); }
};

}  // namespace ridge::cost
