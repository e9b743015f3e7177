// A hundred steps of training from PyTorch's weights on PyTorch's data give PyTorch's losses.
#include <gtest/gtest.h>

#include <cmath>

#include "recorded_arrays.h"
#include "transformer.h"

namespace ridge::testing::replay_test {
namespace {

constexpr const char* kRecorded = RIDGE_SOURCE_DIR "/tests/model/transformer.steps";

// As in bench/export_transformer.py.
nn::AdamWOptions optimizer_options() { return {.beta2 = 0.95, .weight_decay = 0.1}; }
nn::Schedule recorded_schedule() {
  return nn::Schedule::cosine(
      {.peak = 4e-3, .first = 4e-4, .last = 4e-4, .rise = 10, .total = 100});
}

TEST(Replay, LossesOfAHundredSteps) {
  auto recorded = read_arrays(kRecorded);
  Generator generator(1);
  Transformer model({}, generator);
  size_t weights = 0;
  for_each_tensor(model, [&](const std::string& path, Tensor& tensor) {
    ASSERT_TRUE(recorded.contains(path)) << path;
    ASSERT_EQ(recorded[path].shape(), tensor.shape()) << path;
    tensor = recorded[path];
    ++weights;
  });
  ASSERT_EQ(weights + 4, recorded.size()) << "and tokens, losses, norms, rates";
  const auto losses = recorded["losses"].to_vector<double>();
  const auto norms = recorded["norms"].to_vector<double>();
  const auto rates = recorded["rates"].to_vector<double>();
  ASSERT_EQ(losses.size(), 100u);

  TransformerOptimizer optimizer(model, optimizer_options(),
                                 {{.has = nn::is_vector, .weight_decay = 0}});
  const nn::Schedule schedule = recorded_schedule();
  const auto step = compile(train_step, {.name = "train_step"});
  for (size_t i = 0; i < losses.size(); ++i) {
    const Tensor tokens = cast(select(recorded["tokens"], 0, static_cast<int64_t>(i)), i64);
    const auto [loss, norm] = step(model, optimizer, schedule, tokens);
    EXPECT_NEAR(optimizer.learning_rate.item<double>(), rates[i], 1e-12) << "step " << i;
    EXPECT_NEAR(loss.item<double>(), losses[i], 1e-4 * losses[i]) << "step " << i;
    // Norms are compared to see where a difference comes from; clipping makes them part of a step.
    EXPECT_NEAR(norm.item<double>(), norms[i], 1e-2 * norms[i]) << "step " << i;
    if (HasFailure()) break;
  }
  EXPECT_LT(losses.back(), 0.8 * losses.front()) << "there was something to learn";
  EXPECT_EQ(step.programs().size(), 1u);
}

}  // namespace
}  // namespace ridge::testing::replay_test
