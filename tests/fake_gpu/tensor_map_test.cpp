// Tensor maps, as the runtime asks the driver for them.
#include "ridge/runtime/cuda/tensor_map.h"

#include <gtest/gtest.h>

#include "ridge/base/error.h"
#include "tests/fake_gpu/library/fake_gpu.h"

namespace ridge::runtime::cuda {
namespace {

const TensorView kView{.buffer = 0,
                       .dtype = bf16,
                       .extents = {expr::param(0, expr::Type::integer), expr::Expr(96)},
                       .strides = {expr::Expr(96), expr::Expr(1)},
                       .box = {64, 32},
                       .swizzle_bytes = 64};

constexpr DevicePointer kAddress = 0x7f0000001000;

TEST(EncodedTensorMap, HoldsAddressExtentsAndStridesOfTheView) {
  const TensorMap map = encode_tensor_map(kView, std::vector<int64_t>{1000}, kAddress, "k");
  EXPECT_EQ(map.words[0], kAddress);
  EXPECT_EQ(map.words[1] & 0xff, 2u);
  EXPECT_EQ(map.words[1] >> 8 & 0xff, static_cast<uint64_t>(TensorMapType::bf16));
  EXPECT_EQ(map.words[1] >> 16 & 0xff, static_cast<uint64_t>(TensorMapSwizzle::bytes_64));
  EXPECT_EQ(map.words[1] >> 24 & 0xff, static_cast<uint64_t>(TensorMapPromotion::l2_128_bytes));
  EXPECT_EQ(map.words[2], 96u);
  EXPECT_EQ(map.words[3], 1000u);
  EXPECT_EQ(map.words[7], 32u);
  EXPECT_EQ(map.words[8], 64u);
  EXPECT_EQ(map.words[12], 192u);
}

TEST(EncodedTensorMap, AnAnswerOfTheDriverNamesTheKernel) {
  fake_gpu::fail_call("cuTensorMapEncodeTiled", static_cast<int>(DriverResult::invalid_value));
  try {
    encode_tensor_map(kView, std::vector<int64_t>{1000}, kAddress, "wide_product");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("wide_product"), std::string::npos) << error.what();
  }
  fake_gpu::fail_call("cuTensorMapEncodeTiled", 0);
}

}  // namespace
}  // namespace ridge::runtime::cuda
