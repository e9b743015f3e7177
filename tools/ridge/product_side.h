// A product as programs that can be timed: ours, and those it is compared with.
//
// One run computes the product of every set of operands, as one program (one CUDA graph on a GPU): sets are so
// many that together they exceed the last cache, and neither the host nor a cache has a part in the time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "product_case.h"
#include "ridge/core/tensor.h"
#include "ridge/cost/sheet.h"
#include "ridge/driver/entry.h"

namespace ridge::command {

using Tensors = std::vector<Tensor>;

struct ProductOperands {
  Tensor lhs, rhs, bias;  // rhs: the blocks, where weights are quantized; bias: where there is one
};

// On the device: random in [-1, 1), each set others.
std::vector<ProductOperands> random_operands(const ProductCase& product, int sets, Device device);
// So many that they make up these bytes, at least 2 and at most 32.
int sets_of(const ProductCase& product, double bytes);

// What a user would write.
Tensor multiply(const ProductCase& product, const ProductOperands& operands);

// Results lie one for each set.
struct ProductSide {
  std::string name;
  std::function<void()> run{};
  std::function<Tensors()> outputs{};  // of the last run
  std::shared_ptr<driver::Entry> entry{};
};

// Compiled under what the knobs say now, and run until it is a graph.
ProductSide compiled_side(const std::string& name, const ProductCase& product,
                          const std::vector<ProductOperands>& operands);
// cuBLASLt's epilogue of bias and GELU, captured as a CUDA graph. Error{device} or Error{state} where it has none.
ProductSide fused_library_side(const ProductCase& product,
                               const std::vector<ProductOperands>& operands);

// Of the compiled program: what the plan says of one set.
struct ProductPlanFigures {
  double predicted = 0, floor = 0;  // seconds
  double kernels = 0;
  std::string mapping{};  // or why there is none
  std::string kernel{};   // the name of the product's
  bool is_mapped = false, is_library = false;
};
ProductPlanFigures figures_of(const ProductSide& side, size_t sets);
// The same for the device of a sheet, which need not be here.
ProductPlanFigures predicted_figures(const ProductCase& product, int sets,
                                     std::shared_ptr<const cost::Sheet> sheet);

}  // namespace ridge::command
