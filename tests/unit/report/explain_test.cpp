// Reports: what their rows and sums say, here and for other devices, and what binds a program.
#include "ridge/report/explain.h"

#include <gtest/gtest.h>

#include "ridge/cost/sheets.h"
#include "ridge/driver/compiled_report.h"
#include "ridge/driver/entry.h"
#include "ridge/ridge.h"

namespace ridge::explain_test {
namespace {

using report::KernelRow;
using report::Report;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Tensor numbers(const Shape& shape) {
  Generator generator(1);
  return uniform(shape, generator, -1.0, 1.0);
}

// Two products with work between them, then rows.
Tensor block(const Tensor& x, const Tensor& up, const Tensor& down) {
  return softmax(matmul(gelu(matmul(x, up)), down), -1);
}

auto compiled_block(int64_t rows = 64) {
  const auto compiled = compile(&block, {.name = "block", .times_kernels = true});
  compiled(numbers({rows, 32}), numbers({32, 128}), numbers({128, 48}));
  return compiled;
}

Report predicted(const std::string& device) {
  const auto compiled = compiled_block();
  return predict("block", *compiled.programs()[0]->compiled, cost::find_sheet(device));
}

void expect_sums(const Report& report) {
  ASSERT_FALSE(report.rows.empty());
  size_t kernels = 0;
  double flops = 0, time = 0;
  for (const report::ClassSummary& one : report.classes) {
    kernels += one.kernels;
    flops += one.flops_share;
    time += one.time_share;
  }
  EXPECT_EQ(kernels, report.rows.size());
  EXPECT_NEAR(flops, 1, 1e-9);
  EXPECT_NEAR(time, 1, 1e-9);
  double sum = 0;
  for (const KernelRow& row : report.rows) sum += row.time_us();
  EXPECT_DOUBLE_EQ(report.time_us(), sum);
}

TEST(Explain, SaysThatNothingWasCompiledYet) {
  const auto twice = compile([](const Tensor& x) { return x + x; }, {.name = "twice"});
  EXPECT_EQ(explain(twice), "twice: no program yet, the first call makes one\n");
  EXPECT_EQ(kernel_table(twice), explain(twice));
}

TEST(Explain, RowsOfAProgramCarryPricesAndTimes) {
  const auto compiled = compiled_block();
  const driver::CompiledGraph& graph = *compiled.programs()[0]->compiled;
  if (graph.program() == nullptr) {
    EXPECT_THROW(static_cast<void>(report_of("block", graph)), Error);
    EXPECT_TRUE(has(explain(compiled), "op by op"));
    return;
  }
  const Report report = report_of("block", graph);
  EXPECT_EQ(report.sheet, graph.plan().sheet);
  for (const KernelRow& row : report.rows) {
    ASSERT_TRUE(row.price.has_value()) << row.name;
    EXPECT_GT(row.price->predicted, 0) << row.name;
    EXPECT_GT(row.price->floor, 0) << row.name;
    EXPECT_EQ(row.launches, 1) << row.name;
    EXPECT_TRUE(row.reached_fraction().has_value()) << row.name;
  }
  expect_sums(report);

  std::vector<double> trusted(report.rows.size(), 2.0);
  const Report again = report_of("block", graph, trusted);
  EXPECT_DOUBLE_EQ(again.time_us(), 2.0 * static_cast<double>(trusted.size()));
}

TEST(Explain, ClassesComeFromWhatKernelsCompute) {
  const Report report = predicted("generic-cpu");
  expect_sums(report);
  EXPECT_EQ(report.classes.front().kind, report::KernelClass::product);
  EXPECT_EQ(report.classes.front().kernels, 2u);
  EXPECT_GT(report.classes.front().flops_share, 0.8);
  EXPECT_EQ(report.classes.back().kind, report::KernelClass::reduction);

  const auto copied = compile([](const Tensor& x) { return contiguous(transpose(x, 0, 1)); });
  copied(numbers({8, 16}));
  const Report moves =
      predict("copy", *copied.programs()[0]->compiled, cost::find_sheet("generic-cpu"));
  ASSERT_EQ(moves.classes.size(), 1u);
  EXPECT_EQ(moves.classes[0].kind, report::KernelClass::movement);
}

TEST(Explain, NoKernelThatTakesAsLongAsPredictedIsAboveItsCeiling) {
  for (KernelRow& row : predicted("generic-cpu").rows) {
    EXPECT_FALSE(row.reached_fraction().has_value());
    row.launches = 2;
    row.total_us = 2e6 * row.price->predicted;
    EXPECT_GT(row.reached_fraction().value(), 0) << row.name;
    EXPECT_LE(row.reached_fraction().value(), 1) << row.name;
  }
}

TEST(Explain, PredictsForAGpuWithoutOne) {
  const Report report = predicted("h200");
  expect_sums(report);
  EXPECT_TRUE(report.is_prediction);
  for (const KernelRow& row : report.rows) {
    EXPECT_TRUE(row.price.has_value() && !row.measured_us()) << row.name;
  }
  const std::string text = to_text(report);
  for (const char* part : {"block on h200: ", "predictions only", "an FMA counts as 2 flops",
                           "share of flops", "predicted"}) {
    EXPECT_TRUE(has(text, part)) << part << " in\n" << text;
  }
  EXPECT_FALSE(has(text, "measured")) << text;
  EXPECT_THROW(predicted("tpu-v5e"), Error);
}

// Each kernel of a GPU says how it was mapped, however many there are.
TEST(Explain, SaysWhyASoftmaxHasItsThreads) {
  const auto compiled = compile(
      [](const Tensor& x, const Tensor& many) {
        Tensor y = many;
        for (int factor = 2; factor < 9; ++factor) y = relu(matmul(y, many)) * factor;
        return std::pair(softmax(x, 1), y);
      },
      {.name = "softmax_and_others"});
  compiled(numbers({256, 4096}), numbers({64, 64}));
  const Report report =
      predict("rows", *compiled.programs()[0]->compiled, cost::find_sheet("h200"));
  EXPECT_GT(report.mappings.size(), 5u);
  const std::string text = to_text(report);
  EXPECT_TRUE(
      has(text, "256 threads a row, 4 elements each, 4 steps, row in registers: 1 row a block"))
      << text;
  EXPECT_TRUE(has(text, "in a kernel of its own tiles of 32 x 32, one a block")) << text;
  EXPECT_TRUE(has(text, "threads a block, 4 elements each")) << text;
  EXPECT_FALSE(has(text, "with most at stake")) << "none is left out";
}

TEST(Explain, RefusedFusionsKeepTheirReason) {
  const Report report = predicted("generic-cpu");
  const auto is_wanted = [](const report::RefusedFusion& one) {
    return one.producer == "gelu";  // matches: what stands between the products of `block`
  };
  const auto found = std::ranges::find_if(report.refused, is_wanted);
  ASSERT_NE(found, report.refused.end());
  EXPECT_FALSE(found->reason.empty());
  EXPECT_EQ(found->bytes, 64 * 128 * 4);
  EXPECT_TRUE(has(to_text(report), "gelu and " + found->consumer + ": " + found->reason));
  for (size_t i = 1; i < report.refused.size(); ++i) {
    EXPECT_GE(report.refused[i - 1].gain_us.value_or(0), report.refused[i].gain_us.value_or(0));
  }
  for (const report::MappingChoice& one : report.mappings) EXPECT_FALSE(one.decisions.empty());
}

TEST(Explain, SaysForEachProgramWhetherTheFiguresAreOfThisMachine) {
  const auto compiled = compiled_block();
  compiled(numbers({8, 32}), numbers({32, 128}), numbers({128, 48}));
  const std::string there = explain(compiled, {.device = "h200", .rows = 1});
  EXPECT_TRUE(has(there, "program 2 of 2 on h200") && has(there, " more ")) << there;
  if (compiled.programs()[0]->compiled->program() == nullptr) return;
  const std::string here = explain(compiled);
  EXPECT_TRUE(has(here, "program 1 of 2: ") && has(here, "of reached")) << here;
  EXPECT_NE(has(here, "not calibrated"), has(here, "measured on this machine")) << here;
}

// One kernel of `work` seconds on memory beside `overhead`, that took `measured_us`.
Report made_up(double work, double overhead, double measured_us) {
  Report report;
  cost::Price price{.predicted = work + overhead, .overhead = overhead};
  price.limiter = cost::Resource::dram_read;
  KernelRow row;
  row.launches = 1;
  row.total_us = measured_us;
  row.price = price;
  report.rows.push_back(row);
  return report;
}

TEST(Verdict, TimeThatDoesNotGrowWithTheWorkIsOverhead) {
  const report::Verdict fixed = judge(made_up(1e-6, 1e-6, 50), made_up(2e-6, 1e-6, 55));
  EXPECT_EQ(fixed.regime, cost::Regime::overhead);
  EXPECT_TRUE(fixed.text.starts_with("overhead: twice the batch takes 1.1x as long")) << fixed.text;
  const report::Verdict grows = judge(made_up(1e-6, 1e-6, 50), made_up(2e-6, 1e-6, 98));
  EXPECT_EQ(grows.regime, cost::Regime::memory);
  EXPECT_DOUBLE_EQ(grows.share, 1);
  EXPECT_TRUE(grows.text.starts_with("memory: 100 % of the time")) << grows.text;
  // Weights that are read once for any batch: neither grows, and that is no overhead.
  const report::Verdict weights = judge(made_up(9e-6, 0, 10), made_up(9.1e-6, 0, 10));
  EXPECT_EQ(weights.regime, cost::Regime::memory);
}

}  // namespace
}  // namespace ridge::explain_test
