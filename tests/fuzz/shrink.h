// Makes a failing case small: nodes, outputs and sizes go as long as it still fails on the same path.
//
//   %1 = exp(%0)    %2 = add(%1, %0)    %3 = sum(%2)    return %1, %3
//   ->  %1 = sum(%0)    return %1        with %0 of the type of what was %2
#pragma once

#include <functional>
#include <vector>

#include "tests/fuzz/fuzz_case.h"

namespace ridge::fuzz {

// The smallest case found for which `fails` holds, as it does for `given`. Asks at most `attempts`
// times.
Case shrink(const Case& given, const std::function<bool(const Case&)>& fails, int attempts = 300);

// Cases a little smaller than this one, the boldest first. All of them are valid graphs.
std::vector<Case> smaller_cases(const Case& given);

}  // namespace ridge::fuzz
