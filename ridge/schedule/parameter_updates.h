// What an optimizer computes for each element of its parameters. Fusion keeps it apart from the gradients
// that it reads, so that the updates of all parameters are equal maps, and one launch (batch.h).
//
//   dw = matmul(...)         a kernel each
//   w  = w - rate * dw       is_update: all of them one launch
#pragma once

#include <vector>

#include "ridge/cost/sheet.h"
#include "ridge/graph/graph.h"

namespace ridge::schedule {

// By node: does it compute new values of parameters, by element, and nothing else? What an optimizer makes
// of numbers, or of a whole gradient, is no part of it. Empty where the parameters are too few to share a
// launch on the device, a CPU if there is no sheet.
std::vector<bool> parameter_updates(const graph::Graph& graph, const cost::Sheet* sheet);

}  // namespace ridge::schedule
