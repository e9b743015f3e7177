// Starting values of parameters, drawn from a generator: the same seed gives the same model.
//
//   Generator generator(42);
//   Tensor w = nn::uniform_by_fan_in({out, in}, in, generator);
#pragma once

#include "ridge/ops/random.h"

namespace ridge::nn {

// Evenly in ±1 / sqrt(fan_in), which keeps the variance of a layer's output near a third of its
// input's: what linear layers start with.
Tensor uniform_by_fan_in(const Shape& shape, int64_t fan_in, Generator& generator,
                         DType dtype = kDefaultFloat, Location where = Location::current());
// Glorot: evenly in ±sqrt(6 / (fan_in + fan_out)).
Tensor xavier_uniform(const Shape& shape, int64_t fan_in, int64_t fan_out, Generator& generator,
                      DType dtype = kDefaultFloat, Location where = Location::current());
// He: normal with deviation sqrt(2 / fan_in), for layers that are followed by relu.
Tensor kaiming_normal(const Shape& shape, int64_t fan_in, Generator& generator,
                      DType dtype = kDefaultFloat, Location where = Location::current());
// Normal, drawn values beyond `bound` deviations brought back to it.
Tensor clipped_normal(const Shape& shape, double deviation, Generator& generator, double bound = 2,
                      DType dtype = kDefaultFloat, Location where = Location::current());

}  // namespace ridge::nn
