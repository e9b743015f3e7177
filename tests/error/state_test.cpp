// Tensors that cannot be read any more, indices that are out of range, requests too large.
#include "expect_error.h"
#include "ridge/base/knobs.h"
#include "ridge/ops/registry.h"

namespace ridge::testing::state_test {
namespace {

TEST(StateError, ReadingAMovedFromTensor) {
  Tensor a = ones({2});
  const Tensor b = std::move(a);
  EXPECT_RIDGE_ERROR(add(a, b), ErrorCode::state, "add", {"moved-from"});  // NOLINT
  EXPECT_RIDGE_ERROR(a.shape(), ErrorCode::state, "", {"moved from"});     // NOLINT
}

TEST(StateError, AMovedFromTensorInAList) {
  Tensor a = ones({2});
  const Tensor b = std::move(a);
  EXPECT_RIDGE_ERROR(cat({b, a}, 0), ErrorCode::state, "cat", {"moved from"});  // NOLINT
  EXPECT_RIDGE_ERROR(cat({}, 0), ErrorCode::value, "cat", {});
}

TEST(StateError, ReadingADonatedTensor) {
  const Tensor a = ones({2});
  a.donate();
  EXPECT_RIDGE_ERROR(add(a, 1), ErrorCode::state, "add", {"donated"});
  EXPECT_RIDGE_ERROR(a.to_vector<float>(), ErrorCode::state, "", {"donated"});
}

TEST(StateError, ReadingAMetaTensor) {
  const Tensor a = Tensor::empty({2}, f32, kMeta);
  EXPECT_RIDGE_ERROR(a.to_vector<float>(), ErrorCode::state, "", {"meta"});
}

TEST(StateError, ReadingAsAnotherType) {
  const Tensor a = ones({2});
  EXPECT_RIDGE_ERROR(a.data<int64_t>(), ErrorCode::dtype, "", {"i64", "f32"});
  EXPECT_RIDGE_ERROR(a.item<float>(), ErrorCode::shape, "", {"[2]"});
}

TEST(StateError, IndexOutOfRangeInGather) {
  const Tensor x = ones({3});
  const Tensor index = Tensor::of<int64_t>({0, 7}, {2});
  EXPECT_RIDGE_ERROR(gather(x, 0, index), ErrorCode::index, "gather", {"7", "3"});
  const Tensor negative = Tensor::of<int64_t>({-1}, {1});
  EXPECT_RIDGE_ERROR(embedding(ones({4, 2}), negative), ErrorCode::index, "embedding", {"-1"});
}

TEST(StateError, TenTebibytes) {
  const int64_t bytes = int64_t{10} << 40;
  EXPECT_RIDGE_ERROR(zeros({bytes}, u8), ErrorCode::memory, "zeros", {"10"});
  EXPECT_RIDGE_ERROR(zeros({int64_t{1} << 40, int64_t{1} << 40}), ErrorCode::value, "zeros", {});
}

TEST(StateError, MistakesInMakingTensors) {
  EXPECT_RIDGE_ERROR(Tensor::empty({int64_t{10} << 40}, u8), ErrorCode::memory, "Tensor::empty",
                     {"10"});
  EXPECT_RIDGE_ERROR(Tensor::from_blob(nullptr, {2}, f32), ErrorCode::value, "Tensor::from_blob",
                     {"null"});
  EXPECT_RIDGE_ERROR(Tensor::of<float>({1, 2, 3}, {2}), ErrorCode::shape, "", {"[2]"});
}

TEST(StateError, IntegerDivisionByZero) {
  const Tensor x = arange(3);
  EXPECT_RIDGE_ERROR(floor_div(x, 0), ErrorCode::value, "floor_div", {"other than 0"});
}

TEST(StateError, UnknownOp) {
  try {
    ops::registry().at("sofmax");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown_name);
    EXPECT_NE(std::string(error.what()).find("softmax"), std::string::npos) << error.what();
  }
}

TEST(StateError, UnknownKnob) {
  try {
    find_knob("RIDGE_DEBUGG");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown_name);
    EXPECT_NE(std::string(error.what()).find("RIDGE_DEBUG"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ridge::testing::state_test
