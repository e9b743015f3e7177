#include "ridge/aot/vmap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../capture/compiled.h"
#include "ridge/graph/control.h"

namespace ridge::testing::vmap_test {
namespace {

using Tensors = std::vector<Tensor>;

struct Network {
  Tensor weight;
  Tensor bias;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("weight", self.weight);
    visit("bias", self.bias);
  }
};

Tensor loss(const Network& network, const Tensor& x, const Tensor& target) {
  const Tensor logits = linear(tanh(x), network.weight, network.bias);
  return cross_entropy(unsqueeze(logits, 0), unsqueeze(target, 0));
}

Network make_network() { return {random({4, 3}, 1, f64), random({4}, 2, f64)}; }

void expect_near(const Tensor& actual, const Tensor& expected, double relative = 1e-12) {
  ASSERT_TRUE(actual.defined());
  ASSERT_EQ(describe(actual), describe(expected));
  const auto a = actual.to_vector<double>(), e = expected.to_vector<double>();
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i], e[i], relative * (1 + std::fabs(e[i]))) << "element " << i;
  }
}

// f for each example of its first argument, stacked.
template <class F>
Tensor looped(F f, const Tensor& xs) {
  Tensors rows;
  for (int64_t i = 0; i < xs.size(0).value(); ++i) rows.push_back(f(select(xs, 0, i)));
  return stack(rows);
}

size_t scans_in(const graph::Graph& graph) {
  return static_cast<size_t>(std::ranges::count_if(graph.nodes, graph::is_control));
}

TEST(Vmap, MapsOverAnyDimensionToAnyOther) {
  const Tensor xs = random({3, 5, 2}, 1, f64), y = random({3, 2}, 2, f64);
  const auto f = [](const Tensor& x, const Tensor& other) { return x * other + sum(x); };
  const Tensor expected =
      looped([&](const Tensor& x) { return f(x, y); }, permute(xs, {1, 0, 2}));  // [5, 3, 2]
  expect_near(vmap(f, {.in_axes = {1, std::nullopt}})(xs, y), expected);
  expect_near(vmap(f, {.in_axes = {-2, std::nullopt}, .out_axes = {2}})(xs, y),
              permute(expected, {1, 2, 0}));
  expect_near(vmap(f, {.in_axes = {1, std::nullopt}, .out_axes = {-1}})(xs, y),
              permute(expected, {1, 2, 0}));
}

TEST(Vmap, ResultsHaveTheFormOfOne) {
  const auto f = [](const Tensor& x, double scale, int64_t) {
    return std::pair(x * scale, Tensors{sum(x), Tensor(), full({2}, 3, f64), x});
  };
  const auto g = [&](const Tensor& x, const Tensor& scale, int64_t n) {
    return std::pair(x * scale, f(x, 1, n).second);
  };
  const Tensor xs = random({4, 3}, 1, f64);
  const auto [scaled, rest] = vmap(g)(xs, 2.0, int64_t{7});
  expect_near(scaled, xs * 2);
  expect_near(rest[0], sum(xs, {1}));
  EXPECT_FALSE(rest[1].defined());
  expect_near(rest[2], full({4, 2}, 3, f64));  // the same for all, repeated
  expect_near(rest[3], xs);
}

TEST(Vmap, OfVmap) {
  const Tensor xs = random({3, 4}, 1, f64), ys = random({5, 4}, 2, f64);
  const auto dot = [](const Tensor& x, const Tensor& y) { return sum(x * y); };
  const auto row = vmap(dot, {.in_axes = {std::nullopt, 0}});
  const auto table = vmap(row, {.in_axes = {0, std::nullopt}});
  expect_near(table(xs, ys), matmul(xs, transpose(ys, 0, 1)));
}

TEST(Vmap, OfGradientsGivesOneForEachExample) {
  const Network network = make_network();
  const Tensor xs = random({6, 3}, 3, f64), targets = remainder(arange(6), 4);
  const VmapOptions options{.in_axes = {std::nullopt, 0, 0}};
  const Network each = vmap(grad(loss), options)(network, xs, targets);
  EXPECT_EQ(describe(each.weight), "f64[6, 4, 3]");
  for (int64_t i = 0; i < 6; ++i) {
    const Network one = grad(loss)(network, select(xs, 0, i), select(targets, 0, i));
    expect_near(clone(select(each.weight, 0, i)), one.weight);
    expect_near(clone(select(each.bias, 0, i)), one.bias);
  }
  const auto compiled = compile([&](const Network& n, const Tensor& x, const Tensor& t) {
    return vmap(grad(loss), options)(n, x, t);
  });
  const Network again = compiled(network, xs, targets);
  expect_near(again.weight, each.weight);
  expect_near(again.bias, each.bias);
}

TEST(Vmap, IsDifferentiated) {
  const Network network = make_network();
  const Tensor xs = random({6, 3}, 3, f64), targets = remainder(arange(6), 4);
  const auto total = [&](const Network& n, const Tensor& x, const Tensor& t) {
    return mean(vmap(loss, {.in_axes = {std::nullopt, 0, 0}})(n, x, t));
  };
  const auto batched = [](const Network& n, const Tensor& x, const Tensor& t) {
    return cross_entropy(linear(tanh(x), n.weight, n.bias), t);
  };
  const Network expected = grad(batched)(network, xs, targets);
  expect_near(grad(total)(network, xs, targets).weight, expected.weight);
  expect_near(compile(grad(total))(network, xs, targets).bias, expected.bias);
  // And in forward mode.
  const Network v{random({4, 3}, 5, f64), random({4}, 6, f64)};
  expect_near(jvp(total)(network, v, xs, targets).second,
              jvp(batched)(network, v, xs, targets).second);
  const Network hv = hessian_vector_product(total)(network, v, xs, targets);
  expect_near(hv.weight, hessian_vector_product(batched)(network, v, xs, targets).weight);
}

TEST(Vmap, TheGradientOfASharedMatrixIsOneProduct) {
  // And not a matrix for each example, with a sum over them behind it.
  const Tensor xs = random({6, 3}, 1), w = random({3, 4}, 2);
  for (const bool is_left : {false, true}) {
    const auto total = [&](const Tensor& weight, const Tensor& x) {
      const auto one = [&](const Tensor& m, const Tensor& row) {
        return is_left ? matmul(transpose(m, 0, 1), row) : matmul(row, m);
      };
      return sum(square(vmap(one, {.in_axes = {std::nullopt, 0}})(weight, x)));
    };
    auto gradient = grad(total);
    const graph::Graph graph = capture::capture(gradient, {}, w, xs).graph;
    for (const graph::Value& value : graph.values) {
      EXPECT_LE(numel(value.type.shape).value(), 24) << to_text(graph);
    }
    expect_near(cast(gradient(w, xs), f64),
                cast(2 * matmul(transpose(xs, 0, 1), matmul(xs, w)), f64), 1e-5);
  }
}

TEST(Vmap, AGradientOfItsOwnIsKept) {
  const auto f = custom_vjp([](const Tensors& x) -> Tensors { return {sum(x[0] * x[1])}; },
                            [](const CustomCall& call, const Tensors& g) -> Tensors {
                              return {g[0] * 7 * call.inputs[1], g[0] * call.inputs[0]};
                            });
  const auto g = [&](const Tensor& x, const Tensor& y) { return f({x, y})[0]; };
  const Tensor xs = random({5, 3}, 1, f64), y = random({3}, 2, f64);
  const auto mapped = vmap(g, {.in_axes = {0, std::nullopt}});
  expect_near(mapped(xs, y), matmul(xs, y));
  const auto weighted = [&](const Tensor& x, const Tensor& other) {
    return sum(mapped(x, other) * arange(5, f64, kCpu));
  };
  const Tensor weights = unsqueeze(arange(5, f64, kCpu), 1);
  expect_near(grad(weighted)(xs, y), weights * 7 * y);
  const auto by_y = [&](const Tensor& other, const Tensor& x) { return weighted(x, other); };
  expect_near(grad(by_y)(y, xs), sum(weights * xs, {0}));
}

TEST(Vmap, ControlFlowThatAllExamplesShareStaysOne) {
  const Tensor xs = random({4, 6, 3}, 1, f64), start = random({3}, 2, f64);
  const auto f = [](const Tensor& x, const Tensor& first) {
    const auto [last, ys] =
        scan([](const Tensor& h, const Tensor& t) { return std::pair(h * t, h + t); }, first, x);
    const auto branch = cond(
        sum(first) > 100, [](const Tensor& a) { return a; }, [](const Tensor& a) { return exp(a); },
        last);
    return std::pair(branch, ys);
  };
  const VmapOptions options{.in_axes = {0, std::nullopt}};
  const auto [last, ys] = vmap(f, options)(xs, start);
  expect_near(last, looped([&](const Tensor& x) { return f(x, start).first; }, xs));
  expect_near(ys, looped([&](const Tensor& x) { return f(x, start).second; }, xs));
  const auto mapped = vmap(f, options);
  const graph::Graph graph = capture::capture(mapped, {}, xs, start).graph;
  EXPECT_EQ(scans_in(graph), 2u) << to_text(graph);
  const auto compiled = compile([&](const Tensor& x, const Tensor& s) { return mapped(x, s); });
  expect_near(compiled(xs, start).second, ys);
}

TEST(Vmap, ExamplesMayGoDifferentWays) {
  const auto f = [](const Tensor& x) {
    const Tensor chosen = cond(
        sum(x) > 0, [](const Tensor& a) { return a * 2; }, [](const Tensor& a) { return sin(a); },
        x);
    return while_loop([](const Tensor& a) { return sum(a * a) < 50; },
                      [](const Tensor& a) { return a * 1.5; }, chosen, {.max_steps = 30});
  };
  const Tensor xs = random({6, 2}, 3, f64);
  const Tensor expected = looped(f, xs);
  expect_near(vmap(f)(xs), expected);
  expect_near(compile([&](const Tensor& x) { return vmap(f)(x); })(xs), expected);
  const auto total = [&](const Tensor& x) { return sum(square(vmap(f)(x))); };
  const auto one = grad([&](const Tensor& x) { return sum(square(f(x))); });
  expect_near(grad(total)(xs), looped(one, xs));
}

TEST(Vmap, OpsHaveABatchedFormOfTheirOwn) {
  const auto f = [](const Tensor& x, const Tensor& image, const Tensor& index, const Tensor& w) {
    const Tensor attended = scaled_dot_product_attention(x, x, layer_norm(x, Tensor(), Tensor()));
    const Tensor looked_up = embedding(w, index) + index_select(attended, 0, index);
    const Tensor filtered = max_pool2d(conv2d(image, reshape(w, {2, 1, 3, 2}), Tensor()), {2, 2});
    const Tensor sorted = sort(cumsum(softmax(looked_up, -1), 0), 0).values;
    const Tensor joined = cat({pad(sorted, {1, 1}), pad(flip(sorted, {0}), {1, 1})}, 1);
    return sum(gather(joined, 1, unsqueeze(index, 1))) + mean(sum(filtered)) + max(joined);
  };
  const Tensor x = random({3, 4, 4}, 1, f64), image = random({3, 1, 1, 6, 5}, 2, f64);
  const Tensor index = remainder(arange(12), 3), w = random({3, 3, 4}, 3, f64);
  const auto mapped = vmap(f);
  const Tensor indices = reshape(index, {3, 4});
  const graph::Graph graph = capture::capture(mapped, {}, x, image, indices, w).graph;
  EXPECT_EQ(scans_in(graph), 0u) << to_text(graph);
  Tensors rows;
  for (int64_t i = 0; i < 3; ++i) {
    rows.push_back(f(select(x, 0, i), select(image, 0, i), select(indices, 0, i), select(w, 0, i)));
  }
  expect_near(mapped(x, image, indices, w), stack(rows));
}

// A rule numbers its operands with those that were left out.
TEST(Vmap, KeepsTheGradientOfACallWithoutAWeight) {
  const auto loss = [](const Tensors& given, const Tensor& x) {
    return sum(pow(layer_norm(x, Tensor(), given[0]), 3));
  };
  const auto total = [&](const Tensors& given, const Tensor& xs) {
    return sum(vmap(loss, {.in_axes = {std::nullopt, 0}})(given, xs));
  };
  const Tensors bias = {random({4}, 1, f64)};
  const Tensor xs = random({3, 2, 4}, 2, f64);
  expect_near(grad(total)(bias, xs)[0], grad(loss)(bias, xs)[0]);
  const auto by_x = [](const auto& f) {
    return grad([&f](const Tensor& x, const Tensors& given) { return f(given, x); });
  };
  expect_near(by_x(total)(xs, bias), by_x(loss)(xs, bias));
}

TEST(Vmap, PromotesAsForOneExample) {
  // A 0-d f64 tensor beside an f32 row gives way, also when there is one for each example.
  const Tensor rows = random({4, 3}, 1), factors = random({4}, 2, f64);
  const Tensor scaled = vmap([](const Tensor& r, const Tensor& s) { return r * s; })(rows, factors);
  EXPECT_EQ(scaled.dtype(), f32);
  const auto expected = (rows * unsqueeze(cast(factors, f32), 1)).to_vector<float>();
  EXPECT_EQ(scaled.to_vector<float>(), expected);
}

TEST(Vmap, EachExampleWritesToItsOwn) {
  const auto f = [](const Tensor& x, Network& state, const Tensor& count) {
    x *= 2;
    state.bias = state.bias + sum(x);
    count += 1;
    return sum(x);
  };
  const Tensor xs = random({3, 4}, 1, f64), before = clone(xs);
  Network state{Tensor(), zeros({3}, f64)};
  const Tensor count = zeros({});
  const Tensor sums = vmap(f, {.in_axes = {0, 0, std::nullopt}})(xs, state, count);
  expect_near(xs, before * 2);
  expect_near(sums, sum(before * 2, {1}));
  expect_near(state.bias, sums);
  EXPECT_EQ(count.item<float>(), 1);  // written once, as all examples agree on it
}

TEST(Vmap, RandomNumbers) {
  const Tensor xs = ones({64, 32}, f64);
  const auto f = [](const Tensor& x, Generator& g) { return sum(dropout(x, 0.5, g)); };
  const auto run = [&](Randomness randomness) {
    Generator generator(3);
    return vmap(f, {.in_axes = {0, std::nullopt}, .randomness = randomness})(xs, generator)
        .to_vector<double>();
  };
  const auto same = run(Randomness::same), different = run(Randomness::different);
  EXPECT_EQ(std::ranges::count(same, same[0]), 64);
  Generator generator(3);
  EXPECT_EQ(same[0], f(select(xs, 0, 0), generator).item<double>());
  EXPECT_LT(std::ranges::count(different, different[0]), 32);
  // A generator for each example gives what a loop over them does.
  const auto draw = [](const Tensor& state) { return uniform(At(state), Shape{5}, 0, 1, f64); };
  const Tensor states = stack({Generator(1).state, Generator(2).state, Generator(9).state});
  expect_near(vmap(draw)(states), looped(draw, states));
}

TEST(Vmap, NestsWithEveryOtherTransformInAnyOrder) {
  const auto f = [](const Tensor& x) { return sum(x * x * x * exp(x)); };
  const auto slope = [](const Tensor& t) { return (t * t * t + 3 * t * t) * exp(t); };
  const auto curve = [](const Tensor& t) { return (t * t * t + 6 * t * t + 6 * t) * exp(t); };
  const Tensor xs = random({3, 2}, 1, f64), vs = random({3, 2}, 2, f64);
  expect_near(vmap(grad(f))(xs), slope(xs));
  expect_near(vmap(jvp(f))(xs, vs).second, sum(slope(xs) * vs, {1}));
  expect_near(jvp(vmap(f))(xs, vs).second, sum(slope(xs) * vs, {1}));
  expect_near(vmap(hessian_vector_product(f))(xs, vs), curve(xs) * vs);
  const auto total = [&](const Tensor& x) { return sum(vmap(f)(x)); };
  expect_near(grad(total)(xs), slope(xs));
  expect_near(hessian_vector_product(total)(xs, vs), curve(xs) * vs);
  const auto pulled = [&](const Tensor& x, const Tensor& v) {
    const auto [value, pullback] = vjp(vmap(grad(f)))(x);
    return pullback(v);
  };
  expect_near(compile(pulled)(xs, vs), curve(xs) * vs);
  // A compiled function inside a transform becomes part of it.
  const auto compiled = compile(f);
  expect_near(vmap([&](const Tensor& x) { return compiled(x); })(xs), vmap(f)(xs));
}

TEST(Vmap, EmptyBatches) {
  const Tensor none = zeros({0, 3}, f64);
  EXPECT_EQ(describe(vmap([](const Tensor& x) { return sum(exp(x)); })(none)), "f64[0]");
}

TEST(Jacobian, AndHessian) {
  const Tensor x = random({3}, 1, f64), w = random({2, 3}, 2, f64);
  const auto f = [](const Tensor& t, const Tensor& weight) { return sin(matmul(weight, t)); };
  expect_near(jacobian(f)(x, w), unsqueeze(cos(matmul(w, x)), 1) * w);
  const auto g = [](const Tensor& t) { return sum(t) * sum(t * t); };
  const Tensor column = unsqueeze(x, 1), row = unsqueeze(x, 0);
  const Tensor expected = 2 * (column + row) + 2 * sum(x) * eye(3, f64);
  expect_near(hessian(g)(x), expected);
  expect_near(compile([&](const Tensor& t) { return hessian(g)(t); })(x), expected);
}

}  // namespace
}  // namespace ridge::testing::vmap_test
