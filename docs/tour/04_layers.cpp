// Lesson 4: the layers a call passes through.
//
// Every op call finds its way by a set of keys: profile, autocast, autograd, then the backend. Each
// layer does its part, takes itself out of the set and hands the call on.
#include <iostream>

#include "ridge/dispatch/thread_state.h"
#include "ridge/ridge.h"

using namespace ridge;

int main() {
  const Tensor x = Tensor::of<float>({1, 2, 3, 4}, {2, 2});
  std::cout << "keys on by default: " << dispatch::to_text(dispatch::thread_state().included)
            << "\n\n";

  Profile profile;
  {
    // Matrix products are lowered to 16 bits, sums and exponentials stay at 32.
    const AutocastScope autocast(bf16);
    const Tensor product = matmul(x, x);
    const Tensor weights = softmax(product, -1);
    std::cout << "matmul under autocast:  " << describe(product) << "\n";
    std::cout << "softmax under autocast: " << describe(weights) << "\n\n";
  }
  const Tensor shape_only =
      matmul(Tensor::empty({512, 64}, f32, kMeta), Tensor::empty({64, 10}, f32, kMeta));
  std::cout << "on meta, shapes without values: " << describe(shape_only) << "\n\n";

  std::cout << "the profile layer saw";
  for (const ProfileEvent& event : profile.events()) std::cout << " " << event.op;
  std::cout << "\n";
}
