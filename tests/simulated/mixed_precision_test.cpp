// Mixed precision in compiled programs on a GPU: bf16 and f16 steps, loss scaling, casts that stay.
#include <gtest/gtest.h>

#include <cmath>

#include "ridge/core/device_copy.h"
#include "ridge/nn/loss_scale.h"
#include "ridge/nn/on_device.h"
#include "ridge/reference/reference.h"
#include "ridge/ridge.h"
#include "simulated_gpu.h"

namespace ridge::testing::mixed_precision_test {
namespace {

class SimulatedMixed : public ::testing::Test {
 protected:
  void SetUp() override { RIDGE_USE_SIMULATED_GPU(); }
};

Tensor numbers(const Shape& shape, uint64_t seed = 1, DType dtype = f32) {
  Generator generator(seed);
  return uniform(shape, generator, -2.0, 2.0, dtype);
}

Tensor there(const Tensor& tensor) { return to_device(tensor, kSimulated); }

Tensor objective(const nn::Mlp& model, const Tensor& x, const Tensor& labels) {
  return cross_entropy(layer_norm(model(x), {}, {}, 1e-5), labels);
}

std::pair<Tensor, nn::Mlp> mixed_step(nn::Mlp& model, nn::AdamW<nn::Mlp>& optimizer,
                                      const nn::LossScale& scale, const Tensor& x,
                                      const Tensor& labels, DType dtype) {
  const AutocastScope autocast(dtype);
  auto [loss, gradient] = nn::scaled_value_and_grad(objective, scale)(model, x, labels);
  optimizer.update(model, gradient);
  return {loss, gradient};
}

// A step in a 16-bit type is near the one in f32, and its parameters stay f32.
void expect_trains(DType dtype) {
  Generator generator(5);
  const nn::Mlp start(24, 40, generator);
  const Tensor x = numbers({16, 24});
  const Tensor labels = remainder(arange(16, i64), 24);
  nn::Mlp model = nn::on_device(start, kSimulated);
  nn::AdamW<nn::Mlp> optimizer(model);
  const nn::LossScale scale(dtype == f16 ? 1024.0 : 1.0);
  const auto step = compile(
      [dtype](nn::Mlp& m, nn::AdamW<nn::Mlp>& o, const nn::LossScale& s, const Tensor& input,
              const Tensor& target) { return mixed_step(m, o, s, input, target, dtype); });
  const auto [loss, gradient] = step(model, optimizer, scale, there(x), there(labels));
  auto [expected, exact] = value_and_grad(objective)(start, x, labels);
  EXPECT_EQ(loss.dtype(), f32);
  EXPECT_NEAR(loss.item<double>(), expected.item<double>(), 20 * epsilon(dtype));
  EXPECT_EQ(gradient.up.weight.dtype(), f32);
  EXPECT_EQ(model.up.weight.dtype(), f32);
  EXPECT_EQ(model.up.weight.device(), kSimulated);
  const auto ours = gradient.up.weight.to_vector<double>();
  const auto theirs = exact.up.weight.to_vector<double>();
  double largest = 0;
  for (const double value : theirs) largest = std::max(largest, std::abs(value));
  for (size_t i = 0; i < ours.size(); ++i) {
    EXPECT_NEAR(ours[i], theirs[i], 30 * epsilon(dtype) * largest) << i;
  }
}

TEST_F(SimulatedMixed, ACompiledStepTrainsInBf16) { expect_trains(bf16); }
TEST_F(SimulatedMixed, ACompiledStepTrainsInF16) { expect_trains(f16); }

TEST_F(SimulatedMixed, ScalingKeepsGradientsThatF16WouldLose) {
  // The gradient of what the first product gives is 1e-8: 0 in f16.
  const auto loss = [](const Tensor& w, const Tensor& x) {
    return sum(matmul(x, matmul(x, w))) * 1e-8;
  };
  const auto with_scale =
      compile([&](const Tensor& w, const Tensor& x, const nn::LossScale& scale) {
        const AutocastScope autocast(f16);
        return nn::scaled_value_and_grad(loss, scale)(w, x);
      });
  const Tensor w = numbers({8, 8}), x = numbers({8, 8}, 2);
  const auto [value, exact] = value_and_grad(loss)(w, x);
  const auto [lost_value, lost] = with_scale(there(w), there(x), nn::LossScale(1));
  const auto [kept_value, kept] = with_scale(there(w), there(x), nn::LossScale(0x1p20));
  const auto theirs = exact.to_vector<double>();
  const auto ours = kept.to_vector<double>(), none = lost.to_vector<double>();
  double largest = 0;
  for (const double g : theirs) largest = std::max(largest, std::abs(g));
  double worst = 0;
  for (size_t i = 0; i < theirs.size(); ++i) {
    EXPECT_NEAR(ours[i], theirs[i], 20 * epsilon(f16) * largest) << i;
    worst = std::max(worst, std::abs(none[i] - theirs[i]));
  }
  EXPECT_GT(worst, 20 * epsilon(f16) * largest);
  EXPECT_NEAR(kept_value.item<double>(), value.item<double>(), 1e-7);
}

// A cast that the user wrote rounds, wherever fusion puts it: in one kernel with what is around it,
// here and there.
TEST_F(SimulatedMixed, CastsThatTheUserWroteRound) {
  for (const DType narrow : {bf16, f16}) {
    const auto f = [narrow](const Tensor& x) {
      const Tensor rounded = cast(cast(x * 3.0, narrow), f32);
      return (rounded - x * 3.0) * 1024.0;
    };
    const Tensor x = numbers({4, 33});
    const std::vector<double> expected = [&] {
      const reference::UseReference scope;
      return f(x).to_vector<double>();
    }();
    double largest = 0;
    for (const double value : expected) largest = std::max(largest, std::abs(value));
    EXPECT_GT(largest, 0.1) << "rounding is to be seen";
    const auto compiled = compile(f);
    for (const Tensor& input : {x, there(x)}) {
      const std::vector<double> ours = compiled(input).to_vector<double>();
      ASSERT_EQ(ours.size(), expected.size());
      // x * 3 may be contracted with the subtraction, which is exact then: half a bit of f32.
      for (size_t i = 0; i < ours.size(); ++i) {
        EXPECT_NEAR(ours[i], expected[i], 1024 * 6 * epsilon(f32)) << i;
      }
    }
  }
}

}  // namespace
}  // namespace ridge::testing::mixed_precision_test
