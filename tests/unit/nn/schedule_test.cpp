#include "ridge/nn/schedule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../capture/compiled.h"

namespace ridge::testing::schedule_test {
namespace {

double rate_at(const nn::Schedule& schedule, int64_t step) {
  return schedule(Tensor::of<int64_t>({step}, {})).item<double>();
}

TEST(Schedule, ConstantAndLinearWarmup) {
  EXPECT_DOUBLE_EQ(rate_at(nn::Schedule::constant(0.3), 0), 0.3);
  EXPECT_DOUBLE_EQ(rate_at(nn::Schedule::constant(0.3), 1000), 0.3);
  const auto warmup = nn::Schedule::linear_warmup(0.8, 4, 0.4);
  const std::vector<double> expected = {0.4, 0.5, 0.6, 0.7, 0.8, 0.8, 0.8};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(rate_at(warmup, static_cast<int64_t>(i)), expected[i], 1e-15) << i;
  }
}

TEST(Schedule, RisesAndFalls) {
  const nn::ScheduleOptions options{.peak = 2, .first = 1, .last = 0.5, .rise = 4, .total = 12};
  const auto cosine = nn::Schedule::cosine(options), linear = nn::Schedule::linear(options);
  for (int64_t step = 0; step < 16; ++step) {
    const double t = static_cast<double>(step);
    const double share = std::min((t - 4) / 8, 1.0);
    const double wave = 0.5 + 1.5 * 0.5 * (1 + std::cos(std::numbers::pi * share));
    EXPECT_NEAR(rate_at(cosine, step), step < 4 ? 1 + t / 4 : wave, 1e-14) << step;
    EXPECT_NEAR(rate_at(linear, step), step < 4 ? 1 + t / 4 : 2 - 1.5 * share, 1e-14) << step;
  }
}

TEST(Schedule, OneCycleIsThatOfPyTorch) {
  // max_lr 0.1, total_steps 10, pct_start 0.3: anneals to steps 2 and 9.
  const auto cycle = nn::Schedule::one_cycle({.peak = 0.1, .total = 10});
  const auto between = [](double from, double to, double share) {
    return to + (from - to) / 2 * (1 + std::cos(std::numbers::pi * share));
  };
  for (int64_t step = 0; step < 10; ++step) {
    const double t = static_cast<double>(step);
    const double expected =
        step <= 2 ? between(0.004, 0.1, t / 2) : between(0.1, 4e-7, (t - 2) / 7);
    EXPECT_NEAR(rate_at(cycle, step), expected, 1e-15) << step;
  }
}

TEST(Schedule, AnotherRateNeedsNoNewCapture) {
  auto schedule = nn::Schedule::cosine({.peak = 1, .rise = 2, .total = 10});
  Compiled rate([](const nn::Schedule& s, const Tensor& step) { return s(step); });
  const Tensor step = Tensor::of<int64_t>({5}, {});
  const double one = rate(schedule, step).item<double>();
  fill_(schedule.peak, 3);
  EXPECT_NEAR(rate(schedule, step).item<double>(), 3 * one, 1e-14);
  fill_(schedule.fall, 3);
  EXPECT_NEAR(rate(schedule, step).item<double>(), 0, 1e-14);
  EXPECT_EQ(rate.count(), 1u);
}

TEST(Schedule, StepsThatDoNotFit) {
  try {
    nn::Schedule::cosine({.peak = 1, .rise = 5, .total = 5});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::value);
    EXPECT_STREQ(error.where()->file_name(), __FILE__);
  }
}

}  // namespace
}  // namespace ridge::testing::schedule_test
