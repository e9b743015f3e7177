// Batch norm: each channel with mean 0 and variance 1 over a batch, then scaled and shifted.
//
//   nn::BatchNorm norm(16);
//   Tensor y = norm(x);                    // x [batch, 16, ...]; moves the running statistics
//   norm.is_training = false;
//   Tensor z = norm(x);                    // by the running statistics, which stay as they are
//
// The running statistics are buffers (core/visit_tensors.h): a call in training writes them in place, and
// optimizers leave them alone. Whether it trains is part of a program's signature.
#pragma once

#include <bit>

#include "ridge/core/visit_tensors.h"
#include "ridge/ops/at.h"

namespace ridge::nn {

struct BatchNorm {
  Tensor weight;  // [channels]
  Tensor bias;
  Tensor running_mean;      // in f32 at least
  Tensor running_variance;  // of squares divided by count - 1
  double eps = 1e-5;
  double momentum = 0.1;  // how much of a new batch goes into the running statistics
  bool is_training = true;

  BatchNorm() = default;
  explicit BatchNorm(int64_t channels, DType dtype = kDefaultFloat, Device device = kCpu,
                     Location where = Location::current());
  // Error{shape} unless x is [batch, channels, ...], with two values or more of each channel in training.
  Tensor operator()(const At& x) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("weight", self.weight);
    visit("bias", self.bias);
    visit(buffer("running_mean"), self.running_mean);
    visit(buffer("running_variance"), self.running_variance);
    const auto eps_bits = std::bit_cast<int64_t>(self.eps);  // another eps, another program
    visit("eps", eps_bits);
    const auto momentum_bits = std::bit_cast<int64_t>(self.momentum);
    visit("momentum", momentum_bits);
    visit("is_training", self.is_training);
  }
};

}  // namespace ridge::nn
