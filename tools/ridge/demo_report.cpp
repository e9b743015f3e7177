#include "demo_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace ridge::command {

namespace {

void print_comparison(std::FILE* out, const Comparison& comparison) {
  const StepCost& eager = comparison.eager;
  const StepCost& compiled = comparison.compiled;
  const auto ratio = [](double a, double b) { return b == 0 ? 0 : a / b; };
  const auto megabytes = [](int64_t bytes) { return static_cast<double>(bytes) / 1e6; };
  const auto percent = [&](int64_t a, int64_t b) {
    return 100 * ratio(static_cast<double>(a), static_cast<double>(b));
  };
  fmt::print(out, "\n{:<16}{:>14}{:>14}\n", "", "eager", "compiled");
  fmt::print(out, "{:<16}{:>11.2f} ms{:>11.2f} ms   {:.2f} times as fast\n", "one step",
             eager.step_ms, compiled.step_ms, ratio(eager.step_ms, compiled.step_ms));
  fmt::print(out, "{:<16}{:>14}{:>14}   {:.1f} %\n", "kernels", eager.counts.kernels,
             compiled.counts.kernels, percent(compiled.counts.kernels, eager.counts.kernels));
  fmt::print(out, "{:<16}{:>11.2f} MB{:>11.2f} MB   {:.1f} %\n", "memory traffic",
             megabytes(eager.counts.bytes), megabytes(compiled.counts.bytes),
             percent(compiled.counts.bytes, eager.counts.bytes));
  fmt::print(out, "{:<16}{:>11.0f} ms{:>11.0f} ms   with all compiling\n", "first call",
             eager.first_ms, compiled.first_ms);
  fmt::print(out, "{:<16}relative, at most {:.1e} over the first {} steps\n\n", "loss differs",
             comparison.max_relative_difference, comparison.steps);
}

}  // namespace

void print_summary(std::FILE* out, const DemoResult& result) {
  if (result.comparison.steps > 0) print_comparison(out, result.comparison);
  fmt::print(out, "test accuracy {:.1f} % ({:.1f} % by a linear classifier on the pixels), ",
             100 * result.accuracy, 100 * result.linear_accuracy);
  fmt::print(out, "trained on {} in {:.1f} s, {:.1f} s in all\n", to_text(result.device),
             result.train_seconds, result.seconds);
}

void print_kernels(std::FILE* out, const DemoResult& result, int64_t limit) {
  if (result.kernels.empty()) {
    fmt::print(out, "\nno kernels: this build calls op by op\n");
    return;
  }
  fmt::print(out, "\nkernels of one step, slowest first\n{}{}\n",
             to_text(result.kernels, static_cast<size_t>(limit)), result.figures);
}

std::string json_text(const DemoResult& result) {
  const Comparison& comparison = result.comparison;
  const nlohmann::ordered_json object = {
      {"device", to_text(result.device)},
      {"accuracy", result.accuracy},
      {"linear_accuracy", result.linear_accuracy},
      {"eager_step_ms", comparison.eager.step_ms},
      {"compiled_step_ms", comparison.compiled.step_ms},
      {"eager_bytes", comparison.eager.counts.bytes},
      {"compiled_bytes", comparison.compiled.counts.bytes},
      {"eager_kernels", comparison.eager.counts.kernels},
      {"compiled_kernels", comparison.compiled.counts.kernels},
      {"max_relative_difference", comparison.max_relative_difference},
      {"compared_steps", comparison.steps},
      {"compile_ms", comparison.compiled.first_ms},
      {"train_seconds", result.train_seconds},
      {"seconds", result.seconds},
      {"losses", result.losses},
  };
  return object.dump();
}

}  // namespace ridge::command
