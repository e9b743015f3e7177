// Every op, eagerly and as a compiled program, against the reference evaluator.
#include <gtest/gtest.h>

#include "cases.h"
#include "closeness.h"
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
    for (const OpCase& c : cases_of(record, dtype)) {
      const dispatch::Tensors expected = run_reference(c);
      expect_results(c, c.run(), expected);
      expect_results(c, run_compiled(c, kCpu), expected);
    }
  }
});

}  // namespace
}  // namespace ridge::testing::compiled_test
