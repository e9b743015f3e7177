// Every op on a GPU against the reference evaluator: compiled, called eagerly, and its gradient.
#include <gtest/gtest.h>

#include "cases.h"
#include "closeness.h"
#include "gradient_case.h"
#include "recorded_case.h"
#include "ridge/reference/reference.h"
#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::testing::gpu_test {
namespace {

constexpr Device kGpu{DeviceKind::cuda, 0};

using Run = dispatch::Tensors (*)(const OpCase&);

dispatch::Tensors by_reference(const OpCase& c, Run run) {
  const reference::UseReference scope;
  return run(c);
}

void compare_results(const ops::OpRecord& record, Run on_gpu) {
  for (const DType dtype : ops::accepted_dtypes(record)) {
    if (is_storage_only(dtype)) continue;
    for (const OpCase& c : cases_of(record, dtype)) {
      expect_results(c, on_gpu(c), by_reference(c, [](const OpCase& it) { return it.run(); }));
    }
  }
}

void compare_gradients(const ops::OpRecord& record) {
  if (!record.has_gradient()) return;
  for (const DType dtype : {f32, f64}) {
    for (const OpCase& c : cases_of(record, dtype)) {
      const dispatch::Tensors expected = by_reference(c, gradients_of);
      const dispatch::Tensors ours = gradients_of(on_device(c, kGpu));
      ASSERT_EQ(ours.size(), expected.size()) << c.text();
      for (size_t i = 0; i < ours.size(); ++i) {
        ASSERT_EQ(ours[i].defined(), expected[i].defined()) << c.text();
        if (ours[i].defined()) expect_gradient(ours[i], expected[i], c);
      }
    }
  }
}

TEST(Gpu, IsThere) {
  if (runtime::cuda::cuda_is_available()) return;
  GTEST_SKIP() << runtime::cuda::cuda_availability().reason;
}

// Where there is none, the one test above says so for all of them.
const bool kGpuRegistered = runtime::cuda::cuda_is_available() && [] {
  for_each_op("Gpu", [](const ops::OpRecord& record) {
    compare_results(record, [](const OpCase& c) { return run_compiled(c, kGpu); });
  });
  for_each_op("GpuEager", [](const ops::OpRecord& record) {
    compare_results(record, [](const OpCase& c) { return on_device(c, kGpu).run(); });
  });
  return for_each_op("GpuGradient", compare_gradients);
}();

}  // namespace
}  // namespace ridge::testing::gpu_test
