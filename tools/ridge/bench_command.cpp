// `ridge bench`: times of kernels beside their floor and the model's prediction.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench_choice.h"
#include "bench_run.h"
#include "commands.h"
#include "gpu_bench_run.h"
#include "host_bench.h"
#include "ridge/base/text.h"
#include "ridge/runtime/cuda/driver_api.h"
#include "usage.h"

namespace ridge::command {
namespace {

struct BenchFlags {
  std::vector<std::string> patterns{"cpu.*"};
  std::string sheet, peers;
  int rounds = 9;
  bool as_json = false;
  bool is_list = false;
  bool has_pairs = false;
  bool is_checked = false;
  bool is_predicted = false;
  bool remeasures = false;
};

constexpr double kErrorAllowed = 0.30, kShareWanted = 0.80;
constexpr double kPairMargin = 0.25, kPairsWanted = 0.95;
constexpr int kFailed = 1, kNotMet = 3;

void show_progress(size_t done, size_t all) {
  if (done % 16 != 0 && done != all) return;
  std::fprintf(stderr, "\r%zu of %zu%s", done, all, done == all ? "\n" : "");
}

nlohmann::json to_json(const CaseResult& result, const cost::Sheet& sheet) {
  return {{"case", result.name},
          {"device", "cpu"},
          {"sheet", sheet.name},
          {"ours_us", 1e6 * result.seconds},
          {"floor_us", 1e6 * result.floor},
          {"fraction", result.floor / result.seconds},
          {"predicted_us", 1e6 * result.predicted},
          {"spread", result.spread},
          {"bound", result.bound},
          {"regime", result.regime},
          {"reached_fraction", result.reached},
          {"kernels", result.kernels},
          {"peers", nlohmann::json::object()}};
}

void print(const std::vector<CaseResult>& results, const cost::Sheet& sheet) {
  fmt::print("{:<44}{:>12}{:>12}{:>8}{:>12}{:>8}  {}\n", "case", "measured us", "predicted",
             "error", "floor us", "floor", "bound");
  for (const CaseResult& r : results) {
    fmt::print("{:<44}{:>12.2f}{:>12.2f}{:>+7.0f}%{:>12.2f}{:>7.0f}%  {}\n", r.name,
               1e6 * r.seconds, 1e6 * r.predicted, 100 * r.error, 1e6 * r.floor,
               100 * r.floor / r.seconds, r.bound);
  }
  fmt::print("On the sheet {} ({}). Medians; an FMA counts as 2 flops.\n", sheet.name,
             sheet.version);
}

// Kernels that beat what was reached by more than their own spread: a fault of the model or the sheet.
std::vector<std::string> above_reached(const std::vector<CaseResult>& results) {
  std::vector<std::string> names;
  for (const CaseResult& r : results) {
    if (r.reached > 1 + r.spread) names.push_back(r.name);
  }
  return names;
}

// Kernels that took less than their floor allows, beyond their own spread: the same fault.
std::vector<std::string> below_floor(const std::vector<CaseResult>& results) {
  std::vector<std::string> names;
  for (const CaseResult& r : results) {
    if (r.seconds < r.floor * (1 - r.spread)) names.push_back(r.name);
  }
  return names;
}

int print_names(const ChosenCases& cases, bool as_json) {
  std::vector<std::string> names;
  for (const BenchCase& bench_case : cases.cpu) names.push_back(bench_case.name);
  for (const GpuCase& gpu_case : cases.gpu) names.push_back(gpu_case.name);
  names.insert(names.end(), cases.host.begin(), cases.host.end());
  nlohmann::json list = nlohmann::json::array();
  for (const std::string& name : names) {
    list.push_back({{"case", name}});
    if (!as_json) fmt::print("{}\n", name);
  }
  if (as_json) fmt::print("{}\n", list.dump());
  return 0;
}

void check_sheet(const cost::Sheet& sheet, const BenchFlags& flags) {
  RIDGE_CHECK(sheet.kind == cost::SheetKind::cpu, .code = ErrorCode::value, .op = "bench",
              .expected = "the sheet of a CPU, which is what runs here", .given = sheet.name);
  RIDGE_CHECK(!flags.remeasures || sheet.is_measured, .code = ErrorCode::value, .op = "bench",
              .expected = "a sheet measured on this machine, to be measured again",
              .given = sheet.name, .hint = "run `ridge devices --calibrate` first");
}

bool is_share(size_t part, size_t all, double wanted) {
  return all == 0 || static_cast<double>(part) >= wanted * static_cast<double>(all);
}

// Adds to the list where that is what is printed. Whether the model holds.
bool run_cpu(const BenchFlags& flags, const std::vector<BenchCase>& cases, nlohmann::json& list) {
  const auto sheet = sheet_for(flags.sheet.empty() ? "cpu" : flags.sheet);
  as_usage([&] { check_sheet(*sheet, flags); });
  if (!sheet->is_measured) {
    std::fprintf(stderr,
                 "this machine is not calibrated: predictions are for %s; "
                 "`ridge devices --calibrate` measures it\n",
                 sheet->name.c_str());
  }
  BenchOptions options{.rounds = flags.rounds, .remeasures = flags.remeasures};
  if (isatty(STDERR_FILENO) != 0) options.on_progress = show_progress;
  const std::vector<CaseResult> results = run_cases(cases, sheet, options);
  size_t close = 0;
  for (const CaseResult& r : results) close += std::abs(r.error) <= kErrorAllowed ? 1 : 0;
  const std::optional<Ranking> ranking =
      flags.has_pairs ? std::optional(rank_pairs(cases, sheet, options, kPairMargin))
                      : std::nullopt;
  for (const CaseResult& r : results) list.push_back(to_json(r, *sheet));
  if (!flags.as_json) print(results, *sheet);
  std::FILE* summary = flags.as_json ? stderr : stdout;
  fmt::print(summary, "{} of {} predicted within {:.0f} %\n", close, results.size(),
             100 * kErrorAllowed);
  if (ranking) print_ranking(summary, *ranking);
  const std::vector<std::string> above = above_reached(results);
  for (const std::string& name : above) fmt::print(summary, "above what was reached: {}\n", name);
  const std::vector<std::string> below = below_floor(results);
  for (const std::string& name : below) fmt::print(summary, "below its floor: {}\n", name);
  return is_share(close, results.size(), kShareWanted) && above.empty() && below.empty() &&
         (!ranking || is_share(ranking->right, ranking->pairs, kPairsWanted));
}

void run_host(const BenchFlags& flags, const std::vector<std::string>& names,
              nlohmann::json& list) {
  std::vector<HostResult> results;
  for (const std::string& name : names) results.push_back(run_host_case(name, flags.rounds));
  for (const HostResult& result : results) list.push_back(to_json(result));
  if (!flags.as_json) print(results);
}

// Of a GPU that need not be here.
int predict(const BenchFlags& flags, const ChosenCases& cases) {
  const auto sheet = sheet_for(flags.sheet.empty() ? kUsualGpu : flags.sheet);
  const bool has_others = !cases.cpu.empty() || !cases.host.empty();
  if (sheet->kind != cost::SheetKind::gpu || has_others) {
    throw CLI::ValidationError("--predict is for cases of a GPU, on the sheet of one: gpu.row.*");
  }
  const nlohmann::json list = predict_gpu_cases(cases.gpu, sheet, flags.as_json);
  if (flags.as_json) fmt::print("{}\n", list.dump());
  return 0;
}

int run(const BenchFlags& flags) {
  const ChosenCases cases = as_usage([&] { return chosen_cases(flags.patterns); });
  if (flags.is_list) return print_names(cases, flags.as_json);
  if (flags.is_predicted) return predict(flags, cases);
  const nlohmann::json peers =
      flags.peers.empty() ? nlohmann::json::object() : read_peers(flags.peers);
  nlohmann::json list = nlohmann::json::array();
  bool holds = true, is_right = true;
  if (!cases.cpu.empty()) holds = run_cpu(flags, cases.cpu, list);
  if (!cases.host.empty()) run_host(flags, cases.host, list);
  // Whoever asks for everything wants what there is.
  const bool is_left_out =
      (!cases.cpu.empty() || !cases.host.empty()) && !runtime::cuda::cuda_is_available();
  if (!cases.gpu.empty() && is_left_out) {
    fmt::print(stderr, "cases of a GPU are left out: {}\n",
               runtime::cuda::cuda_availability().reason);
  } else if (!cases.gpu.empty()) {
    const GpuSummary gpu = run_gpu_bench(
        cases.gpu, {.sheet = flags.sheet, .as_json = flags.as_json, .has_pairs = flags.has_pairs});
    list.insert(list.end(), gpu.list.begin(), gpu.list.end());
    holds = holds && gpu.holds;
    is_right = gpu.is_right;
  }
  merge_peers(list, peers);
  if (flags.as_json) fmt::print("{}\n", list.dump());
  if (!is_right) return kFailed;
  return flags.is_checked && !holds ? kNotMet : 0;
}

}  // namespace

void add_bench(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("bench", "Time kernels beside their floor and their predicted time");
  auto flags = std::make_shared<BenchFlags>();
  command
      ->add_option(
          "pattern", flags->patterns,
          "Cases to run, such as cpu.matmul.*, gpu.row.* or host.*; those of a GPU may have "
          "other sizes than the list")
      ->capture_default_str();
  command->add_option("--sheet", flags->sheet, "Predict on this device sheet");
  command->add_option("--rounds", flags->rounds, "How often each case is timed")
      ->check(whole_number(1, 1000))
      ->capture_default_str();
  command->add_flag("--pairs", flags->has_pairs,
                    "Time each case without fusion and in other mappings too, and compare");
  command->add_flag("--check", flags->is_checked,
                    "Exit with 3 unless the model holds: 80 % within 30 % (25 % on a GPU), 95 % of "
                    "pairs, no kernel above what was reached or below its floor");
  CLI::Option* const predicts = command->add_flag(
      "--predict", flags->is_predicted,
      "Plan the cases of a GPU for --sheet (else h200) and run none: no GPU is needed");
  command->add_flag("--remeasure", flags->remeasures,
                    "Measure this machine again in every round, and predict from that");
  command->add_option("--peers", flags->peers,
                      "Times of others in microseconds, a JSON object {case: {name: time}}");
  command->add_flag("--list", flags->is_list, "List the cases and run none");
  command->add_flag("--json", flags->as_json, "Print a list of objects");
  for (const char* timed : {"--rounds", "--pairs", "--check", "--remeasure", "--peers"}) {
    predicts->excludes(timed);
  }
  command->footer(
      "Examples:\n  ridge bench 'cpu.row_reduction.*' --json\n  ridge bench 'gpu.*'\n"
      "  ridge bench gpu.row.softmax.f16.4096x32000 gpu.matmul.linear.bf16.100x4096x11008\n"
      "  ridge bench 'gpu.row.*' --predict --sheet a100-80");
  command->callback([flags] {
    const int code = run(*flags);
    if (code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace ridge::command
