// Which lanes take part at the ends of a row: one lane answers for all of a thread, and a mask is made in
// a few instructions.
#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/codegen/cuda/generate.h"

namespace ridge::codegen::masked_branch_test {
namespace {

// Rows of 1203 elements, of which one thread of 32 takes 8 neighbors; `condition` over i3 and its lane i4.
std::string text_with(std::string_view condition, std::string_view statements) {
  const std::string text = concat(
      "kernel k(x: bf16[n * 1203] in, w: f32[203] in, t: i64[n] in, out: f32[n] out; n) {\n"
      "  shared row: bf16[256]\n",
      "  for i0 in n @gpu_block {\n    for i1 in 32 @gpu_thread {\n      for i2 in 9 {\n        "
      "var v0: f32 "
      "= 0.0\n",
      "        let v1: i64 = t[i0]\n        for i4 in 8 @vector {\n          if ", condition,
      " {\n", statements,
      "          }\n        }\n        block_reduce sum v0\n        if i1 == 0 {\n          "
      "out[i0] = v0\n        }\n"
      "      }\n    }\n  }\n}\n");
  const loop::Kernel kernel = loop::parse(text);
  return generate(kernel, {}).source;
}

constexpr std::string_view kSum =
    "            let v2: f32 = row[8 * i1 + i4]\n            v0 sum= v2\n";

void expect_part(const std::string& text, std::string_view part) {
  EXPECT_NE(text.find(part), std::string::npos) << "lacks " << part << "\n" << text;
}

TEST(LaneCondition, TheLastLaneAnswersForAllAtTheEnd) {
  const std::string text = text_with("8 * i1 + i4 < i0 % 8 + 200", kSum);
  expect_part(text, "if (8 * i1 + 7 < ");
  expect_part(text, "= ridge::first_lanes_mask<8>(-8 * i1 + ");
}

TEST(LaneCondition, TheFirstLaneAnswersForAllAtTheBeginning) {
  const std::string text = text_with("i0 % 8 < 8 * i1 + i4 + 1", kSum);
  expect_part(text, "< 8 * i1 + 1) {");
  expect_part(text, "= 255 & ~ridge::first_lanes_mask<8>(");
}

TEST(LaneCondition, BothEndsAtOnce) {
  const std::string text =
      text_with("i0 % 8 < 8 * i1 + i4 + 1 && 8 * i1 + i4 < i0 % 8 + 200", kSum);
  expect_part(text, " + 7 < ");
  expect_part(text, ") & (ridge::first_lanes_mask<8>(");
}

// Lanes that are masked off compute too, without a branch, and store no results.
TEST(LaneCondition, OnlyResultsArePredicated) {
  const std::string text = text_with("8 * i1 + i4 < i0 % 8 + 200", kSum);
  EXPECT_EQ(text.find("continue;"), std::string::npos) << text;
  expect_part(text, "& 1) != 0) {");
}

// But not what would read elements that may not be there.
TEST(LaneCondition, NarrowLoadsAreGuardedThemselves) {
  const std::string text = text_with(
      "8 * i1 + i4 < i0 % 8 + 200",
      "            let v2: f32 = x[1203 * i0 + 16 * i1 + 2 * i4]\n            v0 sum= v2\n");
  expect_part(text, "continue;");
}

// Nor what lanes choose by themselves, though it is the same for all that do.
TEST(LaneCondition, WhatALaneChoosesMayBeThereForAnotherOne) {
  const auto chosen_by = [](std::string_view condition) {
    return text_with("8 * i1 + i4 < i0 % 8 + 200",
                     concat("            let v2: f32 = select(", condition,
                            ", 1.0, w[v1])\n            v0 sum= v2\n"));
  };
  expect_part(chosen_by("8 * i1 + i4 < 198"), "continue;");
  EXPECT_EQ(chosen_by("i0 < 5").find("continue;"), std::string::npos);
}

// Nor whole words behind the last element: 8 of 4 bytes are two of 16.
TEST(LaneCondition, WordsWithoutAnElementAreNotRead) {
  const std::string text = text_with(
      "8 * i1 + i4 < 203", "            let v2: f32 = w[8 * i1 + i4]\n            v0 sum= v2\n");
  const size_t masked = text.rfind("} else {");
  ASSERT_NE(masked, std::string::npos) << text;
  EXPECT_NE(text.find("ridge::load_wide<16>(w_lanes"), std::string::npos) << text;
  EXPECT_EQ(text.find("ridge::load_wide<16>(w_lanes", masked), std::string::npos) << text;
}

TEST(LaneCondition, NumbersOf64BitsAreNarrowedInFrontOfTheLanes) {
  const std::string text = text_with(
      "8 * i1 + i4 < i0 % 8 + 200",
      "            let v2: f32 = select(8 * i1 + i4 == v1, 1.0, 0.0)\n            v0 sum= v2\n");
  expect_part(text, "== ridge::narrowed(");
}

}  // namespace
}  // namespace ridge::codegen::masked_branch_test
