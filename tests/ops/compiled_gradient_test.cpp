// Gradients of compiled programs against central differences in f64, first and second order, for every
// op that has one: as the compiler likes it, and in the least memory that it can be done in.
//
// A program gives both orders at once: d f / d x of the weighted sum f of the op's results, and
// d g / d (x, weights) of g, the sum of squares of d f / d x. Weights are arguments, so the second order
// differentiates a rule by what comes in as well.
//
// So that there is something to keep or to compute again, x is a reduction, the sum of an argument and of
// zeros that the compiler does not know to be some, and the gradient has a factor of 1 that is the mean of
// something large, computed before it.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "cases.h"
#include "ridge/aot/transforms.h"
#include "ridge/driver/compile.h"
#include "ridge/driver/entry.h"
#include "ridge/driver/smallest_budget.h"
#include "ridge/reference/reference.h"

namespace ridge::testing::compiled_gradient_test {
namespace {

using Tensors = std::vector<Tensor>;

constexpr double kStep = 1e-6, kTolerance = 1e-6;

bool is_real(const Tensor& tensor) { return tensor.defined() && is_floating(tensor.dtype()); }

Tensor one_and_zero(const Size& columns) {
  return cat({ones({1, columns}, f64), zeros({1, columns}, f64)}, 0);
}

// A call as a function of its floating tensors, weights of its floating results, and the rest.
struct Differentiated {
  OpCase call;
  Tensors inputs, weights, others;
  Tensors units;  // by input: ones, and below them zeros
  Tensor large;

  explicit Differentiated(const OpCase& c) : call(c) {
    map_tensors(c.args, [&](const Tensor& t) {
      if (t.defined()) (is_real(t) ? inputs : others).push_back(is_real(t) ? contiguous(t) : t);
      return t;
    });
    for (const Tensor& input : inputs) units.push_back(one_and_zero(input.numel()));
    large = cat({ones({1}, f64), zeros({1023}, f64)}, 0);
    for (const Tensor& result : c.run()) {
      if (!is_real(result)) continue;
      const Tensor position = reshape(arange(result.numel(), f64, kCpu), result.shape());
      weights.push_back(sin(position * 0.7 + 1) + 1.5);
    }
  }

  Tensor value(const Tensors& x, const Tensors& w, const Tensors& rest) const {
    size_t input = 0, other = 0, weight = 0;
    const auto args = map_tensors(call.args, [&](const Tensor& t) {
      if (!t.defined()) return t;
      return is_real(t) ? x[input++] : rest[other++];
    });
    Tensor total;
    for (const Tensor& result : dispatch::call_values(*call.record->op, dispatch::borrow(args))) {
      if (!is_real(result)) continue;
      const Tensor part = sum(cast(result, f64) * w[weight++]);
      total = total.defined() ? total + part : part;
    }
    return total;
  }

  struct Rest {
    const Tensors& others;
    const Tensors& units;
    const Tensor& large;
  };
  // The same; the mean is of ones.
  Tensor value_to_compile(const Tensors& x, const Tensors& w, const Rest& rest) const {
    Tensors made;
    for (size_t i = 0; i < x.size(); ++i) {
      const Tensor row = reshape(x[i], {1, x[i].numel()});
      made.push_back(reshape(sum(row * rest.units[i], {0}), x[i].shape()));
    }
    return value(made, w, rest.others) * mean(square(cumsum(rest.large, 0)));
  }

  // The sum of squares of the gradient, eagerly.
  double squares(const Tensors& x, const Tensors& w) const {
    Tensors leaves;
    for (const Tensor& one : x) {
      leaves.push_back(one.alias());
      set_requires_grad(leaves.back());
    }
    const Tensor total = value(leaves, w, others);
    if (!total.requires_grad()) return 0;
    double sum = 0;
    for (const Tensor& one : gradients({total}, leaves, {}, {.allow_unused = true})) {
      if (!one.defined()) continue;
      for (const double element : one.to_vector<double>()) sum += element * element;
    }
    return sum;
  }
};

// One for each op is what there is time for: the largest of those that are not too large for
// differences, else the smallest.
std::optional<OpCase> chosen_case(const ops::OpRecord& record) {
  constexpr int64_t kMost = 128;
  std::optional<OpCase> chosen;
  int64_t best = 0;
  for (const OpCase& c : cases_of(record, f64)) {
    const Tensor result = c.run()[0];
    if (!is_floating(result.dtype()) || !all(is_finite(result)).item<bool>()) continue;
    int64_t elements = 0;
    map_tensors(c.args, [&](const Tensor& t) {
      if (is_real(t)) elements += t.numel().value();
      return t;
    });
    const bool is_better = best <= kMost ? elements > best && elements <= kMost : elements < best;
    if (elements == 0 || (chosen && !is_better)) continue;
    best = elements;
    chosen = c;
  }
  return chosen;
}

Tensor moved(const Tensor& tensor, size_t element, double by) {
  std::vector<double> values = tensor.to_vector<double>();
  values[element] += by;
  return Tensor::of<double>(values, tensor.shape());
}

// By each element of `given`, from `at`, a function of all of them.
std::vector<std::vector<double>> differences(const Tensors& given,
                                             const std::function<double(const Tensors&)>& at,
                                             std::vector<double>& sizes) {
  std::vector<std::vector<double>> result;
  for (size_t i = 0; i < given.size(); ++i) {
    result.emplace_back();
    double largest = 0;
    for (size_t k = 0; k < static_cast<size_t>(given[i].numel().value()); ++k) {
      Tensors above = given, below = given;
      above[i] = moved(given[i], k, kStep);
      below[i] = moved(given[i], k, -kStep);
      const double high = at(above), low = at(below);
      result.back().push_back((high - low) / (2 * kStep));
      largest = std::fmax(largest, std::fabs(high));
    }
    sizes.push_back(largest);
  }
  return result;
}

void expect_equal(const Tensors& gradients, const std::vector<std::vector<double>>& numeric,
                  const std::vector<double>& sizes, const std::string& what) {
  ASSERT_EQ(gradients.size(), numeric.size()) << what;
  for (size_t i = 0; i < gradients.size(); ++i) {
    const std::vector<double> analytic = gradients[i].to_vector<double>();
    ASSERT_EQ(analytic.size(), numeric[i].size()) << what;
    for (size_t k = 0; k < analytic.size(); ++k) {
      // A difference is known up to the rounding of two sums, whose terms may be larger than they are.
      const double rounding = 4e-15 * (1 + sizes[i]) / kStep;
      const double allowed = kTolerance * (1 + std::fabs(numeric[i][k])) + rounding;
      EXPECT_NEAR(analytic[k], numeric[i][k], allowed)
          << what << ": tensor " << i << ", element " << k;
    }
  }
}

struct BothOrders {
  std::vector<std::vector<double>> first, second;
  std::vector<double> first_sizes, second_sizes;
};

BothOrders by_differences(const Differentiated& d) {
  const reference::UseReference exact;
  BothOrders result;
  result.first = differences(
      d.inputs,
      [&](const Tensors& x) {
        const NoGrad values_only;
        return d.value(x, d.weights, d.others).item<double>();
      },
      result.first_sizes);
  Tensors all = d.inputs;
  all.insert(all.end(), d.weights.begin(), d.weights.end());
  const auto middle = static_cast<std::ptrdiff_t>(d.inputs.size());
  result.second = differences(
      all,
      [&](const Tensors& both) {
        return d.squares({both.begin(), both.begin() + middle},
                         {both.begin() + middle, both.end()});
      },
      result.second_sizes);
  return result;
}

auto compiled_gradients(const Differentiated& d, int64_t budget) {
  return compile(
      [&d](const Tensors& x, const Tensors& w, const Tensors& others, const Tensors& units,
           const Tensor& large) {
        const Differentiated::Rest rest{others, units, large};
        const auto first = [&](const Tensors& a, const Tensors& b) {
          return grad([&](const Tensors& c, const Tensors& e) {
            return d.value_to_compile(c, e, rest);
          })(a, b);
        };
        const auto squares = [&](const std::pair<Tensors, Tensors>& both) {
          Tensor total;
          for (const Tensor& g : first(both.first, both.second)) {
            const Tensor part = sum(square(g));
            total = total.defined() ? total + part : part;
          }
          return total;
        };
        return std::tuple(d.value_to_compile(x, w, rest), first(x, w),
                          grad(squares)(std::pair(x, w)));
      },
      {.name = d.call.record->op->name(), .memory_budget = budget});
}

void check_compiled(const Differentiated& d) {
  const BothOrders expected = by_differences(d);
  const auto usual = compiled_gradients(d, 0);
  const auto compare = [&](const auto& program, const std::string& what) {
    const auto [value, first, second] = program(d.inputs, d.weights, d.others, d.units, d.large);
    expect_equal(first, expected.first, expected.first_sizes, what + ", first order");
    Tensors both = second.first;
    both.insert(both.end(), second.second.begin(), second.second.end());
    expect_equal(both, expected.second, expected.second_sizes, what + ", second order");
  };
  compare(usual, d.call.text());
  const auto& report = usual.programs().back()->compiled->recomputed();
  if (!report) return;  // a gradient without any node of its own, or no kernels at all
  const int64_t least = smallest_memory_budget(usual);
  const auto tight = compiled_gradients(d, least);
  compare(tight, d.call.text() + " in " + std::to_string(least) + " bytes");
  const int64_t peak = tight.programs().back()->compiled->recomputed()->point.peak_bytes;
  EXPECT_LE(peak, least) << d.call.text();
}

const bool kRegistered = for_each_gradient("CompiledGradient", [](const ops::OpRecord& record) {
  const std::optional<OpCase> c = chosen_case(record);
  ASSERT_TRUE(c) << "no sample to differentiate";
  check_compiled(Differentiated(*c));
});

size_t tests_of(std::string_view suite) {
  const auto& all = *::testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const ::testing::TestSuite& one = *all.GetTestSuite(i);
    if (one.name() == suite) return static_cast<size_t>(one.total_test_count());
  }
  return 0;
}

// A rule that nobody checks would be the one that is wrong: eagerly, as a graph, and compiled.
TEST(GradientRules, EachIsChecked) {
  EXPECT_GE(gradient_count(), 90U);
  for (const char* suite : {"Gradient", "GraphGradient", "CompiledGradient"}) {
    EXPECT_EQ(tests_of(suite), gradient_count()) << suite;
  }
}

}  // namespace
}  // namespace ridge::testing::compiled_gradient_test
