// Which exponentials of a kernel may be as exact as their arguments are, where a device has a faster one.
//
//   let v2: f32 = v1 - v0      rounded: off by |v2| / 2^24, and exp(v2) by as much, relative to its size
//   let v3: f32 = exp(v2)      so 2^(v2 log2 e), which adds as much again and 2^-22, is good enough where
//   v4 sum= v3                 v3 is one term of a sum, or goes by plain arithmetic into 16 bits
//
// What others see, or what goes into another function, is computed in full.
#pragma once

#include <vector>

#include "ridge/loop/loop.h"

namespace ridge::loop {

// By value: whether exponentials in the expression that defines it are such.
std::vector<bool> plain_exponents(const Kernel& kernel);

}  // namespace ridge::loop
