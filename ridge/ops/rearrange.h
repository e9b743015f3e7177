// What the files of the view family share.
#pragma once

#include <vector>

#include "ridge/ops/registry.h"

namespace ridge::ops {

// Operand 0 read at `position`, for every point of `shape`.
Definition rearranged(const Call& call, Shape shape, std::vector<expr::Expr> position);

void register_reshapes(Registry& ops);  // reshape.cpp
void register_slices(Registry& ops);    // slice.cpp

}  // namespace ridge::ops
