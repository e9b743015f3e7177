// Writes into tensors that have a history, directly and through views.
#include <gtest/gtest.h>

#include "../../gradcheck.h"
#include "ridge/autograd/kernel.h"
#include "ridge/ridge.h"

namespace ridge::testing::write_test {
namespace {

Tensor values(const Shape& shape, double low = 0.5, double high = 2) {
  std::vector<double> list(static_cast<size_t>(numel(shape).value()));
  for (size_t i = 0; i < list.size(); ++i) {
    list[i] = low + (high - low) * std::fmod(0.754877666 * static_cast<double>(i + 1), 1.0);
  }
  return Tensor::of<double>(list, shape);
}

Tensor leaf(const Shape& shape) {
  const Tensor t = values(shape);
  set_requires_grad(t);
  return t;
}

Tensor clone(const Tensor& x) { return copy(x, x); }

void check(const Program& program, const Shape& x, const Shape& w) {
  const Tensors inputs = {values(x), values(w, -1, 1)};
  EXPECT_TRUE(gradcheck(program, inputs));
  EXPECT_TRUE(gradgradcheck(program, inputs));
}

template <class Mistake>
void expect_gradient_error(Mistake mistake, const std::string& word) {
  try {
    mistake();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::gradient);
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    EXPECT_STREQ(error.where()->file_name(), __FILE__);
  }
}

// --- writes to a tensor of its own ---

TEST(Write, HasTheGradientOfTheFunctionalOp) {
  const auto with = [](auto write) -> Program {
    return [write](const Tensors& in) -> Tensors {
      const Tensor x = clone(in[0]);
      write(x, in[1]);
      return {x * x};
    };
  };
  check(with([](const Tensor& x, const Tensor& w) { add_(x, w); }), {3, 2}, {2});
  check(with([](const Tensor& x, const Tensor& w) { mul_(x, w); }), {3, 2}, {2});
  check(with([](const Tensor& x, const Tensor& w) { div_(x, w * w + 1); }), {3, 2}, {2});
  check(with([](const Tensor& x, const Tensor& w) { copy_(x, w); }), {3, 2}, {2});
  check(with([](const Tensor& x, const Tensor& w) { in_place("pow", x, {w + 2}); }), {3, 2}, {2});
  check(with([](const Tensor& x, const Tensor& w) {
          mul_(x, x);
          add_(x, w);
        }),
        {3, 2}, {2});
  check(with([](const Tensor& x, const Tensor& w) {
          mul_(x, w);
          in_place("exp", x);
        }),
        {3}, {3});
  check(with([](const Tensor& x, const Tensor& w) {
          in_place("silu", x);
          mul_(x, w);
        }),
        {3}, {3});
  check(with([](const Tensor& x, const Tensor& w) {
          zero_(x);
          add_(x, w);
        }),
        {3}, {3});
}

TEST(Write, KeepsTheOldValueWhereItsGradientNeedsIt) {
  check(
      [](const Tensors& in) -> Tensors {
        const Tensor x = clone(in[0]);
        mul_(x, x);                // reads both operands, and overwrites them
        mul_(x, select(x, 0, 1));  // by an element of itself
        mul_(in[1] * x, x);
        return {x};
      },
      {3}, {3});
}

TEST(Write, GivesAPlainTensorAHistory) {
  const Tensor w = leaf({2});
  const Tensor buffer = zeros({2}, f64);
  add_(buffer, w);
  EXPECT_TRUE(buffer.requires_grad());
  EXPECT_FALSE(is_leaf(buffer));
  backward(sum(buffer * buffer));
  EXPECT_EQ(grad_of(w).to_vector<double>(), (w * 2).to_vector<double>());
}

TEST(Write, OfAConstantCutsTheHistoryOff) {
  const Tensor x = leaf({2}), w = leaf({2});
  const Tensor y = x * w;
  const Tensor constant = values({2});
  copy_(y, constant);
  EXPECT_EQ(gradients({sum(y * w)}, {w, x})[0].to_vector<double>(), constant.to_vector<double>());
  EXPECT_EQ(gradients({sum(y * w)}, {x})[0].to_vector<double>(), (std::vector<double>{0, 0}));
}

TEST(Write, ByAnOpWithoutAGradientCutsTheHistoryOffToo) {
  const Tensor x = leaf({2});
  const Tensor y = x * 3;
  in_place("floor", y);
  in_place("sign", y);
  EXPECT_TRUE(y.requires_grad());
  const Tensor total = sum(y + x);
  EXPECT_EQ(gradients({total}, {x})[0].to_vector<double>(), (std::vector<double>{1, 1}));
}

TEST(Write, ReturnsTheTensorItself) {
  const Tensor x = leaf({2});
  const Tensor y = x * 1;
  EXPECT_TRUE(add_(y, 1).is_same(y));
  EXPECT_TRUE(in_place("silu", y).is_same(y));
}

TEST(Write, ToALeafNeedsNoGrad) {
  const Tensor x = leaf({4});
  expect_gradient_error([&] { add_(x, 1); }, "leaf");
  expect_gradient_error([&] { zero_(slice(x, 0, 0, 2)); }, "view of a leaf");
  expect_gradient_error([&] { in_place("silu", x); }, "leaf");
  const uint32_t version = x.version();
  {
    const NoGrad scope;
    add_(x, 1);
    zero_(slice(x, 0, 0, 2));
  }
  EXPECT_GT(x.version(), version);
  EXPECT_TRUE(is_leaf(x));
  backward(sum(x));
  EXPECT_EQ(grad_of(x).to_vector<double>(), (std::vector<double>{1, 1, 1, 1}));
}

TEST(Write, ToAFormerLeafMakesItComputed) {
  const Tensor x = leaf({2}), w = leaf({2});
  backward(sum(x));
  set_requires_grad(x, false);
  mul_(x, w);
  EXPECT_TRUE(x.requires_grad());
  EXPECT_FALSE(is_leaf(x));
  EXPECT_FALSE(grad_of(x).defined());
  backward(sum(x * 2));
  EXPECT_TRUE(grad_of(w).defined());
}

TEST(Write, ThatFailsChangesNothing) {
  const Tensor x = leaf({2});
  const Tensor y = x * 2;
  EXPECT_THROW(add_(y, values({3, 2})), Error);
  EXPECT_THROW(add_(y, values({3})), Error);
  EXPECT_THROW(in_place("silu", expand(y, {3, 2})), Error);
  backward(sum(y));
  EXPECT_EQ(grad_of(x).to_vector<double>(), (std::vector<double>{2, 2}));
}

TEST(Write, MayMixDtypes) {
  const Tensor x = Tensor::of<float>({1, 2}, {2});
  set_requires_grad(x);
  const Tensor w = leaf({2});
  const Tensor y = x * 1;
  mul_(y, w);
  EXPECT_EQ(y.dtype(), f32);
  backward(sum(y));
  EXPECT_EQ(grad_of(w).dtype(), f64);
  EXPECT_EQ(grad_of(w).to_vector<double>(), (std::vector<double>{1, 2}));
}

// --- writes through views ---

TEST(WriteThroughView, ReachesTheBase) {
  check(
      [](const Tensors& in) -> Tensors {
        const Tensor x = clone(in[0]);
        mul_(slice(x, 1, 0, 2), in[1]);
        return {x * x};
      },
      {3, 4}, {3, 2});
}

TEST(WriteThroughView, ReachesAPlainBase) {
  check(
      [](const Tensors& in) -> Tensors {
        const Tensor buffer = zeros({4, 2}, f64);
        for (int64_t i = 0; i < 4; ++i) copy_(select(buffer, 0, i), in[0] * in[1] * i);
        return {buffer * buffer};
      },
      {2}, {2});
}

TEST(WriteThroughView, GoesThroughChainsOfViews) {
  check(
      [](const Tensors& in) -> Tensors {
        const Tensor x = clone(in[0]);
        const Tensor v = slice(reshape(permute(x, {1, 0}), {2, 2, 3}), 2, 1, 3);
        mul_(v, in[1]);
        return {x * x, v};
      },
      {3, 4}, {2, 2, 2});
}

TEST(WriteThroughView, IsSeenByOtherViews) {
  check(
      [](const Tensors& in) -> Tensors {
        const Tensor x = clone(in[0]);
        const Tensor a = slice(x, 0, 0, 3), b = slice(x, 0, 1, 4), c = reshape(x, {2, 2});
        mul_(a, in[1]);            // a view is written,
        const Tensor y = b * 1.5;  // another one read,
        mul_(b, 2);                // and written,
        add_(x, 1);                // then the base itself
        return {a * a, b, c * c, y};
      },
      {4}, {3});
}

TEST(WriteThroughView, IsSeenByViewsMadeBeforeTheBaseRequiredGrad) {
  const Tensor w = leaf({2});
  const Tensor buffer = zeros({4}, f64);
  const Tensor a = slice(buffer, 0, 0, 2), b = slice(buffer, 0, 1, 3);
  const Tensor untouched = slice(zeros({4}, f64), 0, 0, 2);
  copy_(a, w);
  EXPECT_TRUE(b.requires_grad());
  EXPECT_FALSE(untouched.requires_grad());
  backward(sum(b) * 10);
  EXPECT_EQ(grad_of(w).to_vector<double>(), (std::vector<double>{0, 10}));
}

TEST(WriteThroughView, MayReadTheBaseItWritesTo) {
  check(
      [](const Tensors& in) -> Tensors {
        const Tensor x = clone(in[0]) * in[1];
        mul_(slice(x, 0, 0, 2), slice(x, 0, 1, 3));  // regions overlap
        add_(slice(x, 0, 2, 4), sum(x));
        return {x * x};
      },
      {4}, {4});
}

TEST(WriteThroughView, WorksOnABaseWithGaps) {
  const Tensor w = leaf({2});
  std::vector<double> memory(12, 1.0);
  const Tensor base = Tensor::from_blob_strided(memory.data(), {3, 2}, {1, 6}, f64);
  copy_(select(base, 0, 1), w);
  // The base is not contiguous, and this view of it exists only in its own layout.
  const Tensor flat = reshape(permute(base, {1, 0}), {6});
  ASSERT_FALSE(flat.is_contiguous() && flat.shares_storage_with(base));
  mul_(select(base, 1, 0), 3);
  backward(sum(base));
  EXPECT_EQ(grad_of(w).to_vector<double>(), (std::vector<double>{3, 1}));
}

TEST(WriteThroughView, OfOneMadeUnderNoGradIsRefused) {
  const Tensor x = leaf({4});
  const Tensor y = x * 2;
  Tensor cut, of_cut;
  {
    const NoGrad scope;
    cut = slice(y, 0, 0, 2);
  }
  of_cut = slice(cut, 0, 0, 1);
  EXPECT_FALSE(cut.requires_grad());
  expect_gradient_error([&] { mul_(cut, 2); }, "NoGrad");
  expect_gradient_error([&] { mul_(of_cut, x); }, "NoGrad");
  {
    const NoGrad scope;
    mul_(cut, 2);
  }
  backward(sum(y));
  EXPECT_EQ(grad_of(x).to_vector<double>(), (std::vector<double>{2, 2, 2, 2}));
}

TEST(WriteThroughView, OfAPlainTensorMadeUnderNoGradIsRight) {
  const Tensor w = leaf({2});
  const Tensor buffer = zeros({4}, f64);
  Tensor view;
  {
    const NoGrad scope;
    view = slice(buffer, 0, 1, 3);
  }
  copy_(view, w);
  backward(sum(buffer * buffer));
  EXPECT_EQ(grad_of(w).to_vector<double>(), (w * 2).to_vector<double>());
}

TEST(WriteThroughView, DoesNotCrossDetach) {
  const Tensor x = leaf({2}), w = leaf({2});
  const Tensor y = x * 2;
  const Tensor d = detach(y);
  mul_(d, w);
  EXPECT_TRUE(d.requires_grad());
  backward(sum(y), {}, {.retain_graph = true});
  EXPECT_EQ(grad_of(x).to_vector<double>(), (std::vector<double>{2, 2}));
  EXPECT_FALSE(grad_of(w).defined());
}

TEST(WriteThroughView, DoesNotCrossACopy) {
  const Tensor x = leaf({2, 3});
  const Tensor y = x * 2;
  const Tensor copied = reshape(permute(y, {1, 0}), {6});  // no strides express this
  ASSERT_FALSE(copied.shares_storage_with(y));
  zero_(copied);
  backward(sum(y));
  EXPECT_EQ(grad_of(x).to_vector<double>(), std::vector<double>(6, 2));
}

TEST(WriteThroughView, LeavesNoTensorBehind) {
  bool is_freed = false;
  double memory[4] = {1, 2, 3, 4};
  {
    const Tensor w = leaf({2});
    const Tensor base = Tensor::from_blob(memory, {4}, f64, [&](void*) { is_freed = true; });
    const Tensor a = slice(base, 0, 0, 2), b = slice(base, 0, 1, 3);
    mul_(a, w);
    mul_(b, w);
    backward(sum(base) + sum(a * a), {}, {.retain_graph = true});
  }
  EXPECT_TRUE(is_freed);
}

}  // namespace
}  // namespace ridge::testing::write_test
