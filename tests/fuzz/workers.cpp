#include "tests/fuzz/workers.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>
#include <vector>

#include "ridge/base/text.h"
#include "tests/fuzz/random_graph.h"

namespace ridge::fuzz {
namespace {

// Of the processor, so that a busy machine is no failure; and of the clock, for one that waits for ever.
constexpr long kSecondsForOneCase = 60;
constexpr unsigned kSecondsOfClock = 900;
constexpr uint64_t kCasesOfOneWorker = 1000;

// What a worker tells its parent, in memory that both see.
struct Shared {
  volatile uint64_t next = 0;  // the case it is at
  volatile bool is_done = false;
  volatile Outcome::Kind kind = Outcome::Kind::passed;
  volatile Path path = Path::text;
  RunCounts counts{};
  uint64_t cases = 0;
  char message[1 << 16] = {};
};

class SharedMemory {
 public:
  SharedMemory() {
    void* mapped =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    RIDGE_CHECK(mapped != MAP_FAILED, .code = ErrorCode::memory, .op = "mmap",
                .expected = "shared memory", .given = std::strerror(errno));
    shared_ = new (mapped) Shared;
  }
  ~SharedMemory() { munmap(shared_, sizeof(Shared)); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  Shared* operator->() const { return shared_; }
  Shared& operator*() const { return *shared_; }

 private:
  Shared* shared_;
};

void run_into(const Case& given, const RunOptions& options, Shared& shared) {
  try {
    shared.path = Path::text;
    RunOptions noted = options;
    noted.on_path = [&shared](Path path) { shared.path = path; };
    const std::optional<Failure> failure = run_case(given, noted, shared.counts);
    if (!failure) return;
    shared.path = failure->path;
    std::snprintf(shared.message, sizeof shared.message, "%s", failure->message.c_str());
    shared.kind = Outcome::Kind::failed;
  } catch (const NotJudgeable&) {
    shared.kind = Outcome::Kind::not_judgeable;
  } catch (const std::exception& error) {
    std::snprintf(shared.message, sizeof shared.message, "there is nothing to compare with: %s",
                  error.what());
    shared.kind = Outcome::Kind::failed;
  }
}

Outcome outcome_of(const Shared& shared, int status) {
  Outcome outcome{shared.kind, shared.path, shared.message};
  if (WIFSIGNALED(status)) {
    outcome.kind = Outcome::Kind::crashed;
    outcome.message =
        concat("ended by signal ", WTERMSIG(status), " (", strsignal(WTERMSIG(status)), ")");
  } else if (WEXITSTATUS(status) != 0) {
    outcome.kind = Outcome::Kind::crashed;
    outcome.message = concat("exited with ", WEXITSTATUS(status));
  }
  return outcome;
}

// The process ends unless another case begins in time; 0 seconds for no limit.
void limit_case(long seconds, unsigned clock_seconds) {
  const itimerval timer{.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(clock_seconds);
}

template <class Work>
pid_t start(Work work) {
  std::fflush(nullptr);
  const pid_t child = fork();
  RIDGE_CHECK(child >= 0, .code = ErrorCode::state, .op = "fork", .expected = "a process",
              .given = std::strerror(errno));
  if (child == 0) {
    work();
    std::fflush(nullptr);
    _exit(0);
  }
  return child;
}

class Worker {
 public:
  Worker(const Settings& settings, uint64_t first) : settings_(settings) { shared_->next = first; }

  void begin() {
    shared_->kind = Outcome::Kind::passed;
    child_ = start([this] { work(); });
  }
  // Is it this worker's process that has ended?
  bool has_ended(pid_t ended) {
    if (child_ != ended) return false;
    child_ = -1;
    return true;
  }
  void end() {
    if (child_ < 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = -1;
  }
  Shared& shared() { return *shared_; }

 private:
  void work() {
    Shared& shared = *shared_;
    for (uint64_t i = 0; i < kCasesOfOneWorker && !is_over(shared.next); ++i) {
      limit_case(kSecondsForOneCase, kSecondsOfClock);
      run_into(judgeable_case(settings_.seed, shared.next), settings_.run, shared);
      if (shared.kind == Outcome::Kind::failed) return;
      ++shared.cases;
      if (settings_.is_verbose)
        std::printf("%llu passed\n", static_cast<unsigned long long>(shared.next));
      shared.next = shared.next + static_cast<uint64_t>(settings_.jobs);
    }
    limit_case(0, 0);
    shared.is_done = is_over(shared.next);
  }

  bool is_over(uint64_t next) const {
    if (settings_.minutes <= 0) return next >= settings_.first + settings_.count;
    const std::chrono::duration<double, std::ratio<60>> time = Clock::now() - start_;
    return time.count() >= settings_.minutes;
  }

  using Clock = std::chrono::steady_clock;
  const Settings& settings_;
  SharedMemory shared_;
  Clock::time_point start_ = Clock::now();
  pid_t child_ = -1;
};

}  // namespace

Outcome run_apart(const std::vector<Case>& cases, const RunOptions& options) {
  const SharedMemory shared;
  const pid_t child = start([&] {
    for (const Case& given : cases) {
      limit_case(kSecondsForOneCase, kSecondsOfClock);
      shared->kind = Outcome::Kind::passed;
      run_into(given, options, *shared);
      if (shared->kind == Outcome::Kind::failed) return;
    }
  });
  int status = 0;
  waitpid(child, &status, 0);
  return outcome_of(*shared, status);
}

Case judgeable_case(uint64_t seed, uint64_t number) {
  for (uint64_t attempt = 0; attempt < 50; ++attempt) {
    Case given = random_case(seed, number, attempt);
    try {
      expect(given.has_gradients ? with_gradients(given) : given);
    } catch (const NotJudgeable&) {
      continue;
    } catch (const Error&) {
      // Running it will tell.
    }
    return given;
  }
  throw Error({.code = ErrorCode::internal,
               .op = "fuzz",
               .expected = "a case that can be judged",
               .given = "50 that cannot"});
}

Totals run_all(const Settings& settings,
               const std::function<void(uint64_t, const Outcome&)>& report) {
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < settings.jobs; ++i) {
    workers.push_back(
        std::make_unique<Worker>(settings, settings.first + static_cast<uint64_t>(i)));
    workers.back()->begin();
  }
  int failures = 0;
  size_t running = workers.size();
  while (running > 0) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    for (const auto& worker : workers) {
      if (!worker->has_ended(ended)) continue;
      Shared& shared = worker->shared();
      const Outcome outcome = outcome_of(shared, status);
      if (outcome.is_failure()) {
        ++failures;
        report(shared.next, outcome);
        shared.next = shared.next + static_cast<uint64_t>(settings.jobs);
      }
      if (failures >= settings.most_failures) {
        for (const auto& other : workers) other->end();
        running = 0;
        break;
      }
      if (shared.is_done) {
        --running;
      } else {
        worker->begin();
      }
    }
  }
  Totals totals;
  for (const auto& worker : workers) {
    const Shared& shared = worker->shared();
    totals.cases += shared.cases;
    totals.counts.nodes += shared.counts.nodes;
    totals.counts.kernels += shared.counts.kernels;
    totals.counts.judged.elements += shared.counts.judged.elements;
    totals.counts.judged.not_judged += shared.counts.judged.not_judged;
    totals.counts.coverage.add(shared.counts.coverage);
  }
  return totals;
}

}  // namespace ridge::fuzz
