#include "ridge/nn/accumulate.h"

#include <gtest/gtest.h>

#include "../capture/compiled.h"
#include "ridge/nn/dynamic_loss_scale.h"
#include "ridge/nn/optimizer.h"

namespace ridge::testing::accumulate_test {
namespace {

// A bias that is not there, and integers that have no gradient.
struct Model {
  nn::Linear layer;
  Tensor order = arange(2);
  static void visit_tensors(auto& self, auto&& visit) {
    visit("layer", self.layer);
    visit("order", self.order);
  }
};

Model make_model(DType dtype = f64) {
  Generator generator(2);
  return {nn::Linear(5, 3, generator, false, dtype)};
}

Tensor objective(const Model& model, const Tensor& x, const Tensor& y) {
  return mean(square(model.layer(x) - y));
}

TEST(Accumulated, PartsHaveTheGradientOfTheWhole) {
  const Model model = make_model();
  const Tensor x = random({12, 5}, 1, f64), y = random({12, 3}, 2, f64);
  const auto [loss, gradient] = value_and_grad(objective)(model, x, y);
  Compiled in_parts([](const Model& m, const Tensor& in, const Tensor& out, int64_t parts) {
    return nn::accumulated_value_and_grad(objective, parts)(m, in, out);
  });
  for (const int64_t parts : {1, 3, 4}) {
    const auto [eager_loss, eager] = nn::accumulated_value_and_grad(objective, parts)(model, x, y);
    const auto [captured_loss, captured] = in_parts(model, x, y, parts);
    EXPECT_NEAR(eager_loss.item<double>(), loss.item<double>(), 1e-14);
    EXPECT_NEAR(captured_loss.item<double>(), loss.item<double>(), 1e-14);
    const auto expected = gradient.layer.weight.to_vector<double>();
    const auto first = eager.layer.weight.to_vector<double>();
    const auto second = captured.layer.weight.to_vector<double>();
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(first[i], expected[i], 1e-14);
      EXPECT_NEAR(second[i], expected[i], 1e-14);
    }
    EXPECT_FALSE(captured.order.defined());
    EXPECT_FALSE(captured.layer.bias.defined());
  }
}

TEST(Accumulated, NarrowGradientsAreSummedInF32) {
  const Model model = make_model(bf16);
  const Tensor x = random({8, 5}, 1, bf16), y = random({8, 3}, 2, bf16);
  const auto [loss, gradient] = nn::accumulated_value_and_grad(objective, 4)(model, x, y);
  EXPECT_EQ(gradient.layer.weight.dtype(), f32);
}

struct Batch {
  Tensor x, y;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("x", self.x);
    visit("y", self.y);
  }
};

// A struct is cut like the tensors in it; what is whole, and numbers, are the same for all parts.
TEST(Accumulated, TakesAnyArguments) {
  const Model model = make_model();
  const Batch batch{random({12, 5}, 1, f64), random({12, 3}, 2, f64)};
  const Tensor weights = random({3}, 3, f64);
  const nn::DynamicLossScale scale({.factor = 1024});
  const auto scaled = [](const Model& m, const nn::DynamicLossScale& by, const Batch& rows,
                         const Tensor& w, const Tensor& power, int64_t times) {
    return by.scaled(mean(w * square(m.layer(rows.x) - rows.y))) * power *
           static_cast<double>(times);
  };
  const auto [loss, gradient] =
      value_and_grad(scaled)(model, scale, batch, weights, 0.5, int64_t{3});
  Compiled in_parts(
      [&](const Model& m, const nn::DynamicLossScale& by, const Batch& rows, const Tensor& w) {
        auto [value, g] = nn::accumulated_value_and_grad(scaled, 4)(m, nn::whole(by), rows,
                                                                    nn::whole(w), 0.5, int64_t{3});
        return std::pair(by.unscaled(value), by.unscaled(g));
      });
  const auto [mean_loss, unscaled] = in_parts(model, scale, batch, weights);
  EXPECT_NEAR(1024 * mean_loss.item<double>(), loss.item<double>(), 1e-11);
  const auto expected = gradient.layer.weight.to_vector<double>();
  const auto got = unscaled.layer.weight.to_vector<double>();
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(1024 * got[i], expected[i], 1e-11);
  EXPECT_FALSE(unscaled.order.defined());
}

TEST(Accumulated, RowsThatDoNotComeOutEven) {
  const Model model = make_model();
  try {
    nn::accumulated_value_and_grad(objective, 5)(model, random({12, 5}, 1, f64),
                                                 random({12, 3}, 2, f64));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::shape);
    EXPECT_NE(std::string(error.what()).find("5 parts"), std::string::npos) << error.what();
    EXPECT_STREQ(error.where()->file_name(), __FILE__);
  }
}

}  // namespace
}  // namespace ridge::testing::accumulate_test
