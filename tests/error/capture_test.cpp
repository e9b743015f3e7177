// Mistakes in functions that are captured. Each leaves the function as it was: called rightly it works.
#include "../unit/capture/compiled.h"
#include "expect_error.h"
#include "ridge/aot/transforms.h"
#include "ridge/capture/constant.h"

namespace ridge::testing::capture_test {
namespace {

struct Pair {
  Tensor a;
  std::vector<Tensor> list;
  int64_t count = 0;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("a", self.a);
    visit("list", self.list);
    visit("count", self.count);
  }
};

// Runs f on a good input after a mistake.
template <class F>
void expect_twice_works(F& f) {
  const Tensor x = random({3}, 9);
  EXPECT_EQ(f(x).template to_vector<float>(), (x * 2).to_vector<float>());
}

TEST(CaptureError, ATensorFromOutside) {
  const Tensor outside = random({3}, 1);
  bool is_wrong = true;
  Compiled f([&](const Tensor& x) { return is_wrong ? x + outside : x * 2; });
  EXPECT_RIDGE_ERROR(f(random({3}, 2)), ErrorCode::state, "add",
                     {"f32[3]", "outside", "argument", "constant("});
  is_wrong = false;
  expect_twice_works(f);
}

TEST(CaptureError, ReturningATensorFromOutside) {
  const Tensor outside = random({3}, 1);
  bool is_wrong = true;
  Compiled f([&](const Tensor& x) { return is_wrong ? outside : x * 2; });
  EXPECT_RIDGE_ERROR(f(random({3}, 2)), ErrorCode::state, "result", {"outside", "constant("});
  is_wrong = false;
  expect_twice_works(f);
}

TEST(CaptureError, ATracedTensorKeptBeyondItsCapture) {
  Tensor kept;
  Compiled f([&](const Tensor& x) {
    kept = x * 2;
    return kept;
  });
  expect_twice_works(f);
  EXPECT_RIDGE_ERROR(kept + 1, ErrorCode::state, "add", {"capture"});
  EXPECT_RIDGE_ERROR(kept.to_vector<float>(), ErrorCode::state, "", {"capture"});
  EXPECT_RIDGE_ERROR(f(kept), ErrorCode::state, "", {"input 0", "f32[3]", "capture"});
  Compiled g([&](const Tensor& x) { return x + kept; });
  EXPECT_RIDGE_ERROR(g(random({3}, 1)), ErrorCode::state, "add", {"capture", "ended"});
  expect_twice_works(f);
}

TEST(CaptureError, AnExceptionInTheMiddle) {
  bool is_wrong = true;
  Compiled f([&](const Tensor& x) {
    const Tensor y = x * 2;
    if (is_wrong) throw std::runtime_error("the user's own");
    return y;
  });
  EXPECT_THROW(f(random({3}, 1)), std::runtime_error);
  EXPECT_EQ(graph::Recorder::active(), nullptr);
  EXPECT_EQ(add(1, Tensor::of<float>({2}, {})).item<float>(), 3) << "ops run again";
  is_wrong = false;
  expect_twice_works(f);
  EXPECT_EQ(f.count(), 1u);
}

TEST(CaptureError, AMistakeInAnOp) {
  bool is_wrong = true;
  Compiled f([&](const Tensor& x) { return is_wrong ? x + ones({5}) : x * 2; });
  EXPECT_RIDGE_ERROR(f(random({3}, 1)), ErrorCode::shape, "add", {"[3]", "[5]"});
  is_wrong = false;
  expect_twice_works(f);
}

TEST(CaptureError, AFunctionThatCallsItself) {
  std::function<Tensor(const Tensor&)> again;
  bool is_wrong = true;
  Compiled f([&](const Tensor& x) { return is_wrong ? again(x) : x * 2; });
  again = [&](const Tensor& x) { return f(x + 1); };
  EXPECT_RIDGE_ERROR(f(random({3}, 1)), ErrorCode::state, "compiled", {"call itself"});
  // The same by way of another one.
  Compiled g([&](const Tensor& x) { return f(x); });
  EXPECT_RIDGE_ERROR(g(random({3}, 1)), ErrorCode::state, "compiled", {"call itself"});
  is_wrong = false;
  expect_twice_works(f);
  expect_twice_works(g);
}

TEST(CaptureError, ReadingAnElement) {
  bool is_wrong = true;
  Compiled f([&](const Tensor& x) {
    if (is_wrong && sum(x).item<float>() > 0) return x;
    return x * 2;
  });
  EXPECT_RIDGE_ERROR(f(random({3}, 1)), ErrorCode::state, "", {"capture"});
  is_wrong = false;
  expect_twice_works(f);
}

TEST(CaptureError, AChangedListOrNumber) {
  Compiled f([](Pair& pair) { pair.list.push_back(pair.a); }, {"pair"});
  Pair pair{random({3}, 1), {}, 0};
  EXPECT_RIDGE_ERROR(f(pair), ErrorCode::state, "", {"pair.list = 0", "given 1"});
  EXPECT_TRUE(pair.list.empty());
  Compiled g([](Pair& p) { ++p.count; });
  EXPECT_RIDGE_ERROR(g(pair), ErrorCode::state, "", {"arg0.count", "Tensor"});
}

// In a capture that becomes part of another one. `compile` restores what is shared.
TEST(CaptureError, WritingAnArgumentThatSharesMemory) {
  Compiled f([](const Tensor& x, const Tensor& y) { return x += y; }, {"x", "y"});
  const Tensor x = random({4}, 1);
  EXPECT_RIDGE_ERROR(f(x, x), ErrorCode::state, "add_", {"x, which shares memory with y"});
  const std::vector<float> apart = (slice(x, 0, 0, 2) + slice(x, 0, 2)).to_vector<float>();
  EXPECT_EQ(f(slice(x, 0, 0, 2), slice(x, 0, 2)).to_vector<float>(), apart);
  const std::vector<float> expected = (x * 2).to_vector<float>();
  EXPECT_EQ(f(x, clone(x)).to_vector<float>(), expected);
  Compiled g([](const Tensor& a, const Tensor& b) { return a + b; });
  EXPECT_EQ(g(x, x).to_vector<float>(), (x * 2).to_vector<float>()) << "reading is fine";
}

TEST(CaptureError, WritingAnArgumentThatOverlapsItself) {
  const auto f =
      compile([](const Tensor& x, const Tensor& y) { add_(x, y); }, {.argument_names = {"x", "y"}});
  const Tensor x = expand(random({4}, 1), {3, 4}), y = random({3, 4}, 2);
  EXPECT_RIDGE_ERROR(f(x, y), ErrorCode::state, "add_", {"apart in memory", "f32[3, 4]", "[0, 1]"});
  const Tensor copy = clone(x);
  f(copy, y);
  EXPECT_EQ(copy.to_vector<float>(), (x + y).to_vector<float>());
}

TEST(CaptureError, WritingAConstant) {
  const Tensor table = random({3}, 1);
  Compiled f([&](const Tensor& x) { return constant(table) += x; });
  EXPECT_RIDGE_ERROR(f(random({3}, 2)), ErrorCode::state, "add_", {"constant"});
}

TEST(CaptureError, GradientOfATensorThatIsNoScalar) {
  const auto f = value_and_grad([](const Tensor& x) { return x * 2; });
  EXPECT_RIDGE_ERROR(f(random({3}, 1)), ErrorCode::gradient, "value_and_grad",
                     {"0-d", "f32[3]", "vjp"});
  const auto g = grad([](const Tensor& x) { return sum(x > 0); });
  EXPECT_RIDGE_ERROR(g(random({3}, 1)), ErrorCode::gradient, "", {"i64[]"});
}

TEST(CaptureError, GradientByIntegers) {
  const auto f = grad([](const Tensor& x) { return mean(x * 0.5); });
  EXPECT_RIDGE_ERROR(f(arange(3)), ErrorCode::dtype, "", {"floating", "i64[3]"});
  const auto g = grad([](const Pair& pair) { return sum(pair.a); });
  EXPECT_RIDGE_ERROR(g(Pair{}), ErrorCode::dtype, "", {"floating"});
}

TEST(CaptureError, ACotangentOfAnotherShape) {
  const auto [y, pullback] = vjp([](const Tensor& x) { return exp(x); })(random({3}, 1));
  EXPECT_RIDGE_ERROR(pullback(ones({4})), ErrorCode::shape, "vjp", {"f32[3]", "f32[4]"});
}

}  // namespace
}  // namespace ridge::testing::capture_test
