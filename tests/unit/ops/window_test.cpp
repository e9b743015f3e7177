#include "ridge/ops/window.h"

#include <gtest/gtest.h>

#include "ridge/ridge.h"

namespace ridge::window_test {
namespace {

using Floats = std::vector<float>;

TEST(Windows, SlideAlongADimension) {
  const Tensor x = Tensor::of<float>({1, 2, 3, 4, 5}, {5});
  const Tensor y = windows(x, 0, 3, 2);
  EXPECT_EQ(to_text(y.shape()), "[2, 3]");
  EXPECT_EQ(y.to_vector<float>(), (Floats{1, 2, 3, 3, 4, 5}));
}

TEST(Windows, AreViews) {
  const Tensor x = Tensor::of<float>({1, 2, 3, 4, 5}, {5});
  const Tensor y = windows(x, 0, 3);
  EXPECT_TRUE(y.shares_storage_with(x));
  EXPECT_TRUE(y.may_overlap_itself());
  EXPECT_EQ(to_text(y.strides()), "[1, 1]");
  EXPECT_THROW(add_(y, 1), Error);
}

TEST(Windows, LeaveOutWhatFillsNoWindow) {
  const Tensor x = Tensor::of<float>({1, 2, 3, 4, 5, 6}, {6});
  EXPECT_EQ(windows(x, 0, 2, 3).to_vector<float>(), (Floats{1, 2, 4, 5}));
}

TEST(Windows, SkipElementsWhenDilated) {
  const Tensor x = Tensor::of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const Tensor y = windows(x, -1, 2, 1, 2);
  EXPECT_EQ(to_text(y.shape()), "[2, 1, 2]");
  EXPECT_EQ(y.to_vector<float>(), (Floats{1, 3, 4, 6}));
}

TEST(Windows, StandInTheMiddle) {
  const Tensor x = Tensor::of<float>({1, 2, 3, 4, 5, 6}, {3, 2});
  const Tensor y = windows(x, 0, 2);
  EXPECT_EQ(to_text(y.shape()), "[2, 2, 2]");
  EXPECT_EQ(y.to_vector<float>(), (Floats{1, 3, 2, 4, 3, 5, 4, 6}));
}

TEST(Windows, MustFit) {
  try {
    windows(zeros({2, 4}), 1, 3, 1, 2);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::shape);
    EXPECT_NE(error.expected().find("at least 5 elements"), std::string::npos) << error.what();
    EXPECT_EQ(error.given(), "[2, 4]");
  }
  EXPECT_THROW(windows(zeros({4}), 0, 2, 0), Error);
  EXPECT_THROW(windows(zeros({4}), 0, 0), Error);
  EXPECT_THROW(windows(zeros({4}), 0, 2, 1, 0), Error);
}

TEST(WindowsAdjoint, CountsHowOftenAnElementIsSeen) {
  EXPECT_EQ(windows_adjoint(ones({2, 3}), {5}, 0, 2).to_vector<float>(), (Floats{1, 1, 2, 1, 1}));
  EXPECT_EQ(windows_adjoint(ones({2, 2}), {6}, 0, 2, 2).to_vector<float>(),
            (Floats{1, 0, 2, 0, 1, 0}));
}

// <windows(x), y> == <x, windows_adjoint(y)>, in whole numbers.
TEST(WindowsAdjoint, IsTheAdjoint) {
  const Tensor x = reshape(arange(2 * 9 * 3, f64), {2, 9, 3});
  const Tensor seen = windows(x, 1, 3, 2, 2);
  const Tensor y = reshape(remainder(arange(seen.numel(), f64) * 7, 11), seen.shape());
  const Tensor back = windows_adjoint(y, x.shape(), 1, 2, 2);
  EXPECT_EQ(sum(seen * y).item<double>(), sum(x * back).item<double>());
}

TEST(WindowsAdjoint, SaysWhichShapeItExpected) {
  EXPECT_THROW(windows_adjoint(ones({2, 3}), {6}, 0), Error);
}

}  // namespace
}  // namespace ridge::window_test
