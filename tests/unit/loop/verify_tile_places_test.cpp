#include <gtest/gtest.h>

#include "tests/unit/loop/tile_slips.h"

namespace ridge::loop::verify_tile_places_test {
namespace {

TEST(VerifyTilePlaces, StatementsOfTheMappedFormAreRefusedInTheOther) {
  const std::string sample = tile_sample("product_unmapped");
  const std::string mapped_only = "in a mapped kernel only";
  expect_refused(
      sample,
      {{"dot sum", "dot async sum", mapped_only, "dot async sum"},
       {"dot sum += lhs * rhs", "wait_dot 0 sum", mapped_only, "wait_dot 0 sum"},
       {"dot sum += lhs * rhs", "move sum = lhs", mapped_only, "move sum = lhs"},
       {"dot sum += lhs * rhs", "wait_stores 0", mapped_only, "wait_stores 0"},
       {"dot sum += lhs * rhs", "barrier_sync 1 threads 32", mapped_only, "barrier_sync"},
       {"tile sum: f32[tm, tn]", "tile sum: f32[tm, tn] linear", "without layout", "tile sum"},
       {"f32[tm, tn]\n", "f32[tm, tn]\n  view a_map = a[m, k] strides k, 1 box 8, 8\n",
        "views in a mapped kernel", "view a_map"},
       {"dot sum += lhs * rhs", "barrier", "tiles and scalars only", "`barrier`"},
       {"{\n  tile sum", "{\n  shared x: f32[8]\n  tile sum", "in place of shared", "x"},
       {"for i2 in (k + tk - 1) // tk {", "for i2 in 4 @vector {", "outside of vector loops",
        "load lhs"},
       {"dot sum += lhs * rhs", "read v7: f32 = sum", "in `each` only", "read v7"},
       {"      fill sum = 0.0\n", "      role math warps 1 {\n      }\n", mapped_only,
        "role math"}});
}

TEST(VerifyTilePlaces, RingsPassFromOneRoleToOthers) {
  const std::string sample = tile_sample("product_mapped");
  expect_refused(
      sample,
      {{"dot async sum += lhs[64 * i5, 0] * rhs", "skip stages 2", "outside of `produce`", "skip"},
       {"        consume stages {\n", "        if i5 > 0 {\n", "read in `consume` of its ring",
        "dot async"},
       {"        produce stages {\n", "        if i2 > 0 {\n", "written in `produce`", "copy lhs"},
       {"          copy rhs = b_map[256 * i1, 64 * i2]\n", "", "but not rhs", "produce stages"},
       {"          copy rhs = b_map[256 * i1, 64 * i2]",
        "          if i2 > 0 {\n            copy rhs = b_map[256 * i1, 64 * i2]\n          }",
        "under no condition", "copy rhs"},
       {"          copy rhs = b_map[256 * i1, 64 * i2]",
        "          for i7 in k {\n            copy rhs = b_map[256 * i1, 64 * i2]\n          }",
        "loops of constant extent", "copy rhs"},
       {"        consume stages {\n", "        consume stages lag 2 {\n", "a lag of 0, or 1",
        "consume stages lag 2"},
       {"      fill sum = 0.0\n", "      fill lhs = 0.0\n", "in `produce` of its ring",
        "fill lhs"}});
  // Everything in one role; nobody consumes.
  std::string alone = replaced(sample, "          dot async sum += lhs[64 * i5, 0] * rhs\n", "");
  alone = replaced(alone, "consume stages {", "if i5 > 0 {");
  EXPECT_NE(verifier_says(alone).find("a role that consumes from ring stages"), std::string::npos);
  const std::string itself =
      replaced(sample, "        produce stages {\n",
               "        consume stages {\n        }\n        produce stages {\n");
  EXPECT_NE(verifier_says(itself).find("a ring that another role consumes from"),
            std::string::npos);
  std::string two = replaced(sample, "role load warps 1", "role load warps 2");
  two = replaced(two, "threads 288", "threads 320");
  EXPECT_NE(verifier_says(two).find("one instance of the role that produces"), std::string::npos);
  std::string late = replaced(sample, "slots 4\n", "slots 1\n");
  EXPECT_EQ(verifier_says(late), "");
  late = replaced(late, "consume stages {", "consume stages lag 1 {");
  EXPECT_NE(verifier_says(late).find("where the ring has more slots than one"), std::string::npos);
}

TEST(VerifyTilePlaces, ProduceAndConsumeStandAlone) {
  const std::string produce = "    produce stages {\n      copy x_tile = x_map[0, 0]\n    }\n";
  const std::string consume = "    consume stages {\n", copy = "      copy x_tile = x_map[0, 0]\n";
  expect_refused(
      kOneSlot,
      {{produce, "", "a role that produces in ring stages", "role math"},
       {copy, produce + copy, "no `produce` inside another", "produce stages"},
       {consume, consume + consume + "    }\n", "no `consume` of a ring inside", "consume stages"},
       {consume, "    copy spare = x_map[0, 0]\n" + consume, "of their ring only", "copy spare"},
       {copy, copy + "      copy loose = x_map[0, 0]\n", "of their ring only", "copy loose"}});
  std::string two = replaced(kOneSlot, "threads 160", "threads 192");
  two = replaced(two, "  role load", "  role more warps 1 {\n" + produce + "  }\n  role load");
  EXPECT_NE(verifier_says(two).find("one role that produces in a ring"), std::string::npos)
      << verifier_says(two);
  expect_refused(tile_sample("product_unmapped"),
                 {{"for i1 in (n + tn - 1) // tn @gpu_block", "for i1 in 4 @gpu_thread",
                   "grid and serial ones only", "for i1"}});
  expect_refused(tile_sample("product_mapped"),
                 {{"group 8", "group 0", "a row of tiles at least", "group 0"}});
}

TEST(VerifyTilePlaces, NamedBarriersAreCounted) {
  expect_refused(
      kAttention,
      {{"barrier_sync 2 threads 256", "barrier_sync 16 threads 256", "from 1 to 15",
        "barrier_sync"},
       {"barrier_sync 2 threads 256", "barrier_sync 2 threads 250", "whole warps", "barrier_sync"},
       {"barrier_sync 2 threads 256", "barrier_sync 2 threads 128", "the same number",
        "threads 128"},
       {"barrier_sync 2 threads 256", "barrier_arrive 2 threads 256", "someone waits",
        "barrier_arrive 2"},
       {"move weights = scores\n", "move weights = scores\n          barrier_sync 3 threads 288\n",
        "as many threads as the roles", "barrier_sync 3"}});
}

TEST(VerifyTilePlaces, RolesGoThroughTheSameTiles) {
  const std::string sample = tile_sample("product_mapped");
  const std::string loop = "for i0, i1 in tiles((m + 127) // 128, (n + 255) // 256) group 8 {";
  expect_refused(
      sample,
      {{loop, replaced(loop, "group 8", "group 4"), "the same tiles", "for i0, i1"},
       {loop, replaced(loop, "(m + 127) // 128", "m // 128"), "the same tiles", "for i0, i1"},
       {loop, replaced(loop, " group 8", " group 8 from i5 step 3"), "as many steps as", "step 3"},
       {loop, replaced(loop, " group 8", " group 8 step 2"), "all tiles for each", "step 2"},
       {loop, replaced(loop, "i0, i1 in", "i0, i1, i8 in"), "an extent for each axis", "i8"}});
  const std::string alternating = replaced(sample, " group 8 {", " group 8 from i5 step 2 {");
  EXPECT_EQ(verifier_says(alternating), "");
  const std::string nested =
      replaced(sample, "      for i6 in 4 {",
               "      for i8, i9 in tiles(m, n) {\n      }\n      for i6 in 4 {");
  EXPECT_NE(verifier_says(nested).find("loops over tiles directly in a role"), std::string::npos);
}

}  // namespace
}  // namespace ridge::loop::verify_tile_places_test
