#include "ridge/driver/compiled_report.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/cost/sheets.h"
#include "ridge/driver/compile.h"
#include "ridge/driver/entry.h"
#include "ridge/driver/smallest_budget.h"
#include "ridge/graph/symbols.h"
#include "ridge/linker/link.h"
#include "ridge/recompute/recompute.h"
#include "ridge/report/kernel_table.h"

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
  schedule::Options options = linker::options_for(std::move(sheet));
  options.input_strides = compiled.options().input_strides;
  const recompute::PlannedGraph planned =
      recompute::planned_for(compiled.undecided(), options, compiled.options().memory_budget);
  Report report = report::make_report(name, planned.plan, planned.graph,
                                      report::rows_of(planned.plan, planned.graph));
  report.is_prediction = true;
  return report;
}

namespace {

// The text of each program, named where there are several, and of each part of control flow.
template <class Text>
std::string for_each_program(const std::string& name, Entries entries, Text text_of) {
  if (entries.empty()) return concat(name, ": no program yet, the first call makes one\n");
  std::string text;
  for (size_t i = 0; i < entries.size(); ++i) {
    const std::string which =
        entries.size() == 1 ? "" : concat(", program ", i + 1, " of ", entries.size());
    if (entries[i]->sizes.has_symbols()) {
      text += concat(name, which, " is for ", entries[i]->sizes.to_text(), "\n");
    }
    for (const CompiledGraph* part : entries[i]->compiled->parts()) {
      const bool is_part = part != entries[i]->compiled.get();
      text += text_of(concat(name, which, is_part ? ", " + part->graph().name : ""), *part);
    }
  }
  return text;
}

// For what a program's own gradients keep; predictions decide anew.
std::string kept_text(const CompiledGraph& one) {
  return one.recomputed() ? "\n" + to_text(*one.recomputed(), one.undecided()) : "";
}

// Where a function and its gradient are two programs, or it has control flow.
std::string kept_text(Entries entries) {
  std::string text;
  for (const std::shared_ptr<Entry>& entry : entries) {
    const bool is_decided = entry->gradients != nullptr && entry->gradients->recomputed();
    if (is_decided) text += to_text(*entry->gradients->recomputed(), entry->gradients->joint());
    if (entry->compiled->control() != nullptr) text += kept_text(*entry->compiled);
  }
  return text;
}

std::string without_kernels(const std::string& name) {
  return concat(name, ": no kernels, this build calls op by op\n");
}

}  // namespace

std::string kernel_table(const std::string& name, Entries entries) {
  return for_each_program(name, entries, [](const std::string& title, const CompiledGraph& one) {
    if (one.program() == nullptr) return without_kernels(title);
    return concat("kernels of ", title, "\n", to_text(rows_of(one)),
                  report::figures_text(*one.plan().sheet, one.program()->gpu_name()), "\n");
  });
}

std::string explain(const std::string& name, Entries entries, const ExplainOptions& options) {
  const auto sheet = options.device.empty() ? nullptr : cost::find_sheet(options.device);
  return for_each_program(name, entries,
                          [&](const std::string& title, const CompiledGraph& one) {
                            if (sheet != nullptr)
                              return to_text(predict(title, one, sheet), options.rows);
                            if (one.program() == nullptr) return without_kernels(title);
                            return to_text(report_of(title, one), options.rows) + kept_text(one);
                          }) +
         (sheet == nullptr ? kept_text(entries) : "");
}

int64_t smallest_budget(const CompiledGraph& compiled, Location where) {
  const execute::CompiledProgram* program = compiled.program();
  const bool is_known = program != nullptr && graph::symbols_of(compiled.graph()).empty();
  RIDGE_CHECK(is_known, .code = ErrorCode::memory, .op = compiled.options().name,
              .expected = "a program of known sizes, without control flow",
              .given = program == nullptr ? "one whose parts are planned one by one, or not at all"
                                          : "one that serves several sizes",
              .hint = "memory_budget = 1 ends with an error that names the least one",
              .where = where);
  if (!compiled.recomputed()) return recompute::peak_bytes(compiled.plan());
  const schedule::Options options = scheduling_of(compiled.options(), program->device());
  return recompute::memory_curve(compiled.undecided(), options).back().peak_bytes;
}

int64_t smallest_budget(const std::string& name, Entries entries, Location where) {
  RIDGE_CHECK(!entries.empty(), .code = ErrorCode::state, .op = name,
              .expected = "a function that was called, so that there is a program",
              .given = "one without any", .hint = "call it first, without a budget",
              .where = where);
  const Entry& newest = *entries.back();
  RIDGE_CHECK(newest.gradients == nullptr, .code = ErrorCode::memory, .op = name,
              .expected = "a whole step, with value_and_grad inside of it",
              .given = "a function whose backward pass is a program by itself",
              .hint = "memory_budget = 1 ends with an error that names the least one",
              .where = where);
  return smallest_budget(*newest.compiled, where);
}

}  // namespace ridge::driver
