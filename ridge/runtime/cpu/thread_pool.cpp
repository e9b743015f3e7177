// One job at a time. Its owner publishes it, hands out a ticket for each worker it wants, works
// itself, takes back the tickets nobody took, and waits for those who did:
//
//   owner    write job; tickets = n; ++epoch    run ranges    left = tickets.exchange(0)    wait
//   worker   sees epoch, takes a ticket         run ranges    ++finished
//
// The job is only read by holders of a ticket, and only written when none is out: a worker that
// comes late finds no ticket and touches nothing.
//
// Each thread has a share of the tasks that is the same in every job of the same size, and helps with
// the shares of others when its own is done: what one kernel leaves in the cache of a core, the next
// one finds there.
#include "ridge/runtime/cpu/thread_pool.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "ridge/base/knobs.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"

namespace ridge::runtime {
namespace {

// These three are guesses from one machine; no bench derives them.
// Some 50 us there: longer than the gap between two kernels of a program, shorter than a time slice.
constexpr int kIdleSpins = 1000;
// The owner waits for workers that run, so it gives up the core only if they seem to have lost it.
constexpr int kWaitSpins = 4000;
// Ranges for each thread: enough that one which starts late does not hold up the rest.
constexpr int64_t kRangesPerThread = 4;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Signals are for the threads of the host: what is started meanwhile gets none.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

thread_local bool is_inside_task = false;

struct Job {
  TaskRange run = nullptr;
  void* context = nullptr;
  int64_t count = 0;
  int64_t range = 1;
};

// Consecutive tasks, of which ranges are taken from the front.
struct alignas(64) Share {
  std::atomic<int64_t> next{0};
  int64_t end = 0;
};

class Pool {
 public:
  // False if the workers are busy for another thread, or there are none.
  bool run(const Job& job, int helpers) {
    std::unique_lock owner(owner_mutex_, std::try_to_lock);
    if (!owner.owns_lock()) return false;
    helpers = std::min(helpers, start_workers(helpers));
    if (helpers == 0) return false;
    job_ = job;
    cut_shares(helpers + 1);
    finished_.store(0, std::memory_order_relaxed);
    tickets_.store(helpers, std::memory_order_release);
    epoch_.fetch_add(1);
    if (sleeping_.load() > 0) {
      {
        std::lock_guard lock(sleep_mutex_);
      }
      wake_.notify_all();
    }
    run_ranges(0);
    const int joined = helpers - tickets_.exchange(0, std::memory_order_acquire);
    for (int spins = 0; finished_.load(std::memory_order_acquire) != joined; ++spins) {
      spins < kWaitSpins ? relax() : std::this_thread::yield();
    }
    return true;
  }

 private:
  // Whole ranges, as equal as they can be.
  void cut_shares(int count) {
    share_count_ = count;
    const int64_t ranges = (job_.count + job_.range - 1) / job_.range;
    for (int i = 0; i < count; ++i) {
      Share& share = shares_[static_cast<size_t>(i)];
      share.next.store(ranges * i / count * job_.range, std::memory_order_relaxed);
      share.end = std::min(job_.count, ranges * (i + 1) / count * job_.range);
    }
  }

  void run_ranges(int home) {
    is_inside_task = true;
    for (int i = 0; i < share_count_; ++i) {
      Share& share = shares_[static_cast<size_t>((home + i) % share_count_)];
      for (;;) {
        const int64_t begin = share.next.fetch_add(job_.range, std::memory_order_relaxed);
        if (begin >= share.end) break;
        job_.run(job_.context, begin, std::min(begin + job_.range, share.end));
      }
    }
    is_inside_task = false;
  }

  bool take_ticket() {
    int tickets = tickets_.load(std::memory_order_relaxed);
    while (tickets > 0) {
      if (tickets_.compare_exchange_weak(tickets, tickets - 1, std::memory_order_acq_rel)) {
        return true;
      }
    }
    return false;
  }

  // Waits for an epoch other than `seen` and returns it.
  uint64_t next_epoch(uint64_t seen) {
    for (int spins = 0; spins < kIdleSpins; ++spins) {
      const uint64_t epoch = epoch_.load(std::memory_order_acquire);
      if (epoch != seen) return epoch;
      relax();
    }
    std::unique_lock lock(sleep_mutex_);
    // Both this and the owner's pair (new epoch, then a look at the sleepers) are sequentially
    // consistent: one of the two sees the other.
    sleeping_.fetch_add(1);
    wake_.wait(lock, [&] { return epoch_.load() != seen; });
    sleeping_.fetch_sub(1);
    return epoch_.load();
  }

  [[noreturn]] void work(int home) {
    std::fesetenv(FE_DFL_ENV);  // a thread inherits what its creator had set, such as flush to zero
    uint64_t epoch = 0;
    for (;;) {
      epoch = next_epoch(epoch);
      if (!take_ticket()) continue;
      run_ranges(home);
      finished_.fetch_add(1, std::memory_order_release);
    }
  }

  // How many there are, after starting what is missing and can be had. Called through generated
  // frames, so nothing leaves it: fewer workers are slower, not wrong.
  int start_workers(int wanted) noexcept {
    if (worker_count_ >= wanted || has_failed_) return worker_count_;
    std::exception_ptr failure;
    {
      const BlockedSignals for_the_host;
      try {
        shares_ = std::make_unique<Share[]>(static_cast<size_t>(wanted) + 1);
        for (; worker_count_ < wanted; ++worker_count_) {
          // Detached, on a pool that is never destroyed: at exit they sleep, or spin on our memory.
          std::thread([this, home = worker_count_ + 1] { work(home); }).detach();
        }
      } catch (...) {
        failure = std::current_exception();
      }
    }
    if (failure) {
      has_failed_ = true;
      warn(failure, wanted);
    }
    return worker_count_;
  }

  void warn(const std::exception_ptr& failure, int wanted) const noexcept {
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& error) {
      try {
        log(LogLevel::warning, "runtime",
            concat("only ", worker_count_, " of ", wanted,
                   " worker threads started: ", error.what()));
      } catch (...) {
        // The host's callback failed, or there is no memory for the text.
      }
    } catch (...) {}
  }

  std::mutex owner_mutex_;  // held by the thread whose job runs
  int worker_count_ = 0;
  bool has_failed_ = false;
  Job job_;
  std::unique_ptr<Share[]> shares_;
  int share_count_ = 0;
  alignas(64) std::atomic<int> tickets_{0};
  std::atomic<int> finished_{0};
  alignas(64) std::atomic<uint64_t> epoch_{0};
  std::atomic<int> sleeping_{0};
  std::mutex sleep_mutex_;
  std::condition_variable wake_;
};

std::atomic<Pool*> current_pool{nullptr};

// Never destroyed, see start_workers. A child of fork has none of the threads, and perhaps a lock
// that one of them held: it gets a new pool.
Pool& pool() {
  static const bool is_ready = [] {
    current_pool.store(new Pool());
    pthread_atfork(nullptr, nullptr, [] {
      current_pool.store(new Pool());
      is_inside_task = false;
    });
    return true;
  }();
  static_cast<void>(is_ready);
  return *current_pool.load(std::memory_order_acquire);
}

}  // namespace

int thread_count() {
  static const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const auto wanted = static_cast<int>(knob_int(Knob::threads));
  return wanted == 0 ? cores : wanted;
}

void parallel(int64_t count, int64_t grain, TaskRange run, void* context) {
  if (count <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  const int threads = count <= grain || is_inside_task ? 1 : thread_count();
  if (threads > 1) {
    const int64_t pieces = threads * kRangesPerThread;
    const int64_t range = std::max(grain, count / pieces + (count % pieces != 0 ? 1 : 0));
    const int64_t ranges = count / range + (count % range != 0 ? 1 : 0);
    const int helpers = static_cast<int>(std::min<int64_t>(threads, ranges)) - 1;
    if (helpers > 0 && pool().run({run, context, count, range}, helpers)) return;
  }
  run(context, 0, count);
}

KernelRuntime& kernel_runtime() {
  static KernelRuntime runtime = [] {
    thread_count();  // an error in the environment is thrown here, not through a kernel's frames
    return KernelRuntime{[](KernelRuntime*, int64_t count, int64_t grain, TaskRange run,
                            void* context) { parallel(count, grain, run, context); }};
  }();
  return runtime;
}

}  // namespace ridge::runtime
