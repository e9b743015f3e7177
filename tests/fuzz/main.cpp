// ridge_fuzz: makes random graphs and runs each on every path (paths.h).
//
//   ridge_fuzz --seed=1 --count=2000           these graphs, always the same
//   ridge_fuzz --seed=9 --minutes=120          as many as the time allows
//   ridge_fuzz --replay=case.graph             one graph, or several (a,b), as a failure left them
//   ridge_fuzz --only=compiled ...             one path (text, reference, eager, cpu, gpu, ...)
//   ridge_fuzz --only=cuda --simulated ...     on a GPU that is the loop interpreter
//   ridge_fuzz --plant=stray ...               with a defect put in: ends well if it is found
//   ridge_fuzz --list --count=10               shows the graphs and runs none
//   ridge_fuzz --kind=views --count=5000       programs of views and writes instead (view_fuzz.h)
//   ridge_fuzz --coverage ...                  shows it by op, dtype and mapping; fails if an op is missing
//   ridge_fuzz --forever --folder=found        from a fresh seed, until it is stopped
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <limits>
#include <map>
#include <random>
#include <thread>

#include "ridge/base/files.h"
#include "ridge/base/parse_number.h"
#include "ridge/base/text.h"
#include "ridge/graph/recorder.h"
#include "ridge/ridge.h"
#include "ridge/runtime/cuda/driver_api.h"
#include "tests/fuzz/report.h"
#include "tests/fuzz/view_fuzz.h"
#include "tests/fuzz/workers.h"
#include "tests/simulated/simulated_gpu.h"

namespace ridge::fuzz {
namespace {

// A judgment of fewer elements than this would be no test.
constexpr double kMostNotJudged = 0.15;
// A planted defect is in one kernel, and one or two calls are enough to need one.
constexpr size_t kMostNodesOfPlanted = 3;

constexpr int kSkipped = 77;  // the exit status that CTest takes for it

struct Flags {
  Settings settings;
  ReportOptions report;
  std::string replay;
  std::string only;  // a path; which there are depends on the kind
  bool is_simulated = false;
  bool is_list = false;
  bool is_forever = false;
  bool is_coverage = false;
  bool is_views = false;
  bool is_help = false;
};

constexpr const char* kFlags =
    "--kind= --seed= --first= --count= --minutes= --jobs= --failures= --only= --plant= --replay= "
    "--folder= --simulated --coverage --forever --list --no-shrink --verbose --help";

[[noreturn]] void fail_usage(const std::string& flag) {
  throw Error({.code = ErrorCode::value, .op = "ridge_fuzz", .expected = kFlags, .given = flag});
}

// Of a flag that takes a whole number from `least` to `most`.
uint64_t whole_in(const std::string& name, const std::string& text, uint64_t least, uint64_t most) {
  const std::optional<uint64_t> number = parse_whole(text);
  RIDGE_CHECK(number && *number >= least && *number <= most, .code = ErrorCode::value,
              .op = "ridge_fuzz",
              .expected = concat(name, "= a whole number from ", least, " to ", most),
              .given = concat("`", text, "`"));
  return *number;
}

double minutes_of(const std::string& text) {
  const std::optional<double> number = parse_real(text);
  constexpr double kLongest = 1e6;  // two years
  if (!number || *number < 0 || *number > kLongest) fail_usage("--minutes=" + text);
  return *number;
}

Path path_named(const std::string& text) {
  const std::optional<Path> path = find_path(text);
  if (!path) fail_usage("--only=" + text);
  return *path;
}

Plant plant_named(const std::string& text) {
  if (text != "value" && text != "stray") fail_usage("--plant=" + text);
  return text == "value" ? Plant::value : Plant::stray;
}

bool is_views_kind(const std::string& text) {
  if (text != "graphs" && text != "views") fail_usage("--kind=" + text);
  return text == "views";
}

Flags parse_flags(int argc, char** argv) {
  Flags flags;
  Settings& settings = flags.settings;
  settings.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max(), kMany = 1000000;
  const std::map<std::string, std::function<void(const std::string&)>> known_flags = {
      {"--kind", [&](const std::string& v) { flags.is_views = is_views_kind(v); }},
      {"--seed", [&](const std::string& v) { settings.seed = whole_in("--seed", v, 0, kMost); }},
      {"--first",
       [&](const std::string& v) { settings.first = whole_in("--first", v, 0, kMost / 2); }},
      {"--count",
       [&](const std::string& v) { settings.count = whole_in("--count", v, 0, kMost / 2); }},
      {"--minutes", [&](const std::string& v) { settings.minutes = minutes_of(v); }},
      {"--jobs",
       [&](const std::string& v) {
         settings.jobs = static_cast<int>(whole_in("--jobs", v, 1, 1024));
       }},
      {"--failures",
       [&](const std::string& v) {
         settings.most_failures = static_cast<int>(whole_in("--failures", v, 1, kMany));
       }},
      {"--only", [&](const std::string& v) { flags.only = v; }},
      {"--plant", [&](const std::string& v) { settings.run.plant = plant_named(v); }},
      {"--replay", [&](const std::string& v) { flags.replay = v; }},
      {"--folder", [&](const std::string& v) { flags.report.folder = v; }},
      {"--simulated", [&](const std::string&) { flags.is_simulated = true; }},
      {"--coverage", [&](const std::string&) { flags.is_coverage = true; }},
      {"--forever", [&](const std::string&) { flags.is_forever = true; }},
      {"--list", [&](const std::string&) { flags.is_list = true; }},
      {"--no-shrink", [&](const std::string&) { flags.report.is_shrunk = false; }},
      {"--help", [&](const std::string&) { flags.is_help = true; }},
      {"--verbose", [&](const std::string&) { settings.is_verbose = true; }},
  };
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    const size_t equals = arg.find('=');
    const auto flag = known_flags.find(arg.substr(0, equals));
    if (flag == known_flags.end()) fail_usage(arg);
    flag->second(equals == std::string::npos ? "" : arg.substr(equals + 1));
  }
  if (!flags.only.empty() && !flags.is_views) settings.run.only = path_named(flags.only);
  return flags;
}

int fuzz_views(const Flags& flags) {
  const Settings& given = flags.settings;
  ViewSettings settings{.seed = given.seed,
                        .first = given.first,
                        .count = given.count,
                        .jobs = given.jobs,
                        .most_failures = given.most_failures,
                        .is_list = flags.is_list,
                        .plant = given.run.plant,
                        .folder = flags.report.folder};
  if (!flags.only.empty()) {
    settings.only = find_view_path(flags.only);
    if (!settings.only) fail_usage("--only=" + flags.only);
  }
  const bool is_clean = run_views(settings) == 0;
  return is_clean == (settings.plant == Plant::none) ? EXIT_SUCCESS : EXIT_FAILURE;
}

int replay(const Flags& flags) {
  std::vector<Case> cases;
  for (size_t begin = 0; begin <= flags.replay.size();) {
    const size_t end = std::min(flags.replay.find(',', begin), flags.replay.size());
    cases.push_back(parse_case(read_file(flags.replay.substr(begin, end - begin))));
    std::printf("%s\n", to_text(cases.back()).c_str());
    begin = end + 1;
  }
  const Outcome outcome = run_apart(cases, flags.settings.run);
  if (outcome.kind == Outcome::Kind::not_judgeable) std::printf("cannot be judged\n");
  if (outcome.kind == Outcome::Kind::passed) std::printf("passes\n");
  if (outcome.is_failure()) print(outcome);
  return outcome.is_failure() ? EXIT_FAILURE : EXIT_SUCCESS;
}

int list(const Settings& settings) {
  for (uint64_t i = settings.first; i < settings.first + settings.count; ++i) {
    std::printf("%s\n", to_text(judgeable_case(settings.seed, i)).c_str());
  }
  return EXIT_SUCCESS;
}

// In a process of its own: a driver that was used before a fork is of no use to the workers after it.
bool is_gpu_missing() {
  const pid_t child = fork();
  if (child == 0) {
    const auto& found = runtime::cuda::cuda_availability();
    if (!found.is_available) std::printf("skipped: %s\n", found.reason.c_str());
    std::fflush(stdout);
    _exit(found.is_available ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status != 0;
}

// Runs the graphs of the settings; false if something is wrong with them.
bool fuzz_graphs(const Flags& flags) {
  size_t failures = 0, largest = 0;
  const Totals totals = run_all(flags.settings, [&](uint64_t number, const Outcome& outcome) {
    ++failures;
    largest = std::max(largest, report(flags.settings, flags.report, number, outcome));
  });
  const JudgedCounts& judged = totals.counts.judged;
  const double not_judged = static_cast<double>(judged.not_judged) /
                            static_cast<double>(std::max<int64_t>(judged.elements, 1));
  std::printf(
      "%llu graphs of seed %llu, %lld nodes, %lld interpreted kernels; %lld elements compared, "
      "%.1f %% of them not judged; %zu failures\n%s\n",
      static_cast<unsigned long long>(totals.cases),
      static_cast<unsigned long long>(flags.settings.seed),
      static_cast<long long>(totals.counts.nodes), static_cast<long long>(totals.counts.kernels),
      static_cast<long long>(judged.elements), 100 * not_judged, failures,
      summary(totals.counts.coverage).c_str());
  const std::vector<std::string> missing = missing_ops(totals.counts.coverage);
  if (flags.is_coverage) {
    std::printf("%s", to_text(totals.counts.coverage).c_str());
    if (!missing.empty()) std::printf("ops in no graph: %s\n", join(missing, ", ").c_str());
  }
  std::fflush(stdout);
  if (flags.settings.run.plant != Plant::none) {
    return failures > 0 && largest <= kMostNodesOfPlanted;
  }
  const bool is_complete = missing.empty() || !flags.is_coverage;
  return failures == 0 && not_judged <= kMostNotJudged && is_complete;
}

// Graphs and programs of views in turn, each round from a seed of its own. What is found is printed
// and left in the folder, with the command that runs it again.
[[noreturn]] void fuzz_forever(Flags flags) {
  flags.settings.most_failures = std::numeric_limits<int>::max();
  std::filesystem::create_directories(flags.report.folder);
  for (;;) {
    // As many digits as are easily copied.
    flags.settings.seed = std::random_device()();
    std::printf("seed %llu\n", static_cast<unsigned long long>(flags.settings.seed));
    std::fflush(stdout);
    fuzz_graphs(flags);
    fuzz_views(flags);
    std::fflush(stdout);
  }
}

int run(const Flags& flags) {
  if (flags.is_help) {
    std::printf("ridge_fuzz: random graphs on every path; tests/fuzz/main.cpp has examples\n%s\n",
                kFlags);
    return EXIT_SUCCESS;
  }
  if (flags.is_views) return fuzz_views(flags);
  if (flags.is_simulated && !testing::use_simulated_gpu())
    fail_usage("--simulated beside a real GPU");
  if (!flags.replay.empty()) return replay(flags);
  if (flags.is_list) return list(flags.settings);
  const bool is_on_gpu = flags.settings.run.only == Path::cuda && !flags.is_simulated;
  if (is_on_gpu && is_gpu_missing()) return kSkipped;
  if (flags.is_forever) fuzz_forever(flags);
  return fuzz_graphs(flags) ? EXIT_SUCCESS : EXIT_FAILURE;
}

int run_command(int argc, char** argv) {
  try {
    graph::install_recorder();
    records();
    return run(parse_flags(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}

}  // namespace
}  // namespace ridge::fuzz

int main(int argc, char** argv) {
  return ridge::finish_output("ridge_fuzz", ridge::fuzz::run_command(argc, argv));
}
