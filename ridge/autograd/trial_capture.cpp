#include "ridge/autograd/trial_capture.h"

#include <atomic>

#include "ridge/base/error.h"

namespace ridge::autograd {
namespace {

std::atomic<TrialCapture> installed{nullptr};

}  // namespace

void install_trial_capture(TrialCapture run) { installed.store(run, std::memory_order_release); }

std::optional<std::string> run_trial_capture(const std::function<void()>& body) {
  const TrialCapture run = installed.load(std::memory_order_acquire);
  RIDGE_INTERNAL_CHECK(run != nullptr, "a capture in progress, and no layer that captures");
  return run(body);
}

}  // namespace ridge::autograd
