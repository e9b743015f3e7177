// Blocks of quantized numbers in vector loops: rounds of several vectors, tables of codes.
#include <cstdint>

#include "ridge/base/text.h"
#include "tests/unit/codegen/run_generated.h"

namespace ridge::codegen::lane_table_test {
namespace {

// Blocks of 20 bytes: a scale, a minimum and 16 bytes of two codes each.
constexpr std::string_view kNumber = R"(
      let v1: i64 = w[20 * (i0 * m // 32 + i1 // 32)]
      let v2: i64 = w[20 * (i0 * m // 32 + i1 // 32) + 1]
      let v3: i64 = w[20 * (i0 * m // 32 + i1 // 32) + 2]
      let v4: i64 = w[20 * (i0 * m // 32 + i1 // 32) + 3]
      let v5: i64 = w[20 * (i0 * m // 32 + i1 // 32) + i1 % 16 + 4]
      let v6: f32 = fma(f16_value(256 * v2 + v1), real(shift_right(v5, 4 * (i1 // 16 % 2)) % 16), f16_value(v3 + 256 * v4))
)";

std::string numbers() {
  return concat("kernel numbers(w: u8[n * m // 32 * 20] in, out: f32[n * m] out; n, m) {\n",
                "  for i0 in n @cpu_thread {\n    for i1 in m @vector {", kNumber,
                "      out[i0 * m + i1] = v6\n    }\n  }\n}\n");
}

std::string product() {
  return concat(
      "kernel product(w: u8[n * m // 32 * 20] in, x: f32[m] in, out: f32[n] out; n, m) {\n",
      "  for i0 in n @cpu_thread {\n    var v0: f32 = 0.0\n    for i1 in m @vector {", kNumber,
      "      let v7: f32 = x[i1]\n      v0 sum= v6 * v7\n    }\n    out[i0] = v0\n  }\n}\n");
}

// The code is written out wherever it is asked for, as levels of IQ4_NL have it.
std::string levels() {
  const std::string_view code = "shift_right(v2, 4 * (i1 // 16 % 2)) % 16";
  return concat("kernel levels(w: u8[n * m // 32 * 20] in, out: f32[n * m] out; n, m) {\n",
                "  for i0 in n @cpu_thread {\n    for i1 in m @vector {\n",
                "      let v1: i64 = w[20 * (i0 * m // 32 + i1 // 32)]\n",
                "      let v2: i64 = w[20 * (i0 * m // 32 + i1 // 32) + i1 % 16 + 4]\n",
                "      let v3: f32 = real(v1) * select(", code, " < 3, -127.0, select(", code,
                " < 9, -10.0, select(", code, " < 14, 25.0, 113.0)))\n",
                "      out[i0 * m + i1] = v3\n    }\n  }\n}\n");
}

std::vector<uint8_t> random_blocks(int64_t count, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<uint8_t> bytes;
  for (int64_t i = 0; i < 20 * count; ++i) bytes.push_back(static_cast<uint8_t>(random.next()));
  for (int64_t block = 0; block < count; ++block) {
    const auto at = static_cast<size_t>(20 * block);
    bytes[at + 1] %= 0x70;  // no infinities and NaNs among the scales
    bytes[at + 3] %= 0x70;
  }
  return bytes;
}

TEST(LaneTable, NumbersHaveTheBitsOfTheInterpreter) {
  for (const int64_t blocks : {1, 2, 3, 4, 7, 16}) {
    for (const std::string& text : {numbers(), levels()}) {
      expect_like_interpreter(text, {3, 32 * blocks}, random_blocks(3 * blocks, 5),
                              random_vector(3 * 32 * blocks, 1));
    }
  }
}

// Small integers, whose sum is exact in any order: every code is multiplied by its own x, and none twice.
TEST(LaneTable, RoundsTakeEachNumberOnce) {
  for (const int64_t blocks : {1, 2, 3, 4, 5, 8, 9}) {
    std::vector<uint8_t> w = random_blocks(2 * blocks, 9);
    for (size_t at = 0; at < w.size(); at += 20) {
      w[at] = 0, w[at + 1] = 0x40;      // 2.0
      w[at + 2] = 0, w[at + 3] = 0xbc;  // -1.0
    }
    std::vector<float> x;
    for (int64_t i = 0; i < 32 * blocks; ++i) x.push_back(static_cast<float>(i % 61 - 30));
    expect_like_interpreter(product(), {2, 32 * blocks}, w, x, std::vector<float>(2));
  }
}

#if defined(__x86_64__)
TEST(LaneTable, CodesAreLookedUpWhereRegistersHoldSixteen) {
  const std::string features = "+avx2,+fma,+f16c,+avx512f,+avx512bw,+avx512vl,+avx512dq";
  const loop::Kernel kernel = loop::parse(product());
  const std::string wide = generate(kernel, {"icelake-server", features, 64}, true).ir;
  EXPECT_NE(wide.find("permvar.sf.512"), std::string::npos) << wide;
  EXPECT_EQ(wide.find("uitofp"), std::string::npos) << wide;
  EXPECT_EQ(wide.find("sitofp"), std::string::npos) << wide;
  // A round is two blocks, and both vectors of a block take their codes from one load: of four rows at once, and of one.
  size_t loads = 0;
  const std::string_view load = "load <16 x i8>";
  for (size_t at = wide.find(load); at != std::string::npos; at = wide.find(load, at + 1)) ++loads;
  EXPECT_EQ(loads, 10U) << wide;
  const std::string chosen =
      generate(loop::parse(levels()), {"icelake-server", features, 64}, true).ir;
  EXPECT_NE(chosen.find("permvar.sf.512"), std::string::npos) << chosen;
  const std::string narrow = generate(kernel, {"haswell", "+avx2,+fma,+f16c", 32}, true).ir;
  EXPECT_EQ(narrow.find("permvar"), std::string::npos) << narrow;
}
#endif

}  // namespace
}  // namespace ridge::codegen::lane_table_test
