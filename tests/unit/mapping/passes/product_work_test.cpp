// describe_product: what is read off an unmapped product.
#include "ridge/mapping/passes/product_work.h"

#include <gtest/gtest.h>

#include "contract_text.h"
#include "ridge/mapping/passes/contract_to_tiles.h"

namespace ridge::mapping::product_work_test {
namespace {

DescribedProduct described(const std::string& text, const std::vector<int64_t>& sizes,
                           const std::vector<PitchOwner>& owners = {}) {
  const Rewritten unmapped = contract_to_tiles(loop::parse(text));
  EXPECT_TRUE(unmapped.decision) << unmapped.decision.reason;
  return describe_product(unmapped.kernel, sizes, owners);
}

// 256 x 96 x 64 with 2 batches of the left operand; the numbers are in the text.
std::string with_numbers(const std::string& epilogue, const std::string& head = {}) {
  return "kernel product(x: bf16[32768] in, y: bf16[6144] in, " + head +
         "out: bf16[49152] out) {\n"
         "  for i3 in 2 @gpu_block {\n    for i4 in 4 @gpu_block {\n"
         "      contract v0: f32 over i0 in 64, i1 in 96, sum i2 in 64 of "
         "x[16384 * i3 + 4096 * i4 + 64 * i0 + i2], y[96 * i2 + i1] {\n" +
         epilogue + "      }\n    }\n  }\n}\n";
}

TEST(DescribeProduct, SizesOrdersAndAlignments) {
  const DescribedProduct product =
      described(with_numbers("        out[24576 * i3 + 6144 * i4 + 96 * i0 + i1] = v0\n"), {});
  ASSERT_TRUE(product.decision) << product.decision.reason;
  const ProductWork& work = product.work;
  // Batches whose rows follow each other are rows.
  EXPECT_EQ(work.m * work.batch, 512);
  EXPECT_EQ(work.n, 96);
  EXPECT_EQ(work.k, 64);
  EXPECT_TRUE(work.lhs.is_k_contiguous);
  EXPECT_FALSE(work.rhs.is_k_contiguous);
  EXPECT_EQ(work.lhs.alignment, 128);  // rows of 64 elements
  EXPECT_EQ(work.rhs.alignment, 64);   // rows of 96
  ASSERT_EQ(work.results.size(), 1U);
  EXPECT_EQ(work.results[0].alignment, 64);
  EXPECT_TRUE(work.results[0].is_n_contiguous);
  EXPECT_EQ(work.epilogue.flops, 0);
  EXPECT_EQ(work.lhs.owner, PitchOwner::user);
}

TEST(DescribeProduct, WhatTheEpilogueLoadsAndComputes) {
  const DescribedProduct product =
      described(with_numbers("        let v1: f32 = tanh(v0 + bias[i1])\n"
                             "        let v2: f32 = v1 + r[24576 * i3 + 6144 * i4 + 96 * i0 + i1]\n"
                             "        out[24576 * i3 + 6144 * i4 + 96 * i0 + i1] = v2\n",
                             "bias: bf16[96] in, r: f32[49152] in, "),
                {},
                {PitchOwner::user, PitchOwner::constant, PitchOwner::user, PitchOwner::user,
                 PitchOwner::program});
  ASSERT_TRUE(product.decision) << product.decision.reason;
  const EpilogueWork& epilogue = product.work.epilogue;
  EXPECT_EQ(epilogue.column_loads, 1);
  EXPECT_EQ(epilogue.tile_load_bytes, 4);
  EXPECT_EQ(epilogue.special_functions, 1);
  EXPECT_EQ(epilogue.flops, 3);
  EXPECT_EQ(product.work.rhs.owner, PitchOwner::constant);
  EXPECT_EQ(product.work.results[0].owner, PitchOwner::program);
}

// A pitch that is a param may be any number: of 8 times a param 16 bytes are known.
TEST(DescribeProduct, AlignmentsHoldForAllSizes) {
  const std::string text = ContractText{}.text();
  const DescribedProduct odd = described(text, {1, 4096, 4096, 4096});
  ASSERT_TRUE(odd.decision) << odd.decision.reason;
  EXPECT_EQ(odd.work.m, 4096);
  EXPECT_EQ(odd.work.lhs.alignment, 2);
}

TEST(DescribeProduct, ValuesOfAllTilesBelongToTheEpilogue) {
  std::string text = with_numbers(
      "        let v2: f32 = v0 * v1\n"
      "        out[24576 * i3 + 6144 * i4 + 96 * i0 + i1] = v2\n",
      "scale: f32[1] in, ");
  const std::string loop = "  for i3 in 2 @gpu_block {\n";
  text.replace(text.find(loop), loop.size(), "  let v1: f32 = scale[0]\n" + loop);
  const DescribedProduct product = described(text, {});
  ASSERT_TRUE(product.decision) << product.decision.reason;
  EXPECT_EQ(product.work.epilogue.column_loads, 1);
}

}  // namespace
}  // namespace ridge::mapping::product_work_test
