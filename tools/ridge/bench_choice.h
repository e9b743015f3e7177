// The cases that patterns of `ridge bench` name.
#pragma once

#include "bench_cases.h"
#include "gpu_bench_cases.h"

namespace ridge::command {

struct ChosenCases {
  std::vector<BenchCase> cpu;
  std::vector<GpuCase> gpu;
  std::vector<std::string> host;
};

// Of the lists, in their order: those that one of the patterns names, in which `*` stands for anything.
// Then names of GPU cases of other shapes, which are made (gpu_bench_families.h). Error{unknown_name} for
// a pattern that names none, and the errors of gpu_case_named.
ChosenCases chosen_cases(const std::vector<std::string>& patterns);

}  // namespace ridge::command
