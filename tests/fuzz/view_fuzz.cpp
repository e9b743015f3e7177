#include "tests/fuzz/view_fuzz.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/base/files.h"
#include "ridge/base/text.h"
#include "tests/fuzz/random_view_program.h"
#include "tests/fuzz/view_shrink.h"

namespace ridge::fuzz {
namespace {

constexpr uint64_t kCompiledOneIn = 25;

void report(const ViewSettings& settings, const ViewProgram& program, uint64_t number,
            ViewPath path) {
  const ViewProgram small = shrink(program, path, settings.plant);
  const std::string text = concat("program ", number, " fails on path ", name(path), ":\n",
                                  to_text(small), run_on_path(small, path, settings.plant),
                                  "\nrun it again: ridge_fuzz --kind=views --seed=", settings.seed,
                                  " --first=", number, " --count=1 --only=", name(path), "\n\n");
  std::printf("%s", text.c_str());
  std::fflush(stdout);
  if (settings.plant != Plant::none) return;
  write_file_atomically(concat(settings.folder, "/views_", settings.seed, "_", number, ".txt"),
                        text);
}

// Every jobs-th program, in this process. Returns the number of those that failed.
int run_share(const ViewSettings& settings, uint64_t share) {
  int failures = 0;
  const auto step = static_cast<uint64_t>(settings.jobs);
  for (uint64_t i = share; i < settings.count && failures < settings.most_failures; i += step) {
    const uint64_t number = settings.first + i;
    const ViewProgram program = random_view_program(settings.seed, number);
    std::vector<ViewPath> paths = {ViewPath::replay, ViewPath::cpu, ViewPath::gpu};
    if (!program.resized.empty()) paths.push_back(ViewPath::resized);
    if (number % kCompiledOneIn == 0) paths.push_back(ViewPath::compiled);
    if (settings.only) paths = {*settings.only};
    for (const ViewPath path : paths) {
      if (run_on_path(program, path, settings.plant).empty()) continue;
      report(settings, program, number, path);
      ++failures;
      break;
    }
  }
  return failures;
}

}  // namespace

// A process for each share, so that a crash is one failure, with the others' reports still there.
uint64_t run_views(const ViewSettings& settings) {
  if (settings.is_list) {
    for (uint64_t i = 0; i < settings.count; ++i) {
      std::printf("%s\n", to_text(random_view_program(settings.seed, settings.first + i)).c_str());
    }
    return 0;
  }
  std::vector<pid_t> workers;
  for (int share = 0; share < settings.jobs; ++share) {
    std::fflush(stdout);
    const pid_t child = fork();
    RIDGE_CHECK(child >= 0, .code = ErrorCode::io, .op = "ridge_fuzz",
                .expected = "another process", .given = "none");
    if (child == 0) {
      const int failures = run_share(settings, static_cast<uint64_t>(share));
      std::fflush(stdout);
      _exit(failures);
    }
    workers.push_back(child);
  }
  uint64_t failures = 0;
  for (const pid_t worker : workers) {
    int status = 0;
    waitpid(worker, &status, 0);
    if (!WIFEXITED(status)) std::printf("a worker ended by signal %d\n", WTERMSIG(status));
    failures += WIFEXITED(status) ? static_cast<uint64_t>(WEXITSTATUS(status)) : 1;
  }
  std::printf("%llu programs of views; %llu failures\n",
              static_cast<unsigned long long>(settings.count),
              static_cast<unsigned long long>(failures));
  return failures;
}

}  // namespace ridge::fuzz
