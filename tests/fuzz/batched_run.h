// A case as one example of a batch of two, as vmap would run it.
//
// The other example has data of another seed. Which inputs the examples have of their own and which they
// share follows from the seed of the case; all are their own where an example writes to one.
#pragma once

#include "tests/fuzz/fuzz_case.h"

namespace ridge::fuzz {

struct ExampleRun {
  std::vector<Tensor> outputs;
  std::vector<Tensor> inputs;  // as they are afterwards
};

// What the batch gives for the example that has the data of the case.
ExampleRun run_in_batch(const Case& given);

}  // namespace ridge::fuzz
