#include "ridge/files/dequantize.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/unit/files/file_bytes.h"

namespace ridge::files::dequantize_test {
namespace {

std::string from_hex(const std::string& digits) {
  std::string out;
  for (size_t i = 0; i < digits.size(); i += 2) {
    out += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return out;
}

// The values of every format, bit for bit as the package gguf has them (make_frozen.py).
TEST(Dequantize, AgreesWithFrozenBlocks) {
  const auto cases = nlohmann::json::parse(content(frozen("blocks.json")));
  EXPECT_EQ(cases.size() + 1, all_block_layouts().size());  // f8_e4m3 is none of GGUF's
  for (const auto& one : cases) {
    const std::string format = one["format"];
    SCOPED_TRACE(format);
    const std::string blocks = from_hex(one["blocks"]), values = from_hex(one["values"]);
    std::vector<float> expected(values.size() / sizeof(float)), given(expected.size());
    std::memcpy(expected.data(), values.data(), values.size());
    const auto layout = std::ranges::find(all_block_layouts(), format, &BlockLayout::name);
    ASSERT_NE(layout, all_block_layouts().end());
    dequantize(layout->format, std::as_bytes(std::span(blocks)), given);
    for (size_t i = 0; i < given.size(); ++i) EXPECT_EQ(given[i], expected[i]) << i;
  }
}

// By the definition of the OCP: sign, 4 bits of exponent with bias 7, 3 of fraction; subnormals.
TEST(Dequantize, ReadsEveryE4m3) {
  for (int code = 0; code < 256; ++code) {
    std::string bytes("\x00\x38", 2);  // a scale of 0.5
    bytes.append(32, static_cast<char>(code));
    std::vector<float> out(32);
    dequantize(BlockFormat::f8_e4m3, std::as_bytes(std::span(bytes)), out);
    const int exponent = code >> 3 & 15, fraction = code & 7;
    const float size = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -9)
                                     : std::ldexp(static_cast<float>(8 + fraction), exponent - 10);
    EXPECT_EQ(out[7], 0.5f * (code < 128 ? size : -size)) << code;
  }
}

TEST(Dequantize, RefusesWhatIsNoWholeBlock) {
  const std::string bytes(19, '\0');
  std::vector<float> out(32);
  expect_error(ErrorCode::value, {"18 bytes for 32 numbers of q4_0", "19 bytes"},
               [&] { dequantize(BlockFormat::q4_0, std::as_bytes(std::span(bytes)), out); });
}

}  // namespace
}  // namespace ridge::files::dequantize_test
