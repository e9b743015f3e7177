#include "ridge/runtime/cuda/launch_history.h"

#include <utility>

#include "ridge/base/text.h"

namespace ridge::runtime::cuda {
namespace {

constinit thread_local CapturedLaunches* capturing = nullptr;

}  // namespace

uint64_t LaunchHistory::add(const LaunchName& name, uintptr_t stream) {
  const std::lock_guard lock(mutex_);
  launches_[next_] = {name, stream};
  next_ = (next_ + 1) % kLimit;
  return ++version_;
}

void LaunchHistory::add_again(const LaunchName& name, uintptr_t stream, Noted& noted) {
  if (noted.version == version_.load() && noted.stream == stream) return;
  noted = {add(name, stream), stream};
}

void LaunchHistory::forget_stream(uintptr_t stream) {
  const std::lock_guard lock(mutex_);
  for (Launch& launch : launches_) {
    if (launch.stream == stream) launch.name.reset();
  }
  ++version_;
}

void LaunchHistory::forget_all() {
  const std::lock_guard lock(mutex_);
  for (Launch& launch : launches_) launch.name.reset();
  ++version_;
}

std::string LaunchHistory::suspects() const {
  const std::lock_guard lock(mutex_);
  std::string newest;
  std::vector<std::string> earlier;
  for (size_t age = 1; age <= kLimit; ++age) {
    const Launch& launch = launches_[(next_ + kLimit - age) % kLimit];
    if (launch.name == nullptr) continue;
    const std::string quoted = "`" + *launch.name + "`";
    if (newest.empty()) {
      newest = quoted;
    } else if (earlier.empty() || earlier.back() != quoted) {
      earlier.push_back(quoted);
    }
  }
  if (newest.empty()) return {};
  if (earlier.empty()) return "kernel " + newest;
  return concat("kernel ", newest,
                ", or one launched before it and not yet waited for: ", join(earlier, ", "));
}

std::string LaunchHistory::remember_fault(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (fault_.empty()) fault_ = text;
  return fault_;
}

std::string LaunchHistory::fault() const {
  const std::lock_guard lock(mutex_);
  return fault_;
}

CapturedLaunches::CapturedLaunches() : outer_(std::exchange(capturing, this)) {}

CapturedLaunches::~CapturedLaunches() { capturing = outer_; }

size_t CapturedLaunches::count() { return capturing == nullptr ? 0 : capturing->launches_.size(); }

CapturedLaunches::Launch* CapturedLaunches::take(const LaunchName& name,
                                                 const std::shared_ptr<const void>& code) {
  if (capturing == nullptr) return nullptr;
  capturing->launches_.push_back({name, code});
  return &capturing->launches_.back();
}

}  // namespace ridge::runtime::cuda
