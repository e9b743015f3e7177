#include <gtest/gtest.h>

#include "tests/unit/loop/tile_slips.h"

namespace ridge::loop::verify_tile_flow_test {
namespace {

TEST(VerifyTileFlow, TilesAreDefinedBeforeTheyAreRead) {
  const std::string sample = tile_sample("product_unmapped");
  expect_refused(
      sample,
      {{"      fill sum = 0.0\n", "", "tile sum defined before it is read", "dot sum"},
       {"        write result = v1\n", "", "tile result defined", "store out"},
       // The loop may have no iteration.
       {"store out", "store out[i0] = lhs[i3, i4]\n      store out", "tile lhs defined", "lhs[i3"},
       {"        write result = v1",
        "        if v1 > 0.0 {\n          write result = v1\n        }", "tile result defined",
        "store out"}});
  // A loop of constant extent has; and what one iteration defines the next one reads.
  const std::string in_loop = "      for i5 in 2 {\n        fill sum = 0.0\n      }\n";
  EXPECT_EQ(verifier_says(replaced(sample, "      fill sum = 0.0\n", in_loop)), "");
}

TEST(VerifyTileFlow, WhatIsInFlightIsLeftAlone) {
  const std::string sample = tile_sample("product_mapped");
  expect_refused(
      sample,
      {{"          wait_dot 0 sum\n", "", "before its slot is given back", "consume stages"},
       {"wait_dot 0 sum", "wait_dot 1", "before its slot is given back", "consume stages"},
       {"wait_dot 0 sum", "wait_dot 0", "names tile sum", "read v0"},
       {"wait_dot 0 sum", "wait_dot 1 sum", "no dot of sum is in flight", "wait_dot 1 sum"},
       {"wait_dot 0 sum", "fill sum = 0.0\n          wait_dot 0 sum", "in flight", "fill sum"},
       {"wait_dot 0 sum", "wait_dot 8 sum", "0 to 7 dots", "wait_dot 8"},
       {"        wait_stores 1 read\n", "", "written again", "move out_tile"},
       {"wait_stores 1 read", "wait_stores 2 read", "written again", "move out_tile"},
       {"slots 2 in math", "in math", "written again", "move out_tile"},
       {"    wait_stores 0\n", "", "for all stores before a role ends", "role math"}});
  // With a lag a dot may be in flight over the end of its slot, not over that of the next.
  std::string late = replaced(sample, "consume stages {", "consume stages lag 1 {");
  late = replaced(late, "wait_dot 0 sum", "wait_dot 1");
  EXPECT_NE(verifier_says(late).find("a wait_dot before tile sum, in flight"), std::string::npos)
      << verifier_says(late);
  const std::string waited = replaced(late, "      each i3", "      wait_dot 0 sum\n      each i3");
  EXPECT_EQ(verifier_says(waited), "");
  // Skipping gives back what the lag has left.
  const std::string skip = "      skip stages 2\n", wait = "      wait_dot 0 sum\n";
  EXPECT_EQ(verifier_says(replaced(waited, wait, wait + skip)), "");
  const std::string early = verifier_says(replaced(waited, wait, skip + wait));
  EXPECT_NE(early.find("before its slot is given back"), std::string::npos) << early;
  const std::string later = replaced(waited, "wait_dot 1\n", "wait_dot 2\n");
  EXPECT_NE(verifier_says(later).find("before its slot is given back"), std::string::npos);
  // Operands in registers are guarded by name as sums are.
  expect_refused(
      kAttention,
      {{"wait_dot 0 result, weights", "wait_dot 0 result", "names tile weights", "move weights"},
       {"wait_dot 0 result, weights", "wait_dot 0 weights", "names tile result", "move out_tile"},
       {"            wait_dot 0 result, weights\n", "", "names tile weights", "move weights"},
       {"      wait_stores 0 read\n", "", "written again", "move out_tile"}});
}

TEST(VerifyTileFlow, WaitsBeforeTheEnd) {
  const std::string stores = "    wait_stores 0\n", waited = "      wait_dot 0 sum, left\n";
  expect_refused(kOneSlot,
                 {{stores, stores + "    dot async sum += left * spare\n",
                   "for all dots before a role ends", "role math"},
                  {stores, "    for i3 in m {\n      dot async sum += left * spare\n    }\n",
                   "a wait_dot in a loop", "dot async"},
                  {stores, "    for i3 in m {\n      copy y_map[0, 0] = spare\n    }\n",
                   "a wait_stores in a loop", "copy y_map"},
                  {stores, stores + "    dot async sum += left * spare\n    fill spare = 0.0\n",
                   "spare left alone", "fill spare"},
                  {waited, waited + "      copy y_map[0, 0] = x_tile\n",
                   "store of x_tile before its slot", "consume stages"}});
  const std::string in_time = "      copy y_map[0, 0] = x_tile\n      wait_stores 0 read\n";
  EXPECT_EQ(verifier_says(replaced(kOneSlot, waited, waited + in_time)), "");
}

}  // namespace
}  // namespace ridge::loop::verify_tile_flow_test
