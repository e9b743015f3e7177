// Every op, eagerly and as a compiled program, against the reference evaluator.
#include <gtest/gtest.h>

#include "cases.h"
#include "closeness.h"
#include "extreme_cases.h"
#include "recorded_case.h"
#include "ridge/reference/reference.h"

namespace ridge::testing::compiled_test {
namespace {

dispatch::Tensors run_reference(const OpCase& c) {
  const reference::UseReference scope;
  return c.run();
}

const bool kCompiledRegistered = for_each_op("Compiled", [](const ops::OpRecord& record) {
  for (const DType dtype : ops::accepted_dtypes(record)) {
    if (is_storage_only(dtype)) continue;
    // At the ends of the range too; what is not pointwise has many such cases, and takes them in one dtype.
    const bool is_at_ends = dtype == f32 || has(record.traits, ops::Trait::Pointwise);
    for (const OpCase& c : is_at_ends ? all_cases_of(record, dtype) : cases_of(record, dtype)) {
      const dispatch::Tensors expected = run_reference(c);
      expect_results(c, c.run(), expected);
      expect_results(c, run_compiled(c, kCpu), expected);
    }
  }
});

}  // namespace
}  // namespace ridge::testing::compiled_test
