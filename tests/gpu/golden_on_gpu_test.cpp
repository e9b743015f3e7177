#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/driver/pipeline.h"
#include "ridge/runtime/cuda/driver_api.h"
#include "tests/fuzz/paths.h"
#include "tests/gpu/golden_tests.h"

namespace ridge::golden {
namespace {

constexpr Device kGpu{DeviceKind::cuda, 0};

void run_judged(const GoldenGraph& golden) {
  fuzz::RunCounts counts;
  const std::optional<fuzz::Failure> failure =
      fuzz::run_case(golden.given, {.only = fuzz::Path::cuda}, counts);
  EXPECT_FALSE(failure) << failure->message;
}

// For compute-sanitizer, and for errors of a launch. What is computed, benchmarks compare.
void run_only(const GoldenGraph& golden) {
  const driver::CompiledGraph made(graph::on_device(golden.given.graph, kGpu),
                                   {.name = golden.name});
  std::vector<Tensor> inputs = fuzz::make_inputs(golden.given);
  for (Tensor& input : inputs) input = to_device(input, kGpu);
  std::vector<const Tensor*> pointers;
  for (const Tensor& input : inputs) pointers.push_back(&input);
  for (const Tensor& output : made.run(pointers)) to_device(output, kCpu);
}

}  // namespace

void add_gpu_tests(std::span<const GoldenGraph> set) {
  if (!runtime::cuda::cuda_is_available()) {
    return add_test("GoldenOnGpu", "AllOfThem",
                    [] { GTEST_SKIP() << runtime::cuda::cuda_availability().reason; });
  }
  for (const GoldenGraph& golden : set) {
    add_test("GoldenOnGpu", golden.name,
             [&golden] { golden.is_judged ? run_judged(golden) : run_only(golden); });
  }
}

}  // namespace ridge::golden
