// Prices of GPU kernels on a sheet of round numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/cost/gpu_arithmetic.h"
#include "ridge/cost/price.h"
#include "ridge/cost/tuning.h"
#include "round_sheet.h"

namespace ridge::cost::price_gpu_test {
namespace {

Price price_of(std::string_view text, const Sheet& sheet = round_gpu()) {
  return price(nest_of(loop::parse(text), {}), sheet);
}
double seconds(const Price& price, Resource resource) {
  return price.seconds[static_cast<size_t>(resource)];
}

// 1 Mi threads, each of which computes `expression` of one element.
std::string elements(std::string_view expression, std::string_view dtype = "f32") {
  return concat("kernel k(x: ", dtype, "[1048576] in, out: ", dtype, R"([1048576] out) {
  for i0 in 4096 @gpu_block {
    for i1 in 256 @gpu_thread {
      let v0: )",
                dtype == "f64" ? "f64" : "f32", " = ", expression, R"(
      out[256 * i0 + i1] = v0
    }
  }
}
)");
}

TEST(GpuPrice, ACopyIsAtItsCeiling) {
  const Price p = price_of(elements("x[256 * i0 + i1]"));
  EXPECT_EQ(regime_of(p.limiter), Regime::memory);
  EXPECT_NEAR(p.best_rate_seconds, 8388608 / 100e9, 1e-12);
}

TEST(GpuPrice, ACacheOfUnknownSpeedHoldsNothing) {
  Sheet sheet = round_gpu();
  sheet.figures.erase("l2.read");
  sheet.figures.at("l2.bytes").value = 64e6;
  const Price p = price_of(elements("x[256 * i0 + i1] * 3.0 + 1.0"), sheet);
  EXPECT_EQ(regime_of(p.limiter), Regime::memory);
  EXPECT_NEAR(p.moved_bytes, 8388608, 1);
}

TEST(GpuPrice, BranchesThatDataDecidesCountByHowManyEnter) {
  const auto branch = [](std::string_view probability) {
    return price_of(concat(R"(kernel k(x: f32[1048576] in, out: f32[1048576] out) {
  for i0 in 4096 @gpu_block {
    for i1 in 256 @gpu_thread {
      let v0: f32 = x[256 * i0 + i1]
      if v0 < 0.0)",
                           probability, R"( {
        out[256 * i0 + i1] = v0
      }
    }
  }
}
)"));
  };
  const double all = seconds(branch(""), Resource::dram_write);
  EXPECT_GT(all, 0);
  EXPECT_NEAR(seconds(branch(" probability 1/4"), Resource::dram_write), all / 4, 1e-12);
}

TEST(GpuPrice, DoublesTakeTheirOwnUnit) {
  const char* const chain = "fma(x[256 * i0 + i1], 3.0, 1.0)";
  EXPECT_NEAR(seconds(price_of(elements(chain)), Resource::fma), 2 * 1048576 / 1e12, 1e-12);
  EXPECT_NEAR(seconds(price_of(elements(chain, "f64")), Resource::fma), 2 * 1048576 / 20e9, 1e-12);
  Sheet sheet = round_gpu();
  sheet.figures.erase("vector.f64.fma");
  EXPECT_NO_THROW(price_of(elements(chain), sheet));
  EXPECT_THROW(price_of(elements(chain, "f64"), sheet), Error);
}

TEST(GpuPrice, FunctionsWithoutAUnitAreInstructions) {
  const Price exp = price_of(elements("exp(x[256 * i0 + i1])"));
  EXPECT_NEAR(seconds(exp, Resource::special), 1048576 / 100e9, 1e-12);
  const Price log = price_of(elements("log(x[256 * i0 + i1])"));
  EXPECT_EQ(seconds(log, Resource::special), 0);
  // With a load and a store.
  const double instructions =
      gpu_instructions(expr::Function::log).issued + 2 * tuning::kAccessInstructions;
  EXPECT_NEAR(seconds(log, Resource::alu), instructions * 1048576 / 500e9, 1e-12);
}

// Four neighbors take their random bits from one block of words.
TEST(GpuPrice, NeighborsShareRandomBlocks) {
  const auto random = [](int width) {
    return concat("kernel k(out: i64[1048576] out) {\n  for i0 in ", 1048576 / 256 / width,
                  " @gpu_block {\n    for i1 in 256 @gpu_thread {\n      for i2 in ", width,
                  " @vector {\n        let v0: i64 = philox(1, 2, 3, (", 256 * width, " * i0 + ",
                  width, " * i1 + i2) // 4, (", 256 * width, " * i0 + ", width,
                  " * i1 + i2) % 4)\n        out[", 256 * width, " * i0 + ", width,
                  " * i1 + i2] = v0\n      }\n    }\n  }\n}\n");
  };
  const double one = seconds(price_of(random(1)), Resource::alu);
  const double four = seconds(price_of(random(4)), Resource::alu);
  EXPECT_GT(one, 3 * four);
  EXPECT_NEAR(seconds(price_of(random(8)), Resource::alu), four, 0.1 * four);
}

TEST(GpuPrice, NamesWhatTheSheetLacks) {
  Sheet sheet = round_gpu();
  for (const char* key : {"special.f32", "launch", "barrier", "l2.read"}) sheet.figures.erase(key);
  const Price p = price_of(elements("exp(x[256 * i0 + i1])"), sheet);
  // There is no barrier in it.
  EXPECT_EQ(p.absent, (std::vector<std::string>{"l2.read", "launch", "special.f32"}));
  EXPECT_TRUE(price_of(elements("exp(x[256 * i0 + i1])")).absent.empty());
}

TEST(GpuPrice, WhatMovesNothingHasAPrice) {
  const Price p = price_of(R"(
kernel k(x: f32[1] in) {
  shared held: f32[256]
  for i0 in 1 @gpu_block {
    for i1 in 256 @gpu_thread {
      let v0: f32 = 1.0
      held[i1] = v0
    }
  }
}
)");
  EXPECT_EQ(p.compulsory_bytes, 0);
  EXPECT_GE(p.predicted, 1e-6);  // not NaN
  EXPECT_LT(p.predicted, 1e-5);
}

std::string product(std::string_view dtype) {
  return concat("kernel k(a: ", dtype, "[65536] in, b: ", dtype,
                R"([65536] in, out: f32[65536] out) {
  for i0 in 2 @gpu_block {
    contract v0: f32 over i1 in 128, i2 in 256, sum i3 in 256 of a[256 * (128 * i0 + i1) + i3], b[256 * i3 + i2] {
      out[256 * (128 * i0 + i1) + i2] = v0
    }
  }
}
)");
}

TEST(GpuPrice, TheUnitOfAProductFollowsItsOperands) {
  const double flops = 2.0 * 256 * 256 * 256;
  const Price narrow = price_of(product("bf16")), wide = price_of(product("f32"));
  EXPECT_NEAR(seconds(narrow, Resource::matrix), flops / 10e12, 1e-12);
  EXPECT_NEAR(seconds(price_of(product("i8")), Resource::matrix), flops / 20e12, 1e-12);
  EXPECT_EQ(seconds(wide, Resource::matrix), 0);
  EXPECT_NEAR(seconds(wide, Resource::fma), flops / 1e12, 1e-12);
  // The matrix unit has no such figure here.
  const Price absent = price_of(product("f8e4m3"));
  EXPECT_EQ(absent.absent, std::vector<std::string>{"matrix.f8"});
}

// 64 rows of 1024, summed in shared memory.
constexpr std::string_view kShared = R"(
kernel rows(x: f32[65536] in, out: f32[64] out) {
  shared partial: f32[256]
  for i0 in 64 @gpu_block {
    for i1 in 256 @gpu_thread {
      var v0: f32 = 0.0
      for i2 in 4 {
        let v1: f32 = x[1024 * i0 + 256 * i2 + i1]
        v0 sum= v1
      }
      partial[i1] = v0
      barrier
      if i1 % 2 == 0 {
        let v2: f32 = partial[i1] + partial[i1 + 1]
        partial[i1] = v2
      }
      barrier
      if i1 == 0 {
        let v3: f32 = partial[0]
        out[i0] = v3
      }
    }
  }
}
)";

TEST(GpuPrice, SharedMemoryIsNotMemory) {
  const Price p = price_of(kShared);
  EXPECT_EQ(p.compulsory_bytes, 4 * (65536 + 64));
  EXPECT_EQ(p.issued_bytes, 4 * (65536 + 64));
  // Written by all, three accesses by every other one, one by the first.
  const double shared = 4.0 * 64 * (256 + 3 * 128 + 1);
  EXPECT_NEAR(seconds(p, Resource::shared), shared / 1e12, 1e-15);
  // Two barriers, in 64 blocks of which 8 run at a time.
  EXPECT_NEAR(seconds(p, Resource::latency), 2 * 8 * 100e-9, 1e-12);
}

TEST(GpuPrice, ThreadsCombineThroughShuffles) {
  const auto reduced = [](std::string_view scope) {
    return price_of(concat(R"(
kernel rows(x: f32[16384] in, out: f32[64] out) {
  for i0 in 64 @gpu_block {
    for i1 in 256 @gpu_thread {
      var v0: f32 = 0.0
      let v1: f32 = x[256 * i0 + i1]
      v0 sum= v1
      )",
                           scope, R"(_reduce sum v0
      if i1 == 0 {
        out[i0] = v0
      }
    }
  }
}
)"));
  };
  const double threads = 64 * 256;
  EXPECT_NEAR(seconds(reduced("warp"), Resource::shared), threads * 5 * 4 / 1e12, 1e-15);
  EXPECT_EQ(seconds(reduced("warp"), Resource::latency), 0);
  // What eight warps have is exchanged behind a barrier, and each thread combines it by itself.
  EXPECT_NEAR(seconds(reduced("block"), Resource::shared), threads * 6 * 4 / 1e12, 1e-15);
  EXPECT_GT(seconds(reduced("block"), Resource::latency), 0);
}

TEST(GpuPrice, WhatAUnitHasIsNotAskedOfTheCache) {
  // Each block reads its own 256 elements twice, and a table of as many that all share.
  const Price p = price_of(R"(
kernel k(x: f32[1048576] in, table: f32[256] in, out: f32[1048576] out) {
  for i0 in 4096 @gpu_block {
    for i1 in 256 @gpu_thread {
      let v0: f32 = x[256 * i0 + i1] + table[i1]
      out[256 * i0 + i1] = v0
      let v1: f32 = x[256 * i0 + i1] + v0
      out[256 * i0 + i1] = v1
    }
  }
}
)");
  const double array = 4.0 * 1048576;
  EXPECT_NEAR(p.transaction_bytes, 5 * array, 1);
  EXPECT_NEAR(seconds(p, Resource::l1), 5 * array / 1e12, 1e-12);
  EXPECT_NEAR(seconds(p, Resource::l2), (3 * array + 1024) / 1e12, 1e-12);
}

// A copy of which each thread takes `width` elements, its own first or spread over the block.
std::string copy_of(int width, std::string_view index) {
  return concat("kernel copy(x: f32[1048576] in, out: f32[1048576] out) {\n  for i0 in ",
                1048576 / 256 / width,
                " @gpu_block {\n    for i1 in 256 @gpu_thread {\n      for i2 in ", width,
                " @vector {\n        let v0: f32 = x[", index, "]\n        out[", index,
                "] = v0\n      }\n    }\n  }\n}\n");
}

TEST(GpuPrice, WideAccessesMoveWholeSectors) {
  const Price wide = price_of(copy_of(4, "1024 * i0 + 4 * i1 + i2"));
  EXPECT_EQ(wide.transaction_bytes, 8388608);
  // One element at a time, each thread's apart from its neighbor's by 4 KiB.
  const Price strided = price_of(copy_of(4, "1024 * i0 + 256 * i2 + i1"));
  EXPECT_EQ(strided.transaction_bytes, 8388608);
}

TEST(GpuPrice, WiderAccessesAskForMoreAtOnce) {
  Sheet sheet = round_gpu();
  sheet.figures["dram.latency"].value = 1e-6;  // 8 blocks at a time wait for their elements
  const double narrow = price_of(elements("x[256 * i0 + i1]"), sheet).predicted;
  const double wide = price_of(copy_of(4, "1024 * i0 + 4 * i1 + i2"), sheet).predicted;
  const double memory = 8388608 / 100e9;
  const auto with_waits = [&](double waits) { return 1e-6 + std::hypot(waits, memory); };
  EXPECT_NEAR(narrow, with_waits(4096 / 8 * 1e-6), 0.02 * narrow);
  EXPECT_GT(wide, 1e-6 + 1024 / 8 * 1e-6);
  EXPECT_LT(wide, with_waits(1024 / 8 * 1e-6));
}

}  // namespace
}  // namespace ridge::cost::price_gpu_test
