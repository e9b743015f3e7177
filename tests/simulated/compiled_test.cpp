// Compiled programs on tensors of a GPU, beside numbers and tensors of the CPU.
#include <gtest/gtest.h>

#include <limits>

#include "ridge/core/device_copy.h"
#include "ridge/driver/entry.h"
#include "ridge/ridge.h"
#include "simulated_gpu.h"

namespace ridge::testing::compiled_test {
namespace {

class SimulatedCompiled : public ::testing::Test {
 protected:
  void SetUp() override { RIDGE_USE_SIMULATED_GPU(); }
};

Tensor numbers(const Shape& shape, uint64_t seed = 1) {
  Generator generator(seed);
  return uniform(shape, generator, -2.0, 2.0);
}

TEST_F(SimulatedCompiled, ANumberIsAnArgumentLikeAnyOther) {
  const auto f =
      compile([](const Tensor& x, const Tensor& a, const Tensor& b) { return x * a + b; });
  const Tensor x = numbers({4, 9});
  const Tensor b = Tensor::of<float>({0.5f}, {});
  for (const double a : {0.25, -3.0, 0.25}) {
    const Tensor ours = f(to_device(x, kSimulated), a, b);
    EXPECT_EQ(ours.device(), kSimulated);
    EXPECT_EQ(ours.to_vector<double>(), fma(x, a, b).to_vector<double>());
  }
  EXPECT_EQ(f.programs().size(), 1U);
}

TEST_F(SimulatedCompiled, TensorsOfSeveralDevicesAreAnError) {
  const auto f = compile([](const Tensor& x, const Tensor& y) { return x * 2.0 + sum(y); });
  try {
    f(to_device(numbers({4}), kSimulated), numbers({4}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::device) << error.what();
  }
}

// The part in front of the cond has no input that says where it runs.
TEST_F(SimulatedCompiled, WhatIsMadeFromNothingIsOnTheDevice) {
  const auto f = compile([](const Tensor& x, const Tensor& is_first) {
    const Tensor sevens = full_like(x, 7.0);
    const auto product = [](const Tensor& a, const Tensor& b) { return a * b; };
    const auto first = [](const Tensor& a, const Tensor&) { return a * 1.0; };
    return cond(is_first, first, product, sevens, x);
  });
  const Tensor x = numbers({3, 2});
  for (const bool is_first : {false, true}) {
    const Tensor ours = f(to_device(x, kSimulated), Tensor::of<bool>({is_first}, {}));
    EXPECT_EQ(ours.device(), kSimulated);
    const Tensor expected = is_first ? full_like(x, 7.0) : x * 7.0;
    EXPECT_EQ(ours.to_vector<double>(), expected.to_vector<double>());
  }
  for (const driver::CompiledGraph* part : f.programs().back()->compiled->parts()) {
    ASSERT_NE(part->program(), nullptr);
    EXPECT_EQ(part->program()->device(), kSimulated) << part->graph().name;
  }
  const auto nothing = compile([] { return full({3}, 2.0, f32, kSimulated); });
  EXPECT_EQ(nothing().device(), kSimulated);
}

TEST_F(SimulatedCompiled, AConstantIsOfTheCpu) {
  const Tensor table = to_device(numbers({3}, 2), kSimulated);
  const auto f = compile([&](const Tensor& x) { return x + constant(table); });
  try {
    f(to_device(numbers({3}), kSimulated));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::device) << error.what();
  }
}

TEST_F(SimulatedCompiled, WhatIsWrittenIsOnTheDevice) {
  const auto f = compile([](const Tensor& x, Tensor& count) {
    add_(count, sum(x));
    return x + 1.0;
  });
  const Tensor x = to_device(numbers({4}), kSimulated);
  Tensor here = Tensor::of<float>({1}, {});
  EXPECT_THROW(f(x, here), Error);
  Tensor count = to_device(here, kSimulated);
  f(x, count);
  EXPECT_NEAR(count.item<double>(), 1 + sum(x).item<double>(), 1e-5);
}

TEST_F(SimulatedCompiled, ANumberFillsATensorOfTheDevice) {
  const auto f = compile([](const Tensor& x, const Tensor& number) {
    Tensor filled = x * 2.0;
    fill_(filled, -0.0);
    Tensor copied = x + 1.0;
    copy_(copied, number * 2.0);
    return std::pair(1.0 / filled, copied + x);
  });
  const Tensor x = numbers({4, 5});
  const auto [inverse, sum] = f(to_device(x, kSimulated), Tensor::of<float>({0.25f}, {}));
  EXPECT_EQ(sum.to_vector<double>(), (x + 0.5).to_vector<double>());
  EXPECT_EQ(inverse.device(), kSimulated);
  for (const double value : inverse.to_vector<double>()) {
    EXPECT_EQ(value, -std::numeric_limits<double>::infinity());
  }
}

TEST_F(SimulatedCompiled, InputsThatStartAnywhere) {
  const auto f = compile([](const Tensor& x, Tensor& y) {
    add_(y, x);
    return x * 2.0;
  });
  const auto run = [&](const Tensor& read, const Tensor& written) {
    const Tensor x = slice(read, 0, 3, 103, 1);
    Tensor y = slice(written, 0, 1, 201, 2);  // with gaps
    EXPECT_EQ(f(x, y).to_vector<double>(), (x * 2.0).to_vector<double>());
    return written.to_vector<double>();
  };
  const Tensor read = numbers({200}), written = numbers({300}, 2);
  const Tensor there = to_device(written, kSimulated);
  const uint32_t version = there.version();
  EXPECT_EQ(run(to_device(read, kSimulated), there), run(read, clone(written)));
  EXPECT_GT(there.version(), version);
}

TEST_F(SimulatedCompiled, CopiesIntoTheSameMemory) {
  const Tensor there = Tensor::empty({3, 5}, f32, kSimulated);
  const Tensor x = numbers({3, 5});
  copy_into(there, x);
  EXPECT_EQ(there.to_vector<double>(), x.to_vector<double>());
  const Tensor back = Tensor::empty({3, 5}, f32);
  const uint32_t version = back.version();
  copy_into(back, there);
  EXPECT_EQ(back.to_vector<double>(), x.to_vector<double>());
  EXPECT_GT(back.version(), version);
  EXPECT_THROW(copy_into(there, numbers({5, 3})), Error);
  EXPECT_THROW(copy_into(there, transpose(numbers({5, 3}), 0, 1)), Error);
}

}  // namespace
}  // namespace ridge::testing::compiled_test
