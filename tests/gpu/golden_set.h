// The golden set: graphs of tests/golden/gpu that cover what the generator of CUDA can write.
//
// A file is a graph. The names of its inputs say what they are filled with (tests/fuzz/fuzz_case.h);
// comments in front of it say more:
//
//   // with gradients                                 the graph with its gradients is meant
//   // too large to be judged                         compiled, and run on a GPU, but not compared
//   // too long for a host                           compared on a GPU only
//   // library argument reduction keeps a frame       so a stack frame is no failure
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "ridge/codegen/cuda/generate.h"
#include "ridge/schedule/plan.h"
#include "tests/fuzz/fuzz_case.h"

namespace ridge::golden {

struct GoldenGraph {
  std::string name;
  fuzz::Case given;  // with its gradients
  bool is_judged = true;
  bool runs_on_host = true;
  bool keeps_frame = false;
};

// All files of the folder, by name.
std::vector<GoldenGraph> read_golden(const std::filesystem::path& folder);

// What a device runs for the graph: the graph after the passes, and the plan for that sheet.
struct Planned {
  graph::Graph graph;
  schedule::Plan plan;
};
Planned plan_for(const GoldenGraph& golden, std::string_view sheet);

// The text of each call of a plan, in order, as the driver has it made.
std::vector<codegen::CudaKernel> texts_of(const schedule::Plan& plan,
                                          const codegen::CudaTarget& target);

// Adds a test whose body is a function: names are known once the folder is read.
void add_test(const char* suite, const std::string& name, std::function<void()> body);

}  // namespace ridge::golden
