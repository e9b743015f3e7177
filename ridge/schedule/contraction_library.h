// Which contractions a library of matrix products computes, and what it is to be told.
//
// A library multiplies and does nothing else, so such a contraction stays by itself: pointwise work
// around it is a kernel of its own. Decided before fusion, from dtypes and layouts alone.
#pragma once

#include <optional>
#include <vector>

#include "ridge/base/decision.h"
#include "ridge/schedule/contraction_product.h"
#include "ridge/schedule/loops.h"
#include "ridge/schedule/value_strides.h"

namespace ridge::schedule {

struct LibraryAnswer {
  Decision decision;
  Product product{};  // if the answer is yes
};
// For a group of one contraction whose values live where `input` says.
LibraryAnswer library_product(const LoopInput& input);

// By node: is it a contraction that the library computes? Strides are of inputs, by number, and of other
// values; what has none is row-major.
std::vector<bool> library_products(const InlinedGraph& program,
                                   const std::vector<std::optional<Shape>>& input_strides,
                                   const ValueStrides& strides);

// Symbols of the graph become params: their places in `sizes`, which has all of them.
void bind_symbols(Product& product, const std::vector<Expr>& sizes);

}  // namespace ridge::schedule
