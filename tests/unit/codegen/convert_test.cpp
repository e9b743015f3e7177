// Elements in and out of memory, in every storage dtype.
#include "ridge/base/text.h"
#include "tests/unit/codegen/run_generated.h"

namespace ridge::codegen::convert_test {
namespace {

// Tails of every length in every storage type, through the interpreter's eyes.

TEST(CodegenConvert, EveryStorageDtype) {
  for (const DType dtype : complete_dtypes()) {
    const std::string type(name(dtype));
    const std::string text = concat("kernel copy(x: ", type, "[n] in, out: ", type,
                                    "[n] out; n) {\n  for i0 in n @vector {\n    let v0: ",
                                    is_floating(dtype) ? (dtype == f64 ? "f64" : "f32")
                                    : dtype == boolean ? "bool"
                                                       : "i64",
                                    " = x[i0]\n    out[i0] = v0\n  }\n}\n");
    for (const int64_t n : {0, 1, 3, 15, 16, 17, 31, 33, 40, 64, 65, 127, 130}) {
      // Every bit pattern of the narrow types; no signaling NaN in the wide ones.
      SplitMix64 random(static_cast<uint64_t>(n) + 5);
      std::vector<uint8_t> x(bytes_for(dtype, n));
      for (uint8_t& byte : x) {
        byte = static_cast<uint8_t>(dtype == boolean ? random.next() & 1 : random.next());
      }
      if (is_floating(dtype)) {
        for (size_t i = dtype.bits / 8u - 1; i < x.size(); i += dtype.bits / 8u) x[i] &= 0xbb;
      }
      expect_like_interpreter(text, {n}, x, std::vector<uint8_t>(x.size(), 0xcc));
    }
  }
}

// From each register type to each storage type, with values at and beyond the ends.

TEST(CodegenConvert, ConversionsBetweenTypes) {
  const double big = 0x1p63;
  std::vector<double> values = {0.0,
                                -0.0,
                                0.5,
                                -0.5,
                                1.5,
                                -1.5,
                                127.5,
                                -128.7,
                                255.9,
                                256.0,
                                300.2,
                                -1.9,
                                -300.9,
                                65504.0,
                                65519.9,
                                65520.0,
                                65536.0,
                                1e-8,
                                6e-8,
                                -3e-8,
                                1e-40,
                                2147483647.0,
                                2147483648.0,
                                -2147483649.0,
                                4294967296.0,
                                1e18,
                                big,
                                -big,
                                big * 1.5,
                                -big * 3,
                                0x1p64,
                                0x1.8p70,
                                -0x1.23456789abp66,
                                1e300,
                                -1e300,
                                INFINITY,
                                -INFINITY,
                                NAN,
                                1 + 0x1p-8,
                                1 + 0x1.8p-8,
                                1 + 0x1p-8 + 0x1p-40,
                                1 + 0x1p-11,
                                1 + 0x1.8p-10,
                                1 + 0x1p-11 + 0x1p-50,
                                3.4028235e38,
                                3.39e38,
                                -3.4e38};
  SplitMix64 random(3);
  while (values.size() < 203) values.push_back(random.uniform(-3000, 3000));
  const auto n = static_cast<int64_t>(values.size());
  for (const std::string_view arithmetic : {"f32", "f64", "i64", "bool"}) {
    for (const DType dtype : complete_dtypes()) {
      const std::string text =
          concat("kernel store(x: f64[n] in, out: ", name(dtype),
                 "[n] out; n) {\n  for i0 in n @vector {\n    let v0: ", arithmetic, " = x[i0]",
                 arithmetic == "f32" ? "" : " in f64", "\n    out[i0] = v0\n  }\n}\n");
      if (arithmetic == "bool" || arithmetic == "i64") {
        // Stored types are reached through an explicit conversion.
        const std::string cast = arithmetic == "bool" ? "boolean(x[i0])" : "integer(x[i0])";
        std::string converted = text;
        converted.replace(converted.find("x[i0]"), 5, cast);
        expect_like_interpreter(converted, {n}, values,
                                std::vector<uint8_t>(bytes_for(dtype, n), 1));
      } else {
        expect_like_interpreter(text, {n}, values, std::vector<uint8_t>(bytes_for(dtype, n), 1));
      }
    }
  }
}

TEST(CodegenConvert, RoundsWhereALetSaysSo) {
  for (const std::string_view type : {"bf16", "f16"}) {
    const std::string text = concat(
        "kernel rounds(x: f32[n] in, out: f32[n] out; n) {\n  for i0 in n @vector {\n"
        "    let v0: f32 = x[i0] as ",
        type, "\n    out[i0] = v0\n  }\n}\n");
    expect_like_interpreter(text, {1000}, random_vector(1000, 4, -70000, 70000),
                            std::vector<float>(1000));
  }
}

}  // namespace
}  // namespace ridge::codegen::convert_test
