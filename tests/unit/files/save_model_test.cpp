// A run of training that is saved and goes on elsewhere, bit for bit: model, optimizer, generator.
#include <gtest/gtest.h>

#include "ridge/aot/transforms.h"
#include "ridge/files/save.h"
#include "ridge/nn/batch_norm.h"
#include "ridge/nn/layers.h"
#include "ridge/nn/optimizer.h"
#include "ridge/ridge.h"
#include "tests/unit/files/file_bytes.h"

namespace ridge::files::save_model_test {
namespace {

struct Model {
  nn::Linear up, down;
  explicit Model(Generator& g) : up(3, 8, g), down(8, 1, g) {}
  Tensor operator()(const Tensor& x) const { return down(gelu(up(x))); }
  static void visit_tensors(auto& self, auto&& visit) {
    visit("up", self.up);
    visit("down", self.down);
  }
};

struct Training {
  Generator generator;
  Model model;
  nn::AdamW<Model> optimizer;
  int64_t epoch = 0;
  explicit Training(uint64_t seed, double beta1 = 0.9)
      : generator(seed),
        model(generator),
        optimizer(model, {.learning_rate = 0.01, .beta1 = beta1}) {}

  double step() {
    const Tensor x = dropout(uniform({4, 3}, generator), 0.25, generator);
    auto loss = [](const Model& now, const Tensor& in) { return mean(now(in)); };
    auto [value, gradient] = value_and_grad(loss)(model, x);
    optimizer.update(model, gradient);
    ++epoch;
    return value.item<double>();
  }
  static void visit_tensors(auto& self, auto&& visit) {
    visit("generator", self.generator);
    visit("model", self.model);
    visit("optimizer", self.optimizer);
    visit("epoch", self.epoch);
  }
};

TEST(SaveModel, TrainingGoesOnAsIfNothingHadHappened) {
  const OwnFolder folder;
  Training first(1);
  for (int i = 0; i < 3; ++i) first.step();
  save(folder / "state", first);
  Training second(2);
  load(folder / "state", second);
  EXPECT_EQ(second.epoch, 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(first.step(), second.step()) << i;
}

TEST(SaveModel, RefusesAnOptimizerOfOtherNumbers) {
  const OwnFolder folder;
  save(folder / "state", Training(1));
  Training other(2, 0.8);
  expect_error(ErrorCode::value, {"`optimizer.beta1`"}, [&] { load(folder / "state", other); });
}

}  // namespace
}  // namespace ridge::files::save_model_test
