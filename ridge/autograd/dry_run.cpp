#include "ridge/autograd/dry_run.h"

#include <atomic>

#include "ridge/base/error.h"

namespace ridge::autograd {
namespace {

std::atomic<DryRun> installed{nullptr};

}  // namespace

void install_dry_run(DryRun run) { installed.store(run, std::memory_order_release); }

std::optional<std::string> dry_run(const std::function<void()>& body) {
  const DryRun run = installed.load(std::memory_order_acquire);
  RIDGE_INTERNAL_CHECK(run != nullptr, "a capture in progress, and no layer that captures");
  return run(body);
}

}  // namespace ridge::autograd
