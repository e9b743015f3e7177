#include "ridge/calibrate/calibrate.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/calibrate/cpu_probes.h"

namespace ridge::calibrate {

#if RIDGE_HAS_LLVM

namespace {

constexpr std::string_view kSource = "measured";
// What all threads must reach of the rate of one, times their number where nothing is shared.
constexpr double kLeastGain = 0.7;

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
  return text;
}

// The name the processor gives itself.
std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "processor without a name";
}

// What each core has for itself: all of them together do several times what one does.
bool is_private(std::string_view key) {
  for (const std::string_view shared : {"l3.", "dram.", "gather.l3", "gather.dram"}) {
    if (key.starts_with(shared)) return false;
  }
  return true;
}

// Why a figure is not to be trusted; empty if it is.
std::string doubt(const Measured& measured, const std::vector<Measured>& all, int threads,
                  const Options& options) {
  if (!(measured.spread <= options.most_spread * measured.leniency)) {
    return concat("a spread of ", static_cast<int>(100 * std::min(measured.spread, 9.99)), " %");
  }
  for (const Measured& one : all) {
    if (one.key != measured.key + ".one") continue;
    const double times = measured.median / one.median;
    if (times < kLeastGain * (is_private(measured.key) ? threads : 1)) {
      return concat(threads, " threads do ", static_cast<int>(100 * times), " % of what one does");
    }
  }
  return {};
}

// Again what is in doubt: whatever disturbed it may be over. Of two, the one that spreads less stays.
std::vector<Measured> measure(const std::vector<Probe>& probes, int threads,
                              const Options& options) {
  std::vector<Measured> result = run(probes, options.rounds, options.on_progress);
  for (int attempt = 1; attempt < options.attempts; ++attempt) {
    std::vector<Probe> again;
    std::vector<size_t> places;
    for (size_t i = 0; i < probes.size(); ++i) {
      if (doubt(result[i], result, threads, options).empty()) continue;
      again.push_back(probes[i]);
      places.push_back(i);
    }
    if (again.empty()) break;
    const std::vector<Measured> more = run(again, options.rounds, options.on_progress);
    for (size_t i = 0; i < places.size(); ++i) {
      Measured& kept = result[places[i]];
      const bool was_steady = kept.spread <= options.most_spread * kept.leniency;
      if (was_steady || more[i].spread < kept.spread) kept = more[i];
    }
  }
  return result;
}

void refuse_doubts(const std::vector<Measured>& measured, int threads, const Options& options) {
  std::vector<std::string> doubts;
  for (const Measured& m : measured) {
    const std::string why = doubt(m, measured, threads, options);
    if (!why.empty()) doubts.push_back(concat(m.key, ": ", why));
  }
  double load[1] = {0};
  const bool has_load = getloadavg(load, 1) == 1;
  RIDGE_CHECK(
      doubts.empty(), .code = ErrorCode::state, .op = "calibrate",
      .expected = "a machine quiet enough for measurements to agree",
      .given = concat(join(doubts, "; "), has_load ? concat("; load average ", load[0]) : ""),
      .hint = "stop what else runs on this machine, and try again");
}

void add(cost::Sheet& sheet, const std::string& key, double value, cost::Unit unit, double spread,
         std::string_view source) {
  cost::Figure figure;
  figure.value = value;
  figure.unit = unit;
  figure.source = source;
  figure.spread = spread;
  if (key.starts_with("matrix.")) figure.accumulate = "f32";
  sheet.figures[key] = figure;
}

}  // namespace

cost::Sheet calibrate_cpu(const Options& options) {
  const CpuShape shape = this_cpu_shape();
  std::vector<Probe> probes;
  add_memory_probes(probes, shape);
  add_capacity_probes(probes, shape);
  add_arithmetic_probes(probes, shape);
  add_overhead_probes(probes, shape);
  const std::vector<Measured> measured = measure(probes, shape.threads, options);
  refuse_doubts(measured, shape.threads, options);

  cost::Sheet sheet;
  sheet.name = "this-cpu";
  sheet.title = processor_name();
  sheet.kind = cost::DeviceKind::cpu;
  sheet.version = today();
  sheet.is_measured = true;
  sheet.sources.push_back({std::string(kSource), "ridge devices --calibrate", today()});
  sheet.sources.push_back({"system", "what the operating system says", today()});
  for (const Measured& m : measured) add(sheet, m.key, m.median, m.unit, m.spread, kSource);
  add(sheet, "units", shape.threads, cost::Unit::count, 0, "system");
  add(sheet, "lanes", shape.lanes, cost::Unit::count, 0, "system");
  add(sheet, "line", shape.line, cost::Unit::bytes, 0, "system");
  add(sheet, "l1.bytes", shape.l1, cost::Unit::bytes, 0, "system");
  add(sheet, "l2.bytes", shape.l2, cost::Unit::bytes, 0, "system");
  add(sheet, "l3.bytes", shape.l3, cost::Unit::bytes, 0, "system");
  return sheet;
}

Remeasure::Remeasure(cost::Sheet sheet) : sheet_(std::move(sheet)) {
  const CpuShape shape = this_cpu_shape();
  add_memory_probes(probes_, shape);
  add_arithmetic_probes(probes_, shape);
  add_overhead_probes(probes_, shape);
}

#else

cost::Sheet calibrate_cpu(const Options&) {
  throw Error({.code = ErrorCode::device,
               .op = "calibrate",
               .expected = "a build with LLVM, whose kernels do the measuring",
               .given = "one without"});
}

Remeasure::Remeasure(cost::Sheet sheet) : sheet_(std::move(sheet)) {}

#endif

cost::Sheet Remeasure::now() const {
  cost::Sheet result = sheet_;
  for (const Probe& probe : probes_) result.figures[probe.key].value = probe.measure();
  return result;
}

void write_sheet(const cost::Sheet& sheet, const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path target(path), part(concat(path, ".", getpid(), ".part"));
  std::error_code failure;
  fs::create_directories(target.parent_path(), failure);
  {
    std::ofstream file(part, std::ios::binary);
    file << to_text(sheet);
    file.flush();
    RIDGE_CHECK(file.good(), .code = ErrorCode::io, .op = "calibrate",
                .expected = "a folder that can be written", .given = part.string());
  }
  fs::rename(part, target, failure);
  if (failure) fs::remove(part);
  RIDGE_CHECK(!failure, .code = ErrorCode::io, .op = "calibrate",
              .expected = "a file that can be written", .given = path);
}

}  // namespace ridge::calibrate
