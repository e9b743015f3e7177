#include <gtest/gtest.h>

#include "ridge/loop/verify_tiles.h"
#include "tests/unit/loop/tile_slips.h"

namespace ridge::loop::verify_tile_declarations_test {
namespace {

TEST(VerifyTileDeclarations, LayoutsHaveTheirExtents) {
  expect_refused(
      tile_sample("product_mapped"),
      {{"f32[64, 256] accumulator in math", "f32[64, 256] accumulator", "the role that owns",
        "tile sum"},
       {"f32[64, 256] accumulator in math", "f32[64, 256] accumulator in maths", "the role that",
        "tile sum"},
       {"f32[64, 256] accumulator", "f32[32, 256] accumulator", "a multiple of 64 rows",
        "tile sum"},
       {"f32[64, 256] accumulator", "f32[64, 260] accumulator", "multiple of 8 columns",
        "tile sum"},
       {"f32[64, 256] accumulator", "f64[64, 256] accumulator", "registers of 32 bits", "tile sum"},
       {"f32[64, 256] accumulator", "f32[64, 256] accumulator slots 2", "in shared memory only",
        "tile sum"},
       {"bf16[128, 64] swizzle", "bf16[m, 64] swizzle", "constant extents", "tile lhs"},
       {"bf16[128, 64] swizzle", "bf16[124, 64] swizzle", "a multiple of 8 lines", "tile lhs"},
       {"bf16[128, 64] swizzle 128 in", "bf16[128, 64] in", "a layout of each tile", "tile lhs"},
       {"swizzle 128 in stages\n", "swizzle 128 slots 2 in stages\n", "without slots and role",
        "tile lhs"},
       {"swizzle 128 slots 2 in math", "swizzle 128 slots 2 in maths", "a role or ring",
        "out_tile"},
       {"slots 4", "slots 0", "a slot at least", "ring stages"},
       {"ring stages slots 4\n", "ring stages slots 4\n  ring spare slots 4\n",
        "a ring that tiles are declared in", "ring spare"},
       {"; m, n, k)", "; m, n, k; tm)", "without sizes of tiles", "tm"}});
  expect_refused(kAttention,
                 {{"weights: bf16", "weights: f32", "an operand of f16 or bf16", "tile weights"},
                  {"top: f32[64, 1]", "top: f32[64, 2]", "one column", "tile top"}});
}

TEST(VerifyTileDeclarations, ViewsAreWhatTensorMapsTake) {
  expect_refused(
      tile_sample("product_mapped"),
      {{"strides k, 1 box 128", "strides 1, k box 128", "that is contiguous", "view a_map"},
       {"strides k, 1 box 128", "strides 12, 1 box 128", "strides of a multiple of 16",
        "view a_map"},
       {"box 128, 64", "box 128", "as many strides", "view a_map"},
       {"box 128, 64", "box 512, 64", "at most 256", "view a_map"},
       {"box 128, 64 swizzle 128", "box 128, 12 swizzle 128", "multiple of 16 bytes", "view a_map"},
       {"box 128, 64 swizzle 128", "box 128, 128 swizzle 128", "at most 128 bytes", "view a_map"},
       {"box 128, 64 swizzle 128", "box 128, 64 swizzle 96", "32, 64 or 128", "view a_map"},
       {"a[m, k] strides", "a[m, k] from 4 strides", "a first element", "view a_map"},
       {"a[m, k] strides k, 1 box 128, 64", "a[m, k, 64] strides k, 64, 1 box 8, 16, 64",
        "at most two dimensions", "view a_map"}});
}

TEST(VerifyTileDeclarations, DtypesSlotsAndLines) {
  const std::string below = "tile below: f32[1, 64]",
                    spare = "tile spare: bf16[64, 64] swizzle 128";
  expect_refused(
      kOneSlot,
      {{below, "tile below: f32[2, 64]", "values of columns in one row", "tile below"},
       {spare, spare + " slots 0", "a slot at least", "tile spare"},
       {"tile loose: bf16", "tile loose: u4", "whole bytes", "tile loose"},
       {"x: bf16[", "x: u4[", "whole bytes", "view x_map"},
       {"x_map = x[m, 64] strides 64, 1 box 64, 64 swizzle 128",
        "x_map = x[m, 64] strides 64, 1 box 64, 32", "the swizzle of the view", "copy x_tile"}});
  std::string linear = replaced(kOneSlot, "y[m, 64] strides 64, 1 box 64, 64 swizzle 128",
                                "y[m, 64] strides 64, 1 box 64, 32");
  linear = replaced(linear, "copy y_map[0, 0] = spare", "copy y_map[0, 0] = loose");
  EXPECT_NE(verifier_says(linear).find("as wide as the tile"), std::string::npos)
      << verifier_says(linear);
}

TEST(VerifyTileDeclarations, RolesAreTheBlockAndItsRegisters) {
  expect_refused(
      tile_sample("product_mapped"),
      {{"threads 288", "threads 320", "roles that are the threads", "288 threads of roles"},
       {"registers 40", "registers 41", "steps of 8", "role load"},
       {"registers 40", "registers 16", "from 24", "role load"},
       {"registers 232", "registers 240", "at most 504 over 3 warpgroups", "520"},
       {" registers 40", "", "of each role or of none", "registers of 1"},
       {"registers 232", "registers 120", "tiles in at most 120 registers, not 128", "role math"},
       {"warps 1", "warps 0", "1 to 32 instances", "role load"},
       {"role load", "role math", "names of their own", "math"},
       {"role load", "role stages", "names of their own", "stages"},
       {"role load warps 1 registers 40 {",
        "role load warps 1 registers 40 {\n    role math warps 1 {\n    }", "names of their own",
        "math"},
       {"  role math", "  fill sum = 0.0\n  role math", "roles alone", "fill sum"}});
  // Two roles of a warp are in one warpgroup, and warpgroups begin at 128 threads.
  std::string four = replaced(tile_sample("product_mapped"), "threads 288", "threads 320");
  four = replaced(four, "  role load", "  role idle warps 1 registers 24 {\n  }\n  role load");
  EXPECT_NE(verifier_says(four).find("the same registers"), std::string::npos)
      << verifier_says(four);
  std::string inner = replaced(tile_sample("product_mapped"), "threads 288", "threads 320");
  inner = replaced(inner, "registers 40 {",
                   "registers 40 {\n    role inner warps 1 registers 40 {\n    }");
  EXPECT_NE(verifier_says(inner).find("no role inside another"), std::string::npos)
      << verifier_says(inner);
  std::string first = replaced(tile_sample("product_mapped"), "threads 288", "threads 320");
  first = replaced(first, "  role math", "  role idle warps 1 registers 40 {\n  }\n  role math");
  EXPECT_NE(verifier_says(first).find("multiple of 128 threads"), std::string::npos)
      << verifier_says(first);
  EXPECT_NE(verifier_says("kernel k() threads 128 {\n}\n").find("roles that are"),
            std::string::npos);
}

TEST(VerifyTileDeclarations, ABlockFitsTheDevice) {
  const Kernel kernel = parse(tile_sample("product_mapped"));
  // Four slots of 16 and 32 KiB, two of 8 KiB for each warpgroup, eight mbarriers.
  EXPECT_EQ(tile_shared_bytes(kernel), 4 * (16384 + 32768) + 2 * 2 * 8192 + 4 * 16);
  DeviceLimits limits = kCudaLimits;
  limits.shared_bytes = 228 * 1024;
  EXPECT_NO_THROW(verify_tile_budget(kernel, limits));
  limits.shared_bytes = 164 * 1024;
  EXPECT_THROW(verify_tile_budget(kernel, limits), Error);
  Kernel two = kernel;
  two.min_blocks_per_sm = 2;
  limits.shared_bytes = 228 * 1024;
  EXPECT_THROW(verify_tile_budget(two, limits), Error);
}

}  // namespace
}  // namespace ridge::loop::verify_tile_declarations_test
