// What the price of a GPU kernel takes into account beside bytes and flops.
#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/cost/gpu_arithmetic.h"
#include "ridge/cost/price.h"
#include "ridge/cost/tuning.h"
#include "round_sheet.h"

namespace ridge::cost::gpu_model_test {
namespace {

constexpr double kNumbers = 1048576;

double seconds(const Price& price, Resource resource) {
  return price.seconds[static_cast<size_t>(resource)];
}
Price price_of(std::string_view text, const Sheet& sheet = round_gpu(),
               const Context& context = {}) {
  return price(nest_of(loop::parse(text), {}), sheet, context);
}

// Instructions of a lane for one element, by what the vector units take.
double instructions_of(const std::string& statements, std::string_view dtype = "f32") {
  const Price price = price_of(concat(
      "kernel k(x: ", dtype, "[1048576] in, out: ", dtype,
      "[1048576] out) {\n  for i0 in 4096 @gpu_block {\n    for i1 in ",
      "256 @gpu_thread {\n      let v0: f32 = x[256 * i0 + i1]\n", statements, "    }\n  }\n}\n"));
  return seconds(price, Resource::alu) * 500e9 / kNumbers;
}

TEST(GpuModel, ACosineOfACosineNeedsNoReduction) {
  const double none = instructions_of("out[256 * i0 + i1] = v0\n");
  const double one = instructions_of("let v1: f32 = cos(v0)\nout[256 * i0 + i1] = v1\n");
  const double two = instructions_of(
      "let v1: f32 = cos(v0)\nlet v2: f32 = cos(v1) near\nout[256 * i0 + i1] = v2\n");
  EXPECT_NEAR(one - none, gpu_instructions(expr::Function::cos).issued, 1e-6);
  EXPECT_NEAR(two - one, gpu_near_instructions(expr::Function::cos).issued, 1e-6);
  EXPECT_LT(two - one, one - none);
}

TEST(GpuModel, ResultsOf16BitsHaveShorterFunctions) {
  const std::string sine = "let v1: f32 = sin(v0) for half\nout[256 * i0 + i1] = v1\n";
  const std::string none = "let v1: f32 = -v0\nout[256 * i0 + i1] = v1\n";
  EXPECT_NEAR(instructions_of(sine, "bf16") - instructions_of(none, "bf16"),
              gpu_short_instructions(expr::Function::sin).issued, 1e-6);
}

// Of 16 bits one is widened with an instruction, two are rounded with one; what is only moved is neither.
TEST(GpuModel, WhatIsHandedOnIsNotConverted) {
  const std::string copy = "out[256 * i0 + i1] = v0\n";
  const std::string computed = "let v1: f32 = -v0\nout[256 * i0 + i1] = v1\n";
  const std::string rounded = "let v1: f32 = -v0 as bf16\nout[256 * i0 + i1] = v1\n";
  EXPECT_EQ(instructions_of(copy, "bf16"), instructions_of(copy, "f32"));
  EXPECT_NEAR(instructions_of(computed, "bf16") - instructions_of(copy, "bf16"), 1.5, 1e-6);
  EXPECT_NEAR(instructions_of(rounded, "bf16"), instructions_of(computed, "bf16"), 1e-6);
}

TEST(GpuModel, ASumIsOneInstructionWithItsProductWhereThatIsWritten) {
  const std::string store = "out[256 * i0 + i1] = v1\n";
  const double apart = instructions_of(concat("let v1: f32 = v0 * 3.0 + v0\n", store));
  const double fused = instructions_of(concat("let v1: f32 = fma(v0, 3.0, v0)\n", store));
  EXPECT_EQ(fused, instructions_of("out[256 * i0 + i1] = v0\n"));  // of another unit
  EXPECT_NEAR(apart - fused, 2, 1e-6);
}

TEST(GpuModel, AQuotientByAPowerOfTwoIsAProduct) {
  const auto quotient = [](std::string_view by) {
    return instructions_of(concat("let v1: f32 = v0 / ", by, "\nout[256 * i0 + i1] = v1\n"));
  };
  const double product = instructions_of("let v1: f32 = v0 * 0.25\nout[256 * i0 + i1] = v1\n");
  EXPECT_EQ(quotient("4.0"), product);
  EXPECT_NEAR(quotient("3.0") - product, gpu_instructions(expr::Function::div).issued - 1, 1e-6);
}

TEST(GpuModel, ExponentialsThatNeedNotBeExactAreShort) {
  const auto summed = [](std::string_view form) {
    return instructions_of(concat("var v1: f32 = 0.0\nlet v2: f32 = exp(v0)", form,
                                  "\nv1 sum= v2\nout[256 * i0 + i1] = v1\n"));
  };
  EXPECT_NEAR(summed("") - summed(" for exponent"),
              gpu_instructions(expr::Function::exp).issued -
                  gpu_short_instructions(expr::Function::exp).issued,
              1e-6);
}

TEST(GpuModel, CopiesAheadMakeNobodyWait) {
  const auto waits = [](std::string_view load) {
    return seconds(price_of(concat(R"(
kernel rows(x: f32[65536] in, out: f32[65536] out) {
  shared row: f32[256]
  for i0 in 8 @gpu_block {
    for i1 in 256 @gpu_thread {
      for i2 in 32 {
)",
                                   load, R"(
        barrier
        let v1: f32 = row[i1]
        out[8192 * i0 + 256 * i2 + i1] = v1
        barrier
      }
    }
  }
}
)"),
                            round_gpu(), {.resident = 1e12}),
                   Resource::latency);
  };
  const double loaded = waits("let v0: f32 = x[8192 * i0 + 256 * i2 + i1]\nrow[i1] = v0");
  const double copied = waits("async_copy row[i1] = x[8192 * i0 + 256 * i2 + i1]\nwait_copies 0");
  EXPECT_LT(copied, loaded);
}

// A register-resident row of 8 numbers for each thread; `second` is what its last pass computes.
Price row_price(const std::string& second) {
  return price_of(concat(R"(
kernel rows(x: f32[524288] in, out: f32[524288] out) {
  local row: f32[8]
  for i0 in 256 @gpu_block {
    for i1 in 256 @gpu_thread {
      for i2 in 8 {
        let v0: f32 = x[2048 * i0 + 8 * i1 + i2]
        row[i2] = v0
      }
      var v1: f32 = 0.0
      for i2 in 8 {
        let v2: f32 = exp(row[i2])
        v1 sum= v2
      }
      block_reduce sum v1
      for i2 in 8 {
        let v3: f32 = )",
                         second, R"(
        out[2048 * i0 + 8 * i1 + i2] = v3
      }
    }
  }
}
)"));
}

TEST(GpuModel, WhatIsInRegistersIsComputedOnce) {
  const double none = seconds(row_price("row[i2]"), Resource::special);
  EXPECT_EQ(seconds(row_price("exp(row[i2])"), Resource::special), none);
  EXPECT_NEAR(seconds(row_price("exp(0.5 * row[i2])"), Resource::special), 2 * none, 1e-12);
  // The sum has changed since: its exponential is not the one of before.
  EXPECT_GT(seconds(row_price("exp(row[i2] - v1)"), Resource::special), none);
}

// 96 neighbors look up one row: they read what lies together.
TEST(GpuModel, NeighborsThatShareALookupReadWholeSectors) {
  const auto bytes = [](std::string_view index) {
    return price_of(concat(R"(
kernel lookup(at: i64[8192] in, x: f32[786432] in, out: f32[786432] out) {
  for i0 in 3072 @gpu_block {
    for i1 in 256 @gpu_thread {
      let v0: i64 = at[)",
                           index, R"(]
      let v1: f32 = x[96 * v0 + (256 * i0 + i1) % 96]
      out[256 * i0 + i1] = v1
    }
  }
}
)"))
        .transaction_bytes;
  };
  const double together = bytes("(256 * i0 + i1) // 96"), apart = bytes("(256 * i0 + i1) % 8192");
  EXPECT_LT(together, 2.5 * 4 * 786432);
  EXPECT_GT(apart, 8 * 4 * 786432);
}

std::string copy_through(std::string_view from, int count = 4096) {
  return concat("kernel copy(x: f32[1048576] in, out: f32[1048576] out) {\n  for i0 in ", count,
                " @gpu_block {\n    for i1 in 256 @gpu_thread {\n      let v0: f32 = x[", from,
                "]\n      out[256 * i0 + i1] = v0\n    }\n  }\n}\n");
}

TEST(GpuModel, AColumnReachesALineForEachElement) {
  const Price row = price_of(copy_through("256 * i0 + i1"));
  const Price column = price_of(copy_through("4096 * i1 + i0"));
  const double store = 4 * kNumbers;
  EXPECT_NEAR(seconds(row, Resource::l1), 2 * store / 1e12, 1e-12);
  EXPECT_NEAR(seconds(column, Resource::l1), (32 * store + store) / 1e12, 1e-12);
  // Neighboring columns are other blocks, perhaps of other units.
  EXPECT_NEAR(seconds(column, Resource::l2), (tuning::kL2Granule * kNumbers + store) / 1e12, 1e-9);
}

TEST(GpuModel, AWarpOverSeveralRowsReachesTheirLinesOnly) {
  // 8 lanes have the first quarter of a row of 32 elements, so a warp has that of 4 rows.
  const Price p = price_of(copy_through("1024 * i0 + 32 * (i1 // 8) + i1 % 8", 1024));
  EXPECT_NEAR(p.transaction_bytes, 2 * 4 * 1024 * 256, 1);
}

TEST(GpuModel, BlocksTakeTimeToStart) {
  Sheet sheet = round_gpu();
  const double before = price_of(copy_through("256 * i0 + i1"), sheet).predicted;
  sheet.figures["block"] = {.value = 1e-6, .unit = Unit::seconds, .source = "us"};
  EXPECT_GT(price_of(copy_through("256 * i0 + i1"), sheet).predicted, 4096e-6);
  EXPECT_LT(before, 4096e-6);
}

TEST(GpuModel, AKernelPaysForWhatOthersLeft) {
  Sheet sheet = round_gpu();
  sheet.figures["dram.latency"].value = 1e-12;
  const std::string sum = R"(
kernel sum(x: f32[4194304] in, out: f32[1] out) {
  for i0 in 4096 @gpu_block {
    for i1 in 256 @gpu_thread {
      for i2 in 4 @vector {
        let v0: f32 = x[1024 * i0 + 4 * i1 + i2]
        if v0 == 3.5 {
          out[0] = v0
        }
      }
    }
  }
}
)";
  const Context cold{.resident = 1e12}, next{.resident = 1e12, .follows = true};
  const double alone = seconds(price_of(sum, sheet, next), Resource::dram_read);
  const double after = seconds(price_of(sum, sheet, cold), Resource::dram_read);
  EXPECT_NEAR(after - alone, tuning::kUnwrittenShare * (1 << 20) / 100e9, 1e-7);
}

TEST(GpuModel, ReadingAndWritingInTurnIsSlower) {
  Sheet sheet = round_gpu();
  const Context cold{.resident = 1e12};
  const auto memory = [&] {
    const Price p = price_of(copy_through("256 * i0 + i1"), sheet, cold);
    return seconds(p, Resource::dram_read) + seconds(p, Resource::dram_write);
  };
  const double before = memory();
  sheet.figures["dram.copy"] = {.value = 80e9, .unit = Unit::bytes_per_second, .source = "us"};
  EXPECT_NEAR(memory() - before, 8 * kNumbers / 80e9 - 8 * kNumbers / 100e9, 1e-9);
}

TEST(GpuModel, TheNextKernelOfAProgramIsLaunchedAlready) {
  Sheet sheet = round_gpu();
  sheet.figures["launch.gap"] = {.value = 1e-7, .unit = Unit::seconds, .source = "us"};
  const std::string text = copy_through("256 * i0 + i1");
  EXPECT_NEAR(price_of(text, sheet).overhead, 1e-6, 1e-12);
  EXPECT_NEAR(price_of(text, sheet, {.follows = true}).overhead, 1e-7, 1e-12);
  // Which is the least that anything takes, whoever computes it.
  const std::string tiny =
      "kernel k(x: f32[32] in, out: f32[32] out) {\n  for i0 in 1 @gpu_block {\n    for i1 in 32 "
      "@gpu_thread "
      "{\n"
      "      let v0: f32 = x[i1]\n      out[i1] = v0\n    }\n  }\n}\n";
  EXPECT_NEAR(price_of(tiny, sheet).floor, 1e-6, 1e-12);
  EXPECT_NEAR(price_of(tiny, sheet, {.follows = true}).floor, 1e-7, 1e-12);
  sheet.figures["library.bf16"] = {.value = 8e12, .unit = Unit::flops_per_second, .source = "us"};
  const ProductShape small{.m = 8, .n = 8, .k = 8, .operand = bf16, .result = bf16};
  EXPECT_NEAR(price_library_product(small, sheet, {.follows = true})->floor, 1e-7, 1e-12);
}

TEST(ProductShape, IsPricedByWhatTheLibraryReaches) {
  Sheet sheet = round_gpu();
  const ProductShape square{.m = 1024, .n = 1024, .k = 1024, .operand = bf16, .result = bf16};
  const double flops = 2.0 * 1024 * 1024 * 1024;
  // Where nobody measured the library, it is taken to reach the ceiling.
  EXPECT_NEAR(seconds(*price_library_product(square, sheet), Resource::matrix), flops / 10e12,
              1e-9);
  ProductShape unknown = square;
  unknown.operand = f16;
  EXPECT_FALSE(price_library_product(unknown, sheet).has_value());
  const Figure rate{.value = 8e12, .unit = Unit::flops_per_second, .source = "us"};
  sheet.figures["library.bf16"] = rate;
  const auto even = price_library_product(square, sheet);
  ASSERT_TRUE(even.has_value());
  EXPECT_NEAR(seconds(*even, Resource::matrix), flops / 8e12, 1e-9);
  EXPECT_GE(even->predicted, flops / 8e12);
  EXPECT_NEAR(even->floor, flops / 10e12, 1e-9);
  EXPECT_EQ(even->limiter, Resource::matrix);
  ProductShape odd = square;
  odd.is_aligned = false;
  EXPECT_GT(price_library_product(odd, sheet)->predicted, even->predicted);
  sheet.figures["library.bf16.ragged"] = rate;
  sheet.figures["library.bf16.ragged"].value = 1e12;
  EXPECT_NEAR(seconds(*price_library_product(odd, sheet), Resource::matrix), flops / 1e12, 1e-9);
}

// What was measured is called reached, and a sheet that says more than its ceiling is not believed.
TEST(ProductShape, NothingIsReachedBeyondTheCeiling) {
  Sheet sheet = round_gpu();
  sheet.figures["library.bf16"] = {.value = 11e12, .unit = Unit::flops_per_second, .source = "us"};
  const ProductShape square{.m = 1024, .n = 1024, .k = 1024, .operand = bf16, .result = bf16};
  const Price price = *price_library_product(square, sheet);
  EXPECT_NEAR(price.best_rate_seconds, price.flops / 10e12, 1e-9);
  EXPECT_GE(price.predicted, price.floor);
}

// A product that the cache holds is not bound by memory, whoever computes it.
TEST(ProductShape, ItsFloorIsThatOfAnyKernel) {
  Sheet sheet = round_gpu();
  sheet.figures["launch"].value = 1e-9;
  const ProductShape thin{.m = 1, .n = 512, .k = 512, .operand = bf16, .result = bf16};
  const double bytes = 2.0 * (512 + 512 * 512 + 512);
  EXPECT_NEAR(price_library_product(thin, sheet)->floor, bytes / 1e12, 1e-12);
  sheet.figures["l2.bytes"].value = 1024;
  EXPECT_NEAR(price_library_product(thin, sheet)->floor, bytes / 100e9, 1e-12);
}

}  // namespace
}  // namespace ridge::cost::gpu_model_test
