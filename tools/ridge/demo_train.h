// Training a classifier with a compiled step, and testing it with a compiled forward pass.
//
//   Trainer<VisionTransformer> trainer(VisionTransformer(generator), settings);
//   trainer.train(train_images, "vision transformer");
//   const double accuracy = trainer.accuracy(test_images);
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "demo_batches.h"
#include "demo_progress.h"
#include "demo_step.h"
#include "ridge/driver/compile.h"
#include "ridge/driver/entry.h"
#include "ridge/nn/on_device.h"

namespace ridge::command {

struct TrainSettings {
  int64_t steps = 0;
  int64_t batch_size = 0;
  uint64_t seed = 0;
  double peak_rate = 0;    // of learning
  double time_limit = 0;   // seconds; the training ends there, whatever the steps
  int64_t stop_after = 0;  // steps, for the start of a longer training; 0 for all
  Device device = kCpu;
  bool is_quiet = false;
};

// Rises over the first twentieth of the training, falls to 0 with a cosine. `progress` is in [0, 1].
inline double learning_rate(double peak_rate, double progress) {
  constexpr double kWarmUp = 0.05;
  const double rise = std::min(progress / kWarmUp + 0.02, 1.0);
  return peak_rate * rise * (0.5 + 0.5 * std::cos(std::numbers::pi * progress));
}

template <class Model>
using CompiledStep = Compiled<decltype(&train_step<Model>)>;

template <class Model>
class Trainer {
 public:
  Trainer(const Model& model, TrainSettings settings)
      : settings_(settings),
        model_(nn::on_device(model, settings.device)),
        optimizer_(model_, {.beta2 = 0.99, .weight_decay = 0.05}),
        step_(compile(
            &train_step<Model>,
            {.name = "train_step", .argument_names = {"model", "optimizer", "images", "labels"}})) {
  }

  const Model& model() const { return model_; }
  const nn::AdamW<Model>& optimizer() const { return optimizer_; }
  const CompiledStep<Model>& step() const { return step_; }

  void train(const ImageSet& images, const std::string& title) {
    Batches batches(images, settings_.batch_size, settings_.seed);
    Progress progress(title, settings_.steps, settings_.batch_size, settings_.is_quiet);
    BatchFeed feed(settings_.device);
    const auto start = std::chrono::steady_clock::now();
    const int64_t steps = settings_.stop_after > 0 ? settings_.stop_after : settings_.steps;
    double first_done = 0;  // seconds: the first step compiles
    for (int64_t i = 0; i < std::min(steps, settings_.steps); ++i) {
      const double now = seconds_since(start);
      if (now >= settings_.time_limit) break;
      if (i == 1) first_done = now;
      copy_into(optimizer_.learning_rate,
                Tensor::of<double>({rate_at(i, now, now - first_done)}, {}));
      const Batch& batch = feed.put(batches.next());
      pending_.push_back(step_(model_, optimizer_, batch.images, batch.labels));
      if (settings_.device == kCpu || pending_.size() >= kReadEvery) read_losses(progress);
    }
    read_losses(progress);
    progress.finish();
    seconds_ = seconds_since(start);
  }

  // So many more steps, on copies, with each kernel timed. Timing waits for every kernel of a GPU, so
  // it is kept out of the training.
  void time_kernels(const ImageSet& images, int64_t steps) const {
    const auto programs = step_.programs();
    if (programs.empty() || programs.back()->compiled->program() == nullptr) return;
    programs.back()->compiled->program()->set_timing(true);
    Model model = copy_of(model_);
    nn::AdamW<Model> optimizer = copy_of(optimizer_);
    Batches batches(images, settings_.batch_size, settings_.seed);
    BatchFeed feed(settings_.device);
    for (int64_t i = 0; i < steps; ++i) {
      const Batch& batch = feed.put(batches.next());
      step_(model, optimizer, batch.images, batch.labels);
    }
  }

  double accuracy(const ImageSet& images) const {
    const auto count =
        compile([](const Model& model, const Tensor& pixels,
                   const Tensor& labels) { return count_correct(model(pixels), labels); },
                {.name = "test", .argument_names = {"model", "images", "labels"}});
    // Batches of one size, so that there is one program.
    const int64_t batch_size = std::gcd(images.count(), int64_t{256});
    BatchFeed feed(settings_.device);
    int64_t correct = 0;
    for (int64_t first = 0; first < images.count(); first += batch_size) {
      const Batch& batch = feed.put(batch_of(images, first, batch_size));
      correct += count(model_, batch.images, batch.labels).template item<int64_t>();
    }
    return static_cast<double>(correct) / static_cast<double>(images.count());
  }

  double seconds() const { return seconds_; }
  const std::vector<double>& losses() const { return losses_; }  // of each step

 private:
  // Where time will run out first, the rate falls with time: a slow machine trains less, not badly. On
  // others it depends on the step alone, and so does everything that follows from it. `at_work` is
  // what all steps but the first have taken.
  double rate_at(int64_t step, double now, double at_work) const {
    const auto all = static_cast<double>(settings_.steps), done = static_cast<double>(step);
    const bool is_late =
        step > 1 && now + at_work / (done - 1) * (all - done) > settings_.time_limit;
    const double time_used = is_late ? now / settings_.time_limit : 0;
    return learning_rate(settings_.peak_rate, std::max(done / all, time_used));
  }

  // Reading a loss waits for a GPU; so many steps may be in flight.
  static constexpr size_t kReadEvery = 16;

  void read_losses(Progress& progress) {
    for (const auto& [loss, correct] : pending_) {
      losses_.push_back(loss.template item<double>());
      progress.step(losses_.back(), correct.template item<double>());
    }
    pending_.clear();
  }

  TrainSettings settings_;
  Model model_;
  nn::AdamW<Model> optimizer_;
  CompiledStep<Model> step_;
  std::vector<std::pair<Tensor, Tensor>> pending_;  // loss and correct answers, not read yet
  std::vector<double> losses_;
  double seconds_ = 0;
};

}  // namespace ridge::command
