#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>

#include "gpu_bench_run.h"
#include "ridge/base/error.h"
#include "ridge/base/files.h"
#include "usage.h"

namespace ridge::command {
namespace {

constexpr double kErrorAllowed = 0.25, kShareWanted = 0.80;
constexpr double kPairMargin = 0.15, kPairsWanted = 0.95;
// What the sweep must reach, or the floors are none: 4.1 of the 4.8 TB/s of an H200.
constexpr int64_t kSweepBytes = int64_t{1} << 32;
constexpr double kSweepShare = 4.1 / 4.8;

nlohmann::json to_json(const GpuResult& r, const cost::Sheet& sheet) {
  nlohmann::json json{{"case", r.name}, {"device", "cuda"}, {"peers", nlohmann::json::object()}};
  if (!r.error.empty()) {
    json["error"] = r.error;
    return json;
  }
  json["ours_us"] = 1e6 * r.seconds;
  json["floor_us"] = 1e6 * r.floor;
  json["fraction"] = r.floor / r.seconds;
  json["spread"] = r.spread;
  json["gpu"] = first_gpu_name();
  json["sheet"] = sheet.name;
  if (r.predicted > 0) json["predicted_us"] = 1e6 * r.predicted;
  if (r.bytes > 0) json["bytes"] = r.bytes;
  if (r.kernels > 0) json["kernels"] = r.kernels;
  if (!r.bound.empty()) json["bound"] = r.bound;
  if (!r.note.empty()) json["note"] = r.note;
  return json;
}

void print_head() {
  fmt::print("{:<56}{:>12}{:>12}{:>8}{:>12}{:>8}{:>8}  {}\n", "case", "measured us", "floor us",
             "floor", "predicted", "error", "kernels", "bound");
}

void print_row(const GpuResult& r) {
  if (!r.error.empty()) {
    fmt::print("{:<56}  FAILED: {}\n", r.name, r.error);
  } else if (r.predicted <= 0) {
    fmt::print("{:<56}{:>12.2f}{:>12.2f}{:>7.1f}%  {}\n", r.name, 1e6 * r.seconds, 1e6 * r.floor,
               100 * r.floor / r.seconds, r.note);
  } else {
    fmt::print("{:<56}{:>12.2f}{:>12.2f}{:>7.1f}%{:>12.2f}{:>+7.0f}%{:>8}  {}\n", r.name,
               1e6 * r.seconds, 1e6 * r.floor, 100 * r.floor / r.seconds, 1e6 * r.predicted,
               100 * (r.predicted / r.seconds - 1), r.kernels, r.bound);
  }
  std::fflush(stdout);
}

bool is_close(const GpuResult& r) { return std::abs(r.predicted / r.seconds - 1) <= kErrorAllowed; }

// Whether plain kernels reach what they must.
bool check_sweep(GpuBench& bench, const cost::Sheet& sheet, std::FILE* to) {
  const double rate = bench.copy_rate(kSweepBytes);
  const auto peak = sheet.value("dram.peak");
  fmt::print(to, "plain sweep: a copy of 4 GB at {:.2f} TB/s{}\n", rate / 1e12,
             peak ? fmt::format(", {:.1f} % of the peak", 100 * rate / *peak) : "");
  const bool is_enough = !peak || rate >= kSweepShare * *peak;
  if (!is_enough) {
    fmt::print(stderr, "the plain sweep should reach {:.1f} % of the peak: shares of it mislead\n",
               100 * kSweepShare);
  }
  return is_enough;
}

}  // namespace

void print_ranking(std::FILE* to, const Ranking& ranking) {
  fmt::print(to, "{} of {} pairs (fused or not, other mappings) ranked rightly\n", ranking.right,
             ranking.pairs);
  for (const std::string& wrong : ranking.wrong) fmt::print(to, "  {}\n", wrong);
}

GpuSummary run_gpu_bench(const std::vector<GpuCase>& cases, const GpuBenchOptions& options) {
  need_gpu("bench");
  const auto sheet = options.sheet.empty() ? first_gpu_sheet() : sheet_for(options.sheet);
  if (sheet->kind != cost::SheetKind::gpu) {
    throw CLI::ValidationError("expected the sheet of a GPU, given " + sheet->name);
  }
  std::FILE* to = options.as_json ? stderr : stdout;
  GpuBench bench(sheet);
  GpuSummary summary;
  summary.holds = check_sweep(bench, *sheet, to);
  if (!options.as_json) print_head();
  size_t close = 0, predicted = 0;
  for (const GpuCase& gpu_case : cases) {
    const GpuResult result = bench.run(gpu_case);
    summary.list.push_back(to_json(result, *sheet));
    if (!options.as_json) print_row(result);
    if (!result.error.empty()) {
      fmt::print(stderr, "ridge: {} failed: {}\n", result.name, result.error);
      summary.is_right = false;
    } else if (result.predicted > 0) {
      ++predicted;
      close += is_close(result) ? 1 : 0;
    }
  }
  fmt::print(to, "{} of {} predicted within {:.0f} %, on {} with the sheet {} ({})\n", close,
             predicted, 100 * kErrorAllowed, first_gpu_name(), sheet->name, sheet->version);
  const auto is_share = [](size_t part, size_t all, double wanted) {
    return static_cast<double>(part) >= wanted * static_cast<double>(all);
  };
  summary.holds = summary.holds && is_share(close, predicted, kShareWanted);
  if (options.has_pairs) {
    const Ranking ranking = rank_gpu_pairs(cases, sheet, kPairMargin);
    print_ranking(to, ranking);
    summary.holds = summary.holds && is_share(ranking.right, ranking.pairs, kPairsWanted);
  }
  return summary;
}

nlohmann::json read_peers(const std::string& path) {
  nlohmann::json peers =
      nlohmann::json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
  RIDGE_CHECK(peers.is_object(), .code = ErrorCode::parse, .op = "bench",
              .expected = "a JSON object {case: {name: time}}", .given = path);
  return peers;
}

void merge_peers(nlohmann::json& list, const nlohmann::json& peers) {
  for (nlohmann::json& result : list) {
    const auto found = peers.find(result["case"].get<std::string>());
    if (found != peers.end()) result["peers"] = *found;
  }
}

}  // namespace ridge::command
