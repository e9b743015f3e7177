// cond, scan and while_loop: eagerly, op by op from a capture, and compiled; values and gradients.
#include "ridge/capture/control.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../../gradcheck.h"
#include "compiled.h"
#include "ridge/driver/entry.h"
#include "ridge/graph/control.h"
#include "ridge/linker/kernel_cache.h"

namespace ridge::testing::control_test {
namespace {

// f64 throughout; sums may be formed in another order.
void expect_close(const Tensor& actual, const Tensor& expected) {
  ASSERT_TRUE(actual.defined());
  ASSERT_EQ(describe(actual), describe(expected));
  const auto a = actual.to_vector<double>();
  const auto e = expected.to_vector<double>();
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i], e[i], 1e-12 * (1 + std::fabs(e[i]))) << "element " << i;
  }
}

void expect_close(const Tensors& actual, const Tensors& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) expect_close(actual[i], expected[i]);
}

// One function, run eagerly, replayed from its capture and compiled.
template <class F>
void expect_same_everywhere(F f, const Tensors& inputs) {
  const Tensors expected = f(inputs);
  expect_close(Compiled(f)(inputs), expected);
  expect_close(compile(f)(inputs), expected);
}

// The gradient of the weighted sum of what f returns, ahead of time and by eager autograd.
template <class F>
auto loss_of(F f) {
  return [f](const Tensors& inputs) {
    Tensor loss = sum(inputs[0]) * 0.0;
    double weight = 1;
    for (const Tensor& y : f(inputs)) loss = loss + sum(sin(y) * (weight *= 0.7));
    return loss;
  };
}

template <class F>
void expect_same_gradients(F f, const Tensors& inputs) {
  const auto loss = loss_of(f);
  Tensors leaves;
  for (const Tensor& input : inputs) {
    leaves.push_back(clone(input));
    set_requires_grad(leaves.back());
  }
  const Tensors expected = gradients({loss(leaves)}, leaves, {}, {.allow_unused = true});
  const Tensors ahead = grad(loss)(inputs);
  const Tensors compiled = compile(grad(loss))(inputs);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor zero = zeros(inputs[i].shape(), f64);
    expect_close(ahead[i], expected[i].defined() ? expected[i] : zero);
    expect_close(compiled[i], expected[i].defined() ? expected[i] : zero);
  }
}

// Second derivatives ahead of time, against central differences of first ones.
template <class F>
void expect_second_order(F f, const Tensors& inputs) {
  const auto first = [g = grad(loss_of(f))](const Tensors& x) {
    Tensor total = sum(x[0]) * 0.0;
    for (const Tensor& d : g(x)) total = total + sum(d * d);
    return total;
  };
  const Tensors second = compile(grad(first))(inputs);
  const double step = 1e-5;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto values = inputs[i].to_vector<double>();
    const auto found = second[i].to_vector<double>();
    for (size_t k = 0; k < values.size(); ++k) {
      const auto moved = [&](double by) {
        Tensors x = inputs;
        auto v = values;
        v[k] += by;
        x[i] = Tensor::of<double>(v, inputs[i].shape());
        return first(x).template item<double>();
      };
      const double numeric = (moved(step) - moved(-step)) / (2 * step);
      EXPECT_NEAR(found[k], numeric, 1e-5 * (1 + std::fabs(numeric))) << i << ", " << k;
    }
  }
}

// x and w are read by the branches as they are, without being arguments.
Tensors branches(const Tensors& in) {
  const Tensor x = in[0];
  const Tensor w = in[1];
  const Tensor y = cond(
      sum(x) > 0.0, [&](const Tensor& t) { return tanh(t * w) + sum(x); },
      [&](const Tensor& t) { return exp(t) * 0.5; }, x * 2.0);
  return {y * w, y};
}

// An Elman network; the carry is a struct, an integer counts along.
struct State {
  Tensor h;
  Tensor count;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("h", self.h);
    visit("count", self.count);
  }
};

Tensors network(const Tensors& in, bool reverse) {
  const Tensor w = in[2];
  const Tensor u = in[3];
  const auto step = [&](const State& state, const Tensor& x) {
    const Tensor h = tanh(matmul(x, w) + matmul(state.h, u));
    return std::pair(State{h, state.count + 1}, h * cast(state.count, f64));
  };
  const auto [last, ys] = scan(step, State{in[0], full({}, 2, i64)}, in[1], {.reverse = reverse});
  return {last.h, ys, cast(last.count, f64)};
}

Tensors network_inputs() {
  return {random({2, 3}, 1, f64), random({4, 2, 5}, 2, f64), random({5, 3}, 3, f64),
          random({3, 3}, 4, f64)};
}

// Newton's steps until they are small; a is read from outside.
Tensors roots(const Tensors& in, int64_t max_steps) {
  const Tensor a = in[0] * in[0] + 1.0;
  const Tensor root = while_loop([&](const Tensor& x) { return max(abs(x * x - a)) > 1e-9; },
                                 [&](const Tensor& x) { return (x + a / x) / 2.0; }, a * 1.0,
                                 {.max_steps = max_steps});
  return {root};
}

TEST(Cond, TakesOneBranch) {
  for (const double sign : {1.0, -1.0}) {
    const Tensors in = {abs(random({3, 4}, 5, f64)) * sign, random({4}, 6, f64)};
    expect_same_everywhere(branches, in);
    expect_same_gradients(branches, in);
    expect_second_order(branches, in);
    EXPECT_TRUE(gradcheck(branches, in));
  }
}

TEST(Cond, OneProgramServesBothBranches) {
  const auto program = compile(branches);
  const Tensor w = random({4}, 6, f64);
  for (const double sign : {1.0, -1.0, 1.0}) {
    const Tensors in = {abs(random({3, 4}, 5, f64)) * sign, w};
    expect_close(program(in), branches(in));
  }
  ASSERT_EQ(program.programs().size(), 1U);
  if (!linker::kCanBuild) return;  // then it is replayed
  const driver::CompiledGraph& compiled = *program.programs()[0]->compiled;
  ASSERT_NE(compiled.control(), nullptr);
  EXPECT_EQ(compiled.parts().size(), 4U);  // before it, two branches, after it
  EXPECT_GE(compiled.kernel_count(), 4U);
  EXPECT_NE(kernel_table(program).find("then"), std::string::npos) << kernel_table(program);
}

TEST(Cond, WithABranchThatReturnsItsArgument) {
  const auto f = [](const Tensors& in) -> Tensors {
    const auto same = [](const Tensor& x) { return x; };
    return {cond(in[0] > 0.0, same, [](const Tensor& x) { return -x; }, in[1]), in[1]};
  };
  for (const double pred : {1.0, -1.0}) {
    const Tensors in = {Tensor::of<double>({pred}, {}), random({3}, 7, f64)};
    expect_same_everywhere(f, in);
    expect_same_gradients(f, in);
  }
}

TEST(Scan, IsALoopOverRows) {
  for (const bool reverse : {false, true}) {
    const auto f = [reverse](const Tensors& in) { return network(in, reverse); };
    expect_same_everywhere(f, network_inputs());
    expect_same_gradients(f, network_inputs());
  }
}

TEST(Scan, HasSecondDerivatives) {
  expect_second_order([](const Tensors& in) { return network(in, false); }, network_inputs());
}

TEST(Scan, OfNoRows) {
  Tensors in = network_inputs();
  in[1] = zeros({0, 2, 5}, f64);
  const auto f = [](const Tensors& t) { return network(t, false); };
  expect_same_everywhere(f, in);
  expect_same_gradients(f, in);
}

TEST(Scan, OfAViewAndBesideAnUpdate) {
  const auto f = [](Tensor& total, const Tensor& x) {
    const auto [last, ys] =
        scan([](const Tensor& c, const Tensor& row) { return std::pair(c + row, c * row); },
             total * 1.0, transpose(x, 0, 1));
    add_(total, last);
    return ys;
  };
  const Tensor x = random({3, 5}, 8, f64);
  Tensor eager = random({3}, 9, f64);
  Tensor compiled = clone(eager);
  const Tensor expected = f(eager, x);
  expect_close(compile(f)(compiled, x), expected);
  expect_close(compiled, eager);
}

TEST(Scan, InsideACond) {
  const auto f = [](const Tensors& in) -> Tensors {
    return {cond(
        sum(in[0]) > 0.0, [&](const Tensor&) { return network(in, false)[0]; },
        [](const Tensor& h) { return h * 3.0; }, in[0])};
  };
  for (const double sign : {1.0, -1.0}) {
    Tensors in = network_inputs();
    in[0] = abs(in[0]) * sign;
    expect_same_everywhere(f, in);
    expect_same_gradients(f, in);
  }
}

TEST(WhileLoop, StopsByItselfOrByItsBound) {
  const Tensors in = {random({4}, 11, f64)};
  for (const int64_t bound : {int64_t{-1}, int64_t{50}, int64_t{2}, int64_t{0}}) {
    const auto f = [bound](const Tensors& t) { return roots(t, bound); };
    expect_same_everywhere(f, in);
    if (bound >= 0) expect_same_gradients(f, in);
  }
}

TEST(WhileLoop, WithoutABoundHasNoGradientAheadOfTime) {
  const auto f = [](const Tensors& t) { return roots(t, -1); };
  try {
    grad(loss_of(f))(Tensors{random({4}, 11, f64)});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::gradient);
    EXPECT_NE(std::string(error.what()).find("control_test.cpp"), std::string::npos);
    EXPECT_NE(error.hint().find("max_steps"), std::string::npos);
  }
}

TEST(Control, ReadsBackFromText) {
  auto f = [](const Tensors& in) { return Tensors{branches(in)[0], roots(in, 3)[0]}; };
  const Tensors in = {random({3}, 5, f64), random({3}, 6, f64)};
  const graph::Graph graph = capture::capture(f, {}, in).graph;
  graph::verify(graph);
  const graph::Graph reread = graph::parse(to_text(graph));
  graph::verify(reread);
  EXPECT_EQ(hash(reread), hash(graph)) << to_text(graph);
  EXPECT_NE(to_text(graph).find("graph otherwise("), std::string::npos);
}

// The error of a compiled call, and that the function works on other arguments afterwards.
template <class F>
Error error_of(F f, const Tensors& in) {
  const auto program = compile(f);
  try {
    program(in);
  } catch (const Error& error) {
    EXPECT_THROW(program(in), Error);
    EXPECT_EQ(graph::Recorder::active(), nullptr);
    return error;
  }
  return Error({.code = ErrorCode::internal, .expected = "an error", .given = "none"});
}

void expect_located(const Error& error, ErrorCode code, const std::string& part) {
  const std::string text = error.what();
  EXPECT_EQ(error.code(), code) << text;
  EXPECT_NE(text.find("control_test.cpp"), std::string::npos) << text;
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(ControlErrors, BranchesThatDisagree) {
  const Tensors in = {random({3}, 5, f64)};
  const auto twice = [](const Tensor& x) { return x * 2.0; };
  const auto with = [&](auto otherwise) {
    return error_of([=](const Tensors& t) { return cond(sum(t[0]) > 0.0, twice, otherwise, t[0]); },
                    in);
  };
  expect_located(with([](const Tensor& x) { return sum(x); }), ErrorCode::shape,
                 "f64[3] if the condition holds, f64[] if not");
  expect_located(with([](const Tensor& x) { return cast(x, f32); }), ErrorCode::dtype,
                 "f64[3] if the condition holds, f32[3] if not");
  const auto list = [&](size_t count) {
    return [=](const Tensor& x) { return Tensors(count, x); };
  };
  expect_located(
      error_of([&](const Tensors& t) { return cond(sum(t[0]) > 0.0, list(1), list(2), t[0]); }, in),
      ErrorCode::shape, "1 tensors if the condition holds, 2 if not");
}

TEST(ControlErrors, OfConditionsCarriesAndWrites) {
  const Tensors in = {random({3}, 5, f64)};
  const auto same = [](const Tensor& x) { return x; };
  expect_located(error_of([&](const Tensors& t) { return cond(t[0] > 0.0, same, same, t[0]); }, in),
                 ErrorCode::shape, "0-d bool");
  expect_located(
      error_of(
          [&](const Tensors& t) {
            return scan([](const Tensor&, const Tensor& x) { return std::pair(cast(x, f32), x); },
                        sum(t[0]), t[0])
                .first;
          },
          in),
      ErrorCode::dtype, "carried on as it was given");
  expect_located(error_of(
                     [&](const Tensors& t) {
                       Tensor x = t[0] * 2.0;
                       return cond(
                           sum(x) > 0.0, [&](const Tensor&) { return add_(x, 1.0); },
                           [&](const Tensor&) { return x; }, x);
                     },
                     in),
                 ErrorCode::state, "writes to no tensor from outside");
}

TEST(ControlErrors, AValueThatIsReadShowsTheRewrite) {
  const Error error =
      error_of([](const Tensors& t) { return sum(t[0]).item<double>() > 0 ? t[0] : t[0] * 2.0; },
               {random({3}, 5, f64)});
  expect_located(error, ErrorCode::state, "y = cond(t, f, g, x)");
  EXPECT_NE(error.hint().find("while_loop("), std::string::npos);
  EXPECT_NE(error.hint().find("scan"), std::string::npos);
}

}  // namespace
}  // namespace ridge::testing::control_test
