// Where the time of a program goes, and why: a report for people, made of what was planned, priced
// and timed.
//
//   Report report = make_report("step", plan, graph, rows_of(plan, graph));
//   to_text(report)
//
// Nothing is decided here: reasons and prices of fusions and mappings are those of the plan.
// `report_of` and `predict` (driver/compiled_report.h) make one of what was compiled, for this machine and for
// another; `explain(compiled)` of driver/compile.h gives the text of each program of a compiled function.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ridge/report/kernel_table.h"

namespace ridge::report {

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

// Of a plan of the graph; `rows` are its kernels (kernel_table.h), with times where they were timed.
Report make_report(const std::string& name, const schedule::Plan& plan, const graph::Graph& graph,
                   std::vector<KernelRow> rows);

// `limit` kernels are shown, 0 for all.
std::string to_text(const Report& report, size_t limit = 0);

// What binds a program, told from how its time grows with its work.
//
//   Verdict verdict = judge(report_at_batch, report_at_twice_the_batch);
//   verdict.text        "overhead: twice the batch takes 1.1x as long, for 2.0x the work"
//
// Work is what the model counts by the byte and the flop, so a batch that shares its weights grows
// as little as it should. Time that does not grow with it is overhead, whatever the table says.
struct Verdict {
  cost::Regime regime = cost::Regime::overhead;
  double share = 0;        // of the time that it binds
  double time_growth = 1;  // from the batch to twice the batch
  double work_growth = 1;
  std::string text{};
};

Verdict judge(const Report& once, const Report& twice);

}  // namespace ridge::report
