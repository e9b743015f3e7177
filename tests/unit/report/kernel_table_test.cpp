// The table of kernels: its text, the layers in it, and when RIDGE_DEBUG shows it.
#include "ridge/report/kernel_table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "ridge/base/knobs.h"
#include "ridge/capture/scope.h"
#include "ridge/driver/compile.h"
#include "ridge/driver/entry.h"
#include "ridge/ridge.h"

namespace ridge::kernel_table_test {
namespace {

using report::KernelRow;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

KernelRow row(const std::string& name, int64_t bytes, int64_t flops, int64_t launches = 0,
              double total_us = 0) {
  return {.name = name,
          .ops = {"exp"},
          .scopes = {},
          .lines = {"here/train.cpp:12"},
          .bytes = bytes,
          .flops = flops,
          .launches = launches,
          .total_us = total_us};
}

// Bound by the second-level cache, which needs `bound_us` of it.
cost::Price price(double floor_us, double predicted_us, double bound_us) {
  cost::Price result{.floor = floor_us * 1e-6, .predicted = predicted_us * 1e-6};
  result.limiter = cost::Resource::l2;
  result.best_rate_seconds = bound_us * 1e-6;
  return result;
}

std::string table(const std::vector<KernelRow>& rows, size_t limit = 0) {
  return to_text(rows, limit);
}

TEST(KernelTable, UntimedKernelsStandInTheOrderTheyRun) {
  const auto lines = lines_of(table({row("first", 300, 30), row("second", 500, 50)}));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_FALSE(has(lines[0], "time"));
  EXPECT_TRUE(lines[1].starts_with("first")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("second")) << lines[2];
  EXPECT_TRUE(has(lines[3], "all 2") && has(lines[3], "800") && has(lines[3], "80")) << lines[3];
}

TEST(KernelTable, TimedKernelsStandSlowestFirst) {
  const auto lines =
      lines_of(table({row("quick", 300, 30, 1, 1.0), row("slow", 8000, 2000, 2, 8.0)}));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(lines[0].ends_with("measured") && !has(lines[0], "reached")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("slow") && lines[1].ends_with(" 4.0")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("quick")) << lines[2];
  EXPECT_TRUE(lines[3].ends_with(" 5.0")) << lines[3];
}

TEST(KernelTable, PricesStandBesideTimes) {
  KernelRow one = row("one", 300, 30), two = row("two", 300, 30);
  one.price = price(1, 3, 2);
  two.price = price(2, 5, 4);
  const auto predicted = lines_of(table({one, two}));
  EXPECT_FALSE(has(predicted[0], "measured") || has(predicted[0], "of reached")) << predicted[0];
  EXPECT_TRUE(has(predicted[1], " 1.0  ") && has(predicted[1], " 3.0  ")) << predicted[1];
  EXPECT_TRUE(has(predicted[1], "  l2  ") && predicted[1].ends_with("  memory")) << predicted[1];
  EXPECT_TRUE(has(predicted[3], " 3.0  ") && predicted[3].ends_with(" 8.0")) << predicted[3];

  one.launches = two.launches = 2;
  one.total_us = 8;
  two.total_us = 10;
  EXPECT_DOUBLE_EQ(one.reached_fraction().value(), 0.5);
  const auto measured = lines_of(table({one, two}));
  EXPECT_TRUE(has(measured[1], " 80 %  l2  ")) << measured[1];
  EXPECT_TRUE(has(measured[2], " 50 %  l2  ")) << measured[2];
  EXPECT_TRUE(measured[3].ends_with(" 9.0        67 %")) << measured[3];
}

TEST(KernelTable, ALimitSumsUpTheRest) {
  const auto lines = lines_of(
      table({row("a", 10, 1, 1, 3.0), row("b", 200, 2, 1, 2.0), row("c", 3000, 4, 1, 1.0)}, 1));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(lines[1].starts_with("a"));
  EXPECT_TRUE(lines[2].starts_with("2 more") && has(lines[2], " 3200 ")) << lines[2];
  EXPECT_TRUE(lines[3].starts_with("all 3") && has(lines[3], " 3210 ")) << lines[3];
}

TEST(KernelTable, LayersStandInThePlaceOfLinesAndShareTheirPrefix) {
  KernelRow one = row("k", 1, 1);
  EXPECT_TRUE(has(table({one}), "  train.cpp:12  "));
  one.lines.push_back("here/train.cpp:14");
  EXPECT_TRUE(has(table({one}), "  train.cpp:12,14  "));
  one.scopes = {"block.0", "block.0.mlp.up"};
  EXPECT_TRUE(has(table({one}), "  block.0.mlp.up  "));
  EXPECT_FALSE(has(table({one}), "train.cpp"));
  one.scopes = {"block.0.mlp.up", "block.0.mlp_norm", "block.0"};
  EXPECT_TRUE(has(table({one}), "  block.0.{mlp.up mlp_norm}  "));
  one.scopes = {"block.10", "block.1", "head"};
  EXPECT_TRUE(has(table({one}), "  block.10 block.1 head  "));
}

TEST(KernelTable, ALongNameKeepsItsEnd) {
  const std::string long_name = "fused_" + std::string(80, 'x') + "_3f2a91c0";
  const std::string text = table({row(long_name, 1, 1)});
  EXPECT_FALSE(has(text, long_name));
  EXPECT_TRUE(has(text, "fused_xxx") && has(text, "..._3f2a91c0  ")) << text;
}

TEST(KernelTable, OpsAreCounted) {
  KernelRow one = row("k", 1, 1);
  one.ops = {"b", "a", "b", "b"};
  EXPECT_TRUE(has(table({one}), "  b*3 a  "));
}

Tensor layered(const Tensor& x) {
  const LayerScope layer = scope("tail", 3);
  return sum(exp(x) * 2, {1});
}

Tensor numbers(const Shape& shape) {
  Generator generator(1);
  return uniform(shape, generator, -2.0, 2.0);
}

TEST(KernelTable, OfACompiledFunctionNamesItsLayers) {
  const auto compiled = compile(&layered, {.name = "layered", .times_kernels = true});
  compiled(numbers({3, 40}));
  const std::string text = kernel_table(compiled);
  EXPECT_TRUE(has(text, "layered")) << text;
  if (compiled.programs()[0]->compiled->program() == nullptr) {
    EXPECT_TRUE(has(text, "op by op")) << text;
    return;
  }
  EXPECT_TRUE(has(text, "  tail.3  ") && has(text, "of reached")) << text;
  const auto& sheet = compiled.programs()[0]->compiled->plan().sheet;
  EXPECT_TRUE(text.ends_with("\n" + report::figures_text(*sheet) + "\n")) << text;
  compiled(numbers({4, 40}));
  EXPECT_TRUE(has(kernel_table(compiled), "program 2 of 2")) << kernel_table(compiled);
}

// What is logged while `f` runs.
template <class F>
std::string logged(F&& f) {
  std::string text;
  set_log_callback([&](LogLevel, std::string_view, std::string_view message) { text += message; });
  f();
  set_log_callback(nullptr);
  return text;
}

TEST(KernelTable, IsShownWhenAProgramEndsIfDebugAsksForTimes) {
  const auto run = [] {
    const auto compiled = compile(&layered, {.name = "shown"});
    compiled(numbers({3, 40}));
    return compiled.programs()[0]->compiled->program() != nullptr;
  };
  EXPECT_FALSE(has(logged(run), "kernels of shown"));
  const ScopedKnob debug(Knob::debug, 2);
  bool has_program = false;
  const std::string text = logged([&] { has_program = run(); });
  EXPECT_EQ(has(text, "kernels of shown\nname"), has_program) << text;
}

}  // namespace
}  // namespace ridge::kernel_table_test
