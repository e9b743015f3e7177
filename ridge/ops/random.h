// Random tensors.
//
//   Generator generator(42);
//   Tensor w = normal({256, 256}, generator);
//   Tensor y = dropout(x, 0.1, generator);
//
// Note [Random numbers]
// A random number is a pure function of where it is used, so it does not depend on the layout of a
// tensor, the tiling of a kernel, the number of threads or the device.
// - Generator: Philox4x32-10. One block gives four 32-bit words, to four neighbors in row-major order,
//   so that whoever computes them together needs one block. An op that wants a second word for each
//   element takes it from other blocks; elements have words 0 to 3.
// - Key: the 64-bit seed, with the low half of the rank xored into its high half. Processes that
//   share a seed below 2^32 and differ in rank draw from different streams.
// - Counter: a quarter of the row-major index of the element, plus 2^60 for each word before (low
//   half), and the index of the call (high half).
// - State: the i64 tensor {seed, rank, calls}. Every random op of a program reads it, and then adds
//   one to `calls` in place: how many numbers a call draws makes no difference to the next. Being
//   an ordinary tensor that is read and written, the state of a captured program is a donated
//   input like any other, and saving it with a model repeats a run exactly.
// - Distributions are exact functions of the words: `uniform` takes as many leading bits as the
//   dtype holds below 1, `bernoulli` compares a word with p * 2^32, `normal` is Box-Muller in f64.
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

struct Generator {
  Tensor state;  // i64[3] = {seed, rank, calls}; results are on its device
  explicit Generator(uint64_t seed, int64_t rank = 0, Device device = kCpu);
  static void visit_tensors(auto& self, auto&& visit) { visit("state", self.state); }
};

// In [low, high): `high` is never returned.
Tensor uniform(const Shape& shape, Generator& generator, double low = 0, double high = 1,
               DType dtype = kDefaultFloat, Location where = Location::current());
Tensor normal(const Shape& shape, Generator& generator, double mean = 0, double deviation = 1,
              DType dtype = kDefaultFloat, Location where = Location::current());
// Bool, true with probability p.
Tensor bernoulli(const Shape& shape, Generator& generator, double p = 0.5,
                 Location where = Location::current());
// A class (i64) for each row of logits [..., classes], with probability softmax(logits); a logit of -inf
// is never drawn. By the Gumbel maximum: the position of the largest logit - log(-log(u)).
Tensor categorical(const At& logits, Generator& generator);
// Each element is kept and scaled by 1 / (1 - p), or dropped (0) with probability p.
Tensor dropout(const At& x, double p, Generator& generator);

// The same from the state itself, which is read and left as it is: the ops behind the functions
// above. Random bits are i64 in [0, 2^32), one word (0 to 3) of each element's block.
Tensor random_bits(const At& state, const Shape& shape, int64_t word);
Tensor uniform(const At& state, const Shape& shape, double low, double high, DType dtype);
Tensor normal(const At& state, const Shape& shape, double mean, double deviation, DType dtype);
Tensor bernoulli(const At& state, const Shape& shape, double p);
Tensor dropout(const At& x, double p, const At& state);
Tensor categorical(const At& logits, const At& state);

}  // namespace ridge
