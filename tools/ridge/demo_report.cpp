#include "demo_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

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
  fmt::print(out,
             "\nnext, a chat with a model that others trained:\n"
             "  tools/get_model smollm2\n"
             "  build/release/bin/ridge chat "
             "build/models/smollm2/SmolLM2-135M-Instruct.Q4_1.gguf\n");
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

namespace {

using Optimizer = nn::AdamW<VisionTransformer>;

// One side of the comparison: a copy of the model in training, and what its steps took.
template <class Step>
class Side {
 public:
  Side(const Trainer<VisionTransformer>& trainer, Step step)
      : step_(std::move(step)),
        model_(copy_of(trainer.model())),
        optimizer_(copy_of(trainer.optimizer())),
        feed_(model_.head.weight.device()) {}

  // The first call compiles: it is made on copies, so that every step of the comparison is warm.
  void warm_up(const Batch& batch) {
    VisionTransformer model = copy_of(model_);
    Optimizer optimizer = copy_of(optimizer_);
    const Batch& there = feed_.put(batch);
    const auto start = std::chrono::steady_clock::now();
    step_(model, optimizer, there.images, there.labels).first.template item<double>();
    cost_.first_ms = 1000 * seconds_since(start);
  }

  double run(const Batch& batch, double rate) {
    copy_into(optimizer_.learning_rate, Tensor::of<double>({rate}, {}));
    const Batch& there = feed_.put(batch);
    cost_.counts = {};
    const execute::CountLaunches counting(cost_.counts);
    const auto start = std::chrono::steady_clock::now();
    // The loss is read inside: a GPU has only begun with the step when its launch returns.
    const auto loss =
        step_(model_, optimizer_, there.images, there.labels).first.template item<double>();
    times_.push_back(1000 * seconds_since(start));
    return loss;
  }

  StepCost cost() {
    const auto middle = times_.begin() + static_cast<std::ptrdiff_t>(times_.size() / 2);
    std::nth_element(times_.begin(), middle, times_.end());
    cost_.step_ms = *middle;
    return cost_;
  }

 private:
  Step step_;
  VisionTransformer model_;
  Optimizer optimizer_;
  BatchFeed feed_;
  StepCost cost_;
  std::vector<double> times_;
};

double relative_difference(double value, double expected) {
  return std::abs(value - expected) / std::max(std::abs(expected), 1e-12);
}

}  // namespace

Comparison compare(const Trainer<VisionTransformer>& trainer, const ImageSet& images,
                   const TrainSettings& settings, int64_t steps) {
  if (steps == 0) return {};
  Side eager(trainer, &eager_step<VisionTransformer>);
  Side compiled(trainer, trainer.step());
  eager.warm_up(batch_of(images, 0, settings.batch_size));
  compiled.warm_up(batch_of(images, 0, settings.batch_size));
  Batches batches(images, settings.batch_size, settings.seed);
  Comparison comparison;
  const auto start = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < steps; ++i) {
    // Without LLVM both sides call op by op, and a step may take a minute.
    if (i > 0 && seconds_since(start) > settings.time_limit / 3) break;
    ++comparison.steps;
    const double progress = static_cast<double>(i) / static_cast<double>(settings.steps);
    const double rate = learning_rate(settings.peak_rate, progress);
    const Batch batch = batches.next();
    const double expected = eager.run(batch, rate);
    const double loss = compiled.run(batch, rate);
    comparison.max_relative_difference =
        std::max(comparison.max_relative_difference, relative_difference(loss, expected));
  }
  comparison.eager = eager.cost();
  comparison.compiled = compiled.cost();
  return comparison;
}

}  // namespace ridge::command
