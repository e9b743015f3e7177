#include "ridge/driver/compiled_report.h"

#include <algorithm>

#include "ridge/recompute/recompute.h"

namespace ridge::driver {

using report::KernelRow;
using report::Report;

std::vector<KernelRow> rows_of(const CompiledGraph& compiled) {
  // Not named after the built kernels: programs share them, and each names them after its own ops.
  std::vector<KernelRow> rows = report::rows_of(compiled.plan(), compiled.graph());
  const std::vector<int64_t> launches = compiled.program()->launches();
  const std::vector<double> times = compiled.program()->total_us();
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].launches = launches[i];
    rows[i].total_us = times[i];
  }
  return rows;
}

Report report_of(const std::string& name, const CompiledGraph& compiled,
                 std::span<const double> kernel_us) {
  RIDGE_CHECK(compiled.program() != nullptr, .code = ErrorCode::device, .op = "explain",
              .expected = "a build with LLVM, which makes kernels", .given = "one without",
              .hint = "name a device to predict for");
  std::vector<KernelRow> rows = rows_of(compiled);
  for (size_t i = 0; i < std::min(rows.size(), kernel_us.size()); ++i) {
    rows[i].launches = 1;
    rows[i].total_us = kernel_us[i];
  }
  Report report = report::make_report(name, compiled.plan(), compiled.graph(), std::move(rows));
  report.gpu_name = compiled.program()->gpu_name();
  return report;
}

Report predict(const std::string& name, const CompiledGraph& compiled,
               std::shared_ptr<const cost::Sheet> sheet) {
  schedule::Options options = report::options_of(std::move(sheet));
  options.input_strides = compiled.options().input_strides;
  const recompute::PlannedGraph planned =
      recompute::planned_for(compiled.undecided(), options, compiled.options().memory_budget);
  Report report = report::make_report(name, planned.plan, planned.graph,
                                      report::rows_of(planned.plan, planned.graph));
  report.is_prediction = true;
  return report;
}

}  // namespace ridge::driver
