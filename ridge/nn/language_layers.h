// Layers of language models beside those of layers.h: RMS norm, a gated MLP, learned positions.
//
//   nn::RmsNorm norm(576);
//   nn::SwiGlu mlp(576, 1536, generator);
//   Tensor y = x + mlp(norm(x));
#pragma once

#include "ridge/nn/layers.h"

namespace ridge::nn {

// Over the last dimension: mean square 1, then scaled. No mean is taken off, nothing is added.
struct RmsNorm {
  Tensor weight;  // [width]
  double eps = 1e-6;

  RmsNorm() = default;
  explicit RmsNorm(int64_t width, double eps = 1e-6, DType dtype = kDefaultFloat,
                   Device device = kCpu, Location where = Location::current());
  Tensor operator()(const At& x) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("weight", self.weight);
    const auto eps_bits = std::bit_cast<int64_t>(self.eps);  // another eps, another program
    visit("eps", eps_bits);
  }
};

// down(silu(gate(x)) * up(x)), without biases.
struct SwiGlu {
  Linear gate;
  Linear up;
  Linear down;

  SwiGlu() = default;
  SwiGlu(int64_t width, int64_t hidden, Generator& generator, DType dtype = kDefaultFloat,
         Location where = Location::current());
  Tensor operator()(const At& x) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("gate", self.gate);
    visit("up", self.up);
    visit("down", self.down);
  }
};

// A vector for each position, added to what stands there.
struct LearnedPositions {
  Tensor weight;  // [most positions, width]

  LearnedPositions() = default;
  LearnedPositions(int64_t positions, int64_t width, Generator& generator,
                   DType dtype = kDefaultFloat, Location where = Location::current());
  // x [..., tokens, width], whose first token has position `start`. Error{shape} beyond the last one.
  Tensor operator()(const At& x, const Size& start = 0) const;

  static void visit_tensors(auto& self, auto&& visit) { visit("weight", self.weight); }
};

}  // namespace ridge::nn
