#include "demo_compare.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ridge::command {

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
