#include "ridge/capture/checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../../gradcheck.h"
#include "ridge/base/random.h"
#include "ridge/driver/entry.h"
#include "ridge/ridge.h"

namespace ridge::checkpoint_test {
namespace {

Tensor random_tensor(const Shape& shape, uint64_t seed, DType dtype = f64) {
  SplitMix64 random(seed);
  std::vector<double> values(static_cast<size_t>(numel(shape).value()));
  for (double& value : values) value = static_cast<double>(random.next() % 2001) / 1000 - 1;
  return cast(Tensor::of<double>(values, shape), dtype);
}

Tensor random_leaf(const Shape& shape, uint64_t seed) {
  Tensor tensor = random_tensor(shape, seed);
  set_requires_grad(tensor);
  return tensor;
}

void expect_close(const Tensor& actual, const Tensor& expected) {
  ASSERT_EQ(describe(actual), describe(expected));
  const auto a = actual.to_vector<double>(), e = expected.to_vector<double>();
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], e[i], 1e-13 * (1 + std::fabs(e[i])));
}

struct Block {
  Tensor in, out;
  int64_t runs = 1;  // how often the first product is applied
  static void visit_tensors(auto& self, auto&& visit) {
    visit("in", self.in);
    visit("out", self.out);
    visit("runs", self.runs);
  }
};

Block random_block(uint64_t seed) {
  return {random_leaf({4, 4}, seed), random_leaf({4, 4}, seed + 1), 2};
}

struct Both {
  Tensor value, other;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("value", self.value);
    visit("other", self.other);
  }
};

int runs_of_block = 0;

Both run_block(const Block& block, const Tensor& x) {
  ++runs_of_block;
  Tensor y = x;
  for (int64_t i = 0; i < block.runs; ++i) y = tanh(matmul(y, block.in));
  return {x + matmul(sigmoid(y), block.out), exp(y)};
}

Tensor loss_over(const std::vector<Block>& blocks, const Tensor& first, bool is_checkpointed) {
  Tensor x = first, others;
  for (const Block& block : blocks) {
    const Both both = is_checkpointed ? checkpoint(run_block)(block, x) : run_block(block, x);
    x = both.value;
    others = others.defined() ? others + both.other : both.other;
  }
  return mean(square(x)) + sum(others) * 0.1;
}

std::vector<Tensor> parameters(const std::vector<Block>& blocks) {
  std::vector<Tensor> all;
  for (const Block& block : blocks) {
    all.push_back(block.in);
    all.push_back(block.out);
  }
  return all;
}

TEST(Checkpoint, RunsAgainForTheSameGradients) {
  const std::vector<Block> blocks{random_block(1), random_block(3)};
  const Tensor x = random_leaf({3, 4}, 5);
  std::vector<Tensor> wrt = parameters(blocks);
  wrt.push_back(x);
  runs_of_block = 0;
  const Tensor loss = loss_over(blocks, x, true);
  EXPECT_EQ(runs_of_block, 2);
  const auto got = gradients({loss}, wrt);
  EXPECT_EQ(runs_of_block, 4);
  const Tensor plain = loss_over(blocks, x, false);
  const auto expected = gradients({plain}, wrt);
  expect_close(loss, plain);
  for (size_t i = 0; i < wrt.size(); ++i) expect_close(got[i], expected[i]);
}

TEST(Checkpoint, SavesNothingOfWhatIsInside) {
  Tensor inside;
  const auto f = [&](const Tensor& a) {
    inside = tanh(a);
    return exp(inside);
  };
  const Tensor x = random_leaf({3}, 60);
  const Tensor marked = checkpoint(f)(x);
  EXPECT_EQ(inside.storage().use_count(), 1u);
  const Tensor plain = f(x);
  EXPECT_GT(inside.storage().use_count(), 1u);
  expect_close(gradients({sum(marked)}, {x})[0], gradients({sum(plain)}, {x})[0]);
}

TEST(Checkpoint, PassesGradcheckOfBothOrdersNestedToo) {
  const auto inner = checkpoint([](const Tensor& a, const Tensor& b) { return tanh(a * b) + b; });
  const auto outer = checkpoint([inner](const Tensor& a, const Tensor& b) {
    return std::pair(inner(exp(a), b), a * sigmoid(b));
  });
  const testing::Program program = [&](const testing::Tensors& x) -> testing::Tensors {
    // The second argument is computed from the first: their gradients must not mix.
    auto [first, second] = outer(x[0], x[1] * x[0]);
    return {first, second};
  };
  const testing::Tensors inputs{random_tensor({3}, 6), random_tensor({3}, 7)};
  EXPECT_TRUE(testing::gradcheck(program, inputs));
  EXPECT_TRUE(testing::gradgradcheck(program, inputs));
}

TEST(Checkpoint, RandomMasksAreTheSameInBothRuns) {
  const Tensor x = random_leaf({64}, 8);
  Generator generator(3), same_seed(3);
  const auto drop = checkpoint(
      [](const Tensor& a, Generator& g) { return dropout(dropout(exp(a), 0.5, g), 0.25, g); });
  const Tensor y = drop(x, generator);
  const auto got = gradients({sum(y)}, {x}, {}, {.retain_graph = true});
  expect_close(got[0], y);  // the gradient of exp is exp, scaled and masked alike
  expect_close(gradients({sum(y)}, {x})[0], y);
  dropout(dropout(exp(x), 0.5, same_seed), 0.25, same_seed);
  EXPECT_EQ(generator.state.to_vector<int64_t>(), same_seed.state.to_vector<int64_t>());
}

TEST(Checkpoint, RunsAgainUnderTheAutocastOfTheCall) {
  const Tensor a = cast(random_tensor({4, 4}, 9), f32), b = cast(random_tensor({4, 4}, 10), f32);
  set_requires_grad(a);
  Tensor y;
  {
    const AutocastScope autocast(bf16);
    y = checkpoint([](const Tensor& p, const Tensor& q) { return matmul(p, q); })(a, b);
  }
  EXPECT_EQ(y.dtype(), bf16);
  EXPECT_EQ(gradients({sum(cast(y, f32))}, {a})[0].dtype(), f32);
}

ErrorCode code_of(const std::function<void()>& body, const std::string& words) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("checkpoint_test.cpp"), std::string::npos)
        << error.what();
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::internal;
}

TEST(Checkpoint, ATensorThatIsNoArgumentIsAnError) {
  const Tensor x = random_leaf({3}, 11), held = random_leaf({3}, 12);
  const auto holds = checkpoint([&](const Tensor& a) { return a * held; });
  EXPECT_EQ(code_of([&] { holds(x); }, "as arguments"), ErrorCode::state);
  EXPECT_EQ(code_of([&] { holds(x.alias()); }, "as arguments"), ErrorCode::state);
  const NoGrad values_only;
  EXPECT_FALSE(holds(x).requires_grad());
}

TEST(Checkpoint, WritesToArgumentsAreErrors) {
  Tensor data = random_tensor({20}, 13);
  const Tensor x = random_leaf({20}, 14);
  const auto writes = checkpoint([](const Tensor& a, Tensor& b) {
    b += 1.0;
    return a * b;
  });
  EXPECT_EQ(code_of([&] { writes(x, data); }, "writes to no argument"), ErrorCode::state);
  const auto replaces = checkpoint([](const Tensor& a, Tensor& b) {
    b = b + 1.0;
    return a * b;
  });
  EXPECT_EQ(code_of([&] { replaces(x, data); }, "put another tensor"), ErrorCode::state);
}

TEST(Checkpoint, AnArgumentMayBeGivenAway) {
  const Tensor a = random_leaf({3}, 41), b = random_leaf({3}, 42), x = random_leaf({3}, 43);
  const auto f = [](std::vector<Tensor> list, const Tensor& y) { return list[0] * list[1] + y; };
  const auto of = [&](const Tensor& result) {
    return gradients({sum(result * result)}, {a, b, x});
  };
  const auto ours = of(checkpoint(f)(std::vector{a, b}, x)), expected = of(f({a, b}, x));
  for (size_t i = 0; i < ours.size(); ++i) expect_close(ours[i], expected[i]);
}

TEST(Checkpoint, AnArgumentThatGrowsIsAnError) {
  std::vector<Tensor> list{random_leaf({3}, 44)};
  const auto grow = [](std::vector<Tensor>& all) {
    all.push_back(all[0] * 2);
    return sum(all[1]);
  };
  EXPECT_THROW(checkpoint(grow)(list), Error);
}

TEST(Checkpoint, AWriteBeforeTheGradientIsFound) {
  Tensor data = random_tensor({3}, 15);
  const Tensor x = random_leaf({3}, 16);
  const Tensor y = checkpoint([](const Tensor& a, const Tensor& b) { return a * b; })(x, data);
  data += 1.0;
  EXPECT_EQ(code_of([&] { gradients({sum(y)}, {x}); }, "written to since"), ErrorCode::gradient);
}

TEST(Checkpoint, ASecondRunOfAGraphThatWasLetGoIsAnError) {
  const Tensor x = random_leaf({3}, 17);
  const Tensor y = sum(checkpoint([](const Tensor& a) { return exp(a); })(x));
  backward(y);
  EXPECT_EQ(code_of([&] { backward(y); }, "let them go"), ErrorCode::gradient);
}

#if RIDGE_HAS_LLVM

// Compiled: nothing inside of a region is kept.

using Blocks = std::vector<Block>;

auto step_of(bool is_checkpointed, int64_t budget = 0) {
  return compile(
      [is_checkpointed](const Blocks& blocks, const Tensor& x) {
        return value_and_grad([is_checkpointed](const Blocks& all, const Tensor& data) {
          return loss_over(all, data, is_checkpointed);
        })(blocks, x);
      },
      {.name = "step", .memory_budget = budget});
}

Blocks plain_blocks(size_t count, int64_t width) {
  Blocks blocks;
  for (size_t i = 0; i < count; ++i) {
    blocks.push_back(
        {random_tensor({width, width}, 20 + 2 * i), random_tensor({width, width}, 21 + 2 * i), 3});
  }
  return blocks;
}

TEST(Checkpoint, ACompiledStepComputesRegionsAgain) {
  const Blocks blocks = plain_blocks(3, 16);
  const Tensor x = random_tensor({128, 16}, 30);
  const auto plain = step_of(false), marked = step_of(true);
  const auto [loss, gradient] = plain(blocks, x);
  const auto [same, again] = marked(blocks, x);
  expect_close(same, loss);
  for (size_t i = 0; i < blocks.size(); ++i) {
    expect_close(again[i].in, gradient[i].in);
    expect_close(again[i].out, gradient[i].out);
  }
  const auto compiled = [](const auto& step) { return step.programs().back()->compiled.get(); };
  const auto& report = *compiled(marked)->recomputed();
  size_t inside = 0;
  for (const aot::SavedOrRecomputed& one : report.decisions) {
    const bool is_inside = one.decision.reason == "checkpoint";
    inside += is_inside ? 1 : 0;
    EXPECT_FALSE(is_inside && one.decision.verdict);
  }
  EXPECT_GE(inside, 9u) << "three tanh for each block";
  EXPECT_LT(report.point.peak_bytes, compiled(plain)->recomputed()->point.peak_bytes);
  EXPECT_NE(explain(marked).find("recomputed: checkpoint"), std::string::npos) << explain(marked);
}

TEST(Checkpoint, AProgramWithArgumentsThatRequireGradSavesNothingInside) {
  const auto model = [](const Tensor& a, const Tensor& w) {
    return checkpoint([](const Tensor& p, const Tensor& q) {
      return matmul(tanh(matmul(tanh(matmul(p, q)), q)), q);
    })(a, w);
  };
  const auto compiled = compile(model);
  const Tensor a = random_leaf({32, 8}, 40), w = random_leaf({8, 8}, 41);
  const Tensor y = compiled(a, w);
  const auto got = gradients({sum(square(y))}, {a, w});
  const auto expected = gradients({sum(square(model(a, w)))}, {a, w});
  expect_close(got[0], expected[0]);
  expect_close(got[1], expected[1]);
  const auto& halves = *compiled.programs().back()->gradients;
  EXPECT_EQ(halves.forward().outputs.size(), 1u) << to_text(halves.forward());
}

#endif

TEST(Checkpoint, MarksAreReadBackFromText) {
  const auto function = [](const Tensor& a) {
    const auto twice = checkpoint([](const Tensor& p) { return exp(exp(p)); });
    return twice(twice(sin(a)));
  };
  const auto captured = capture::capture(function, {.name = "regions"}, random_tensor({3}, 50));
  std::vector<int> regions;
  for (const graph::Node& node : captured.graph.nodes) regions.push_back(node.region);
  EXPECT_EQ(regions, (std::vector<int>{0, 1, 1, 2, 2}));
  const graph::Graph reread = graph::parse(to_text(captured.graph));
  EXPECT_EQ(graph::hash(reread), graph::hash(captured.graph));
  EXPECT_EQ(reread.nodes[3].region, 2);
}

}  // namespace
}  // namespace ridge::checkpoint_test
