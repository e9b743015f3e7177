// Eager calls through generated kernels: how many are made, and that they write where they should.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <functional>
#include <thread>

#include "ridge/eager/eager_kernel.h"
#include "ridge/execute/launch_counts.h"
#include "ridge/reference/reference.h"
#include "ridge/ridge.h"

#if RIDGE_HAS_LLVM

namespace ridge::eager_test {
namespace {

Tensor numbers(const Shape& shape, uint64_t seed = 1) {
  Generator generator(seed);
  return uniform(shape, generator, -2.0, 2.0);
}

std::vector<double> by_reference(const std::function<Tensor()>& call) {
  const reference::UseReference scope;
  return call().to_vector<double>();
}

void expect_near(const Tensor& ours, const std::vector<double>& expected, double bound) {
  const auto values = ours.to_vector<double>();
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], bound) << i;
}

using Inputs = std::vector<Tensor>;

// A hundred shapes, each checked; returns the kernels that were made for them.
int64_t kernels_for_shapes(const std::function<Inputs(int64_t, int64_t, int64_t)>& inputs,
                           const std::function<Tensor(const Inputs&)>& call) {
  std::vector<Inputs> given;
  for (int64_t i = 0; i < 100; ++i) {
    given.push_back(inputs(1 + i % 7, 1 + (i * 13) % 29, 2 + (i * 7) % 11));
  }
  const int64_t before = eager::eager_kernel_count();
  for (const Inputs& x : given) {
    const auto one = [&] { return call(x); };
    expect_near(one(), by_reference(one), 1e-4);
  }
  return eager::eager_kernel_count() - before;
}

TEST(Eager, AHundredShapesOfAPointwiseOpShareKernels) {
  const auto inputs = [](int64_t a, int64_t b, int64_t c) { return Inputs{numbers({a, b, c})}; };
  EXPECT_LE(kernels_for_shapes(inputs, [](const Inputs& x) { return sin(x[0]); }), 4);
}

TEST(Eager, AStrideBeyondTheRangeOfSymbolsHasItsOwnKernel) {
  // Two pages of a mapping are touched; the rest takes no memory.
  const int64_t far = (int64_t{1} << 31) + 64;
  const auto bytes = static_cast<size_t>(far + 1);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const auto apart = [&](int64_t stride) {
    const Tensor x = Tensor::from_blob_strided(memory, {2}, {stride}, u8);
    static_cast<uint8_t*>(memory)[stride] = 41;
    EXPECT_EQ((x + x).to_vector<uint8_t>(), (std::vector<uint8_t>{0, 82})) << stride;
  };
  apart(3);
  const int64_t before = eager::eager_kernel_count();
  apart(5);
  EXPECT_EQ(eager::eager_kernel_count(), before);
  apart(far);
  EXPECT_EQ(eager::eager_kernel_count(), before + 1);
  munmap(memory, bytes);
}

TEST(Eager, AHundredShapesWithBroadcastingShareKernels) {
  const auto inputs = [](int64_t a, int64_t b, int64_t c) {
    return Inputs{numbers({a, b, c}), numbers({c}, 2)};
  };
  EXPECT_LE(kernels_for_shapes(inputs, [](const Inputs& x) { return x[0] * x[1]; }), 4);
}

TEST(Eager, AHundredShapesOfAReductionShareKernels) {
  const auto inputs = [](int64_t a, int64_t b, int64_t c) { return Inputs{numbers({a, b, c})}; };
  EXPECT_LE(kernels_for_shapes(inputs, [](const Inputs& x) { return prod(x[0], {1}); }), 4);
}

TEST(Eager, AHundredShapesOfAProductShareKernels) {
  const auto inputs = [](int64_t a, int64_t b, int64_t c) {
    return Inputs{numbers({a, b}), numbers({b, c}, 2)};
  };
  EXPECT_LE(kernels_for_shapes(inputs, [](const Inputs& x) { return matmul(x[0], x[1]); }), 4);
}

TEST(Eager, AHundredShapesOfAGatherShareKernels) {
  const auto inputs = [](int64_t a, int64_t b, int64_t c) {
    return Inputs{numbers({a + b, a}), remainder(arange(c * a, i64), a)};
  };
  const auto call = [](const Inputs& x) {
    return gather(x[0], 1, expand(reshape(x[1], {1, -1}), {x[0].size(0), x[1].size(0)}));
  };
  EXPECT_LE(kernels_for_shapes(inputs, call), 4);
}

TEST(Eager, AnotherNumberNeedsNoOtherKernel) {
  const Tensor x = numbers({20});
  leaky_relu(x, 0.5);
  full({20}, 0.5);
  const int64_t before = eager::eager_kernel_count();
  for (int i = 1; i < 20; ++i) {
    const double slope = 0.01 * i;
    const auto call = [&] { return leaky_relu(x, slope) + full({20}, slope); };
    expect_near(call(), by_reference(call), 1e-5);
  }
  EXPECT_LE(eager::eager_kernel_count() - before, 1);  // of the sum
}

TEST(Eager, AWriteThroughAViewTouchesNothingElse) {
  Tensor x = numbers({6, 8});
  const std::vector<double> before = x.to_vector<double>();
  const Tensor part = slice(x, 1, 2, 7, 2);
  fill_(part, 9.0);
  const std::vector<double> after = x.to_vector<double>();
  for (int64_t i = 0; i < 48; ++i) {
    const int64_t column = i % 8;
    const bool is_written = column == 2 || column == 4 || column == 6;
    EXPECT_EQ(after[static_cast<size_t>(i)], is_written ? 9.0 : before[static_cast<size_t>(i)]);
  }
}

TEST(Eager, AWriteThatReadsItsOwnMemoryIsAsIfCopiedFirst) {
  Tensor x = arange(10, f32);
  const Tensor to = slice(x, 0, 1, 10, 1), from = slice(x, 0, 0, 9, 1);
  mul_(to, 0.0);
  Tensor y = arange(10, f32);
  add_(slice(y, 0, 1, 10, 1), slice(y, 0, 0, 9, 1));
  EXPECT_EQ(y.to_vector<double>(), (std::vector<double>{0, 1, 3, 5, 7, 9, 11, 13, 15, 17}));
}

TEST(Eager, ABadIndexIsAnErrorAtTheUsersLine) {
  const Tensor x = numbers({4, 3});
  const Tensor index = Tensor::of<int64_t>({0, 7}, {2});
  try {
    index_select(x, 0, index);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::index);
    ASSERT_TRUE(error.where());
    EXPECT_NE(to_text(*error.where()).find("eager_test.cpp"), std::string::npos) << error.what();
  }
  EXPECT_EQ(index_select(x, 0, Tensor::of<int64_t>({3}, {1})).numel().value(), 3);
}

TEST(Eager, LaunchesAndBytesAreCounted) {
  const Tensor x = numbers({100}), y = numbers({100}, 2);
  execute::LaunchCounts counts;
  {
    const execute::CountLaunches scope(counts);
    const Tensor z = (x + y) * y;
  }
  EXPECT_EQ(counts.kernels, 2);
  EXPECT_EQ(counts.bytes, 2 * 3 * 400);
}

TEST(Eager, ManyThreadsAtOnce) {
  const Tensor x = numbers({1000});
  const std::vector<double> expected = by_reference([&] { return exp(x) + x; });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) expect_near(exp(x) + x, expected, 1e-5);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace ridge::eager_test

#endif
