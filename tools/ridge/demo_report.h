// What the demo says at its end: a summary, the table of kernels, and one object for programs.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "demo_compare.h"
#include "ridge/report/kernel_table.h"

namespace ridge::command {

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
