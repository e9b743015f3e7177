// Every op compiled for a GPU, against the reference evaluator.
#include <gtest/gtest.h>

#include "cases.h"
#include "closeness.h"
#include "recorded_case.h"
#include "ridge/reference/reference.h"
#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::testing {
namespace {

constexpr Device kGpu{DeviceKind::cuda, 0};

const bool kGpuRegistered = for_each_op("Gpu", [](const ops::OpRecord& record) {
  if (!runtime::cuda::cuda_is_available()) {
    GTEST_SKIP() << runtime::cuda::cuda_availability().reason;
  }
  for (const DType dtype : ops::accepted_dtypes(record)) {
    if (is_storage_only(dtype)) continue;
    for (const OpCase& c : cases_of(record, dtype)) {
      const dispatch::Tensors expected = [&] {
        const reference::UseReference scope;
        return c.run();
      }();
      const dispatch::Tensors ours = run_compiled(c, kGpu);
      ASSERT_EQ(ours.size(), expected.size()) << c.text();
      for (size_t i = 0; i < ours.size(); ++i) {
        expect_close(ours[i], expected[i], reduction_length(c.args), c.text());
      }
    }
  }
});

}  // namespace
}  // namespace ridge::testing
