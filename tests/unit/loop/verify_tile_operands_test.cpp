#include <gtest/gtest.h>

#include "tests/unit/loop/tile_slips.h"

namespace ridge::loop::verify_tile_operands_test {
namespace {

TEST(VerifyTileOperands, UnmappedExtentsAndTypesFit) {
  expect_refused(
      tile_sample("product_unmapped"),
      {{"lhs: bf16[tm, tk]", "lhs: bf16[tn, tk]", "rows of the sum", "dot sum"},
       {"rhs: bf16[tk, tn]", "rhs: bf16[tk, tm]", "columns of the sum", "dot sum"},
       {"lhs: bf16[tm, tk]", "lhs: bf16[tm, tn]", "columns of lhs as rows of rhs", "dot sum"},
       {"dot sum += lhs", "dot sum += lhs transposed", "rows of the sum", "transposed"},
       {"rhs: bf16[tk, tn]", "rhs: f16[tk, tn]", "one dtype", "dot sum"},
       {"result: bf16[tm, tn]", "result: bf16[tm, 1]", "written once", "write result"},
       {"result: bf16[tm, tn]", "result: i64[tm, tn]", "type of the tile", "write result"},
       {"sum: f32[tm, tn]", "sum: i64[tm, tn]", "type integer", "fill sum"},
       {"store out[", "store a[", "stores to out", "store a["},
       {"within m - tm * i0, k", "within m - tm * i9, k", "axes of the loops around", "load lhs"},
       {"f32[tm, tn]", "f32[i0, tn]", "over params", "head"},
       {"tile result: bf16[tm, tn]", "tile result: bf16[tm, tn]\n  tile result: f32[1, 1]",
        "names of their own", "result"}});
}

TEST(VerifyTileOperands, ElementsAreWrittenOnceByThoseWhoHoldThem) {
  expect_refused(
      tile_sample("product_mapped"),
      {{"write sum = v1", "write sum = v1\n        write sum = v0", "one write to a tile",
        "write sum = v0"},
       {"write sum = v1", "for i6 in 2 {\n          write sum = v1\n        }", "outside of loops",
        "write sum = v1"},
       {"        write sum = v1", "        fill sum = 0.0", "nothing but scalars", "fill sum"},
       {"read v0: f32 = sum", "read v0: f32 = out_tile", "of the extents of `each`", "read v0"}});
  expect_refused(kAttention,
                 {{"each i3, i4 of scores", "each i3, i4 of top", "of the extents", "read v0"},
                  {"read v1: f32 = top", "read v1: f32 = result", "of the extents", "read v1"},
                  {"write scores = v2", "write top = v2", "written once", "write top"}});
}

TEST(VerifyTileOperands, CopiesTakeWholeBoxesOfWholeLines) {
  expect_refused(
      tile_sample("product_mapped"),
      {{"box 128, 64 swizzle 128", "box 128, 64", "the swizzle of the view", "copy lhs"},
       {"box 128, 64 swizzle 128", "box 128, 32 swizzle 128", "as wide as the swizzle", "copy lhs"},
       {"box 128, 64 swizzle 128", "box 96, 64 swizzle 128", "whole boxes", "copy lhs"},
       {"box 128, 64 swizzle 128", "box 4, 64 swizzle 128", "a multiple of 8 lines", "copy lhs"},
       {"a_map[128 * i0, 64 * i2]", "a_map[128 * i0, 4 * i2]", "multiple of 16 bytes", "copy lhs"},
       {"a_map[128 * i0, 64 * i2]", "a_map[128 * i0]", "an index for each", "copy lhs"},
       {"a: bf16[m * k] in,", "a: f16[m * k] in,", "the dtype of the view", "copy lhs"},
       {"a: bf16[m * k] in,", "a: bf16[m * k] out,", "copies of in", "copy lhs"},
       {"out: bf16[m * n] out", "out: bf16[m * n] in", "copies to out", "copy out_map"},
       {"= out_tile\n", "= sum\n", "in shared memory", "copy out_map"}});
}

TEST(VerifyTileOperands, AsynchronousDotsTakeWhatTensorCoresTake) {
  expect_refused(
      tile_sample("product_mapped"),
      {{"bf16[64, 256] columns swizzle 128", "bf16[64, 256] columns linear", "with a swizzle",
        "dot async"},
       {"lhs[64 * i5, 0]", "lhs[64 * i5, 8 * i5]", "a multiple of 16 along k", "dot async"},
       {"lhs[64 * i5, 0]", "lhs[32 * i5, 0]", "a multiple of 64 rows", "dot async"},
       {"lhs[64 * i5, 0]", "lhs[96, 0]", "rows of the sum", "dot async"},
       {"+= lhs[64 * i5, 0]", "+= lhs", "rows of the sum", "dot async"},
       {"lhs[64 * i5, 0] * rhs", "lhs[64 * i5, 0] * rhs[0, 4 * i5]", "where its swizzle does",
        "dot async"},
       {"lhs[64 * i5, 0] * rhs", "lhs[64 * i5, 16 * i5] * rhs[16 * i5, 0]", "extent is known",
        "dot async"},
       {"+= lhs[64 * i5, 0] * rhs", "+= sum * rhs", "as many columns", "dot async"},
       {"slots 2 in math", "slots 2 in load", "tile out_tile touched by its own role",
        "move out_tile"}});
  expect_refused(kAttention, {{"+= weights * v_tile", "+= weights transposed * v_tile",
                               "rows of the sum", "dot async"},
                              {"q_tile[64 * i5, 0] * k_tile", "q_tile[64 * i5, 0] * weights",
                               "in shared memory", "dot async"}});
}

TEST(VerifyTileOperands, MovesAreBetweenTilesHeldAlike) {
  expect_refused(tile_sample("product_mapped"),
                 {{"sum[0, 64 * i6]", "sum[0, 224]", "extents of the tile", "move out_tile"},
                  {"sum[0, 64 * i6]", "sum", "extents of the tile", "move out_tile"},
                  {"sum[0, 64 * i6]", "sum[0, 4 * i6]", "multiples of 8 columns", "move out_tile"},
                  {"sum[0, 64 * i6]", "sum[0, 64 * i5]", "registers at constants", "move out_tile"},
                  {"for i6 in 4 {", "for i6 in m {", "registers at constants", "move out_tile"},
                  {"sum[0, 64 * i6]", "out_tile", "from or to registers", "move out_tile"}});
  expect_refused(kAttention,
                 {{"move weights = scores", "move top = scores[0, 0]", "held alike", "move top"}});
}

TEST(VerifyTileOperands, FoldsGoIntoStatistics) {
  expect_refused(
      kAttention,
      {{"scores along columns", "scores along rows", "one row of as many columns", "fold top"},
       {"max= scores", "any= scores", "any and all of bool", "fold top"},
       {"max= scores along", "max= weights along", "a fold of an accumulator", "fold top"},
       {"top: f32[64, 1] row_values", "top: f32[64, 1] linear", "into row_values", "fold top"}});
}

TEST(VerifyTileOperands, OperandsInRegisters) {
  const std::string dot = "dot async sum += left * x_tile", fill = "    fill left = 0.0\n";
  expect_refused(
      kOneSlot,
      {{dot, "dot sum += sum[0, 32] * wide transposed", "in shared memory, or an operand",
        "dot sum"},
       {dot, "dot async sum += left transposed * x_tile", "in registers as it is", "dot async"},
       {dot, "dot async sum += left[m, 0] * x_tile", "registers at constants", "dot async"},
       {dot, "dot async sum += left[0, m] * x_tile", "registers at constants", "dot async"},
       {dot, "dot async sum += spare[0, 56] * x_tile[56, 0]", "whole steps of 16 along k",
        "dot async"},
       {dot, "dot async spare += left * x_tile", "into an accumulator", "dot async"},
       {dot, "dot async count += left * x_tile", "sums of reals", "dot async"},
       {dot, "dot async sum += wide * wide[0, 0] transposed", "of f16 or bf16", "dot async"},
       {"role math warpgroups 1", "role math warps 4", "of warpgroups", "dot async"},
       {fill, "    move left = count\n", "tiles of one type", "move left"},
       {fill, "    fold below sum= count along rows\n", "a fold of one type", "fold below"},
       {fill, "    each i0, i1 of spare {\n      read v0: f32 = sum\n    }\n",
        "held as that of `each`", "read v0"},
       {fill, "    let v0: f32 = 1.0\n    write left = v0\n", "`each` only", "write left"}});
  const std::string wide =
      replaced(replaced(kOneSlot, dot, "dot async sum += wide * wide transposed"), fill,
               fill + "    fill wide = 0.0\n");
  EXPECT_NE(verifier_says(wide).find("operands of f16 or bf16"), std::string::npos)
      << verifier_says(wide);
}

}  // namespace
}  // namespace ridge::loop::verify_tile_operands_test
