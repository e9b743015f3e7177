// Where the time of a program goes, and why: a report for people, made of what was planned, priced
// and timed.
//
//   Report here = report_of("step", compiled);                         // with times, where timed
//   Report there = predict("step", compiled, cost::find_sheet("h200"));   // planned anew for it
//   to_text(here)
//
// Nothing is decided here: reasons and prices of fusions and mappings are those of the plan.
// `explain(compiled)` of compile.h gives the text of each program of a compiled function.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ridge/driver/kernel_row.h"
#include "ridge/driver/pipeline.h"

namespace ridge::driver {

// The kernels of one class: its share of the flops beside its share of the time.
struct ClassSummary {
  KernelClass kind;
  size_t kernels = 0;
  double flops_share = 0;
  double time_share = 0;
};

struct RefusedFusion {
  std::string producer, consumer;  // ops
  std::string reason;
  std::optional<double> gain_us{};  // of one kernel in place of two; below 0 it would lose
  int64_t bytes = 0;                // that go from one to the other through memory
  size_t count = 1;                 // pairs of kernels it was refused for
};

// How a kernel was mapped to the machine, and how else it could have been.
struct MappingChoice {
  std::string kernel;
  std::vector<Decision> decisions;
};

struct Report {
  std::string name;
  std::shared_ptr<const cost::Sheet> sheet;
  std::string gpu_name{};          // of the GPU it runs on; empty on a CPU
  bool is_prediction = false;      // for a device it does not run on here
  std::optional<double> run_us{};  // of a whole run, where that was timed
  std::vector<KernelRow> rows;     // in the order they run
  std::vector<ClassSummary> classes;
  std::vector<RefusedFusion> refused;   // most to gain first, without a price most bytes; at most 5
  size_t refused_count = 0;             // all of them
  std::vector<MappingChoice> mappings;  // most at stake first

  // Of one run: measured, else predicted.
  double time_us() const;
};

// Error{device} in a build that makes no kernels. `kernel_us`: a time of each kernel that the caller
// trusts more than the mean of all launches, such as a median.
Report report_of(const std::string& name, const CompiledGraph& compiled,
                 std::span<const double> kernel_us = {});
// Error{value} where the sheet lacks a figure, or is of a device that kernels are not made for.
Report predict(const std::string& name, const CompiledGraph& compiled,
               std::shared_ptr<const cost::Sheet> sheet);

// A graph that passes have run over, planned as for that device: what gradients keep is decided for it too.
struct PlannedGraph {
  graph::Graph graph;
  schedule::Plan plan;
};
PlannedGraph planned_for(const graph::Graph& graph, const schedule::Options& options,
                         int64_t memory_budget = 0);

// How a graph is scheduled for a device that is known by its sheet alone. Error{value} as above.
schedule::Options options_of(std::shared_ptr<const cost::Sheet> sheet);

// `limit` kernels are shown, 0 for all.
std::string to_text(const Report& report, size_t limit = 0);

}  // namespace ridge::driver
