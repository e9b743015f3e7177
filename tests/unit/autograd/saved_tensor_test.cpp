// What a graph holds on to: the right values, no more of them than needed, and no circles.
#include "ridge/autograd/saved_tensor.h"

#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/ops/registry.h"
#include "ridge/ridge.h"

namespace ridge::saved_tensor_test {
namespace {

using Values = std::vector<double>;

Tensor leaf(Values values, const Shape& shape) {
  const Tensor t = Tensor::of<double>(values, shape);
  set_requires_grad(t);
  return t;
}

TEST(Version, OfAValueThatWasNotSavedMayMove) {
  const Tensor x = leaf({1}, {1});
  const Tensor a = x * 1, b = x * 2;
  const Tensor y = a + b;  // saves nothing
  mul_(a, 2);
  backward(y);
  EXPECT_EQ(grad_of(x).to_vector<double>(), (Values{3}));
}

TEST(Version, OfASavedValueMustNotMove) {
  const Tensor x = leaf({1, 2}, {2});
  const Tensor a = x * 1;
  const Tensor y = a * a;
  const auto line = __LINE__ - 1;
  mul_(a, 2);
  mul_(a, 2);
  try {
    backward(sum(y));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::gradient);
    EXPECT_EQ(error.op(), "mul");
    EXPECT_NE(error.expected().find("`x`"), std::string::npos) << error.what();
    EXPECT_NE(error.expected().find("f64[2]"), std::string::npos) << error.what();
    EXPECT_NE(error.expected().find("version 0"), std::string::npos) << error.what();
    EXPECT_NE(error.given().find("version 2"), std::string::npos) << error.what();
    EXPECT_NE(error.hint().find(concat("saved_tensor_test.cpp:", line)), std::string::npos)
        << error.what();
    EXPECT_GT(error.where()->line(), static_cast<uint32_t>(line));  // that of backward
  }
}

TEST(Version, MovesWithWritesUnderNoGradAndThroughViews) {
  const Tensor x = leaf({1, 2}, {2});
  const Tensor y = x * x;
  {
    const NoGrad scope;
    mul_(slice(x, 0, 0, 1), 3);
  }
  EXPECT_THROW(backward(sum(y)), Error);
}

TEST(Version, OfASavedResultCountsToo) {
  const Tensor x = leaf({1}, {1});
  const Tensor y = exp(x);
  const Tensor z = y + 1;
  add_(y, 1);
  EXPECT_THROW(backward(z), Error);
}

TEST(Saving, TakesOnlyWhatIsRead) {
  const Tensor x = leaf({2, 3}, {2});
  const Tensor constant = Tensor::of<double>({5, 7}, {2});
  const Tensor y = x * constant;  // reads the constant, not x
  {
    const NoGrad scope;
    mul_(x, 100);
  }
  backward(sum(y));
  EXPECT_EQ(grad_of(x).to_vector<double>(), (Values{5, 7}));
  // tanh reads its result, not its operand.
  clear_grad(x);
  const Tensor a = x * 0;
  const Tensor t = tanh(a);
  add_(a, 1);
  backward(sum(t));
  EXPECT_EQ(grad_of(x).to_vector<double>(), (Values{0, 0}));
}

// Memory that says when it is freed.
struct Probe {
  double value = 2;
  bool is_freed = false;
  Tensor tensor() {
    return Tensor::from_blob(&value, {1}, f64, [this](void*) { is_freed = true; });
  }
};

TEST(Saving, LetsGoWithTheGraph) {
  Probe probe;
  const Tensor x = leaf({1}, {1});
  {
    const Tensor y = x * probe.tensor();
    EXPECT_FALSE(probe.is_freed);
  }
  EXPECT_TRUE(probe.is_freed);
}

TEST(Saving, LetsGoAfterBackward) {
  Probe probe;
  const Tensor x = leaf({1}, {1});
  const Tensor y = x * probe.tensor();
  backward(y, {}, {.retain_graph = true});
  EXPECT_FALSE(probe.is_freed);
  backward(y);
  EXPECT_TRUE(probe.is_freed);
}

TEST(Saving, OfAResultIsNoCircle) {
  Probe probe;
  {
    const Tensor x = leaf({1}, {1});
    const Tensor y = probe.tensor();
    copy_(y, x);
    const Tensor z = exp(y);
    in_place("exp", y);  // saves its own result
    backward(z + y, {}, {.retain_graph = true});
  }
  EXPECT_TRUE(probe.is_freed);
}

TEST(Saving, OfATensorThatIsWrittenToLaterIsNoCircle) {
  Probe probe;
  {
    const Tensor x = leaf({3}, {1});
    const Tensor c = probe.tensor();
    const Tensor y = x * c;  // saves c
    copy_(c, y);             // and c's history is now y's
    EXPECT_TRUE(c.requires_grad());
  }
  EXPECT_TRUE(probe.is_freed);
}

TEST(SavedMeta, HasShapeAndDtypeOnly) {
  const Tensor number = Tensor::number(2.0);
  const auto saved = autograd::SavedTensor::described(number);
  const Tensor meta_tensor = saved.unpack({});
  EXPECT_TRUE(meta_tensor.is_meta());
  EXPECT_TRUE(meta_tensor.is_weak());
  EXPECT_EQ(meta_tensor.dtype(), number.dtype());
  EXPECT_FALSE(autograd::SavedTensor().unpack({}).defined());
}

TEST(SavedMeta, ReadByARuleIsAnInternalError) {
  static const ops::OpRecord& record =
      ops::registry().add({.schema = "test_reads_unsaved(Tensor x) -> Tensor",
                           .doc = "a rule that reads what it did not save",
                           .traits = ops::Trait::Pointwise,
                           .dtype = ops::rule::float_only,
                           .body = [](const ops::Scalars& s) { return s[0] * s[0]; },
                           .grad = [](const ops::Grads&, const ops::Saved& v) -> ops::Tensors {
                             return {v.tensor("x") * 2};
                           }});
  const Tensor x = leaf({1, 2}, {2});
  const ops::Arg args[] = {x};
  const Tensor y = dispatch::call_values(*record.op, args)[0];
  try {
    backward(sum(y));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
    EXPECT_EQ(error.op(), "test_reads_unsaved");
  }
}

TEST(Rule, ThatReturnsAWrongShapeIsAnInternalErrorThatNamesTheOp) {
  static const ops::OpRecord& record = ops::registry().add(
      {.schema = "test_wrong_shape(Tensor x) -> Tensor",
       .doc = "a rule that returns one number",
       .traits = ops::Trait::Pointwise,
       .dtype = ops::rule::float_only,
       .body = [](const ops::Scalars& s) { return s[0]; },
       .grad = [](const ops::Grads& g, const ops::Saved&) -> ops::Tensors { return {sum(g[0])}; }});
  const Tensor x = leaf({1, 2}, {2});
  const ops::Arg args[] = {x};
  const Tensor y = dispatch::call_values(*record.op, args)[0];
  try {
    backward(sum(y));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
    EXPECT_EQ(error.op(), "test_wrong_shape");
    EXPECT_STREQ(error.where()->file_name(), __FILE__);
  }
}

TEST(Rule, ThatIsMissingIsAnErrorWhenAskedFor) {
  auto& table = dispatch::OperatorTable::instance();
  const dispatch::Operator& op = table.add(
      dispatch::parse_schema("test_outside(Tensor x) -> Tensor"), nullptr, Location::current());
  const auto handle = table.add_kernel(op.name(), dispatch::Key::cpu,
                                       dispatch::make_kernel([](dispatch::Frame& frame, auto) {
                                         frame.results[0] = *frame.args[0].tensor;
                                       }),
                                       "test");
  const Tensor x = leaf({1}, {1});
  const ops::Arg args[] = {x};
  const Tensor y = dispatch::call_values(op, args)[0];
  EXPECT_TRUE(y.requires_grad());
  EXPECT_FALSE(y.is_same(x));
  try {
    backward(y);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::gradient);
    EXPECT_EQ(error.op(), "test_outside");
  }
}

}  // namespace
}  // namespace ridge::saved_tensor_test
