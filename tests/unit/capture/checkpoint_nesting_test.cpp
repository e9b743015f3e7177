// Checkpoints inside of control flow, of each other, and of transforms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compiled.h"
#include "ridge/capture/checkpoint.h"
#include "ridge/driver/entry.h"
#include "ridge/ridge.h"

namespace ridge::testing::checkpoint_nesting_test {
namespace {

void expect_close(const Tensor& actual, const Tensor& expected) {
  ASSERT_EQ(describe(actual), describe(expected));
  const auto a = actual.to_vector<double>(), e = expected.to_vector<double>();
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], e[i], 1e-12 * (1 + std::fabs(e[i])));
}

Tensor values(const Shape& shape, uint64_t seed) { return random(shape, seed, f64) * 0.4; }

// Products, so that there is something worth keeping inside.
Tensor block(const Tensor& x, const Tensor& w) {
  return x + matmul(tanh(matmul(sigmoid(matmul(x, w)), w)), w);
}

Tensor marked_or_plain(bool is_marked, const Tensor& x, const Tensor& w) {
  return is_marked ? checkpoint(block)(x, w) : block(x, w);
}

auto scan_loss(bool is_marked) {
  return [is_marked](const Tensor& w, const Tensor& xs) {
    const auto step = [&](const Tensor& h, const Tensor& x) {
      const Tensor next = marked_or_plain(is_marked, h + x, w) * 0.5;
      return std::pair(next, mean(next));
    };
    const auto [last, means] = scan(step, zeros({8, 4}, f64), xs);
    return mean(square(last)) + sum(means);
  };
}

#if RIDGE_HAS_LLVM

auto cond_loss(bool is_marked) {
  return [is_marked](const Tensor& w, const Tensor& xs) {
    const auto deep = [&](const Tensor& x) { return marked_or_plain(is_marked, x, w); };
    const Tensor y = cond(sum(xs) > 0, deep, [](const Tensor& x) { return x * 2; }, xs);
    return mean(square(y));
  };
}

// Is there a program among those of the step that computes a value again because of a checkpoint?
template <class Step>
bool recomputes_checkpoints(const Step& step) {
  const auto is_of_checkpoint = [](const aot::SavedOrRecomputed& one) {
    return !one.decision && one.decision.reason == "checkpoint";
  };
  return std::ranges::any_of(
      step.programs().back()->compiled->parts(), [&](const driver::CompiledGraph* part) {
        return part->recomputed() &&
               std::ranges::any_of(part->recomputed()->decisions, is_of_checkpoint);
      });
}

template <class Loss>
void expect_same_step(const Loss& marked_loss, const Loss& plain_loss, const Tensor& w,
                      const Tensor& xs) {
  const auto step_of = [](const Loss& loss) {
    return compile([loss](const Tensor& v, const Tensor& x) { return value_and_grad(loss)(v, x); });
  };
  const auto marked = step_of(marked_loss), plain = step_of(plain_loss);
  const auto [loss, gradient] = marked(w, xs);
  const auto [expected_loss, expected] = value_and_grad(plain_loss)(w, xs);
  expect_close(loss, expected_loss);
  expect_close(gradient, expected);
  plain(w, xs);
  EXPECT_TRUE(recomputes_checkpoints(marked));
  EXPECT_FALSE(recomputes_checkpoints(plain));
}

TEST(CheckpointNesting, InTheStepOfAScan) {
  expect_same_step(scan_loss(true), scan_loss(false), values({4, 4}, 1), values({5, 8, 4}, 2));
}

TEST(CheckpointNesting, InABranchOfACond) {
  const Tensor w = values({4, 4}, 3), xs = abs(values({8, 4}, 4));
  expect_same_step(cond_loss(true), cond_loss(false), w, xs);
  // The other branch.
  const auto step = compile(
      [](const Tensor& v, const Tensor& x) { return value_and_grad(cond_loss(true))(v, x); });
  expect_close(step(w, -xs).second, value_and_grad(cond_loss(false))(w, -xs).second);
}

#endif

TEST(CheckpointNesting, OnRealTensorsInAScan) {
  const Tensor w = values({4, 4}, 5), xs = values({3, 8, 4}, 6);
  set_requires_grad(w);
  expect_close(gradients({scan_loss(true)(w, xs)}, {w})[0],
               gradients({scan_loss(false)(w, xs)}, {w})[0]);
}

// Regions of a capture do not nest: what is inside of the outer one is inside.
TEST(CheckpointNesting, OneInsideOfAnotherIsPartOfIt) {
  const auto function = [](const Tensor& x) {
    const auto inner = checkpoint([](const Tensor& a) { return exp(sin(a)); });
    const auto outer = checkpoint([&](const Tensor& a) { return cos(inner(tanh(a))); });
    return inner(outer(x));
  };
  const Tensor x = values({3}, 7);
  const auto captured = capture::capture(function, {.name = "nested"}, x);
  std::vector<int> regions;
  for (const graph::Node& node : captured.graph.nodes) regions.push_back(node.region);
  EXPECT_EQ(regions, (std::vector<int>{1, 1, 1, 1, 2, 2}));
  const auto loss = [&](const Tensor& a) { return sum(function(a)); };
  const auto plain = [](const Tensor& a) { return sum(exp(sin(cos(exp(sin(tanh(a))))))); };
  expect_close(compile([&](const Tensor& a) { return grad(loss)(a); })(x), grad(plain)(x));
  expect_close(grad(loss)(x), grad(plain)(x));
}

size_t marked_nodes(const graph::Graph& graph) {
  return static_cast<size_t>(
      std::ranges::count_if(graph.nodes, [](const graph::Node& node) { return node.region > 0; }));
}

TEST(CheckpointNesting, UnderVmap) {
  const auto loss = [](bool is_marked) {
    return [is_marked](const Tensor& w, const Tensor& x) {
      return mean(square(marked_or_plain(is_marked, x, w)));
    };
  };
  const auto each = [&](bool is_marked) {
    return [=](const Tensor& w, const Tensor& xs) {
      return vmap(grad(loss(is_marked)), {.in_axes = {std::nullopt, 0}})(w, xs);
    };
  };
  const Tensor w = values({4, 4}, 8), xs = values({3, 8, 4}, 9);
  expect_close(each(true)(w, xs), each(false)(w, xs));
  expect_close(compile(each(true))(w, xs), each(false)(w, xs));
  for (int64_t i = 0; i < 3; ++i) {
    expect_close(select(each(true)(w, xs), 0, i), grad(loss(false))(w, select(xs, 0, i)));
  }
  // What is batched is still of its region.
  const auto batched = [](const Tensor& a) {
    return vmap(checkpoint([](const Tensor& row) { return exp(sin(row)); }))(a);
  };
  EXPECT_GE(marked_nodes(capture::capture(batched, {}, values({3, 4}, 10)).graph), 2u);
}

TEST(CheckpointNesting, UnderJvp) {
  const auto f = [](bool is_marked) {
    return
        [is_marked](const Tensor& x, const Tensor& w) { return marked_or_plain(is_marked, x, w); };
  };
  const Tensor x = values({8, 4}, 11), v = values({8, 4}, 12), w = values({4, 4}, 13);
  const auto [expected, derivative] = jvp(f(false))(x, v, w);
  const auto [y, dy] = jvp(f(true))(x, v, w);
  expect_close(y, expected);
  expect_close(dy, derivative);
  const auto compiled = compile([&](const Tensor& a, const Tensor& b, const Tensor& c) {
    return jvp(f(true))(a, b, c).second;
  });
  expect_close(compiled(x, v, w), derivative);
  // Forward over reverse: what is recomputed for the gradient has a derivative too.
  const auto loss = [&](bool is_marked) {
    return [=](const Tensor& a, const Tensor& c) { return mean(square(f(is_marked)(a, c))); };
  };
  const Tensor hv = hessian_vector_product(loss(false))(x, v, w);
  expect_close(hessian_vector_product(loss(true))(x, v, w), hv);
  const auto program = compile([&](const Tensor& a, const Tensor& b, const Tensor& c) {
    return hessian_vector_product(loss(true))(a, b, c);
  });
  expect_close(program(x, v, w), hv);
}

}  // namespace
}  // namespace ridge::testing::checkpoint_nesting_test
