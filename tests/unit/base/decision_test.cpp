#include "ridge/base/decision.h"

#include <gtest/gtest.h>

namespace ridge::decision_test {
namespace {

TEST(Decision, IsItsVerdict) {
  EXPECT_TRUE(Decision::yes("it is free"));
  EXPECT_FALSE(Decision::no("it is not"));
}

TEST(Decision, PrintsTheReason) {
  EXPECT_EQ(Decision::yes("it is free").to_text(), "yes: it is free");
  EXPECT_EQ(Decision::no("").to_text(), "no");
}

TEST(Decision, PrintsThePriceOfTheChoiceFirst) {
  EXPECT_EQ(Decision::yes("one pass").priced(4.2, 6.1).to_text(),
            "yes: one pass (4.2 us, otherwise 6.1 us)");
  Decision decision = Decision::no("too large");
  decision.priced(9, 4);
  EXPECT_EQ(decision.to_text(), "no: too large (4.0 us, otherwise 9.0 us)");
}

TEST(Decision, PrintsWhatIsKnownOfThePrice) {
  Decision decision = Decision::yes("forced");
  decision.cost_if_yes_us = 2;
  EXPECT_EQ(decision.to_text(), "yes: forced (2.0 us)");
  decision.verdict = false;
  EXPECT_EQ(decision.to_text(), "no: forced (otherwise 2.0 us)");
}

}  // namespace
}  // namespace ridge::decision_test
