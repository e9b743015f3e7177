// Does the model order two ways to do the same on a GPU as the clock does?
#pragma once

#include "bench_run.h"
#include "gpu_bench_cases.h"

namespace ridge::command {

// Each case of the list as it is chosen against itself without fusion, and in each of the other
// mappings. A case with a way that fails counts as one wrong pair. Cases without a list of inputs, and
// matrix products, which a library may do, are left out.
Ranking rank_gpu_pairs(const std::vector<GpuCase>& cases,
                       const std::shared_ptr<const cost::Sheet>& sheet, double margin);

}  // namespace ridge::command
