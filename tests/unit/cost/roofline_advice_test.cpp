// Advice says what asking again would say.
#include <gtest/gtest.h>

#include <algorithm>

#include "ridge/cost/roofline/matmul_model.h"
#include "roofline_sheets.h"

namespace ridge::cost::roofline_advice_test {
namespace {

using namespace test;

// The gain of a change, 0 where it is not advised.
double gain_of(const Estimate& estimate, std::string_view change) {
  const auto found = std::ranges::find(estimate.advice, change, &Advice::change);
  return found == estimate.advice.end() ? 0 : found->gain_s;
}

TEST(RooflineAdvice, NarrowWeightsOfADecodeIncludeTheVocabulary) {
  const Sheet sheet = h100();
  Query query = query_for(sheet, "decode", "B=1,S=16,D=1024");
  query.vocabulary = 128256;
  const Estimate wide = estimate("decode", query);
  EXPECT_EQ(detail(wide, "weight_bytes"), 2 * (12.0 * 1024 * 1024 + 128256.0 * 1024));
  query.weights = find_element_type("i8");
  const Estimate narrow = estimate("decode", query);
  EXPECT_GT(gain_of(wide, "weights in i8"), 0.4 * wide.lower_s);
  EXPECT_DOUBLE_EQ(gain_of(wide, "weights in i8"), wide.lower_s - narrow.lower_s);
}

TEST(RooflineAdvice, NarrowWeightsGainNoMoreThanMathLeaves) {
  const Sheet sheet = h100();
  for (const char* operation : {"decode", "block"}) {
    const bool is_block = std::string_view(operation) == "block";
    Query query = query_for(sheet, operation, is_block ? "B=1,S=250,D=8192" : "B=250,S=16,D=8192");
    const Estimate wide = estimate(operation, query);
    ASSERT_EQ(wide.regime, Regime::memory);
    query.weights = find_element_type("i8");
    const Estimate narrow = estimate(operation, query);
    EXPECT_EQ(narrow.regime, Regime::compute);
    EXPECT_DOUBLE_EQ(gain_of(wide, "weights in i8"), wide.lower_s - narrow.lower_s) << operation;
  }
}

TEST(RooflineAdvice, OddSizesArePaddedTogether) {
  const Sheet sheet = h100();
  const auto gain_with = [&](const char* shape, const char* change, const char* padded_shape) {
    const Estimate odd = estimate("matmul", query_for(sheet, "matmul", shape));
    const Estimate padded = estimate("matmul", query_for(sheet, "matmul", padded_shape));
    EXPECT_DOUBLE_EQ(gain_of(odd, change), odd.tiling->predicted_s - padded.tiling->predicted_s);
    return gain_of(odd, change);
  };
  EXPECT_GT(gain_with("4097x4097x4097", "pad N from 4097 to 4160 and K from 4097 to 4160",
                      "4097x4160x4160"),
            0);
  EXPECT_GT(gain_with("1793x1793x1793", "pad N from 1793 to 1856 and K from 1793 to 1856",
                      "1793x1856x1856"),
            0);
  EXPECT_GT(gain_with("8192x50257x769", "pad N from 50257 to 50304 and K from 769 to 832",
                      "8192x50304x832"),
            0);
}

TEST(RooflineAdvice, OneOddSizeIsPaddedAlone) {
  const Sheet sheet = h100();
  const Estimate odd = estimate("matmul", query_for(sheet, "matmul", "8192x50257x768"));
  EXPECT_GT(gain_of(odd, "pad N from 50257 to 50304"), 0);
  for (const Advice& one : odd.advice) EXPECT_EQ(one.change.find(" and K"), std::string::npos);
}

}  // namespace
}  // namespace ridge::cost::roofline_advice_test
