#include "tests/fuzz/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <csetjmp>
#include <csignal>
#include <cstring>
#include <map>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::fuzz {
namespace {

constexpr auto kUnset = std::byte{0xff};
constexpr auto kCanary = std::byte{0x5a};

size_t page_size() {
  static const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

// Mapping costs more than filling, so blocks are kept for the next one of their size.
std::map<size_t, std::vector<std::byte*>>& free_blocks() {
  static auto& blocks = *new std::map<size_t, std::vector<std::byte*>>;
  return blocks;
}

std::byte* map_between_guards(size_t page_bytes) {
  auto& free = free_blocks()[page_bytes];
  if (!free.empty()) {
    std::byte* pages = free.back();
    free.pop_back();
    return pages;
  }
  const size_t all = page_bytes + 2 * page_size();
  void* mapped = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  RIDGE_CHECK(mapped != MAP_FAILED, .code = ErrorCode::memory, .op = "mmap",
              .expected = concat(all, " bytes"), .given = std::strerror(errno));
  auto* pages = static_cast<std::byte*>(mapped) + page_size();
  mprotect(pages, page_bytes, PROT_READ | PROT_WRITE);
  return pages;
}

struct Fault {
  sigjmp_buf jump;
  volatile sig_atomic_t is_armed = 0;
  volatile sig_atomic_t signal = 0;
  void* volatile address = nullptr;
};
thread_local Fault fault;

extern "C" void on_fault(int signal, siginfo_t* info, void*) {
  if (fault.is_armed != 0) {
    fault.is_armed = 0;
    fault.signal = signal;
    fault.address = info->si_addr;
    siglongjmp(fault.jump, 1);
  }
  // Not ours: end as if there were no handler, so that the parent sees the signal.
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void install_handlers() {
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(signal, &action, nullptr);
}

}  // namespace

GuardedBlock::GuardedBlock(size_t bytes, Edge edge) : bytes_(bytes) {
  const size_t page = page_size();
  page_bytes_ = (bytes + page - 1) / page * page;
  if (page_bytes_ == 0) page_bytes_ = page;
  pages_ = map_between_guards(page_bytes_);
  data_ = edge == Edge::start ? pages_ : pages_ + page_bytes_ - bytes;
  std::memset(pages_, static_cast<int>(kCanary), page_bytes_);
  std::memset(data_, static_cast<int>(kUnset), bytes);
}

GuardedBlock::GuardedBlock(GuardedBlock&& other) noexcept
    : pages_(other.pages_),
      page_bytes_(other.page_bytes_),
      data_(other.data_),
      bytes_(other.bytes_) {
  other.pages_ = nullptr;
}

GuardedBlock::~GuardedBlock() {
  if (pages_ != nullptr) free_blocks()[page_bytes_].push_back(pages_);
}

bool GuardedBlock::is_intact() const {
  for (const std::byte* p = pages_; p != pages_ + page_bytes_; ++p) {
    if (p == data_ && bytes_ > 0) p += bytes_;
    if (p == pages_ + page_bytes_) break;
    if (*p != kCanary) return false;
  }
  return true;
}

std::string run_catching_faults(const std::function<void()>& code) {
  static const bool is_installed = (install_handlers(), true);
  static_cast<void>(is_installed);
  if (sigsetjmp(fault.jump, 1) != 0) {
    return concat("signal ", static_cast<int>(fault.signal), " (", strsignal(fault.signal), ")");
  }
  fault.is_armed = 1;
  code();
  fault.is_armed = 0;
  return {};
}

}  // namespace ridge::fuzz
