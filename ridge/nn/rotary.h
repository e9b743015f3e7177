// Rotary positions: each pair of numbers of a query or key is turned by an angle that grows with its
// position, so that products of the two depend on how far apart they are.
//
//   nn::Rotary rotary(64, {.theta = 100000});
//   nn::RotaryAngles angles = rotary(tokens, start);       once for all layers
//   Tensor turned = nn::rotate(q, angles);                 q [..., tokens, 64]
//
// Which numbers make a pair is a matter of how a model was trained or its file written: i and i + width / 2
// (`halves`: Hugging Face), or 2 i and 2 i + 1 (`pairs`: Meta's own files, and GGUF files of Llama).
#pragma once

#include "ridge/core/visit_tensors.h"
#include "ridge/ops/at.h"

namespace ridge::nn {

enum class RotaryLayout : uint8_t { halves, pairs };

// How Llama 3.1 stretches the positions it was first trained with: pairs that turn slowly are slowed down
// by `factor`, fast ones left alone, those between blended. A factor of 1 changes nothing.
struct RotaryScaling {
  double factor = 1;
  double low_frequency = 1;   // full turns within `context` up to which a pair is slow,
  double high_frequency = 4;  // and from which on it is fast
  int64_t context = 8192;     // positions of the first training
};

struct RotaryOptions {
  double theta = 10000;
  RotaryLayout layout = RotaryLayout::halves;
  RotaryScaling scaling{};
};

// Of each position and pair. Undefined tensors: nothing is turned.
struct RotaryAngles {
  Tensor cosine;  // [tokens, width / 2], f32
  Tensor sine;
  RotaryLayout layout = RotaryLayout::halves;
};

struct Rotary {
  Tensor frequencies;  // [width / 2], f32: the angle from one position to the next
  RotaryLayout layout = RotaryLayout::halves;

  Rotary() = default;
  // Error{value} for a width that is odd, a theta or scaling that is not positive.
  explicit Rotary(int64_t width, const RotaryOptions& options = {}, Device device = kCpu,
                  Location where = Location::current());
  // Of positions start, start + 1, ...
  RotaryAngles operator()(const Size& tokens, const Size& start = 0,
                          Location where = Location::current()) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit(buffer("frequencies"), self.frequencies);
    visit("layout", self.layout);
  }
};

// x [..., tokens, width]; computed in f32, in the dtype of x.
Tensor rotate(const At& x, const RotaryAngles& angles);

}  // namespace ridge::nn
