// Eager calls on tensors of a GPU: in-place forms, views, numbers, random state, gradients, errors.
#include <gtest/gtest.h>

#include <functional>

#include "ridge/core/device_copy.h"
#include "ridge/eager/eager_program.h"
#include "ridge/execute/launch_counts.h"
#include "ridge/nn/batch_norm.h"
#include "ridge/nn/on_device.h"
#include "ridge/ridge.h"
#include "simulated_gpu.h"

namespace ridge::testing::eager_test {
namespace {

using Inputs = std::vector<Tensor>;
using Values = std::vector<double>;

class SimulatedGpu : public ::testing::Test {
 protected:
  void SetUp() override { RIDGE_USE_SIMULATED_GPU(); }
};

Tensor numbers(const Shape& shape, uint64_t seed = 1, DType dtype = f32) {
  Generator generator(seed);
  return uniform(shape, generator, -2.0, 2.0, dtype);
}

Tensor there(const Tensor& tensor) { return to_device(tensor, kSimulated); }

// The same function of tensors here and there.
void expect_same(const Inputs& inputs, const std::function<Tensor(const Inputs&)>& function,
                 double bound = 1e-5) {
  const Values expected = function(inputs).to_vector<double>();
  Inputs moved;
  for (const Tensor& input : inputs) moved.push_back(there(input));
  const Tensor ours = function(moved);
  EXPECT_EQ(ours.device(), kSimulated);
  const Values values = ours.to_vector<double>();
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], bound) << i;
}

TEST_F(SimulatedGpu, NumbersStandBesideTensorsOfTheDevice) {
  expect_same(
      {numbers({5, 7})}, [](const Inputs& x) { return (x[0] * 0.5 + 3) / (1 - x[0]); }, 1e-3);
  // Any 0-d tensor of the CPU does.
  const Tensor scale = Tensor::of<float>({1.25f}, {});
  expect_same({numbers({33})}, [&](const Inputs& x) { return where(x[0] > 0, x[0], scale); });
}

TEST_F(SimulatedGpu, ANumberIsCopiedOnce) {
  const Tensor x = there(numbers({40}));
  const Tensor first = x * 0.625;
  const int64_t before = copied_bytes();
  for (int i = 0; i < 10; ++i) static_cast<void>(x * 0.625);
  EXPECT_EQ(copied_bytes(), before);
  EXPECT_NE((x * 0.375).to_vector<double>(), first.to_vector<double>());
}

TEST_F(SimulatedGpu, InPlaceFormsWriteThroughViews) {
  const auto change = [](const Inputs& x) {
    const Tensor y = clone(x[0]);
    mul_(slice(y, 1, 1, 8, 2), 3.0);   // strided, and not at the start of 16 bytes
    add_(slice(y, 0, 2, 5, 1), x[1]);  // rows
    fill_(select(y, 1, 3), 7.0);
    return y;
  };
  expect_same({numbers({6, 9}), numbers({3, 9}, 2)}, change);
}

TEST_F(SimulatedGpu, AWriteThatReadsItsOwnMemoryIsAsIfCopiedFirst) {
  const auto shift = [](const Inputs& x) {
    const Tensor y = clone(x[0]);
    add_(slice(y, 0, 1, 100, 1), slice(y, 0, 0, 99, 1));
    return y;
  };
  expect_same({numbers({100})}, shift);
}

TEST_F(SimulatedGpu, ViewsThatStartAnywhere) {
  for (int64_t start = 0; start < 9; ++start) {
    expect_same(
        {numbers({300}), numbers({300}, 2, bf16)},
        [&](const Inputs& x) {
          const Tensor a = slice(x[0], 0, start, start + 256, 1);
          return a * slice(x[1], 0, start, start + 256, 1) + sum(a);
        },
        2e-3);
  }
}

TEST_F(SimulatedGpu, RandomNumbersAreThoseOfTheCpu) {
  Generator here(7), gpu(7, 0, kSimulated);
  for (int i = 0; i < 3; ++i) {
    const Tensor x = numbers({50});
    EXPECT_EQ(uniform({3, 11}, gpu).to_vector<double>(),
              uniform({3, 11}, here).to_vector<double>());
    EXPECT_EQ(dropout(there(x), 0.4, gpu).to_vector<double>(),
              dropout(x, 0.4, here).to_vector<double>());
    EXPECT_EQ(normal({20}, gpu).device(), kSimulated);
    normal({20}, here);
  }
  EXPECT_EQ(gpu.state.to_vector<int64_t>(), here.state.to_vector<int64_t>());
}

TEST_F(SimulatedGpu, CreationOnTheDevice) {
  EXPECT_EQ(zeros({2, 3}, f32, kSimulated).to_vector<double>(), Values(6, 0.0));
  EXPECT_EQ(full({3}, 2.5, bf16, kSimulated).to_vector<double>(), Values(3, 2.5));
  EXPECT_EQ(arange(4, f32, kSecond).device(), kSecond);
  EXPECT_EQ(ones_like(eye(2, f32, kSimulated)).device(), kSimulated);
  EXPECT_EQ(zeros({0, 3}, f32, kSimulated).numel().value(), 0);
}

TEST_F(SimulatedGpu, GradientsFlowOnTheDevice) {
  const auto gradient = [](const Inputs& x) {
    Tensor w = clone(x[1]);
    set_requires_grad(w);
    const Tensor hidden = gelu(layer_norm(matmul(x[0], w), {}, {}, 1e-5));
    const Tensor loss = mean(square(softmax(hidden, -1) * 4.0 - x[0]));
    return gradients({loss}, {w})[0];
  };
  expect_same({numbers({12, 16}), numbers({16, 16}, 2)}, gradient, 1e-5);
}

TEST_F(SimulatedGpu, AModelMadeOnTheDeviceTrainsThere) {
  Generator here(3), gpu(3, 0, kSimulated);
  nn::TransformerBlock a(16, 2, here), b(16, 2, gpu);
  const Tensor x = numbers({2, 4, 16});
  const auto loss = [](const nn::TransformerBlock& block, const Tensor& input) {
    return mean(square(block(input)));
  };
  nn::AdamW optimizer_a(a), optimizer_b(b);
  for (int i = 0; i < 2; ++i) {
    auto [value_a, gradient_a] = value_and_grad(loss)(a, x);
    auto [value_b, gradient_b] = value_and_grad(loss)(b, there(x));
    EXPECT_NEAR(value_a.item<double>(), value_b.item<double>(), 1e-5);
    optimizer_a.update(a, gradient_a);
    optimizer_b.update(b, gradient_b);
  }
  for_each_tensor(
      b, [](const std::string& path, Tensor& t) { EXPECT_EQ(t.device(), kSimulated) << path; });
}

TEST_F(SimulatedGpu, BuffersOfALayerGoThereAndAreWrittenThere) {
  const nn::BatchNorm here(3);
  const nn::BatchNorm gpu = nn::on_device(nn::BatchNorm(3), kSimulated);
  const Tensor x = numbers({8, 3, 5});
  const auto expected = here(x).to_vector<float>(), actual = gpu(there(x)).to_vector<float>();
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-5);
  EXPECT_EQ(gpu.running_mean.device(), kSimulated);
  const auto mean_here = here.running_mean.to_vector<float>();
  const auto mean_there = gpu.running_mean.to_vector<float>();
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(mean_there[i], mean_here[i], 1e-6);
  EXPECT_NE(mean_here[0], 0);
}

TEST_F(SimulatedGpu, KernelsAreKeptByShapeAndDevice) {
  const Tensor x = there(numbers({6, 8}));
  cos(x);
  const auto before = eager::eager_program_counts();
  cos(x);
  cos(reshape(x, {48}));  // contiguous operands of one size are one class
  cos(slice(there(numbers({7, 8})), 0, 0, 6, 1));
  EXPECT_EQ(eager::eager_program_counts().made, before.made);
  cos(there(numbers({6, 9})));
  EXPECT_EQ(eager::eager_program_counts().made, before.made + 1);
  const Tensor second = to_device(numbers({6, 8}), kSecond);
  EXPECT_EQ(cos(second).device(), kSecond);
  EXPECT_EQ(eager::eager_program_counts().made, before.made + 2);
}

TEST_F(SimulatedGpu, ProgramsAreBounded) {
  // More sizes than are kept at a time; those in the table of this thread stay.
  for (int64_t n = 1; n < 4400; ++n) static_cast<void>(zeros({n}, u8, kSimulated));
  EXPECT_LE(eager::eager_program_counts().kept, 4096 + 512);
  EXPECT_EQ(zeros({7}, u8, kSimulated).to_vector<double>(), Values(7, 0.0));
}

TEST_F(SimulatedGpu, LaunchesAndBytesAreCounted) {
  const Tensor x = there(numbers({100})), y = there(numbers({100}, 2));
  execute::LaunchCounts counts;
  {
    const execute::CountLaunches scope(counts);
    static_cast<void>((x + y) * y);
  }
  EXPECT_EQ(counts.kernels, 2);
  EXPECT_EQ(counts.bytes, 2 * 3 * 400);
}

Error error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error({});
}

TEST_F(SimulatedGpu, TensorsOfSeveralDevicesAreAnErrorAtTheUsersLine) {
  const Tensor x = there(numbers({4}));
  for (const Tensor& other : {numbers({4}), to_device(numbers({4}), kSecond)}) {
    const Error error = error_of([&] { x + other; });
    EXPECT_EQ(error.code(), ErrorCode::device) << error.what();
    EXPECT_NE(to_text(*error.where()).find("eager_test.cpp"), std::string::npos) << error.what();
  }
  const Tensor one = Tensor::of<float>({1}, {});
  EXPECT_EQ(error_of([&] { add_(one, there(one)); }).code(), ErrorCode::device);
  EXPECT_EQ(error_of([&] { x.data<float>(); }).code(), ErrorCode::device);
}

TEST_F(SimulatedGpu, ABadIndexIsAnErrorAtTheUsersLine) {
  const Tensor x = there(numbers({4, 3}));
  const Error error =
      error_of([&] { index_select(x, 0, there(Tensor::of<int64_t>({0, 7}, {2}))); });
  EXPECT_EQ(error.code(), ErrorCode::index) << error.what();
  EXPECT_NE(std::string(error.what()).find('7'), std::string::npos) << error.what();
  EXPECT_NE(to_text(*error.where()).find("eager_test.cpp"), std::string::npos) << error.what();
  EXPECT_EQ(index_select(x, 0, there(Tensor::of<int64_t>({3}, {1}))).numel().value(), 3);
}

TEST_F(SimulatedGpu, WhatHasNoKernelIsNamed) {
  const Tensor stored = Tensor::empty({4}, i16, kSimulated);
  const Error error = error_of([&] { clone(stored); });
  EXPECT_EQ(error.code(), ErrorCode::dtype);
  EXPECT_NE(std::string(error.what()).find("clone"), std::string::npos) << error.what();
  EXPECT_NE(std::string(error.what()).find("i16"), std::string::npos) << error.what();
}

TEST_F(SimulatedGpu, ValuesAreReadAndPrinted) {
  const Tensor x = there(Tensor::of<float>({1, 2, 3}, {3}));
  EXPECT_EQ(sum(x).item<float>(), 6);
  EXPECT_EQ(to_text(x), "f32[3] on cuda:0 [1, 2, 3]");
}

}  // namespace
}  // namespace ridge::testing::eager_test
