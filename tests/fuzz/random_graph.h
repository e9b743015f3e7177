// Random graphs, as capture would record them: pointwise calls, reductions, views, products, reads
// at computed positions, layers, writes in place, control flow, autocast, and any op of the registry by
// its samples; of 1 to 15 calls, on small and odd shapes, few on more than 2^20 elements.
//
//   random_case(7, 3)      always the same graph and data: the case 3 of the seed 7
#pragma once

#include "tests/fuzz/fuzz_case.h"

namespace ridge::fuzz {

// Not every case can be judged (oracle.h); `attempt` counts those that were not.
Case random_case(uint64_t seed, uint64_t number, uint64_t attempt = 0);

// The case with gradients of its floating outputs, by its floating inputs, as further outputs; as
// it is where it has none. Gradients of the outputs are further inputs.
Case with_gradients(const Case& given);

}  // namespace ridge::fuzz
