#include "ridge/ops/view.h"

#include <gtest/gtest.h>

#include "ridge/ridge.h"

namespace ridge::view_test {
namespace {

using Floats = std::vector<float>;

Tensor counted(const Shape& shape) { return reshape(cast(arange(numel(shape)), f32), shape); }
std::string text(const Tensor& x) { return to_text(x.shape()); }

Floats gradient(const Tensor& x, const std::function<Tensor(const Tensor&)>& function) {
  set_requires_grad(x);
  return gradients({sum(function(x))}, {x})[0].to_vector<float>();
}

TEST(Reshape, InfersOneSize) {
  EXPECT_EQ(text(reshape(counted({2, 6}), {3, -1})), "[3, 4]");
  EXPECT_EQ(text(reshape(counted({0, 3}), {3, -1})), "[3, 0]");
  EXPECT_EQ(text(reshape(counted({1, 1}), {})), "[]");
}

TEST(Reshape, SaysWhichShapesDoNotFit) {
  for (const Shape& shape : {Shape{5}, Shape{-1, -1}, Shape{5, -1}, Shape{-2, -3}}) {
    try {
      reshape(counted({2, 3}), shape);
      FAIL() << to_text(shape);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::shape);
      EXPECT_NE(error.expected().find("[2, 3]"), std::string::npos);
      EXPECT_EQ(error.given(), to_text(shape));
    }
  }
  EXPECT_THROW(reshape(counted({0, 3}), {0, -1}), Error) << "any size would do";
}

TEST(Reshape, AliasesWhereStridesAllowAndCopiesElse) {
  const Tensor x = counted({2, 3, 4});
  EXPECT_TRUE(reshape(x, {6, 4}).shares_storage_with(x));
  const Tensor t = transpose(x, 1, 2);
  EXPECT_TRUE(reshape(t, {1, 2, 4, 3}).shares_storage_with(x));
  const Tensor copied = reshape(t, {2, 12});
  EXPECT_FALSE(copied.shares_storage_with(x));
  EXPECT_EQ(select(copied, 0, 1).to_vector<float>(),
            (Floats{12, 16, 20, 13, 17, 21, 14, 18, 22, 15, 19, 23}));
}

TEST(Reshape, CopiesInGroupsOfDims) {
  const Tensor x = transpose(counted({4, 3, 2}), 0, 2);  // [2, 3, 4]
  EXPECT_EQ(reshape(x, {2, 12}).to_vector<float>(), x.to_vector<float>());
  EXPECT_EQ(reshape(x, {6, 2, 2}).to_vector<float>(), x.to_vector<float>());
  EXPECT_EQ(reshape(x, {2, 1, 3, 4, 1}).to_vector<float>(), x.to_vector<float>());
  EXPECT_EQ(reshape(x, {4, 6}).to_vector<float>(), x.to_vector<float>());
}

TEST(Reshape, KeepsSymbolicSizesWithoutGuards) {
  const std::shared_ptr<expr::GuardLog> log = std::make_shared<expr::GuardLog>();
  const Size batch = symbolic_size("batch", {1, 64}, 8, log);
  const Tensor x = zeros({batch, 3, 4}, f32, kMeta);
  EXPECT_EQ(text(reshape(x, {batch, 12})), "[batch, 12]");
  EXPECT_EQ(text(reshape(x, {-1, 4})), "[3 * batch, 4]");
  EXPECT_EQ(text(flatten(x, 1)), "[batch, 12]");
  EXPECT_EQ(text(unsqueeze(x, 1)), "[batch, 1, 3, 4]");
  EXPECT_TRUE(log->guards().empty());
}

TEST(Squeeze, DropsOnlyDimsOfSizeOne) {
  EXPECT_EQ(text(squeeze(counted({1, 3, 1}))), "[3]");
  EXPECT_EQ(text(squeeze(counted({1, 3, 1}), {-1, 1})), "[1, 3]");
  EXPECT_EQ(text(unsqueeze(counted({3}), -1)), "[3, 1]");
  EXPECT_EQ(text(unsqueeze(counted({3}), 0)), "[1, 3]");
  EXPECT_THROW(unsqueeze(counted({3}), 2), Error);
  EXPECT_EQ(text(flatten(counted({2, 3, 4}), 0, 1)), "[6, 4]");
  EXPECT_EQ(text(flatten(Tensor::number(1.0))), "[1]");
}

TEST(Permute, MovesDims) {
  const Tensor x = counted({2, 3});
  EXPECT_EQ(permute(x, {1, 0}).to_vector<float>(), (Floats{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(text(permute(counted({2, 3, 4}), {-1, 0, 1})), "[4, 2, 3]");
  EXPECT_TRUE(transpose(x, 0, 1).shares_storage_with(x));
  EXPECT_THROW(permute(x, {0, 0}), Error);
  EXPECT_THROW(permute(x, {0}), Error);
}

TEST(Permute, GradientUndoesIt) {
  const Tensor weights = counted({4, 2, 3});
  const Tensor x = counted({2, 3, 4});
  const Floats g = gradient(x, [&](const Tensor& t) { return permute(t, {2, 0, 1}) * weights; });
  EXPECT_EQ(g, permute(weights, {1, 2, 0}).to_vector<float>());
}

TEST(Expand, StretchesWithoutCopying) {
  const Tensor x = Tensor::of<float>({1, 2}, {2, 1});
  const Tensor y = expand(x, {3, -1, 2});
  EXPECT_EQ(y.to_vector<float>(), (Floats{1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2}));
  EXPECT_TRUE(y.shares_storage_with(x));
  EXPECT_EQ(gradient(x, [](const Tensor& t) { return expand(t, {3, 2, 2}); }), (Floats{6, 6}));
  EXPECT_THROW(expand(x, {3, 1}), Error);
  EXPECT_THROW(expand(x, {-1, 2, 2}), Error) << "a new dim has no size to keep";
  EXPECT_THROW(expand(x, {2}), Error);
  EXPECT_THROW(y += 1, Error) << "elements of y share memory";
}

struct SliceCase {
  int64_t start, end, step;
  Floats expected;
};

TEST(Slice, FollowsPython) {
  const Tensor x = counted({5});
  for (const SliceCase& c : std::vector<SliceCase>{
           {1, 4, 1, {1, 2, 3}},
           {0, kEnd, 2, {0, 2, 4}},
           {-2, kEnd, 1, {3, 4}},
           {-100, 100, 1, {0, 1, 2, 3, 4}},
           {3, 1, 1, {}},
           {kEnd, -kEnd, -1, {4, 3, 2, 1, 0}},
           {3, 0, -1, {3, 2, 1}},
           {-1, -4, -2, {4, 2}},
           {100, -100, -3, {4, 1}},
           {0, 3, -1, {}},
           {5, kEnd, 1, {}},
       }) {
    const Tensor y = slice(x, 0, c.start, c.end, c.step);
    EXPECT_EQ(y.to_vector<float>(), c.expected) << c.start << ":" << c.end << ":" << c.step;
    EXPECT_EQ(y.size(0).value(), static_cast<int64_t>(c.expected.size()));
  }
  EXPECT_THROW(slice(x, 0, 0, 5, 0), Error);
  EXPECT_THROW(slice(x, 1, 0, 5, 1), Error);
}

TEST(Slice, IsAViewUnlessItRunsBackwards) {
  const Tensor x = counted({2, 6});
  EXPECT_TRUE(slice(x, 1, 1, kEnd, 2).shares_storage_with(x));
  EXPECT_FALSE(slice(x, 1, kEnd, -kEnd, -1).shares_storage_with(x));
  slice(x, 1, 0, 2) *= 0;
  EXPECT_EQ(x.to_vector<float>(), (Floats{0, 0, 2, 3, 4, 5, 0, 0, 8, 9, 10, 11}));
}

TEST(Slice, GradientLandsWhereTheSliceWas) {
  const Tensor x = counted({7});
  const auto from = [](int64_t start, int64_t end, int64_t step) {
    return [=](const Tensor& t) { return slice(t, 0, start, end, step); };
  };
  EXPECT_EQ(gradient(x, from(1, 6, 2)), (Floats{0, 1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(gradient(x, from(5, 0, -3)), (Floats{0, 0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(gradient(x, from(4, 4, 1)), (Floats{0, 0, 0, 0, 0, 0, 0}));
  const auto overlapping = [](const Tensor& t) { return slice(t, 0, 0, 4) * slice(t, 0, 3, 7); };
  EXPECT_EQ(gradient(x, overlapping), (Floats{3, 4, 5, 6 + 0, 1, 2, 3}));
}

TEST(Slice, TakesSymbolicBounds) {
  const std::shared_ptr<expr::GuardLog> log = std::make_shared<expr::GuardLog>();
  const Size n = symbolic_size("n", {1, 64}, 8, log);
  const Tensor x = zeros({2 * n, 3}, f32, kMeta);
  EXPECT_EQ(text(slice(x, 0, 0, n)), "[n, 3]");
  EXPECT_EQ(text(slice(x, 0, n)), "[n, 3]");
  EXPECT_EQ(text(slice(x, 0, kEnd, -kEnd, -1)), "[2 * n, 3]");
  EXPECT_TRUE(log->guards().empty());
}

TEST(Select, TakesOneElement) {
  const Tensor x = counted({2, 3});
  EXPECT_EQ(select(x, 1, -1).to_vector<float>(), (Floats{2, 5}));
  EXPECT_EQ(select(x, 0, 0).to_vector<float>(), (Floats{0, 1, 2}));
  for (const int64_t wrong : {2, -3}) {
    try {
      select(x, 0, wrong);
      FAIL() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::index);
    }
  }
}

TEST(Flip, ReversesCopies) {
  const Tensor x = counted({2, 2});
  EXPECT_EQ(flip(x, {0}).to_vector<float>(), (Floats{2, 3, 0, 1}));
  EXPECT_EQ(flip(x, {0, 1}).to_vector<float>(), (Floats{3, 2, 1, 0}));
  EXPECT_FALSE(flip(x, {}).shares_storage_with(x));
}

TEST(Contiguous, CopiesOnlyWhereNeeded) {
  const Tensor x = counted({2, 3});
  EXPECT_TRUE(contiguous(x).is_same(x));
  const Tensor t = contiguous(transpose(x, 0, 1));
  EXPECT_TRUE(t.is_contiguous());
  EXPECT_FALSE(t.shares_storage_with(x));
  EXPECT_EQ(t.to_vector<float>(), (Floats{0, 3, 1, 4, 2, 5}));
}

TEST(Detach, SharesElementsButNoGradient) {
  const Tensor x = counted({3});
  set_requires_grad(x);
  const Tensor y = detach(x * 1);
  EXPECT_FALSE(y.requires_grad());
  backward(sum(x * detach(x)));
  EXPECT_EQ(grad_of(x).to_vector<float>(), (Floats{0, 1, 2}));
}

TEST(View, StorageOnlyDtypesCanBeViewed) {
  const Tensor x = Tensor::empty({4, 2}, i16);
  EXPECT_EQ(text(transpose(reshape(x, {2, 4}), 0, 1)), "[4, 2]");
  EXPECT_EQ(slice(x, 0, 1, 3).dtype(), i16);
}

}  // namespace
}  // namespace ridge::view_test
