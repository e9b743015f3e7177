// `ridge explain`: where the time of a program goes, and why, on this machine or on another one.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "commands.h"
#include "explain_examples.h"
#include "explain_json.h"
#include "gpu_bench_run.h"
#include "memory_examples.h"
#include "ridge/base/text.h"
#include "ridge/cost/sheets.h"
#include "ridge/driver/compiled_report.h"
#include "ridge/linker/link.h"
#include "usage.h"

namespace ridge::command {
namespace {

struct ExplainFlags {
  std::string example;
  std::string device = "cpu";
  int64_t batch = 0;  // 0: the example's own
  int runs = 20;
  size_t rows = 25;
  bool as_json = false;
  bool has_device = false;  // was one asked for?
};

// The same program at a batch and at twice the batch.
struct TwoReports {
  report::Report once, twice;
};

double seconds_of(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// Times of one example, run by run.
class Timing {
 public:
  Timing(const ReadyExample& example, Device device) : example_(example), device_(device) {
    execute::CompiledProgram* program = example.entry->compiled->program();
    if (program == nullptr) return;  // the report says so
    program->set_timing(true);
    kernels_.resize(program->kernel_count());
  }

  void run() {
    // Timing each kernel of a GPU waits for it, so the run as a whole is timed without.
    if (device_.kind == DeviceKind::cuda) time_whole_run();
    const std::vector<double> before = kernel_us();
    const double seconds = seconds_of(example_.run);
    if (device_.kind != DeviceKind::cuda) runs_.push_back(1e6 * seconds);
    const std::vector<double> after = kernel_us();
    for (size_t i = 0; i < kernels_.size(); ++i) kernels_[i].push_back(after[i] - before[i]);
  }

  report::Report report(const std::string& name) const {
    std::vector<double> medians;
    for (const std::vector<double>& times : kernels_) medians.push_back(median(times));
    report::Report report = report_of(name, *example_.entry->compiled, medians);
    report.run_us = median(runs_);
    return report;
  }

 private:
  void time_whole_run() {
    execute::CompiledProgram* program = example_.entry->compiled->program();
    const auto wait = [&] {
      DeviceRuntime& runtime = device_runtime(device_.kind);
      runtime.synchronize(runtime.current_stream(device_));
    };
    program->set_timing(false);
    wait();
    runs_.push_back(1e6 * seconds_of([&] {
                      example_.run();
                      wait();
                    }));
    program->set_timing(true);
  }

  std::vector<double> kernel_us() const {
    const execute::CompiledProgram* program = example_.entry->compiled->program();
    return program == nullptr ? std::vector<double>() : program->total_us();
  }

  const ReadyExample& example_;
  Device device_;
  std::vector<double> runs_;
  std::vector<std::vector<double>> kernels_;
};

TwoReports measure(const std::string& name, const ReadyExample& once, const ReadyExample& twice,
                   int runs, Device device) {
  Timing one(once, device), two(twice, device);
  // Taken in turns, so that a busy moment of the machine falls on both.
  for (int i = 0; i < runs; ++i) {
    one.run();
    two.run();
  }
  return {one.report(name), two.report(name)};
}

TwoReports make_reports(const ExplainFlags& flags, const Example& example, int64_t batch) {
  const bool is_gpu = flags.device == "cuda";
  if (is_gpu) need_gpu("explain");
  const bool is_here = is_gpu || flags.device == "cpu";
  const Device device = is_gpu ? Device{DeviceKind::cuda, 0} : kCpu;
  const auto sheet = is_here ? nullptr : cost::find_sheet(flags.device);
  const ReadyExample once = example.make(batch, device), twice = example.make(2 * batch, device);
  const std::string name = concat(example.name, ", ", batch, " ", example.batch);
  if (is_here) return measure(name, once, twice, flags.runs, device);
  return {predict(name, *once.entry->compiled, sheet),
          predict(name, *twice.entry->compiled, sheet)};
}

void list_examples(bool as_json) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  const auto add = [&](const auto& one) {
    if (as_json) {
      list.push_back({{"name", one.name},
                      {"what", one.what},
                      {"batch_of", one.batch},
                      {"batch", one.usual_batch}});
    } else {
      fmt::print("{:<16}{} (--batch {}, {})\n", one.name, one.what, one.usual_batch, one.batch);
    }
  };
  for (const Example& one : examples()) add(one);
  for (const MemoryExample& one : memory_examples()) add(one);
  if (as_json) fmt::print("{}\n", list.dump());
}

// Planned for the device, and not run.
void explain_memory(const ExplainFlags& flags, const MemoryExample& example) {
  const std::string device = flags.has_device ? flags.device : kUsualGpu;
  schedule::Options options;
  if (device == "cpu" || device == "cuda") {
    if (device == "cuda") need_gpu("explain");
    options = linker::options_for(device == "cuda" ? Device{DeviceKind::cuda, 0} : kCpu);
  } else {
    options = linker::options_for(cost::find_sheet(device));
  }
  const int64_t batch = flags.batch == 0 ? example.usual_batch : flags.batch;
  const std::string name = concat(example.name, ", ", batch, " ", example.batch);
  // At once: many plans of a large program take a while.
  if (!flags.as_json) fmt::print("{} on {}\n\n", name, device);
  std::fflush(stdout);
  const bool is_watched = isatty(STDERR_FILENO) != 0;
  if (is_watched) fmt::print(stderr, "planning it in less and less memory ...");
  nlohmann::ordered_json report = {{"program", name}, {"device", device}};
  if (options.sheet != nullptr) report["sheet_version"] = options.sheet->version;
  report.update(example.plan(batch, options));
  if (is_watched) fmt::print(stderr, "\r\033[K");
  fmt::print("{}", flags.as_json ? report.dump() + "\n" : memory_text(report));
}

std::string device_help() {
  std::vector<std::string> planned;
  for (const MemoryExample& one : memory_examples()) planned.push_back(one.name);
  return concat(
      "cpu or cuda: run and time it here; or a device of `ridge devices`: predict for it. "
      "Else cpu; for what is planned and not run (",
      join(planned, ", "), "), ", kUsualGpu);
}

void run(const ExplainFlags& flags) {
  if (flags.example.empty()) return list_examples(flags.as_json);
  if (const MemoryExample* planned = find_memory_example(flags.example)) {
    return explain_memory(flags, *planned);
  }
  const Example& example = *as_usage([&] { return &find_example(flags.example); });
  const TwoReports reports =
      make_reports(flags, example, flags.batch == 0 ? example.usual_batch : flags.batch);
  const report::Verdict verdict = judge(reports.once, reports.twice);
  if (flags.as_json) {
    fmt::print("{}\n", explain_json(reports.once, verdict).dump());
  } else {
    fmt::print("{}{}\n", to_text(reports.once, flags.rows), verdict.text);
  }
}

}  // namespace

void add_explain(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "explain", "Take a compiled program apart: each kernel's floor, time, and what binds it");
  auto flags = std::make_shared<ExplainFlags>();
  command->add_option("--example", flags->example, "The program; without it they are listed");
  command->add_option("--batch", flags->batch, "Its size (else as listed)")
      ->check(whole_number(1, 1 << 20));
  command->add_option("--device", flags->device, device_help());
  command->add_option("--runs", flags->runs, "How often it is timed")
      ->check(whole_number(1, 100000))
      ->capture_default_str();
  command->add_option("--rows", flags->rows, "Of the table of kernels; 0 for all")
      ->check(whole_number(0, 1 << 20))
      ->capture_default_str();
  command->add_flag("--json", flags->as_json, "Print one JSON object");
  command->footer(
      "Examples:\n  ridge explain --example attention\n"
      "  ridge explain --example vit_step --device h200 --json");
  command->callback([flags, command] {
    flags->has_device = command->count("--device") > 0;
    run(*flags);
  });
}

}  // namespace ridge::command
