#include "ridge/nn/lora.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "../capture/compiled.h"
#include "ridge/aot/transforms.h"
#include "ridge/base/text.h"
#include "ridge/files/save.h"
#include "ridge/nn/optimizer.h"

namespace ridge::testing::lora_test {
namespace {

using Model = nn::Mlp;

struct LoraTest : ::testing::Test {
  Generator generator{3};
  Model model{6, 10, generator};
  Tensor x = random({8, 6}, 1), y = random({8, 6}, 2);
};

TEST_F(LoraTest, StartsAsTheBase) {
  const nn::Lora<Model> adapted(model, {.rank = 2}, generator);
  EXPECT_EQ(adapted.model()(x).to_vector<float>(), model(x).to_vector<float>());
  EXPECT_EQ(adapted.adapters.size(), 2U);
  EXPECT_EQ(nn::Lora<Model>(model, {.rank = 2, .layers = {"up"}}, generator).adapters.size(), 1U);
}

TEST_F(LoraTest, OnlyTheChangesAreParameters) {
  const nn::Lora<Model> adapted(model, {.rank = 2}, generator);
  std::vector<std::string> paths;
  for_each_parameter(adapted,
                     [&](const std::string& path, const Tensor&) { paths.push_back(path); });
  EXPECT_EQ(paths, (std::vector<std::string>{"adapters.down.down", "adapters.down.up",
                                             "adapters.up.down", "adapters.up.up"}));
}

TEST_F(LoraTest, TrainsAndMergesWithTheBaseUnchanged) {
  const auto before = model.up.weight.to_vector<float>();
  nn::Lora<Model> adapted(model, {.rank = 2}, generator);
  nn::AdamW optimizer(adapted, {.learning_rate = 0.02});
  const auto step = ridge::compile([](nn::Lora<Model>& now, nn::AdamW<nn::Lora<Model>>& opt,
                                      const Tensor& in, const Tensor& out) {
    auto loss = [&](const nn::Lora<Model>& m) { return mse_loss(m.model()(in), out); };
    auto [value, gradient] = value_and_grad(loss)(now);
    opt.update(now, gradient);
    return value;
  });
  const double first = step(adapted, optimizer, x, y).item<double>();
  double last = first;
  for (int i = 0; i < 60; ++i) last = step(adapted, optimizer, x, y).item<double>();
  EXPECT_LT(last, 0.7 * first);
  EXPECT_EQ(adapted.base.up.weight.to_vector<float>(), before);

  const Model merged = adapted.merged();
  EXPECT_FALSE(merged.up.adapter.has_value());
  const auto a = adapted.model()(x).to_vector<float>(), b = merged(x).to_vector<float>();
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5);
}

TEST_F(LoraTest, AdaptersAloneAreSavedAndLoaded) {
  nn::Lora<Model> adapted(model, {.rank = 2}, generator);
  for (auto& [path, change] : adapted.adapters) change.up = random({change.up.size(0), 2}, 4);
  const auto path =
      std::filesystem::temp_directory_path() / concat("ridge_lora_", getpid(), ".safetensors");
  files::save(path, adapted.adapters);
  nn::Lora<Model> other(model, {.rank = 2}, generator);
  EXPECT_NE(other.model()(x).to_vector<float>(), adapted.model()(x).to_vector<float>());
  files::load(path, other.adapters);
  EXPECT_EQ(other.model()(x).to_vector<float>(), adapted.model()(x).to_vector<float>());
  EXPECT_EQ(other.merged()(x).to_vector<float>(), adapted.merged()(x).to_vector<float>());
  nn::Lora<Model> wider(model, {.rank = 3}, generator);
  EXPECT_THROW(files::load(path, wider.adapters), Error);
  std::filesystem::remove(path);
}

TEST_F(LoraTest, RefusesWhatIsNoLayer) {
  EXPECT_THROW(nn::Lora<Model>(model, {.rank = 0}, generator), Error);
  EXPECT_THROW(nn::Lora<Model>(model, {.layers = {"side"}}, generator), Error);
}

}  // namespace
}  // namespace ridge::testing::lora_test
