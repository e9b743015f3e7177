// Compiling on a thread with little stack: what is needed does not follow from the user's program.
#include "../base/small_stack.h"

#include <gtest/gtest.h>

#include "ridge/aot/transforms.h"
#include "ridge/nn/layers.h"
#include "ridge/ridge.h"

namespace ridge::testing::small_stack_test {
namespace {

TEST(SmallStack, EagerOpsAreCompiled) {
  on_small_stack([] {
    const Tensor x = ones({3, 29});
    EXPECT_NEAR(sum(softmax(x * x + 1, 1)).item<double>(), 3, 1e-5);
    const Tensor w = ones({3, 29});
    set_requires_grad(w);
    backward(sum(tanh(w) * w));
    EXPECT_TRUE(grad_of(w).defined());
  });
}

TEST(SmallStack, ALongChainIsFused) {
  on_small_stack([] {
    const auto chain = compile([](const Tensor& x) {
      Tensor y = x;
      for (int i = 0; i < 600; ++i) y = y * 0.5 + x;
      return y;
    });
    EXPECT_NEAR(chain(ones({16})).to_vector<float>()[3], 2, 1e-5);
  });
}

TEST(SmallStack, ALayerTrains) {
  on_small_stack([] {
    Generator generator(1);
    const nn::TransformerBlock block(16, 2, generator);
    const auto step = compile([](const nn::TransformerBlock& b, const Tensor& x) {
      const auto loss = [](const nn::TransformerBlock& now, const Tensor& in) {
        return mean(square(now(in)));
      };
      return value_and_grad(loss)(b, x);
    });
    EXPECT_TRUE(step(block, ones({1, 4, 16})).second.mlp.up.weight.defined());
  });
}

}  // namespace
}  // namespace ridge::testing::small_stack_test
