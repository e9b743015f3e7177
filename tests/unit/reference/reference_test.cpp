#include "ridge/reference/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <thread>

#include "ridge/core/device_runtime.h"
#include "ridge/dispatch/call.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/registry.h"

namespace ridge::reference::reference_test {
namespace {

TEST(ReferenceReading, IntegersWrapToTheComputeDtype) {
  // A 0-d tensor gives way to one with dimensions: 300 is brought to i8 before it is compared.
  const Tensor narrow = Tensor::of<int8_t>({50, -3}, {2});
  const Tensor wide = Tensor::of<int64_t>({300}, {});
  EXPECT_EQ(minimum(narrow, wide).dtype(), i8);
  EXPECT_EQ(minimum(narrow, wide).to_vector<int64_t>(), (std::vector<int64_t>{44, -3}));
}

// As `cast` and kernels do: -1 is no u8, and wrapping it first would give 255.
TEST(ReferenceReading, RealsSaturateInTheComputeDtype) {
  const UseReference by_reference;
  const Tensor given = Tensor::of<double>({-1, 300, 7.9, std::nan("")}, {4});
  for (const DType dtype : {u8, i8, i32}) {
    const Tensor into = Tensor::of<int64_t>({0, 0, 0, 0}, {4});
    EXPECT_EQ(copy(cast(into, dtype), given).to_vector<int64_t>(),
              cast(given, dtype).to_vector<int64_t>())
        << name(dtype);
  }
}

using dispatch::Key;

template <class... Args>
Tensor call(std::string_view op, const Args&... args) {
  return dispatch::call_one(ops::find_op(op), Location::current(), args...);
}

class Reference : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(install);
    for (std::thread& thread : threads) thread.join();
  }
  const Tensor x = Tensor::of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
};

TEST_F(Reference, ComputesBodiesDefinitionsAndDecompositions) {
  EXPECT_EQ(call("mul", x, Tensor::number(2.0)).to_vector<float>(),
            (std::vector<float>{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(call("sum", x, Ints{1}, false).to_vector<float>(), (std::vector<float>{6, 15}));
  const Tensor index = Tensor::of<int64_t>({1, 0}, {2});
  EXPECT_EQ(call("embedding", x, index).to_vector<float>(), (std::vector<float>{4, 5, 6, 1, 2, 3}));
}

TEST_F(Reference, WritesInPlace) {
  const Tensor y = Tensor::of<float>({1, 2}, {2});
  const uint32_t version = y.version();
  const Tensor result = call("mul_", y, Tensor::number(3.0));
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{3, 6}));
  EXPECT_TRUE(result.shares_storage_with(y));
  EXPECT_GT(y.version(), version);
}

TEST_F(Reference, MovesStorageOnlyElements) {
  const Tensor bytes = Tensor::empty({2, 2}, f8e5m2);
  std::memcpy(bytes.raw_data(), "abcd", 4);
  const Tensor view = call("transpose", bytes, int64_t{0}, int64_t{1});
  const Tensor copy = call("clone", view);
  EXPECT_EQ(std::memcmp(copy.raw_data(), "acbd", 4), 0);
}

TEST_F(Reference, AnIndexErrorLeavesNothingBehind) {
  const Tensor wrong = Tensor::of<int64_t>({0, 3}, {1, 2});
  const auto live_bytes = [] { return allocator_for(kCpu).stats().live_bytes; };
  const int64_t before = live_bytes();
  try {
    call("gather", x, int64_t{1}, wrong);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::index);
    EXPECT_EQ(error.op(), "gather");
  }
  EXPECT_EQ(live_bytes(), before);
  const Tensor right = Tensor::of<int64_t>({0, 2}, {1, 2});
  EXPECT_EQ(call("gather", x, int64_t{1}, right).to_vector<float>(), (std::vector<float>{1, 3}));
}

// A kernel of another backend is in front, until the thread asks for the reference.
TEST_F(Reference, IsAChoiceOfTheThread) {
  const auto forty_two = dispatch::make_kernel([](dispatch::Frame& frame, dispatch::KeySet) {
    frame.results[0] = Tensor::number(int64_t{42});
  });
  const auto handle =
      dispatch::OperatorTable::instance().add_kernel("mul", Key::cpu, forty_two, "test backend");
  const Tensor two = Tensor::of<float>({2}, {});
  EXPECT_EQ(call("mul", two, two).item<float>(), 42);
  {
    const UseReference scope;
    EXPECT_EQ(call("mul", two, two).item<float>(), 4);
    std::thread([&] { EXPECT_EQ(call("mul", two, two).item<float>(), 42); }).join();
  }
  EXPECT_EQ(call("mul", two, two).item<float>(), 42);
}

TEST_F(Reference, LeavesMetaTensorsMeta) {
  const UseReference scope;
  const Tensor y = call("mul", Tensor::empty({2, 3}, f32, kMeta), Tensor::number(2.0));
  EXPECT_TRUE(y.is_meta());
  EXPECT_EQ(y.shape(), x.shape());
}

}  // namespace
}  // namespace ridge::reference::reference_test
