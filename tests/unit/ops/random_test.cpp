#include "ridge/ops/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "ridge/expr/evaluate.h"
#include "ridge/ridge.h"

namespace ridge::random_test {
namespace {

constexpr int64_t kCount = 100000;
constexpr int64_t kFew = 10000;  // where every dtype is tried

struct Moments {
  double mean = 0;
  double variance = 0;
  double lowest = 0;
  double highest = 0;
};

Moments moments(const Tensor& t) {
  const std::vector<double> values = t.to_vector<double>();
  const auto count = static_cast<double>(values.size());
  Moments m{.lowest = values[0], .highest = values[0]};
  for (const double v : values) {
    m.mean += v / count;
    m.lowest = std::min(m.lowest, v);
    m.highest = std::max(m.highest, v);
  }
  for (const double v : values) m.variance += (v - m.mean) * (v - m.mean) / count;
  return m;
}

TEST(Generator, CountsCallsInItsState) {
  Generator generator(42, 3);
  EXPECT_EQ(generator.state.to_vector<int64_t>(), (std::vector<int64_t>{42, 3, 0}));
  const Tensor state = generator.state;
  uniform({1000}, generator);
  normal({2}, generator);
  bernoulli({}, generator);
  dropout(ones({5}), 0.5, generator);
  EXPECT_EQ(generator.state.to_vector<int64_t>(), (std::vector<int64_t>{42, 3, 4}));
  EXPECT_TRUE(generator.state.is_same(state));  // in place
}

TEST(RandomBits, ArePhiloxOfStateAndPosition) {
  const Tensor state = Tensor::of<int64_t>({7, 2, 5}, {3});
  for (const int word : {0, 3}) {
    const auto bits = random_bits(state, {2, 3}, word).to_vector<int64_t>();
    for (uint64_t i = 0; i < 6; ++i) {
      const uint64_t counter = i / 4 + (static_cast<uint64_t>(word) << 60);
      EXPECT_EQ(bits[i], expr::philox(7, 2, 5, counter, static_cast<int>(i % 4)));
    }
  }
  EXPECT_THROW(random_bits(state, {2}, 4), Error);
  EXPECT_THROW(random_bits(zeros({2}, i64), {2}, 0), Error);
}

TEST(RandomBits, DifferInAllElementsAndWords) {
  const Tensor state = Tensor::of<int64_t>({7, 2, 5}, {3});
  std::set<int64_t> seen;
  for (int word = 0; word < 4; ++word) {
    for (const int64_t bits : random_bits(state, {250}, word).to_vector<int64_t>())
      seen.insert(bits);
  }
  EXPECT_GE(seen.size(), 999);  // two of 1000 words of 32 bits are equal once in 8600 states
}

TEST(RandomBits, DoNotDependOnShapeOrLayout) {
  const Tensor state = Tensor::of<int64_t>({7, 2, 5}, {3});
  const Tensor room = Tensor::of<int64_t>({7, 0, 2, 0, 5, 0}, {6});
  const auto flat = random_bits(state, {24}, 0).to_vector<int64_t>();
  EXPECT_EQ(random_bits(state, {2, 3, 4}, 0).to_vector<int64_t>(), flat);
  EXPECT_EQ(random_bits(slice(room, 0, 0, 6, 2), {24}, 0).to_vector<int64_t>(), flat);
}

TEST(Uniform, RepeatsForOneSeedAndDiffersElsewhere) {
  Generator a(1), same(1), other_seed(2), other_rank(1, 1);
  const auto first = uniform({100}, a).to_vector<float>();
  EXPECT_EQ(uniform({100}, same).to_vector<float>(), first);
  EXPECT_NE(uniform({100}, other_seed).to_vector<float>(), first);
  EXPECT_NE(uniform({100}, other_rank).to_vector<float>(), first);
  EXPECT_NE(uniform({100}, a).to_vector<float>(), first);  // the next call
}

TEST(Uniform, IsEvenAllOver) {
  Generator generator(10);
  const Tensor drawn = uniform({kCount}, generator);
  EXPECT_NEAR(moments(drawn).mean, 0.5, 3 * std::sqrt(1 / 12.0 / kCount));
  EXPECT_NEAR(moments(drawn).variance, 1 / 12.0, 0.001);
  std::array<int, 10> counts{};
  for (const double v : drawn.to_vector<double>()) ++counts[static_cast<size_t>(v * 10)];
  for (const int count : counts) EXPECT_NEAR(count, kCount / 10, 3.5 * std::sqrt(0.09 * kCount));
}

TEST(Uniform, HasTheMomentsOfAnEvenDistribution) {
  for (const DType dtype : {f64, f32, f16, bf16}) {
    Generator generator(11);
    const Tensor t = uniform({kFew}, generator, -1, 3, dtype);
    EXPECT_EQ(t.dtype(), dtype);
    const Moments m = moments(t);
    // Three standard errors, and the step by which a coarse grid sits to the left.
    const double step = 4 * epsilon(dtype);
    EXPECT_NEAR(m.mean, 1, 3 * std::sqrt(16 / 12.0 / kFew) + step) << name(dtype);
    EXPECT_NEAR(m.variance, 16 / 12.0, 0.05) << name(dtype);
    EXPECT_GE(m.lowest, -1);
    EXPECT_LT(m.highest, 3);
  }
}

// [1, 2) has half as many values as the bits of [0, 1) tell apart, so rounding goes up at times;
// and with the 8 bits of bf16 all values come up, the highest a step below 1.
TEST(Uniform, NeverReturnsItsUpperEnd) {
  Generator generator(5);
  EXPECT_LT(moments(uniform({kFew}, generator, 1, 2, f16)).highest, 2);
  const Moments coarse = moments(uniform({kFew}, generator, 0, 1, bf16));
  EXPECT_EQ(coarse.lowest, 0);
  EXPECT_EQ(coarse.highest, 1 - 0x1p-8);
}

TEST(Uniform, FillsAllBitsOfADouble) {
  Generator generator(6);
  bool has_odd = false;
  for (const double v : uniform({64}, generator, 0, 1, f64).to_vector<double>()) {
    const double scaled = v * 0x1p53;
    EXPECT_EQ(scaled, std::floor(scaled));
    has_odd = has_odd || std::fmod(scaled, 2) == 1;
  }
  EXPECT_TRUE(has_odd);
}

TEST(Uniform, RefusesAnEmptyInterval) {
  Generator generator(1);
  EXPECT_THROW(uniform({2}, generator, 1, 1), Error);
  EXPECT_THROW(uniform({2}, generator, 0, 1, i64), Error);
  EXPECT_EQ(generator.state.to_vector<int64_t>()[2], 0);  // nothing was drawn
}

TEST(Normal, HasTheMomentsOfANormalDistribution) {
  for (const DType dtype : {f64, f32, bf16}) {
    Generator generator(12);
    const Tensor t = normal({kFew}, generator, 2, 3, dtype);
    EXPECT_EQ(t.dtype(), dtype);
    const Moments m = moments(t);
    EXPECT_NEAR(m.mean, 2, 3 * 3 / std::sqrt(kFew)) << name(dtype);
    EXPECT_NEAR(m.variance, 9, 0.4) << name(dtype);
    EXPECT_TRUE(std::isfinite(m.lowest) && std::isfinite(m.highest));
  }
}

TEST(Normal, HasTheRightTails) {
  Generator generator(13);
  const Tensor drawn = normal({kCount}, generator);
  EXPECT_NEAR(moments(drawn).mean, 0, 3 / std::sqrt(kCount));
  EXPECT_NEAR(moments(drawn).variance, 1, 0.015);
  const auto values = drawn.to_vector<double>();
  const auto share = [&](double bound) {
    const auto inside =
        std::count_if(values.begin(), values.end(), [=](double v) { return std::abs(v) < bound; });
    return static_cast<double>(inside) / kCount;
  };
  EXPECT_NEAR(share(1), 0.6827, 0.005);
  EXPECT_NEAR(share(2), 0.9545, 0.0025);
  EXPECT_NEAR(share(3), 0.9973, 0.0006);
}

TEST(Bernoulli, IsTrueWithItsProbability) {
  Generator generator(14);
  const Tensor t = bernoulli({kCount}, generator, 0.3);
  EXPECT_EQ(t.dtype(), boolean);
  EXPECT_NEAR(moments(t).mean, 0.3, 3 * std::sqrt(0.21 / kCount));
  EXPECT_EQ(moments(bernoulli({1000}, generator, 0)).highest, 0);
  EXPECT_EQ(moments(bernoulli({1000}, generator, 1)).lowest, 1);
  EXPECT_THROW(bernoulli({2}, generator, 1.5), Error);
}

TEST(Dropout, KeepsTheExpectation) {
  Generator generator(15);
  const Tensor y = dropout(ones({kCount}), 0.2, generator);
  const auto values = y.to_vector<float>();
  EXPECT_EQ(std::set<float>(values.begin(), values.end()), (std::set<float>{0, 1.25f}));
  EXPECT_NEAR(moments(y).mean, 1, 3 * 1.25 * std::sqrt(0.16 / kCount));
}

TEST(Dropout, DropsAllOrNothingAtTheEnds) {
  Generator generator(16);
  const Tensor x = Tensor::of<float>({1, 2, 3}, {3});
  EXPECT_EQ(dropout(x, 0, generator).to_vector<float>(), x.to_vector<float>());
  EXPECT_EQ(dropout(x, 1, generator).to_vector<float>(), (std::vector<float>{0, 0, 0}));
  EXPECT_THROW(dropout(x, -0.1, generator), Error);
}

TEST(Dropout, DoesNotDependOnLayout) {
  Generator a(17), b(17);
  const Tensor x = reshape(arange(12, f32) + 1, {3, 4});
  const Tensor transposed = transpose(reshape(transpose(x, 0, 1), {4, 3}), 0, 1);
  EXPECT_EQ(dropout(x, 0.5, a).to_vector<float>(), dropout(transposed, 0.5, b).to_vector<float>());
}

}  // namespace
}  // namespace ridge::random_test
