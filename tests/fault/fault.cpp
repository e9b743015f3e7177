#include "tests/fault/fault.h"

#include <atomic>

#include "ridge/base/random.h"
#include "ridge/core/device_runtime.h"

namespace ridge::fault {
namespace {

constexpr int64_t kNone = -1;

std::atomic<Request> watched{Request::allocation};
std::atomic<int64_t> failing{kNone};  // its number; kNone: nobody watches
std::atomic<int64_t> seen{0};

// What tensors on the CPU get their memory from, as long as the process lives.
class FailingAllocator final : public Allocator {
 public:
  explicit FailingAllocator(Allocator& upstream) : upstream_(upstream) {}

  void* allocate(size_t bytes) override {
    RIDGE_CHECK(!is_to_fail(Request::allocation), .code = ErrorCode::memory,
                .expected = "an allocation that succeeds", .given = kNoMemory);
    return upstream_.allocate(bytes);
  }
  void release(void* data, size_t bytes) noexcept override { upstream_.release(data, bytes); }
  AllocatorStats stats() const override { return upstream_.stats(); }

 private:
  Allocator& upstream_;
};

Allocator& failing_allocator() {
  static Allocator& allocator = [&]() -> Allocator& {
    auto& made = *new FailingAllocator(device_runtime(DeviceKind::cpu).allocator(kCpu));
    set_allocator(kCpu, &made);
    return made;
  }();
  return allocator;
}

[[maybe_unused]] const Allocator& installed = failing_allocator();

}  // namespace

bool is_to_fail(Request request) noexcept {
  if (failing.load() == kNone || watched.load() != request) return false;
  return seen.fetch_add(1) + 1 == failing.load();
}

Fault::Fault(Request request, int64_t number) : number_(number) {
  seen = 0;
  watched = request;
  failing = number;
}

Fault::~Fault() { failing = kNone; }

int64_t Fault::count() const { return seen; }

std::vector<int64_t> numbers_to_fail(int64_t count) {
  constexpr int64_t kEach = 200, kSampled = 200;
  std::vector<int64_t> numbers;
  for (int64_t n = 1; n <= std::min(count, kEach); ++n) numbers.push_back(n);
  SplitMix64 random(1);
  for (int64_t i = 0; i < std::min(count - kEach, kSampled); ++i) {
    numbers.push_back(count - kEach <= kSampled ? kEach + 1 + i : random.integer(kEach + 1, count));
  }
  return numbers;
}

int64_t live_bytes() { return failing_allocator().stats().live_bytes; }

}  // namespace ridge::fault
