// Every record can be tested, documented and differentiated as it says.
#include <gtest/gtest.h>

#include "cases.h"

namespace ridge::testing::completeness_test {
namespace {

const bool kRegistered = for_each_op("OpRecord", [](const ops::OpRecord& record) {
  EXPECT_FALSE(record.doc.empty());
  size_t samples = 0;
  for (const DType dtype : ops::accepted_dtypes(record)) samples += cases_of(record, dtype).size();
  EXPECT_GT(samples, 0U) << "no sample call for any dtype";
  // The schema prints back to the text it was read from, up to spaces.
  const auto reread = dispatch::parse_schema(record.op->schema().to_text());
  EXPECT_EQ(reread.to_text(), record.op->schema().to_text());
});

TEST(OpRecords, EveryMathFunctionHasAnOp) {
  // Derivatives are emitted as ops, so each function that can occur in one must have its op.
  for (int i = 0; i < expr::kFunctionCount; ++i) {
    const auto function = static_cast<expr::Function>(i);
    const bool is_internal =
        function == expr::Function::checked_index || function == expr::Function::philox ||
        function == expr::Function::shift_right || function == expr::Function::f16_value;
    if (is_internal) continue;
    EXPECT_NE(ops::registry().op_for(function), nullptr) << expr::info(function).name;
  }
}

TEST(OpRecords, AnOpAddedAtRunTimeIsTestedLikeTheOthers) {
  // One record is all it takes: dispatch, meta, gradient and samples follow.
  const ops::OpRecord& record = ops::registry().add(
      {.schema = "hard_swish_of_test(Tensor x) -> Tensor",
       .doc = "x * clamp(x + 3, 0, 6) / 6",
       .traits = ops::Trait::Pointwise,
       .dtype = ops::rule::float_result,
       .body =
           [](const ops::Scalars& s) { return s[0] * expr::min(expr::max(s[0] + 3, 0), 6) / 6; },
       .samples = ops::domain(-2.5, 2.5)});
  const std::vector<OpCase> cases = cases_of(record, f64);
  ASSERT_FALSE(cases.empty());
  const Tensor x = Tensor::of<double>({-1.0, 2.0}, {2});
  const Tensor leaf = x.alias();
  set_requires_grad(leaf);
  const Tensor y = dispatch::call_values(*record.op, std::vector<dispatch::Arg>{leaf})[0];
  EXPECT_EQ(y.to_vector<double>(), (std::vector<double>{-1.0 * 2 / 6, 2.0 * 5 / 6}));
  const Tensor gradient = gradients({sum(y)}, {leaf})[0];
  EXPECT_NEAR(gradient.to_vector<double>()[0], (2 * -1.0 + 3) / 6, 1e-12);
  EXPECT_NE(record.in_place_op, nullptr);
}

}  // namespace
}  // namespace ridge::testing::completeness_test
