// Which contractions a library of matrix products computes, what it is to be told, and in which order the axes of
// values lie so that it can.
//
// A library multiplies and does nothing else, so such a contraction stays by itself: pointwise work
// around it is a kernel of its own. Decided before fusion, from dtypes and layouts alone.
#pragma once

#include <optional>
#include <vector>

#include "ridge/base/decision.h"
#include "ridge/schedule/contraction_product.h"
#include "ridge/schedule/inlined_graph.h"
#include "ridge/schedule/loops.h"

namespace ridge::schedule {

// In which order the axes of a value lie in memory, where another one than its own serves its readers.
//
//   mixed [batch, head, token, 64], read by a product as rows of [batch * token, head * 64]
//     ->  lies as [batch, token, head, 64]: rows lie one behind the other, and a library multiplies them
//
// Only for what lives inside of the program, is read by a product, and is then read by steps wherever
// somebody reads it, where it was not before. The last axis stays the last one and is no shorter than what
// memory moves at once, so whoever writes the value writes as many bytes at a time as before.

// By value: its strides, in elements, where they are not row-major.
using ValueStrides = std::vector<std::optional<Shape>>;

ValueStrides choose_strides(const InlinedGraph& program);

// On a GPU, of values that live inside of the program and that a product reads or writes: rows that are no
// multiple of 16 bytes long start further apart, where the product gains by it.
//
//   logits bf16[16384, 50257]   ->   strides 50304, 1; nobody sees the elements between rows
void pad_pitches(const InlinedGraph& program, const cost::Sheet& sheet, ValueStrides& strides);

struct LibraryAnswer {
  Decision decision;
  Product product{};  // if the answer is yes
};
// For a group of one contraction whose values live where `input` says.
LibraryAnswer library_product(const LoopInput& input);

// By node: is it a contraction that the library computes? Strides are of inputs, by number, and of other
// values; what has none is row-major. With a sheet, only where the library is predicted to take no longer than
// tiles of a mapping (mapped_product.h), to which fusion may add.
std::vector<bool> library_products(const InlinedGraph& program,
                                   const std::vector<std::optional<Shape>>& input_strides,
                                   const ValueStrides& strides, const cost::Sheet* sheet = nullptr,
                                   double resident = 0);

// Symbols of the graph become params: their places in `sizes`, which has all of them.
void bind_symbols(Product& product, const std::vector<Expr>& sizes);

}  // namespace ridge::schedule
