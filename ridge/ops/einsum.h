// Sums of products of tensors by the labels of their dimensions.
//
//   einsum("ij,jk->ik", {x, y})          the product of two matrices
//   einsum("...qd,...kd->...qk", {q, k}) scores of attention, batches in front
//   einsum("ii->i", {x})                 a diagonal
//
// A label is a letter; blanks are skipped. Dimensions of one label have one size, or 1, which is stretched.
// A label that is missing on the right is summed over. Without "->" the result has the labels that occur
// once, in alphabetical order, after the dimensions of "...". It is composed of permute, reshape, sum and
// batched_matmul, operands taken from left to right: put the pair first whose product is small.
#pragma once

#include <string_view>
#include <vector>

#include "ridge/ops/at.h"

namespace ridge {

// Error{value} for an equation that cannot be read, Error{shape} for operands that do not fit it.
Tensor einsum(std::string_view equation, const std::vector<Tensor>& operands,
              Location where = Location::current());

}  // namespace ridge
