// The choice as a Decision, and RIDGE_MAPPING.
#include "ridge/mapping/choose.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "product_works.h"
#include "ridge/base/error.h"
#include "ridge/base/knobs.h"
#include "ridge/cost/sheets.h"
#include "ridge/mapping/tuning.h"

namespace ridge::mapping::choose_test {
namespace {

constexpr std::string_view kForced = "product wgmma 128x128x64 cooperative 2 stages 4 group 8";

Choice chosen(const KernelId& id = {},
              const Work& work = forward(4096, 4096, 4096)) {  // too large to split k
  return choose(work, *cost::find_sheet("h200"), id);
}
Error error_with(const std::string& knob) {
  const ScopedKnob scope(Knob::mapping, knob);
  try {
    chosen({.kernel = "matmul"});
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error({});
}

TEST(MappingChoice, RunnersUpFollowInOrder) {
  const Choice choice = chosen();
  ASSERT_TRUE(choice.best);
  ASSERT_EQ(choice.runners_up.size(), static_cast<size_t>(tuning::kRunnersUp));
  double last = choice.best->price.price.predicted;
  EXPECT_DOUBLE_EQ(*choice.decision.cost_if_yes_us, last * 1e6);
  for (const PricedMapping& other : choice.runners_up) {
    EXPECT_GE(other.price.price.predicted, last);
    last = other.price.price.predicted;
  }
  EXPECT_NE(choice.to_text().find("instead of product wgmma"), std::string::npos);
  EXPECT_NE(choice.to_text().find("refused product"), std::string::npos);
  EXPECT_NE(choice.to_text().find("bound by"), std::string::npos);
}

TEST(MappingChoice, NothingFitsADeviceWithoutMatrixUnits) {
  const Choice choice = choose(forward(64, 64, 64), *cost::find_sheet("v100"));
  EXPECT_FALSE(choice.best);
  EXPECT_EQ(choice.decision.to_text(), "no: no mapping fits: the device has no wgmma");
}

TEST(MappingChoice, WhatIsNotAcceptedIsRefusedWithItsReason) {
  const auto narrow = [](const Mapping& mapping) {
    return std::get<Product>(mapping.family).columns <= 128 ? Decision::yes("narrow")
                                                            : Decision::no("too wide");
  };
  const Choice choice =
      choose(forward(4096, 4096, 4096), *cost::find_sheet("h200"), {}, {}, narrow);
  ASSERT_TRUE(choice.best);
  EXPECT_LE(std::get<Product>(choice.best->mapping.family).columns, 128);
  EXPECT_EQ(std::ranges::count(choice.refused, "too wide",
                               [](const RefusedMapping& other) { return other.decision.reason; }),
            1);
  const ScopedKnob scope(Knob::mapping,
                         "matmul=product wgmma 128x256x64 cooperative 2 stages 4 group 8");
  try {
    choose(forward(4096, 4096, 4096), *cost::find_sheet("h200"), {.kernel = "matmul"}, {}, narrow);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.op(), "RIDGE_MAPPING");
    EXPECT_EQ(error.hint(), "too wide");
  }
}

TEST(MappingChoice, AKernelIsForcedByNameOrHash) {
  const ScopedKnob scope(Knob::mapping, "other=x; matmul = " + std::string(kForced) + ";");
  EXPECT_FALSE(chosen({.kernel = "add"}).is_forced);
  EXPECT_FALSE(chosen({.hash = "ul"}).is_forced);
  for (const KernelId& id : {KernelId{.kernel = "matmul"}, KernelId{.hash = "matmul"}}) {
    const Choice choice = chosen(id);
    EXPECT_TRUE(choice.is_forced);
    EXPECT_EQ(to_text(choice.best->mapping), kForced);
    EXPECT_GT(*choice.decision.cost_if_yes_us, *choice.decision.cost_if_no_us);
    EXPECT_EQ(choice.runners_up.size(), static_cast<size_t>(tuning::kRunnersUp));
  }
}

TEST(MappingChoice, ABrokenTextSaysWhere) {
  EXPECT_EQ(error_with("matmul=product wgmma 128x128").op(), "RIDGE_MAPPING");
  EXPECT_EQ(error_with("matmul=product wgmma 128x128").code(), ErrorCode::parse);
  EXPECT_EQ(error_with("a=b; matmul").given(), "`matmul` at column 5");
  const Error error = error_with("matmul=product wgmma 128x256x64 cooperative 2 stages 9");
  EXPECT_EQ(error.code(), ErrorCode::value);
  EXPECT_EQ(error.expected(), "a mapping that fits, at column 40, `stages`");
}

}  // namespace
}  // namespace ridge::mapping::choose_test
