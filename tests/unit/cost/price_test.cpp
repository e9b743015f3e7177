// Prices on a sheet of round numbers, so that each can be derived by hand.
#include "ridge/cost/price.h"

#include <gtest/gtest.h>

#include "ridge/base/error.h"
#include "ridge/cost/sheets.h"

namespace ridge::cost {
namespace {

// One core: 10 GB/s from memory, 100 GB/s from its caches, 100 GFLOP/s, 1 G functions a second.
Sheet round_numbers() {
  return parse_sheet(R"(ridge-sheet 1
name     round
title    round numbers
kind     cpu
version  2026-01-01
source   us  "made up for a test"  2026-01-01
figure   vector.f32.fma   100 GFLOP/s  source=us
figure   vector.f32       50 GFLOP/s   source=us
figure   matrix.f32       80 GFLOP/s   accumulate=f32 source=us
figure   dram.read        10 GB/s      source=us
figure   dram.write       10 GB/s      source=us
figure   dram.copy        10 GB/s      source=us
figure   l3.read          40 GB/s      source=us
figure   l3.write         40 GB/s      source=us
figure   l3.copy          40 GB/s      source=us
figure   l2.read          100 GB/s     source=us
figure   l2.write         100 GB/s     source=us
figure   l2.copy          100 GB/s     source=us
figure   l1.read          200 GB/s     source=us
figure   l1.write         200 GB/s     source=us
figure   l1.copy          200 GB/s     source=us
figure   l1.bytes         32 KiB       source=us
figure   l2.bytes         1 MiB        source=us
figure   l3.bytes         16 MiB       source=us
figure   gather.l1        1 GOP/s      source=us
figure   gather.l2        1 GOP/s      source=us
figure   gather.l3        100 MOP/s    source=us
figure   gather.dram      50 MOP/s     source=us
figure   function.exp     1 GOP/s      source=us
figure   launch           100 ns       source=us
figure   task             1 us         source=us
figure   loop             1 ns         source=us
figure   combine          1 ns         source=us
figure   vector.latency   1 ns         source=us
figure   tlb              10 ns        source=us
figure   tlb.bytes        4 MiB        source=us
figure   units            1            source=us
figure   lanes            16           source=us
figure   line             64 B         source=us
)",
                     "round.sheet");
}

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
  EXPECT_EQ(regime_of(p.bound), Regime::memory);
}

TEST(Price, InACacheItIsThatCache) {
  const Price p = price_of(pointwise(1 << 16, "x[i0] * 2.0"));  // 512 KiB: the second level
  EXPECT_NEAR(p.predicted, 100e-9 + 1e-9 + 524288 / 100e9, 1e-3 * p.predicted);
  EXPECT_EQ(p.bound, Resource::l2);
}

TEST(Price, AFunctionBindsWhereItTakesLonger) {
  const Price p = price_of(pointwise(1 << 16, "exp(x[i0])"));
  EXPECT_NEAR(p.predicted, 65536e-9, 5e-3 * p.predicted);
  EXPECT_EQ(p.bound, Resource::special);
  EXPECT_EQ(regime_of(p.bound), Regime::compute);
}

TEST(Price, ALaunchBindsWhatIsTiny) {
  const Price p = price_of(pointwise(16, "x[i0] * 2.0"));
  EXPECT_EQ(p.bound, Resource::overhead);
  EXPECT_DOUBLE_EQ(p.floor, 100e-9);
}

TEST(Price, ACountedFmaIsOneInstructionAndTwoFlops) {
  const std::string chain = "((x[i0] * 2.0 + 1.0) * 2.0 + 1.0) * 2.0 + 1.0";
  const Price p = price_of(pointwise(1 << 12, chain));
  EXPECT_EQ(p.flops, 6 << 12);
  EXPECT_NEAR(p.seconds[static_cast<size_t>(Resource::fma)], 6 * 4096 / 100e9, 1e-12);
  EXPECT_EQ(p.seconds[static_cast<size_t>(Resource::plain)], 0);
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
  for i0 in n / 256 @grid {
    for i1 in 256 @block {
      let v0: f32 = x[256 * i0 + i1]
      out[256 * i0 + i1] = v0
    }
  }
}
)");
  const std::vector<int64_t> sizes{1 << 28};
  const auto sheet = find_sheet("h200");
  const Price p = price(nest_of(kernel, sizes), *sheet);
  const double bytes = 2.0 * 4 * (1 << 28);
  EXPECT_EQ(p.compulsory_bytes, bytes);
  EXPECT_NEAR(p.predicted, bytes / *sheet->value("dram.peak"), 0.05 * p.predicted);
  EXPECT_EQ(regime_of(p.bound), Regime::memory);
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
  const double twins = predicted("sin(x[i0]) + cos(x[i0])");
  EXPECT_NEAR(predicted("sin(x[i0]) + cos(x[i0] * 2.0)"), 2 * 65536e-9, 5e-6);
  EXPECT_LT(twins, 1.5 * 65536e-9);
  EXPECT_GT(twins, 65536e-9);
}

TEST(Price, RefusesWhatHasNoKernels) {
  EXPECT_THROW(price(nest_of(loop::parse(pointwise(16, "x[i0]")), {}), *find_sheet("tpu-v5e")),
               Error);
}

}  // namespace
}  // namespace ridge::cost
