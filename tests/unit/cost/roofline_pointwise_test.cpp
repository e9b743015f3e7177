#include <gtest/gtest.h>

#include "roofline_sheets.h"

namespace ridge::cost::roofline_pointwise_test {
namespace {

using namespace test;

TEST(Roofline, DotIsMemoryBoundAtAnySize) {
  for (const Sheet& sheet : {tpu_v5e(), h100()}) {
    const Estimate dot = estimate("dot", query_for(sheet, "dot", "100000000"));
    EXPECT_NEAR(dot.intensity, 0.5, 1e-6);
    EXPECT_EQ(dot.regime, Regime::memory);
    EXPECT_FALSE(dot.crossover_batch);
    EXPECT_EQ(estimate("dot", query_for(sheet, "dot", "10")).regime, Regime::memory);
  }
}

TEST(Roofline, RepeatedOperationsTurnAtTheKnee) {
  const Sheet sheet = a100();
  Query query = query_for(sheet, "pointwise", "16777216", "f32");
  query.is_fma = true;
  EXPECT_NEAR(detail(estimate("pointwise", query), "knee_flops_per_number"), 104, 1e-9);
  EXPECT_NEAR(detail(estimate("pointwise", query), "knee_repeat"), 52, 1e-9);
  query.is_fma = false;
  EXPECT_NEAR(detail(estimate("pointwise", query), "knee_flops_per_number"), 52, 1e-9);
  query.repeat = 51;
  EXPECT_EQ(estimate("pointwise", query).regime, Regime::memory);
  query.repeat = 53;
  EXPECT_EQ(estimate("pointwise", query).regime, Regime::compute);
}

// Special function units are sixteen times slower than FMAs here, and one call leaves memory alone.
TEST(Roofline, SpecialFunctionsHaveARateOfTheirOwn) {
  Sheet sheet = h100();
  Query query = query_for(sheet, "pointwise", "16777216", "f32");
  query.function = "sin";
  query.repeat = 16;
  const double calls = 16.0 * 16777216;
  const Estimate sine = estimate("pointwise", query);
  EXPECT_EQ(sine.flops, calls);
  EXPECT_DOUBLE_EQ(*sine.t_special_s, calls / 3.9e12);
  EXPECT_DOUBLE_EQ(sine.t_math_s, *sine.t_special_s);
  EXPECT_EQ(sine.regime, Regime::compute);
  query.function = "";
  EXPECT_FALSE(estimate("pointwise", query).t_special_s);
  EXPECT_EQ(estimate("pointwise", query).regime, Regime::memory);
  // What was measured of the function itself is nearer than the units.
  sheet.figures["function.sin"].value = 2e12;
  query.function = "sin";
  sheet.figures["function.sin.peak"].value = 1.5e12;
  EXPECT_DOUBLE_EQ(*estimate("pointwise", query).t_special_s, calls / 2e12);
  sheet.figures.erase("function.sin.peak");
  sheet.figures.erase("function.sin");
  sheet.figures.erase("special.f32");
  const Estimate unknown = estimate("pointwise", query);
  EXPECT_FALSE(unknown.t_special_s);
  EXPECT_NE(unknown.notices.at(0).find("special.f32"), std::string::npos);
  query.is_fma = true;
  EXPECT_THROW(estimate("pointwise", query), Error);
  query.is_fma = false;
  for (const char* name : {"sinus", "add", "neg", "pow"}) {  // matches: none is special and unary
    query.function = name;
    EXPECT_THROW(estimate("pointwise", query), Error) << name;
  }
}

TEST(Roofline, ReluReadsAndWritesEachNumber) {
  const Sheet sheet = a100();
  const double numbers = 1 << 20;
  EXPECT_EQ(estimate("pointwise", query_for(sheet, "pointwise", "1048576", "f32")).bytes,
            8 * numbers);
  EXPECT_EQ(estimate("pointwise", query_for(sheet, "pointwise", "1048576", "f16")).bytes,
            4 * numbers);
}

TEST(Roofline, ReductionsReadAllAndWriteWhatIsKept) {
  const Sheet sheet = h100();
  Query query = query_for(sheet, "reduce", "64x256x32", "f32");
  EXPECT_EQ(estimate("reduce", query).bytes, 4.0 * (64 * 256 * 32 + 64 * 256));
  EXPECT_EQ(estimate("reduce", query).flops, 64.0 * 256 * 31);
  query.axis = "0";
  EXPECT_EQ(estimate("reduce", query).bytes, 4.0 * (64 * 256 * 32 + 256 * 32));
  query.axis = "all";
  EXPECT_EQ(estimate("reduce", query).bytes, 4.0 * (64 * 256 * 32 + 1));
  for (const char* axis : {"3", "-4", "x", ""}) {
    query.axis = axis;
    EXPECT_THROW(estimate("reduce", query), Error) << axis;
  }
}

}  // namespace
}  // namespace ridge::cost::roofline_pointwise_test
