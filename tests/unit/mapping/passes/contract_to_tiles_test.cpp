// contract_to_tiles: the text it gives, what it refuses, and that the values stay.
#include "ridge/mapping/passes/contract_to_tiles.h"

#include <gtest/gtest.h>

#include "contract_text.h"
#include "tests/unit/loop/run_kernel.h"

namespace ridge::mapping::contract_to_tiles_test {
namespace {

Rewritten tiles_of(const std::string& text) {
  loop::Kernel kernel = loop::parse(text);
  loop::verify(kernel);
  return contract_to_tiles(std::move(kernel));
}
std::string reason(std::string text, const std::string& part, const std::string& by) {
  const size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  const Rewritten result = tiles_of(text.replace(at, part.size(), by));
  EXPECT_FALSE(result.decision);
  EXPECT_FALSE(result.kernel.has_tiles());
  return result.decision.reason;
}

TEST(ContractToTiles, GivesTheUnmappedForm) {
  const Rewritten result = tiles_of(ContractText{}.text());
  ASSERT_TRUE(result.decision) << result.decision.reason;
  loop::verify(result.kernel);
  EXPECT_EQ(
      loop::to_text(result.kernel),
      R"(kernel product(x: bf16[m * k] in, y: bf16[n * k] in, out: bf16[m * n] out; b, m, n, k; tm, tn, tk) {
  tile sum: f32[tm, tn]
  tile lhs: bf16[tm, tk]
  tile rhs: bf16[tk, tn]
  tile result: bf16[tm, tn]
  for i0 in (m + tm - 1) // tm @gpu_block {
    for i1 in (n + tn - 1) // tn @gpu_block {
      fill sum = 0.0
      for i2 in (k + tk - 1) // tk {
        load lhs[i3, i4] = x[i0 * k * tm + i2 * tk + i3 * k + i4] within m - tm * i0, k - tk * i2
        load rhs[i3, i4] = y[i1 * k * tn + i2 * tk + i3 + i4 * k] within k - tk * i2, n - tn * i1
        dot sum += lhs * rhs
      }
      each i3, i4 of sum within m - tm * i0, n - tn * i1 {
        read v0: f32 = sum
        write result = v0
      }
      store out[i0 * n * tm + i1 * tn + i3 * n + i4] = result[i3, i4] within m - tm * i0, n - tn * i1
    }
  }
}
)");
}

TEST(ContractToTiles, KeepsTheValues) {
  const int64_t b = 2, m = 70, n = 67, k = 9;
  for (const bool has_batch : {false, true}) {
    const ContractText contract{
        .is_lhs_along_k = has_batch, .is_rhs_along_k = !has_batch, .has_batch = has_batch};
    auto x = loop::random_vector<BFloat16>(b * m * k, 1),
         y = loop::random_vector<BFloat16>(n * k, 2);
    std::vector<BFloat16> plain(static_cast<size_t>((has_batch ? b : 1) * m * n)), tiled = plain;
    loop::run_text(contract.text(), {b, m, n, k}, {}, x, y, plain);
    const Rewritten result = tiles_of(contract.text());
    ASSERT_TRUE(result.decision) << result.decision.reason;
    loop::run_text(loop::to_text(result.kernel), {b, m, n, k}, {.tile_sizes = {16, 24, 8}}, x, y,
                   tiled);
    for (size_t i = 0; i < plain.size(); ++i) ASSERT_EQ(plain[i].bits, tiled[i].bits) << i;
  }
}

TEST(ContractToTiles, TakesConstantSizesThatTilesDivide) {
  const Rewritten result =
      tiles_of(R"(kernel product(x: f32[8192] in, y: f32[4096] in, out: f32[8192] out) {
  for i3 in 2 @gpu_block {
    contract v0: f32 over i0 in 64, i1 in 64, sum i2 in 64 of x[4096 * i3 + 64 * i0 + i2], y[64 * i1 + i2] {
      out[4096 * i3 + 64 * i0 + i1] = v0
    }
  }
}
)");
  ASSERT_TRUE(result.decision) << result.decision.reason;
  const std::string text = loop::to_text(result.kernel);
  EXPECT_NE(text.find("for i0 in (128 + tm - 1) // tm @gpu_block"), std::string::npos) << text;
  EXPECT_NE(text.find("for i1 in (64 + tn - 1) // tn @gpu_block"), std::string::npos) << text;
}

TEST(ContractToTiles, RefusesWithAReason) {
  const std::string text = ContractText{}.text();
  EXPECT_EQ(reason(text, "          out[",
                   "          if i1 < 3 {\n            out[2] = v0\n          }\n          out["),
            "its epilogue has more than lets and stores");
  EXPECT_EQ(reason(text, "out[n *", "out[i4 + n *"),
            "rows or columns depend on the tile they lie in");
  EXPECT_EQ(reason(text, "i2], y[", "i2] * 2.0, y["), "an operand is not one load");
  EXPECT_EQ(tiles_of("kernel add(x: f32[n] in, out: f32[n] out; n) {\n  for i0 in n @cpu_thread {\n"
                     "    let v0: f32 = x[i0]\n    out[i0] = v0\n  }\n}\n")
                .decision.reason,
            "its body is not grid loops around one contraction");
}

}  // namespace
}  // namespace ridge::mapping::contract_to_tiles_test
