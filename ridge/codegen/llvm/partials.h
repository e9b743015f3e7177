// The partial results of a vector loop: for each var from outside that its body reduces into, one in each lane of
// each of the vectors of a round, so that sums do not wait for each other.
#pragma once

#include "ridge/codegen/llvm/emission.h"

namespace ridge::codegen {

class Partials {
 public:
  // Those of the body of a loop, in the frame that is current; `frame.lanes` is known.
  Partials(Emission& emission, const loop::Body& body, unsigned vectors);

  // Reductions are into those of this vector from now on.
  void use(unsigned vector);
  // All of them into the vars: vectors first, then lanes, halves first in both.
  void finish();

 private:
  struct Partial {
    int value;
    loop::Combine combine;
    llvm::SmallVector<llvm::AllocaInst*, 4> memory{};  // by vector
  };

  void find(const loop::Body& body);
  DType dtype(int value) const {
    return emission_->kernel.values[static_cast<size_t>(value)].dtype;
  }

  Emission* emission_;
  std::vector<Partial> partials_;
};

}  // namespace ridge::codegen
