// Plans of products by device and shape, so that the library is asked once for each.
#include <map>
#include <mutex>

#include "ridge/runtime/cuda/context.h"
#include "ridge/runtime/cuda/driver_api.h"
#include "ridge/runtime/cuda/launch_history.h"
#include "ridge/runtime/cuda/matmul.h"

namespace ridge::runtime::cuda {
namespace {

// A plan on its device, with its launches remembered for the errors of later calls.
class DevicePlan final : public MatmulPlan, public std::enable_shared_from_this<DevicePlan> {
 public:
  DevicePlan(int device, std::shared_ptr<const MatmulPlan> plan)
      : device_(device), plan_(std::move(plan)) {}
  size_t workspace_bytes() const override { return plan_->workspace_bytes(); }
  void launch(const MatmulLaunch& launch) const override {
    static const auto& name =
        *new LaunchName(std::make_shared<const std::string>("cublasLtMatmul"));
    const ContextScope scope(device_);
    // The library loads a kernel when it is first launched, perhaps into a graph being captured.
    const RelaxedCapture relaxed;
    if (!CapturedLaunches::take(name, shared_from_this())) {
      launch_history(device_).add(name, launch.stream.handle);
    }
    plan_->launch(launch);
  }

 private:
  int device_;
  std::shared_ptr<const MatmulPlan> plan_;
};

// Beyond this many, plans that nobody holds are let go.
constexpr size_t kMostPlans = 1024;

struct PlanCache {
  std::mutex mutex;
  std::map<std::pair<int, MatmulShape>, std::shared_ptr<const MatmulPlan>> plans;
};

PlanCache& plan_cache() {
  static PlanCache& instance = *new PlanCache;
  return instance;
}

std::shared_ptr<const MatmulPlan> ask_library(int device, const MatmulShape& shape) {
  const ContextScope scope(device);
  const RelaxedCapture relaxed;
  auto plan = make_matmul_plan(cublaslt(), cublaslt_handle(device), shape);
  return plan == nullptr ? nullptr : std::make_shared<DevicePlan>(device, std::move(plan));
}

}  // namespace

std::shared_ptr<const MatmulPlan> matmul_plan(int device, const MatmulShape& shape) {
  const std::pair key(device, shape);
  {
    const std::lock_guard lock(plan_cache().mutex);
    const auto known = plan_cache().plans.find(key);
    if (known != plan_cache().plans.end()) return known->second;
  }
  std::shared_ptr<const MatmulPlan> plan = ask_library(device, shape);
  const std::lock_guard lock(plan_cache().mutex);
  if (plan_cache().plans.size() >= kMostPlans) {
    std::erase_if(plan_cache().plans,
                  [](const auto& entry) { return entry.second.use_count() <= 1; });
  }
  return plan_cache().plans.emplace(key, std::move(plan)).first->second;
}

}  // namespace ridge::runtime::cuda
