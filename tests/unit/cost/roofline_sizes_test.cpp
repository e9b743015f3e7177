#include <gtest/gtest.h>

#include "ridge/cost/roofline/sizes.h"
#include "roofline_sheets.h"

namespace ridge::cost::roofline_sizes_test {
namespace {

using namespace test;

const std::vector<Dimension> kMatmul = {{"M", "B"}, {"N", "F"}, {"K", "D"}};

std::string error_of(std::string_view shape) {
  try {
    parse_sizes(shape, kMatmul);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Sizes, ReadsPlacesAndNames) {
  const Sizes placed = parse_sizes("240x8192x4096", kMatmul);
  EXPECT_EQ(placed["M"], 240);
  EXPECT_EQ(placed["N"], 8192);
  EXPECT_EQ(placed["K"], 4096);
  const Sizes named = parse_sizes("K=4096,F=8192,B=240", kMatmul);
  for (const char* name : {"M", "N", "K"}) EXPECT_EQ(named[name], placed[name]);
  EXPECT_EQ(parse_sizes("2x3x4x5", {}).product("elements"), 120);
  EXPECT_EQ(parse_sizes("1000000", {}).shape_text(), "[1000000]");
}

TEST(Sizes, SaysWhatIsWrong) {
  for (const char* shape : {"", "8", "8x8", "8x8x8x8", "8x8x", "ax8x8", "8x8x8.5", "B=8,D=8",
                            "B=8,D=8,Q=8", "B=8,B=8,D=8,F=8", "M=8,B=8,D=8,F=8", "B=,D=8,F=8"}) {
    EXPECT_NE(error_of(shape), "") << shape;
  }
  EXPECT_NE(error_of("0x8x8").find("positive"), std::string::npos);
  EXPECT_NE(error_of("-1x8x8").find("positive"), std::string::npos);
  EXPECT_NE(error_of("B=8,D=-8,F=8").find("positive"), std::string::npos);
  EXPECT_NE(error_of("99999999999999999999x8x8").find("2^53"), std::string::npos);
  EXPECT_NE(error_of("9007199254740993x8x8").find("2^53"), std::string::npos);
}

TEST(Sizes, ProductsThatIntegersDoNotCountAreErrors) {
  EXPECT_EQ(whole_product({0x1p40, 0x1p22}, "bytes"), 0x1p62);
  EXPECT_THROW(whole_product({0x1p40, 0x1p40}, "bytes"), Error);
  const Sheet sheet = h100();
  const char* huge = "1099511627776x1099511627776x8";
  try {
    estimate("matmul", query_for(sheet, "matmul", huge));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("2^62"), std::string::npos) << error.what();
  }
  for (const char* operation : {"pointwise", "reduce"}) {
    EXPECT_THROW(estimate(operation, query_for(sheet, operation, "1099511627776x1099511627776")),
                 Error);
  }
}

TEST(ElementTypes, HaveAliases) {
  for (const auto& [alias, own] : {std::pair{"int8", "i8"}, std::pair{"fp8", "f8"},
                                   std::pair{"fp16", "f16"}, std::pair{"float32", "f32"}}) {
    EXPECT_EQ(find_element_type(alias), find_element_type(own));
  }
  EXPECT_THROW(find_element_type("bf17"), Error);
  EXPECT_THROW(compute_type(find_element_type("bf16"), find_element_type("f16")), Error);
  EXPECT_EQ(default_output(find_element_type("i8")).name, "bf16");
  EXPECT_EQ(default_output(find_element_type("f32")).name, "f32");
}

TEST(Operations, AreFoundByNameAndHaveExamples) {
  for (const Operation& operation : operations()) {
    EXPECT_EQ(&find_operation(operation.name), &operation);
    EXPECT_TRUE(operation.example.starts_with(std::string(operation.name) + " "));
  }
  EXPECT_THROW(find_operation("matmull"), Error);
}

}  // namespace
}  // namespace ridge::cost::roofline_sizes_test
