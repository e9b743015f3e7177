// Prices on a sheet of round numbers, so that each can be derived by hand.
#include "ridge/cost/price.h"

#include <gtest/gtest.h>

#include "ridge/base/error.h"
#include "ridge/cost/sheets.h"
#include "round_sheet.h"

namespace ridge::cost::price_test {
namespace {

std::string pointwise(int64_t elements, std::string_view expression) {
  const std::string n = std::to_string(elements);
  return "kernel k(x: f32[" + n + "] in, out: f32[" + n + "] out) grain 1 {\n  for i0 in " + n +
         " @vector {\n    let v0: f32 = " + std::string(expression) +
         "\n    out[i0] = v0\n  }\n}\n";
}

Price price_of(const std::string& text) {
  return price(nest_of(loop::parse(text), {}), round_numbers());
}

TEST(Price, BeyondTheCachesMemoryBinds) {
  const Price p = price_of(pointwise(1 << 24, "x[i0] * 2.0"));  // 128 MiB there and back
  EXPECT_NEAR(p.predicted, 134217728 / 10e9, 1e-4 * p.predicted);
  EXPECT_NEAR(p.floor, 134217728 / 10e9, 1e-4 * p.floor);
  EXPECT_EQ(p.compulsory_bytes, 134217728);
  EXPECT_EQ(p.flops, 1 << 24);
  EXPECT_EQ(regime_of(p.limiter), Regime::memory);
}

TEST(Price, InACacheItIsThatCache) {
  const Price p = price_of(pointwise(1 << 16, "x[i0] * 2.0"));  // 512 KiB: the second level
  EXPECT_NEAR(p.predicted, 100e-9 + 1e-9 + 524288 / 100e9, 1e-3 * p.predicted);
  EXPECT_EQ(p.limiter, Resource::l2);
}

TEST(Price, AFunctionBindsWhereItTakesLonger) {
  const Price p = price_of(pointwise(1 << 16, "exp(x[i0])"));
  EXPECT_NEAR(p.predicted, 65536e-9, 5e-3 * p.predicted);
  EXPECT_EQ(p.limiter, Resource::special);
  EXPECT_EQ(regime_of(p.limiter), Regime::compute);
}

TEST(Price, ALaunchBindsWhatIsTiny) {
  const Price p = price_of(pointwise(16, "x[i0] * 2.0"));
  EXPECT_EQ(p.limiter, Resource::overhead);
  EXPECT_DOUBLE_EQ(p.floor, 100e-9);
}

TEST(Price, ACountedFmaIsOneInstructionAndTwoFlops) {
  const std::string chain = "fma(fma(fma(x[i0], 2.0, 1.0), 2.0, 1.0), 2.0, 1.0)";
  const Price p = price_of(pointwise(1 << 12, chain));
  EXPECT_EQ(p.flops, 6 << 12);
  EXPECT_NEAR(p.seconds[static_cast<size_t>(Resource::fma)], 6 * 4096 / 100e9, 1e-12);
  EXPECT_EQ(p.seconds[static_cast<size_t>(Resource::alu)], 0);
}

TEST(Price, TheFloorIsNeverAboveThePrediction) {
  for (const int64_t n : {100, 5000, 70000, 900000, 20000000}) {
    for (const char* body : {"x[i0]", "exp(x[i0])", "x[i0] * x[i0] + 1.0"}) {
      const Price p = price_of(pointwise(n, body));
      EXPECT_LE(p.floor, p.predicted * (1 + 1e-9)) << n << " " << body;
    }
  }
}

TEST(Price, NamesTheFigureASheetLacks) {
  Sheet sheet = round_numbers();
  sheet.figures.erase(sheet.figures.find("launch"));
  try {
    price(nest_of(loop::parse(pointwise(16, "x[i0]")), {}), sheet);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("launch"), std::string::npos) << error.what();
  }
}

TEST(Price, OnAGpuMemoryBindsACopy) {
  const loop::Kernel kernel = loop::parse(R"(
kernel copy(x: f32[n] in, out: f32[n] out; n) {
  for i0 in n // 1024 @gpu_block {
    for i1 in 256 @gpu_thread {
      for i2 in 4 @vector {
        let v0: f32 = x[1024 * i0 + 4 * i1 + i2]
        out[1024 * i0 + 4 * i1 + i2] = v0
      }
    }
  }
}
)");
  const std::vector<int64_t> sizes{1 << 28};
  const auto sheet = find_sheet("h200");
  const Price p = price(nest_of(kernel, sizes), *sheet);
  const double bytes = 2.0 * 4 * (1 << 28);
  EXPECT_EQ(p.compulsory_bytes, bytes);
  EXPECT_NEAR(p.predicted, bytes / *sheet->value("dram.copy"), 0.1 * p.predicted);
  EXPECT_EQ(regime_of(p.limiter), Regime::memory);
}

TEST(Price, ASineAndACosineOfOneArgumentShareTheirWork) {
  Sheet sheet = round_numbers();
  for (const char* key : {"function.sin", "function.cos"}) {
    sheet.figures[key] = sheet.figures["function.exp"];
  }
  const auto predicted = [&](std::string_view expression) {
    const loop::Kernel kernel = loop::parse(pointwise(1 << 16, expression));
    return price(nest_of(kernel, {}), sheet).predicted;
  };
  const double sincos_pairs = predicted("sin(x[i0]) + cos(x[i0])");
  EXPECT_NEAR(predicted("sin(x[i0]) + cos(x[i0] * 2.0)"), 2 * 65536e-9, 5e-6);
  EXPECT_LT(sincos_pairs, 1.5 * 65536e-9);
  EXPECT_GT(sincos_pairs, 65536e-9);
}

TEST(Price, TheSideThatDecidesNamesTheResource) {
  // Beyond the caches: 13.4 ms of memory beside 11.7 ms of functions, more than memory's either half.
  Sheet sheet = round_numbers();
  sheet.figures["function.exp"].value = 1.43e9;
  const auto kernel = loop::parse(pointwise(1 << 24, "exp(x[i0])"));
  const Price p = price(nest_of(kernel, {}), sheet);
  EXPECT_NEAR(p.predicted, 134217728 / 10e9, 1e-4 * p.predicted);
  EXPECT_EQ(regime_of(p.limiter), Regime::memory);
}

TEST(Price, ACopyAtFullSpeedIsAtItsCeiling) {
  const Price p = price_of(pointwise(1 << 24, "x[i0]"));
  EXPECT_NEAR(p.best_rate_seconds, p.predicted, 1e-3 * p.predicted);
  // Where reading and writing in turn was measured to be faster, that is what was reached, and the floor.
  Sheet sheet = round_numbers();
  sheet.figures["dram.copy"].value = 12.5e9;
  const Price faster = price(nest_of(loop::parse(pointwise(1 << 24, "x[i0]")), {}), sheet);
  EXPECT_NEAR(faster.best_rate_seconds, 134217728 / 12.5e9, 1e-6 * p.predicted);
  EXPECT_NEAR(faster.floor, 134217728 / 12.5e9, 1e-6 * p.predicted);
}

TEST(Price, ASumThatWaitsForItselfIsBoundByThat) {
  Sheet sheet = round_numbers();
  sheet.figures["vector.latency"].value = 100e-9;
  const auto kernel = loop::parse(R"(
kernel sum(x: f32[4096] in, out: f32[1] out) grain 1 {
  var v0: f32 = 0.0
  for i0 in 4096 @vector {
    let v1: f32 = x[i0]
    v0 sum= v1
  }
  out[0] = v0
}
)");
  const Price p = price(nest_of(kernel, {}), sheet);
  EXPECT_EQ(p.limiter, Resource::latency);
  EXPECT_EQ(regime_of(p.limiter), Regime::compute);
  EXPECT_NEAR(p.best_rate_seconds, 4096 / 64 * 100e-9, 1e-12);  // four registers of 16 lanes
}

TEST(Price, SincosNeverMakeACeilingNegative) {
  Sheet sheet = round_numbers();
  for (const char* key : {"function.sin", "function.cos"}) {
    sheet.figures[key] = sheet.figures["function.exp"];
    sheet.figures[std::string(key) + ".peak"] = sheet.figures["function.exp"];
    sheet.figures[std::string(key) + ".peak"].value = 10e9;
  }
  const auto kernel = loop::parse(pointwise(1 << 16, "sin(x[i0]) + cos(x[i0])"));
  const Price p = price(nest_of(kernel, {}), sheet);
  ASSERT_EQ(p.limiter, Resource::special);
  EXPECT_NEAR(p.best_rate_seconds, 65536 / 10e9, 1e-9);  // two functions, of which one is saved
}

TEST(Price, TheFirstFigureThatIsThereIsEnough) {
  Sheet sheet = round_numbers();
  sheet.figures["units.usable"] = sheet.figures["units"];
  sheet.figures["l3.usable"] = sheet.figures["l3.bytes"];
  sheet.figures.erase("units");
  sheet.figures.erase("l3.bytes");
  EXPECT_NO_THROW(price(nest_of(loop::parse(pointwise(16, "x[i0]")), {}), sheet));
  EXPECT_EQ(sheet.need_first({"units.usable", "units"}, "a test"), 1);
  EXPECT_THROW(static_cast<void>(sheet.need_first({"dram.latency", "units"}, "a test")), Error);
}

TEST(Price, RefusesWhatHasNoKernels) {
  EXPECT_THROW(price(nest_of(loop::parse(pointwise(16, "x[i0]")), {}), *find_sheet("tpu-v5e")),
               Error);
}

}  // namespace
}  // namespace ridge::cost::price_test
