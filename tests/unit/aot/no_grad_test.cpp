// What is computed under NoGrad has no gradient, however the function around it is differentiated.
#include <gtest/gtest.h>

#include "ridge/driver/entry.h"
#include "ridge/ridge.h"

namespace ridge::testing::no_grad_test {
namespace {

using Values = std::vector<double>;
using Function = std::function<Tensor(const Tensor&)>;

Tensor example() { return Tensor::of<double>({1.0, 2.0}, {2}); }

Values eagerly(const Function& f) {
  const Tensor x = example();
  set_requires_grad(x);
  backward(f(x));
  return grad_of(x).to_vector<double>();
}

Values compiled_outside(const Function& f) {
  const Tensor x = example();
  set_requires_grad(x);
  const auto compiled = compile(f);
  backward(compiled(x));
  return grad_of(x).to_vector<double>();
}

// Tangents of the unit vectors, one by one.
Values forwards(const Function& f) {
  Values tangents;
  for (int i = 0; i < 2; ++i) {
    const Tensor unit = Tensor::of<double>({i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0}, {2});
    const auto [value, tangent] = jvp(f)(example(), unit);
    tangents.push_back(tangent.item<double>());
  }
  return tangents;
}

void expect_gradient(const Function& f, const Values& expected) {
  EXPECT_EQ(eagerly(f), expected);
  EXPECT_EQ(grad(f)(example()).to_vector<double>(), expected);
  EXPECT_EQ(compile(grad(f))(example()).to_vector<double>(), expected);
  EXPECT_EQ(compiled_outside(f), expected);
  EXPECT_EQ(forwards(f), expected);
}

TEST(NoGradInACapture, CutsWhatIsComputedUnderIt) {
  expect_gradient(
      [](const Tensor& x) {
        Tensor h;
        {
          const NoGrad values_only;
          h = x * x;
        }
        return sum(h * x);
      },
      {1.0, 4.0});
}

TEST(NoGradInACapture, CutsViewsAndReductions) {
  expect_gradient(
      [](const Tensor& x) {
        Tensor view, largest;
        {
          const NoGrad values_only;
          view = reshape(x, {2, 1});
          largest = max(x);
        }
        return sum(reshape(view, {2}) * x) + sum(largest * x);
      },
      {3.0, 4.0});
}

TEST(NoGradInACapture, CutsCompositeOps) {
  const auto f = [](const Tensor& x) {
    Tensor soft;
    {
      const NoGrad values_only;
      soft = softmax(x, 0);
    }
    return sum(soft * x);
  };
  const Values expected = softmax(example(), 0).to_vector<double>();
  for (const Values& given : {eagerly(f), grad(f)(example()).to_vector<double>(),
                              compile(grad(f))(example()).to_vector<double>(), forwards(f)}) {
    for (size_t i = 0; i < 2; ++i) EXPECT_NEAR(given[i], expected[i], 1e-14);
  }
}

TEST(NoGradInACapture, AWriteToAPartKeepsTheGradientOfTheWhole) {
  expect_gradient(
      [](const Tensor& x) {
        const Tensor y = x * 2.0;
        {
          const NoGrad values_only;
          mul_(slice(y, 0, 0, 1), 3.0);
        }
        return sum(y * y);  // y is {6, 4}
      },
      {24.0, 16.0});
}

TEST(NoGradInACapture, AWriteIsSeenByASecondDerivativeThatWritesItself) {
  const auto inner = [](const Tensor& x) {
    const Tensor y = x * 2.0;
    {
      const NoGrad values_only;
      y *= 3.0;
    }
    return sum(y * y);
  };
  const auto outer = [&](const Tensor& x) {
    const Tensor slope = grad(inner)(x);  // 2 * 2 y, and y goes on as 2 x
    slope += 1.0;
    return sum(slope);
  };
  EXPECT_EQ(grad(outer)(example()).to_vector<double>(), (Values{8.0, 8.0}));
  EXPECT_EQ(compile(grad(outer))(example()).to_vector<double>(), (Values{8.0, 8.0}));
}

TEST(NoGradInACapture, InsideOfABodyOfControlFlow) {
  const auto f = [](const Tensor& x) {
    const auto step = [](const Tensor& sum_so_far, const Tensor& element) {
      Tensor cut;
      {
        const NoGrad values_only;
        cut = element * element;
      }
      return std::pair(sum_so_far + cut * element, cut);
    };
    return scan(step, zeros({}, f64), x).first;
  };
  EXPECT_EQ(grad(f)(example()).to_vector<double>(), (Values{1.0, 4.0}));
  EXPECT_EQ(compile(grad(f))(example()).to_vector<double>(), (Values{1.0, 4.0}));
}

// Results that share memory are views of one output, which has a history.
TEST(NoGradInACapture, ADetachedResultSharesMemoryAndNoHistory) {
  const auto f = [](const Tensor& x) {
    const Tensor h = x * 2.0;
    Tensor part;
    {
      const NoGrad values_only;
      part = slice(h, 0, 0, 1);
    }
    return std::tuple(h, detach(h), part, detach(x), slice(detach(x), 0, 1, 2));
  };
  const auto check = [](const auto& function) {
    const Tensor x = example();
    set_requires_grad(x);
    const auto [h, cut, part, same, end] = function(x);
    EXPECT_TRUE(h.requires_grad());
    for (const Tensor& t : {cut, part, same, end}) EXPECT_FALSE(t.requires_grad());
    EXPECT_TRUE(cut.shares_storage_with(h) && part.shares_storage_with(h));
    EXPECT_TRUE(same.shares_storage_with(x) && end.shares_storage_with(x));
    backward(sum(h * cut));
    EXPECT_EQ(grad_of(x).template to_vector<double>(), (Values{4.0, 8.0}));
  };
  check(f);
  check(compile(f));
}

TEST(NoGradInACapture, LeavesNothingInTheProgram) {
  const auto f = compile([](const Tensor& x) {
    const NoGrad values_only;
    return x * 2.0 + 1.0;
  });
  f(example());
  for (const graph::Node& node : f.programs().back()->compiled->graph().nodes) {
    EXPECT_NE(node.op->name(), "detach");
  }
}

TEST(NoGradInACapture, AWriteKeepsTheGradientOfWhatItWritesTo) {
  expect_gradient(
      [](const Tensor& x) {
        const Tensor y = x * 2.0;
        {
          const NoGrad values_only;
          y *= 3.0;
        }
        return sum(y * y);  // y is 6 x, and its gradient goes on as if it were 2 x
      },
      {24.0, 48.0});
}

TEST(NoGradInACapture, AWriteToADetachedViewDoesToo) {
  expect_gradient(
      [](const Tensor& x) {
        const Tensor y = x * 2.0;
        const Tensor cut = detach(y);
        cut *= 3.0;
        return sum(y * y) + sum(cut * x);
      },
      {30.0, 60.0});
}

TEST(NoGradInACapture, ReachesIntoControlFlowAndInnerDerivatives) {
  const auto cube = [](const Tensor& v) { return sum(v * v * v); };
  expect_gradient(
      [&](const Tensor& x) {
        Tensor slope;
        {
          const NoGrad values_only;
          slope = grad(cube)(x);  // 3 x^2
        }
        return sum(slope * x);
      },
      {3.0, 12.0});
  const Function branches = [](const Tensor& x) {
    Tensor h;
    {
      const NoGrad values_only;
      h = cond(
          sum(x) > 0.0, [](const Tensor& a) { return a * 5.0; },
          [](const Tensor& a) { return a * 7.0; }, x);
    }
    return sum(h * x);
  };
  EXPECT_EQ(grad(branches)(example()).to_vector<double>(), (Values{5.0, 10.0}));
  EXPECT_EQ(compile(grad(branches))(example()).to_vector<double>(), (Values{5.0, 10.0}));
}

TEST(NoGradInACapture, OutsideOfItDerivativesAreTakenAllTheSame) {
  const NoGrad values_only;
  const auto square_sum = [](const Tensor& x) {
    Tensor h;
    {
      const NoGrad inner;
      h = x + 1.0;
    }
    return sum(x * x * h);
  };
  const Values expected = {4.0, 12.0};
  EXPECT_EQ(grad(square_sum)(example()).to_vector<double>(), expected);
  EXPECT_EQ(compile(grad(square_sum))(example()).to_vector<double>(), expected);
}

TEST(NoGradInACapture, SecondDerivativesGoThroughWhatTransformsRecord) {
  const auto cube = [](const Tensor& x) { return sum(x * x * x); };
  const auto slope = [&](const Tensor& x) { return sum(grad(cube)(x)); };
  EXPECT_EQ(grad(slope)(example()).to_vector<double>(), (Values{6.0, 12.0}));
  EXPECT_EQ(compile(grad(slope))(example()).to_vector<double>(), (Values{6.0, 12.0}));
}

}  // namespace
}  // namespace ridge::testing::no_grad_test
