// Every op, called eagerly on tensors of a GPU, and its gradient, against the reference evaluator.
#include <gtest/gtest.h>

#include "ridge/reference/reference.h"
#include "simulated_gpu.h"
#include "tests/ops/cases.h"
#include "tests/ops/closeness.h"
#include "tests/ops/gradient_case.h"

namespace ridge::testing::eager_ops_test {
namespace {

const bool kEagerRegistered = for_each_op("SimulatedEager", [](const ops::OpRecord& record) {
  RIDGE_USE_SIMULATED_GPU();
  for (const DType dtype : ops::accepted_dtypes(record)) {
    if (is_storage_only(dtype)) continue;
    for (const OpCase& c : cases_of(record, dtype)) {
      const dispatch::Tensors expected = [&] {
        const reference::UseReference scope;
        return c.run();
      }();
      const dispatch::Tensors ours = on_device(c, kSimulated).run();
      for (const Tensor& result : ours) ASSERT_EQ(result.device(), kSimulated) << c.text();
      expect_results(c, ours, expected);
    }
  }
});

const bool kGradientRegistered = for_each_op("SimulatedGradient", [](const ops::OpRecord& record) {
  RIDGE_USE_SIMULATED_GPU();
  if (!record.has_gradient()) return;
  const std::vector<OpCase> cases = cases_of(record, f32);
  size_t checked = 0;
  for (const OpCase& c : cases) {
    const dispatch::Tensors expected = [&] {
      const reference::UseReference scope;
      return gradients_of(c);
    }();
    checked += expected.size();
    const dispatch::Tensors ours = gradients_of(on_device(c, kSimulated));
    ASSERT_EQ(ours.size(), expected.size()) << c.text();
    for (size_t i = 0; i < ours.size(); ++i) {
      ASSERT_EQ(ours[i].defined(), expected[i].defined()) << c.text();
      if (!ours[i].defined()) continue;
      ASSERT_EQ(ours[i].device(), kSimulated) << c.text();
      expect_gradient(ours[i], expected[i], c);
    }
  }
  EXPECT_TRUE(checked > 0 || cases.empty()) << "no sample to differentiate";
});

}  // namespace
}  // namespace ridge::testing::eager_ops_test
