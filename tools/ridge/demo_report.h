// What the demo says at its end: a summary, the table of kernels, and one object for programs.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "demo_train.h"
#include "ridge/report/kernel_table.h"

namespace ridge::command {

// The same training, eagerly and compiled, side by side from the same weights and data.
//
//   const Comparison c = compare(trainer, train_images, settings, 20);
//   c.eager.step_ms / c.compiled.step_ms        how much faster the compiled step is
//
// Both sides work on copies: the trainer's model stays as it is, its compiled step is warm after.
struct StepCost {
  double first_ms = 0;           // the first call, with all compiling
  double step_ms = 0;            // median of the others
  execute::LaunchCounts counts;  // of one step
};

struct Comparison {
  StepCost eager;
  StepCost compiled;
  int64_t steps = 0;
  double max_relative_difference = 0;  // of the loss, over all steps
};

Comparison compare(const Trainer<VisionTransformer>& trainer, const ImageSet& images,
                   const TrainSettings& settings, int64_t steps);

struct DemoResult {
  Device device;
  double accuracy = 0;
  std::vector<double> losses;  // of each step of the transformer's training
  double linear_accuracy = 0;
  Comparison comparison;
  std::vector<report::KernelRow> kernels;  // of the compiled step, in the order they run
  std::string figures;                     // what their prices rest on
  double train_seconds = 0;
  double seconds = 0;
};

void print_summary(std::FILE* out, const DemoResult& result);
// The `limit` slowest kernels, 0 for all, and a line for the rest.
void print_kernels(std::FILE* out, const DemoResult& result, int64_t limit);
// One line.
std::string json_text(const DemoResult& result);

}  // namespace ridge::command
