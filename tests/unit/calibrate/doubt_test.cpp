#include <gtest/gtest.h>

#include <limits>

#include "ridge/base/text.h"
#include "ridge/calibrate/measure_figures.h"

namespace ridge::calibrate::doubt_test {
namespace {

constexpr double kMostSpread = 0.15;

Measured rate(const std::string& key, double value, double spread = 0.01) {
  return {key, cost::Unit::bytes_per_second, value, spread};
}

// A machine whose threads reach `gain` times what one does.
std::string doubt_of(const std::string& key, double gain, int threads, int cores) {
  const std::vector<Measured> all{rate(key, gain * 20e9), rate(key + ".one", 20e9)};
  return doubt(all[0], all, {.threads = threads, .cores = cores}, kMostSpread);
}

TEST(Doubt, TrustsWhatGrowsWithCores) {
  EXPECT_EQ(doubt_of("l1.read", 1, 1, 1), "");
  EXPECT_EQ(doubt_of("l1.read", 7.8, 8, 8), "");
  EXPECT_EQ(doubt_of("l1.read", 4.1, 8, 4), "");  // two threads a core add little
  EXPECT_EQ(doubt_of("matrix.f32", 300, 512, 512), "");
  EXPECT_EQ(doubt_of("function.exp", 200, 512, 256), "");
  EXPECT_EQ(doubt_of("dram.read", 1.1, 512, 256), "");  // one core may saturate what is shared
}

TEST(Doubt, RefusesThreadsThatDidNotRun) {
  EXPECT_NE(doubt_of("l1.read", 1.1, 2, 2), "");
  EXPECT_EQ(doubt_of("l1.read", 4, 8, 8), "8 threads do 400 % of what one does");
  EXPECT_NE(doubt_of("l1.read", 2, 8, 4), "");
  EXPECT_NE(doubt_of("matrix.f32", 4, 512, 256), "");  // four tasks, whatever the threads
  EXPECT_NE(doubt_of("l3.read", 0.4, 8, 8), "");
}

TEST(Doubt, RefusesWhatNoSheetMayHave) {
  const CpuShape shape;
  const auto seconds = [&](double value) {
    return doubt({"tlb", cost::Unit::seconds, value, 0}, {}, shape, kMostSpread);
  };
  EXPECT_EQ(seconds(20e-9), "");
  for (const double value : {-2e-9, 0.0, 1e-13, 60.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_NE(seconds(value).find("out of the question"), std::string::npos) << value;
  }
  EXPECT_NE(doubt(rate("l1.read", 1e3), {}, shape, kMostSpread), "");
}

TEST(Doubt, RefusesRoundsThatDisagree) {
  const CpuShape shape;
  EXPECT_EQ(doubt(rate("dram.read", 1e10, 0.2), {}, shape, kMostSpread), "a spread of 20 %");
  Measured lenient = rate("dram.read", 1e10, 0.2);
  lenient.leniency = 4;
  EXPECT_EQ(doubt(lenient, {}, shape, kMostSpread), "");
  EXPECT_TRUE(is_stable(lenient, kMostSpread));
  const Measured difference = summarize("combine", cost::Unit::seconds, {-1e-9, -2e-9, -1e-9});
  EXPECT_FALSE(is_stable(difference, kMostSpread));
}

}  // namespace
}  // namespace ridge::calibrate::doubt_test
