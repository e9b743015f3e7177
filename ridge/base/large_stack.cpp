#include "ridge/base/large_stack.h"

#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <system_error>
#include <utility>

#include "ridge/base/error.h"

namespace ridge::detail {
namespace {

// A chain of 5000 fused ops takes 0.6 MiB, most of it in LLVM and the schedule; a thread has 8 MiB where
// nothing else is said. Memory of a new stack is taken only as far as it is used.
constexpr size_t kEnough = size_t{2} << 20;
constexpr size_t kNewStack = size_t{16} << 20;

// Sanitizers know the stacks of threads alone.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCanSwitch = false;
#else
constexpr bool kCanSwitch = true;
#endif

// Addresses of the stack that this thread runs on; all 0 until it is asked.
struct Extent {
  uintptr_t low = 0;
  uintptr_t high = 0;
};
constinit thread_local Extent current{};

Extent extent_of_thread() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* low = nullptr;
  size_t bytes = 0;
  const bool is_known = pthread_attr_getstack(&attributes, &low, &bytes) == 0;
  pthread_attr_destroy(&attributes);
  const auto start = reinterpret_cast<uintptr_t>(low);
  return is_known ? Extent{start, start + bytes} : Extent{};
}

// Memory for a stack, with a page below it that ends the process where it overflows.
class NewStack {
 public:
  NewStack() {
    void* memory = ::mmap(nullptr, kNewStack, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    const int failure = errno;
    RIDGE_CHECK(memory != MAP_FAILED, .code = ErrorCode::memory,
                .expected = "memory for a stack to compile on",
                .given = std::generic_category().message(failure));
    memory_ = static_cast<std::byte*>(memory);
    if (::mprotect(memory_, guard_bytes(), PROT_NONE) != 0) {
      const int refusal = errno;
      ::munmap(memory_, kNewStack);
      RIDGE_CHECK(false, .code = ErrorCode::memory,
                  .expected = "a guard below a stack to compile on",
                  .given = std::generic_category().message(refusal));
    }
  }
  ~NewStack() { ::munmap(memory_, kNewStack); }
  NewStack(const NewStack&) = delete;
  NewStack& operator=(const NewStack&) = delete;

  std::byte* low() const { return memory_ + guard_bytes(); }
  size_t bytes() const { return kNewStack - guard_bytes(); }
  Extent extent() const {
    const auto start = reinterpret_cast<uintptr_t>(low());
    return {start, start + bytes()};
  }

 private:
  static size_t guard_bytes() { return static_cast<size_t>(::sysconf(_SC_PAGESIZE)); }
  std::byte* memory_ = nullptr;
};

struct Job {
  void (*work)(void*);
  void* context;
  std::exception_ptr failure;
  ucontext_t caller{};
  ucontext_t own{};
};
// Handed over this way, since a context starts with integers as arguments only.
constinit thread_local Job* starting = nullptr;

void run_job() {
  Job& job = *starting;
  try {
    job.work(job.context);
  } catch (...) {
    job.failure = std::current_exception();
  }
}  // goes on with `caller`

}  // namespace

bool has_large_stack() {
  if (!kCanSwitch) return true;
  if (current.high == 0) current = extent_of_thread();
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  // Outside of what is known it is a stack that someone else has switched to, of any size.
  return here > current.low && here <= current.high && here - current.low >= kEnough;
}

void run_on_new_stack(void (*work)(void*), void* context) {
  const NewStack stack;
  Job job{work, context, nullptr};
  RIDGE_INTERNAL_CHECK(::getcontext(&job.own) == 0, "no context to switch from");
  job.own.uc_stack.ss_sp = stack.low();
  job.own.uc_stack.ss_size = stack.bytes();
  job.own.uc_link = &job.caller;
  ::makecontext(&job.own, run_job, 0);

  const Extent before = std::exchange(current, stack.extent());
  starting = &job;
  const int failed = ::swapcontext(&job.caller, &job.own);
  current = before;
  RIDGE_INTERNAL_CHECK(failed == 0, "the stack cannot be switched");
  if (job.failure) std::rethrow_exception(job.failure);
}

}  // namespace ridge::detail
