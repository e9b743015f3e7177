#include "ridge/recompute/recompute.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ridge/base/random.h"
#include "ridge/cost/sheets.h"
#include "ridge/driver/entry.h"
#include "ridge/graph/pass.h"
#include "ridge/recompute/gradient_halves.h"
#include "ridge/report/peak_holders.h"
#include "ridge/ridge.h"

namespace ridge::recompute::recompute_test {
namespace {

using graph::Graph;

Tensor drawn(const Shape& shape, uint64_t seed, DType dtype = f32) {
  SplitMix64 random(seed);
  std::vector<double> values(static_cast<size_t>(numel(shape).value()));
  for (double& value : values) value = static_cast<double>(random.next() % 2001) / 1000 - 1;
  return cast(Tensor::of<double>(values, shape), dtype);
}

// Layers with more inside than between them.
Tensor loss_of(const std::vector<Tensor>& weights, const Tensor& x) {
  Tensor y = x;
  for (const Tensor& weight : weights) {
    const Tensor inside = tanh(matmul(sigmoid(y), weight));
    y = y + softmax(matmul(inside, transpose(weight, 0, 1)), -1) * 3.0;
  }
  return mean(square(y));
}

std::vector<Tensor> weights_of(size_t layers, int64_t width, DType dtype) {
  std::vector<Tensor> weights;
  for (size_t i = 0; i < layers; ++i) weights.push_back(drawn({width, 4 * width}, 10 + i, dtype));
  return weights;
}

// Planned, never run: what is in the arguments does not matter.
Graph step_graph(size_t layers, int64_t rows, int64_t width) {
  const auto step = [](const std::vector<Tensor>& weights, const Tensor& x) {
    return value_and_grad(loss_of)(weights, x);
  };
  const std::vector<Tensor> weights(layers, full({width, 4 * width}, 0.5));
  const auto captured = capture::capture(step, {.name = "step"}, weights, full({rows, width}, 0.5));
  graph::PassContext context;
  return graph::run_passes(captured.graph, graph::standard_passes(), context);
}

schedule::Options on(const std::string& device) {
  const auto sheet = cost::find_sheet(device);
  const bool is_gpu = sheet->kind == cost::SheetKind::gpu;
  return {.target = is_gpu ? schedule::Target::gpu : schedule::Target::cpu,
          .has_library_products = is_gpu,
          .sheet = sheet};
}

TEST(Recompute, IsNeverSlowerNorLargerThanKeepingEverything) {
  const Graph graph = step_graph(2, 4096, 64);
  for (const char* device : {"generic-cpu", "h200"}) {
    const RecomputeReport report = choose_recomputation(graph, on(device)).report;
    EXPECT_LE(report.point.predicted_us, report.everything_kept.predicted_us) << device;
    EXPECT_LE(report.point.peak_bytes, report.everything_kept.peak_bytes) << device;
    EXPECT_FALSE(report.decisions.empty());
    EXPECT_GT(report.everything_kept.kept, 0u) << device;
    EXPECT_EQ(report.everything_kept.recomputed, 0u) << device;
    EXPECT_LE(report.everything_kept.kept_bytes, report.everything_kept.peak_bytes) << device;
    for (const aot::SavedOrRecomputed& one : report.decisions) {
      EXPECT_FALSE(one.decision.reason.empty());
      EXPECT_TRUE(one.decision.cost_if_yes_us.has_value()) << one.decision.to_text();
    }
  }
}

TEST(Recompute, MeetsEachBudgetOfItsCurve) {
  const Graph graph = step_graph(3, 4096, 512);
  const schedule::Options options = on("h200");
  const std::vector<MemoryPoint> curve = memory_curve(graph, options);
  ASSERT_GE(curve.size(), 2u);
  for (size_t i = 1; i < curve.size(); ++i) {
    EXPECT_LT(curve[i].peak_bytes, curve[i - 1].peak_bytes);
    EXPECT_GE(curve[i].predicted_us, curve[i - 1].predicted_us);
  }
  for (const size_t i : {curve.size() / 2, curve.size() - 1}) {
    const Recomputation made = choose_recomputation(graph, options, curve[i].peak_bytes);
    graph::verify(made.graph);
    EXPECT_LE(peak_bytes(made.plan), curve[i].peak_bytes);
    EXPECT_EQ(peak_bytes(made.plan), made.report.point.peak_bytes);
  }
}

TEST(Recompute, PeakIsWhatItsHoldersHold) {
  const Graph graph = step_graph(2, 512, 64);
  const Recomputation made = choose_recomputation(graph, on("h200"));
  const report::Peak peak = report::find_peak(made.plan, made.graph);
  int64_t sum = 0;
  for (const report::Holder& holder : peak.holders) sum += holder.bytes;
  EXPECT_EQ(sum, peak.live_bytes);
  EXPECT_LE(peak.live_bytes, peak_bytes(made.plan));
  EXPECT_FALSE(peak.kernel.empty());
  ASSERT_FALSE(peak.holders.empty());
  EXPECT_GE(peak.holders.front().bytes, peak.holders.back().bytes);
}

// Rows are normalized again where gradients read them: the sums beside the kept residual are all that
// it takes. However deep the residual, that is no long chain.
TEST(Recompute, NormalizedRowsAreComputedAgainForLess) {
  const auto step = [](const std::vector<Tensor>& weights, const Tensor& x) {
    const auto loss = [](const std::vector<Tensor>& all, const Tensor& in) {
      Tensor y = in;
      for (size_t i = 0; i < all.size(); i += 2) {
        const Tensor centered = y - mean(y, {-1}, true);
        const Tensor rows = centered * rsqrt(mean(square(centered), {-1}, true) + 1e-5);
        y = y + matmul(rows * all[i], all[i + 1]);
      }
      return mean(square(y));
    };
    return value_and_grad(loss)(weights, x);
  };
  std::vector<Tensor> weights;
  for (int i = 0; i < 8; ++i) {
    weights.push_back(full({768}, 0.5));
    weights.push_back(full({768, 768}, 0.5));
  }
  const auto captured = capture::capture(step, {.name = "step"}, weights, full({8192, 768}, 0.5));
  graph::PassContext context;
  const Graph graph = graph::run_passes(captured.graph, graph::standard_passes(), context);
  const RecomputeReport report = choose_recomputation(graph, on("h200")).report;
  EXPECT_LT(report.point.peak_bytes, report.everything_kept.peak_bytes);
  EXPECT_LT(report.point.predicted_us, report.everything_kept.predicted_us);
}

// What a compiled program says of the smallest budget, by asking for none.
int64_t smallest_budget(const std::function<void(int64_t budget)>& run) {
  try {
    run(1);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::memory);
    const std::string words = "at least ";
    const size_t at = error.expected().find(words);
    EXPECT_NE(at, std::string::npos) << error.what();
    return std::stoll(error.expected().substr(at + words.size()));
  }
  ADD_FAILURE() << "a budget of one byte was met";
  return 0;
}

TEST(Recompute, GradientsUnderTheTightestBudgetAreThoseWithoutOne) {
  const std::vector<Tensor> weights = weights_of(2, 32, f64);
  const Tensor x = drawn({64, 32}, 2, f64);
  const auto gradients = [&](int64_t budget) {
    const auto step =
        compile([](const std::vector<Tensor>& w,
                   const Tensor& data) { return value_and_grad(loss_of)(w, data).second; },
                {.name = "step", .memory_budget = budget});
    auto result = step(weights, x);
    result.push_back(Tensor::number(
        static_cast<double>(step.programs().back()->compiled->recomputed()->point.peak_bytes)));
    return result;
  };
  const int64_t least = smallest_budget([&](int64_t budget) { gradients(budget); });
  const auto free = gradients(0), tight = gradients(least);
  EXPECT_LT(tight.back().item<double>(), free.back().item<double>());
  EXPECT_LE(tight.back().item<double>(), static_cast<double>(least));
  for (size_t i = 0; i + 1 < free.size(); ++i) {
    const auto a = free[i].to_vector<double>(), b = tight[i].to_vector<double>();
    for (size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], b[j], 1e-14 * (1 + std::fabs(a[j])));
  }
}

// Three stacked sigmoids: 15 accesses of arrays op by op, 9 with all activations saved, 5 when only
// x is read again.
constexpr int64_t kElements = int64_t{1} << 26;

Graph three_sigmoids() {
  return graph::parse(
      "graph sigmoids(%0: f32[67108864] \"x\") {\n"
      "  %1 = sigmoid(%0) : f32[67108864]\n  %2 = sigmoid(%1) : f32[67108864]\n"
      "  %3 = sigmoid(%2) : f32[67108864]\n  return %3\n}\n");
}

int64_t accesses(const PlannedHalves& planned) {
  return array_accesses(planned.forward) + array_accesses(planned.backward);
}

TEST(Recompute, ThreeSigmoidsReadXAgainWhereMemoryBinds) {
  const schedule::Options options = on("h200");
  const GradientHalves made = choose_halves(joint_of(three_sigmoids(), {0}, {0}), options);
  EXPECT_EQ(unfused_accesses(three_sigmoids(), options), 15);
  EXPECT_EQ(accesses(made.everything_saved), 9);
  EXPECT_EQ(accesses(made.chosen), 5);
  EXPECT_EQ(made.everything_saved.point.kept_bytes, 2 * 4 * kElements) << "the third is the result";
  EXPECT_EQ(made.chosen.point.kept_bytes, 0);
}

TEST(Recompute, ThreeSigmoidsAreSavedWhereArithmeticBinds) {
  schedule::Options options = on("h200");
  auto slow = std::make_shared<cost::Sheet>(*options.sheet);
  slow->checks.clear();
  for (auto& [key, figure] : slow->figures) {
    if (key.starts_with("vector.") || key.starts_with("special.") || key == "clock") {
      figure.value /= 50;
    }
  }
  options.sheet = slow;
  const GradientHalves made = choose_halves(joint_of(three_sigmoids(), {0}, {0}), options);
  EXPECT_EQ(accesses(made.chosen), 9);
  for (const aot::SavedOrRecomputed& one : made.decisions) EXPECT_TRUE(one.decision);
}

}  // namespace
}  // namespace ridge::recompute::recompute_test
