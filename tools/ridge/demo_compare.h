// The same training, eagerly and compiled, side by side from the same weights and data.
//
//   const Comparison c = compare(trainer, train_images, settings, 20);
//   c.eager.step_ms / c.compiled.step_ms        how much faster the compiled step is
//
// Both sides work on copies: the trainer's model stays as it is, its compiled step is warm after.
#pragma once

#include <cstdint>

#include "demo_train.h"
#include "ridge/execute/launch_counts.h"

namespace ridge::command {

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

}  // namespace ridge::command
