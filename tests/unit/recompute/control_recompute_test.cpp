#include "ridge/recompute/control_recompute.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "ridge/base/knobs.h"
#include "ridge/base/random.h"
#include "ridge/driver/control_program.h"
#include "ridge/driver/entry.h"
#include "ridge/graph/control_steps.h"
#include "ridge/linker/link.h"
#include "ridge/ridge.h"

// A build without LLVM calls op by op: nothing is decided.
#if RIDGE_HAS_LLVM

namespace ridge::recompute::control_recompute_test {
namespace {

Tensor random_values(const Shape& shape, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<double> values(static_cast<size_t>(numel(shape).value()));
  for (double& value : values) value = static_cast<double>(random.next() % 2001) / 1000 - 1;
  return Tensor::of<double>(values, shape);
}

void expect_equal(const Tensor& actual, const Tensor& expected) {
  ASSERT_EQ(describe(actual), describe(expected));
  const auto a = actual.to_vector<double>(), e = expected.to_vector<double>();
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], e[i], 1e-13 * (1 + std::fabs(e[i])));
}

Tensor layers(const Tensor& w, const Tensor& x) {
  Tensor y = x;
  for (int i = 0; i < 4; ++i) y = tanh(matmul(sigmoid(y), w));
  return y;
}

// Layers, a scan over their rows, and more of them.
Tensor with_scan(const Tensor& w, const Tensor& x) {
  const Tensor first = zeros({x.shape()[1]}, f64);
  const auto [last, rows] = scan(
      [](const Tensor& h, const Tensor& row) {
        const Tensor next = tanh(h * 0.5 + row);
        return std::pair(next, next);
      },
      first, layers(w, x));
  return mean(square(layers(w, rows))) + sum(last);
}

int64_t smallest(const std::function<void(int64_t)>& run) {
  try {
    run(1);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::memory) << error.what();
    const std::string words = "at least ";
    const size_t at = error.expected().find(words);
    EXPECT_NE(at, std::string::npos) << error.what();
    return at == std::string::npos ? 0 : std::stoll(error.expected().substr(at + words.size()));
  }
  ADD_FAILURE() << "a budget of one byte was met";
  return 0;
}

TEST(ControlRecompute, AStepWithAScanMeetsItsBudget) {
  const Tensor w = random_values({8, 8}, 1), x = random_values({32, 8}, 2);
  const auto step_in = [](int64_t budget) {
    return compile([](const Tensor& v,
                      const Tensor& data) { return value_and_grad(with_scan)(v, data).second; },
                   {.memory_budget = budget});
  };
  const int64_t least = smallest([&](int64_t budget) { step_in(budget)(w, x); });
  const auto free = step_in(0), tight = step_in(least);
  expect_equal(tight(w, x), free(w, x));
  const driver::CompiledGraph& program = *tight.programs().back()->compiled;
  ASSERT_NE(program.control(), nullptr);
  const RecomputeReport& report = *program.recomputed();
  EXPECT_LE(report.point.peak_bytes, least);
  EXPECT_LT(report.point.peak_bytes, report.everything_kept.peak_bytes);
  // What is computed again is computed after the scan, not before it.
  const std::vector<graph::ControlStep> steps = control_steps(program.graph(), "step");
  const auto is_again = [](const graph::Node& node) {
    return node.phase == graph::Phase::recomputed;
  };
  EXPECT_TRUE(std::ranges::none_of(steps[0].straight->nodes, is_again));
  EXPECT_TRUE(std::ranges::any_of(program.graph().nodes, is_again));
}

TEST(ControlRecompute, ABodyWithGradientsGetsWhatTheRestLeaves) {
  const ScopedKnob verify(Knob::verify, 3);  // of passes and kernels, which goes into bodies too
  // Gradients are summed over parts of a batch.
  const auto accumulate = [](const Tensor& w, const Tensor& parts) {
    return scan(
               [&](const Tensor& sum, const Tensor& part) {
                 const auto loss = [](const Tensor& v, const Tensor& data) {
                   return mean(square(layers(v, data)));
                 };
                 const Tensor next = sum + grad(loss)(w, part);
                 return std::pair(next, mean(next));
               },
               zeros({8, 8}, f64), parts)
        .first;
  };
  const Tensor w = random_values({8, 8}, 3), parts = random_values({3, 64, 8}, 4);
  const auto step_in = [&](int64_t budget) {
    return compile(accumulate, {.memory_budget = budget});
  };
  const int64_t least = smallest([&](int64_t budget) { step_in(budget)(w, parts); });
  const auto free = step_in(0), tight = step_in(least);
  expect_equal(tight(w, parts), free(w, parts));
  const driver::CompiledGraph& program = *tight.programs().back()->compiled;
  const RecomputeReport& report = *program.recomputed();
  EXPECT_LE(report.point.peak_bytes, least);
  // Keeping everything is what bodies take that have no budget, whatever budget the search is for.
  const auto unbounded = control_figures(program.undecided(), linker::options_for(kCpu), 0);
  EXPECT_EQ(report.everything_kept.peak_bytes, unbounded.peak_bytes);
  EXPECT_GT(report.everything_kept.peak_bytes, report.point.peak_bytes);
  const auto body_peak = [](const auto& step) {
    for (const driver::CompiledGraph* part : step.programs().back()->compiled->parts()) {
      if (part->recomputed()) return part->recomputed()->point.peak_bytes;
    }
    return int64_t{0};
  };
  EXPECT_LT(body_peak(tight), body_peak(free));
}

TEST(ControlRecompute, CheckpointsBesideControlFlowAreComputedAgain) {
  const auto loss = [](const Tensor& w, const Tensor& x) {
    const Tensor y = checkpoint(layers)(w, x);
    return with_scan(w, y);
  };
  const auto step =
      compile([&](const Tensor& w, const Tensor& x) { return value_and_grad(loss)(w, x).second; });
  const Tensor w = random_values({8, 8}, 5), x = random_values({16, 8}, 6);
  expect_equal(step(w, x), grad(loss)(w, x));
  const RecomputeReport& report = *step.programs().back()->compiled->recomputed();
  EXPECT_TRUE(std::ranges::any_of(report.decisions, [](const aot::SavedOrRecomputed& one) {
    return one.decision.reason == "checkpoint";
  }));
}

TEST(ControlRecompute, HalvesWithAScanMeetTheirBudget) {
  Tensor w = random_values({8, 8}, 7);
  set_requires_grad(w);
  const Tensor x = random_values({32, 8}, 8);
  const int64_t least =
      smallest([&](int64_t budget) { compile(with_scan, {.memory_budget = budget})(w, x); });
  const auto tight = compile(with_scan, {.memory_budget = least});
  const auto got = gradients({tight(w, x)}, {w});
  expect_equal(got[0], gradients({with_scan(w, x)}, {w})[0]);
  const RecomputeReport& report = *tight.programs().back()->gradients->recomputed();
  EXPECT_LE(report.point.peak_bytes, least);
  EXPECT_LT(report.point.peak_bytes, report.everything_kept.peak_bytes);
}

// The step of the scan's gradient computes its layers again, and has a budget of its own where there is one;
// what keeping everything takes does not depend on it.
TEST(ControlRecompute, HalvesThatKeepEverythingAreThoseWithoutABudget) {
  Tensor w = random_values({8, 8}, 9);
  set_requires_grad(w);
  const Tensor parts = random_values({3, 64, 8}, 10);
  const auto deep_steps = [](const Tensor& v, const Tensor& all) {
    const auto step = [&](const Tensor& h, const Tensor& part) {
      const Tensor next = h + sum(layers(v, part), {0});
      return std::pair(next, mean(next));
    };
    return sum(square(scan(step, zeros({8}, f64), all).first));
  };
  const auto everything_kept = [&](int64_t budget) {
    const auto program = compile(deep_steps, {.memory_budget = budget});
    program(w, parts);
    return program.programs().back()->gradients->recomputed()->everything_kept.peak_bytes;
  };
  const int64_t least = smallest([&](int64_t budget) { everything_kept(budget); });
  const int64_t most = everything_kept(int64_t{1} << 30);
  EXPECT_LT(least, most);
  EXPECT_EQ(everything_kept(least), most);
}

}  // namespace
}  // namespace ridge::recompute::control_recompute_test

#endif
