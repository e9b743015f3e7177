#include "ridge/calibrate/probe.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "ridge/base/error.h"
#include "ridge/base/files.h"
#include "ridge/calibrate/calibrate.h"
#include "ridge/cost/sheets.h"

namespace ridge::calibrate::probe_test {
namespace {

TEST(Summary, IsTheMedianAndHalfTheQuartiles) {
  const Measured odd = summarize("a", cost::Unit::seconds, {5, 1, 4, 2, 3});
  EXPECT_EQ(odd.median, 3);
  EXPECT_DOUBLE_EQ(odd.spread, (4.0 - 2.0) / 2 / 3);
  EXPECT_EQ(summarize("a", cost::Unit::seconds, {2, 1}).median, 1.5);
  EXPECT_EQ(summarize("a", cost::Unit::seconds, {7}).spread, 0);
  EXPECT_TRUE(std::isinf(summarize("a", cost::Unit::seconds, {0, 0, 0}).spread));
  EXPECT_TRUE(std::isinf(summarize("a", cost::Unit::seconds, {-1, -1, -1}).spread));
}

TEST(Rounds, AreInterleavedAndTheFirstWarmsUp) {
  std::string order;
  const auto probe = [&](char name) {
    return Probe{std::string(1, name), cost::Unit::count, [&order, name] {
                   order += name;
                   return static_cast<double>(order.size());
                 }};
  };
  size_t calls = 0;
  const std::vector<Measured> result =
      run({probe('a'), probe('b')}, 2, [&](size_t done, size_t all) {
        ++calls;
        EXPECT_LE(done, all);
      });
  EXPECT_EQ(order, "ababab");
  EXPECT_EQ(calls, 6U);
  EXPECT_EQ(result[0].median, 4);  // of 3 and 5; the 1 of the first round does not count
}

TEST(WriteSheet, ReadsBackAndMakesItsFolder) {
  const std::filesystem::path folder =
      create_own_folder(::testing::TempDir(), "ridge_calibrate") / "deeper";
  const std::filesystem::path path = folder / "this-cpu.sheet";
  const cost::Sheet sheet = *cost::find_sheet("generic-cpu");
  write_sheet(sheet, path.string());
  write_sheet(sheet, path.string());  // over the first
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++files;
  EXPECT_EQ(files, 1U);
  std::filesystem::remove_all(folder.parent_path());
}

TEST(WriteSheet, WritesNothingThatCannotBeReadAgain) {
  const std::filesystem::path folder =
      create_own_folder(::testing::TempDir(), "ridge_calibrate") / "broken";
  const std::filesystem::path path = folder / "this-cpu.sheet";
  cost::Sheet sheet = *cost::find_sheet("generic-cpu");
  sheet.figures.at("launch").value = -1e-9;
  EXPECT_THROW(write_sheet(sheet, path.string()), Error);
  EXPECT_FALSE(std::filesystem::exists(path));
  std::filesystem::remove_all(folder.parent_path());
}

TEST(WriteSheet, SaysWhereItCannotWrite) {
  try {
    write_sheet(*cost::find_sheet("generic-cpu"), "/proc/nowhere/this-cpu.sheet");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_NE(std::string(error.what()).find("nowhere"), std::string::npos);
  }
}

}  // namespace
}  // namespace ridge::calibrate::probe_test
