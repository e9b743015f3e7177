// What was compiled, as a report (report/explain.h): for this machine, and predicted for another one.
//
//   report::Report here = report_of("step", compiled);                         // with times, where timed
//   report::Report there = predict("step", compiled, cost::find_sheet("h200"));   // planned anew for it
//   to_text(here)
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ridge/driver/pipeline.h"
#include "ridge/report/explain.h"

namespace ridge::driver {

// The kernels of its program, which is there, in the order they run; with times where they were timed.
std::vector<report::KernelRow> rows_of(const CompiledGraph& compiled);

// Error{device} in a build that makes no kernels. `kernel_us`: a time of each kernel that the caller
// trusts more than the mean of all launches, such as a median.
report::Report report_of(const std::string& name, const CompiledGraph& compiled,
                         std::span<const double> kernel_us = {});
// Error{value} where the sheet lacks a figure, or is of a device that kernels are not made for.
report::Report predict(const std::string& name, const CompiledGraph& compiled,
                       std::shared_ptr<const cost::Sheet> sheet);

}  // namespace ridge::driver
