// Samples: the inputs an op is tested on, made from its record.
//
// A pointwise op gives a domain for its operands; shapes come from one list of awkward ones (0-d,
// empty, 1, primes, broadcast pairs, strided and expanded views). Other ops list their calls.
//
//   .samples = domain(-8, 8)
//   .samples = [](SampleMaker& m) { m.add(m.real({3, 5}), Ints{1}, true); }
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "ridge/base/random.h"
#include "ridge/ops/call.h"

namespace ridge::ops {

struct SampleCall {
  std::vector<Value> args;
};

class SampleMaker {
 public:
  SampleMaker(const Schema& schema, DType dtype, uint64_t seed);

  const Schema& schema() const { return schema_; }
  DType dtype() const { return dtype_; }

  // Tensors of the dtype under test with random values in [low, high] (whole numbers for
  // integers, coin flips for bool): contiguous or, every other time, a strided or expanded view.
  Tensor real(const Shape& shape, double low = -2, double high = 2);
  // Random numbers no two of which are equal or close: for sorting, maxima and their gradients.
  Tensor distinct(const Shape& shape);
  Tensor integers(const Shape& shape, int64_t low, int64_t high, DType dtype = i64);
  Tensor flags(const Shape& shape);
  Tensor strided(const Tensor& like);   // the same values behind other strides
  Tensor expanded(const Tensor& like);  // its first slice repeated by a stride of zero

  template <class... Args>
  void add(Args&&... args) {
    calls_.push_back({{Value(std::forward<Args>(args))...}});
  }
  void add_call(std::vector<Value> args) { calls_.push_back({std::move(args)}); }
  // The calls so far, parameters left out filled in with their defaults.
  std::vector<SampleCall> take();

 private:
  const Schema& schema_;
  DType dtype_;
  SplitMix64 random_;
  std::vector<SampleCall> calls_;
};

using Samples = std::function<void(SampleMaker&)>;

// For ops whose parameters are all tensors: the awkward shapes, values from one domain for all
// operands, or one for each.
Samples domain(double low, double high);
Samples domains(std::vector<std::pair<double, double>> by_operand);

}  // namespace ridge::ops
