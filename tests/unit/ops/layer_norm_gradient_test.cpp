// The gradient of layer_norm: how exact it is where elements have 16 bits, and what it takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ridge/base/random.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/recorder.h"
#include "ridge/ridge.h"

namespace ridge::layer_norm_gradient_test {
namespace {

using Tensors = std::vector<Tensor>;

constexpr int64_t kRows = 3;
constexpr int64_t kShort = 768;
constexpr int64_t kLong = 16640;  // too long to go over a row twice

// About `mean`, with this deviation before rounding to the dtype.
Tensor spread(const Shape& shape, double mean, double deviation, uint64_t seed, DType dtype) {
  Generator generator(seed);
  return cast(normal(shape, generator) * deviation + mean, dtype);
}

// Gradients by x, weight and bias, where `inputs` are those and the gradient of the result.
Tensors layer_norm_gradients(const Tensors& inputs, int64_t dims = 1) {
  const auto pulled = vjp([&](const Tensors& t) {
    return layer_norm(t[0], t[1], t[2], 1e-5, dims);
  })(Tensors{inputs[0], inputs[1], inputs[2]});
  return pulled.second(inputs[3]);
}

Tensors as_doubles(const Tensors& tensors) {
  Tensors wide;
  for (const Tensor& t : tensors) wide.push_back(cast(t, f64));
  return wide;
}

double unit_roundoff(DType dtype) { return dtype == bf16 ? std::ldexp(1, -9) : std::ldexp(1, -12); }

// The rounding of the result to 16 bits, and as much again of the largest element for what led to it.
void expect_rounded(const Tensor& actual, const Tensor& exact, double slack = 1) {
  const std::vector<double> a = actual.to_vector<double>(), e = exact.to_vector<double>();
  ASSERT_EQ(a.size(), e.size());
  double largest = 0;
  for (const double value : e) largest = std::max(largest, std::fabs(value));
  const double unit = unit_roundoff(actual.dtype());
  for (size_t i = 0; i < a.size(); ++i) {
    ASSERT_NEAR(a[i], e[i], unit * (std::fabs(e[i]) + slack * largest)) << "element " << i;
  }
}

void expect_exact_gradients(const Tensor& x, const char* what) {
  SCOPED_TRACE(std::string(what) + " in " + std::string(name(x.dtype())));
  const Tensors inputs = {x, spread({x.size(1)}, 1, 0.3, 2, x.dtype()),
                          spread({x.size(1)}, 0, 1, 3, x.dtype()),
                          spread(x.shape(), 0, 1, 4, x.dtype())};
  const Tensors exact = layer_norm_gradients(as_doubles(inputs));
  const Tensors eager = layer_norm_gradients(inputs);
  const Tensors compiled =
      compile([](const Tensors& t) { return layer_norm_gradients(t); })(inputs);
  for (size_t i = 0; i < exact.size(); ++i) {
    expect_rounded(eager[i], exact[i]);
    expect_rounded(compiled[i], exact[i]);
  }
}

class LayerNormGradient : public ::testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(Narrow, LayerNormGradient, ::testing::Values(bf16, f16),
                         [](const auto& param) { return std::string(name(param.param)); });

TEST_P(LayerNormGradient, IsExactFarFromZero) {
  for (const int64_t columns : {kShort, kLong}) {
    expect_exact_gradients(spread({kRows, columns}, 100, 1, 1, GetParam()), "a mean of 100");
    // Most elements of bf16 are the mean itself, then.
    expect_exact_gradients(spread({kRows, columns}, 1000, 1, 1, GetParam()), "a mean of 1000");
  }
}

TEST_P(LayerNormGradient, IsExactBesideAnElementFarFromTheOthers) {
  for (const int64_t columns : {kShort, kLong}) {
    const Tensor x = spread({kRows, columns}, 0, 1, 1, GetParam());
    const Tensor outlier = full({kRows, 1}, 1000, GetParam());
    expect_exact_gradients(cat({outlier, slice(x, 1, 1)}, 1), "an outlier in front");
    const int64_t third = columns / 3;
    expect_exact_gradients(cat({slice(x, 1, 0, third), outlier, slice(x, 1, third + 1)}, 1),
                           "an outlier inside");
  }
}

TEST_P(LayerNormGradient, OfEqualElementsIsFinite) {
  for (const int64_t columns : {kShort, kLong}) {
    const Tensor x = full({2, columns}, 0.1, GetParam());
    const Tensors gradients =
        layer_norm_gradients({x, Tensor(), Tensor(), spread({2, columns}, 0, 1, 1, GetParam())});
    for (const double value : gradients[0].to_vector<double>()) EXPECT_TRUE(std::isfinite(value));
  }
}

// Their normalized elements are 0, but for the last digit of 1000 / deviation.
TEST_P(LayerNormGradient, OfEqualElementsHardlyMovesWeights) {
  const double digit = std::ldexp(1000 / std::sqrt(1e-5), -24);
  for (const int64_t columns : {kShort, kLong}) {
    const Tensor x = full({2, columns}, 1000, GetParam());
    const Tensor g = spread({2, columns}, 0, 1, 1, GetParam());
    const Tensors gradients = layer_norm_gradients({x, ones({columns}, GetParam()), Tensor(), g});
    const auto moved = gradients[1].to_vector<double>();
    const auto most = sum(abs(cast(g, f64)), {0}).to_vector<double>();
    for (size_t i = 0; i < moved.size(); ++i)
      ASSERT_LE(std::fabs(moved[i]), 1.01 * digit * most[i]);
  }
}

TEST_P(LayerNormGradient, IsOverSeveralDimensions) {
  const Tensors inputs = {spread({3, 130, 130}, 50, 1, 1, GetParam()),
                          spread({130, 130}, 1, 0.3, 2, GetParam()), Tensor(),
                          spread({3, 130, 130}, 0, 1, 3, GetParam())};
  Tensors wide = as_doubles({inputs[0], inputs[1], inputs[3]});
  wide.insert(wide.begin() + 2, Tensor());
  const Tensors exact = layer_norm_gradients(wide, 2), ours = layer_norm_gradients(inputs, 2);
  expect_rounded(ours[0], exact[0]);
  expect_rounded(ours[1], exact[1]);
  EXPECT_FALSE(ours[2].defined());
}

TEST_P(LayerNormGradient, OfNothingIsEmptyOrZero) {
  for (const Shape& shape : {Shape{0, 3}, Shape{3, 0}}) {
    const Tensor x = zeros(shape, GetParam()), w = ones({shape[1]}, GetParam());
    const auto f = [](const Tensors& t) { return layer_norm_gradients(t); };
    for (const Tensors& found : {f({x, w, w, x}), compile(f)(Tensors{x, w, w, x})}) {
      EXPECT_EQ(describe(found[0]), describe(x));
      for (const size_t i : {size_t{1}, size_t{2}}) {
        EXPECT_EQ(found[i].to_vector<double>(), zeros(w.shape()).to_vector<double>());
      }
    }
  }
}

// The derivative does not go through the element by which rows are moved.
TEST_P(LayerNormGradient, HasADerivative) {
  const Tensor x = spread({2, kLong}, 10, 1, 1, GetParam());
  const Tensor direction = spread({2, kLong}, 0, 1, 2, f64);
  const auto slope = grad([](const Tensor& t) { return sum(pow(cast(layer_norm(t), f64), 3)); });
  const auto curve =
      grad([&](const Tensor& t, const Tensor& along) { return sum(cast(slope(t), f64) * along); });
  // Values between the two derivatives are rounded to 16 bits, too.
  expect_rounded(curve(x, direction), curve(cast(x, f64), direction), 4);
}

TEST_P(LayerNormGradient, ServesSizesThatChange) {
  const auto f = [](const Tensors& t) { return layer_norm_gradients(t); };
  const auto compiled = compile(f, {.dynamic = Dynamic::always});
  for (const int64_t size : {7, 12, 33}) {
    const Shape shape{size, size + 2}, row{size + 2};
    const Tensors inputs = {spread(shape, 30, 1, 1, GetParam()), spread(row, 1, 1, 2, GetParam()),
                            spread(row, 0, 1, 3, GetParam()), spread(shape, 0, 1, 4, GetParam())};
    const Tensors exact = f(as_doubles(inputs)), ours = compiled(inputs);
    for (size_t i = 0; i < exact.size(); ++i) expect_rounded(ours[i], exact[i]);
  }
  EXPECT_EQ(compiled.programs().size(), 1u);
}

// The longest chain of sums over rows, each of a value that the one before it goes into.
int rounds(DType dtype, int64_t columns) {
  graph::Graph graph;
  graph::Recorder recorder(graph);
  {
    const graph::Recorder::Scope recording(recorder);
    const graph::Type matrix{dtype, {64, columns}, kCpu, false};
    const graph::Type row{dtype, {columns}, kCpu, false};
    const Tensors inputs = {recorder.input(matrix), recorder.input(row), recorder.input(row),
                            recorder.input(matrix)};
    graph.outputs = {recorder.id(layer_norm_gradients(inputs)[0])};
  }
  graph = graph::decompose(std::move(graph), {});
  std::vector<int> depth(graph.values.size());
  const auto at = [](graph::ValueId id) { return static_cast<size_t>(id.index); };
  for (const graph::Node& node : graph.nodes) {
    int deepest = 0;
    for (const graph::ValueId id : graph::operands(node))
      deepest = std::max(deepest, depth[at(id)]);
    const bool is_sum = node.op->name() == "sum";  // matches: what takes a pass over a row
    for (const graph::ValueId id : node.results) depth[at(id)] = deepest + (is_sum ? 1 : 0);
  }
  return depth[at(graph.outputs[0])];
}

TEST(LayerNormGradientRounds, OneWhereRowsAreLongAndNarrowElseTwo) {
  EXPECT_EQ(rounds(bf16, kLong), 1);
  EXPECT_EQ(rounds(f16, kLong), 1);
  EXPECT_EQ(rounds(f32, kLong), 2);
  EXPECT_EQ(rounds(bf16, kShort), 2);
}

}  // namespace
}  // namespace ridge::layer_norm_gradient_test
