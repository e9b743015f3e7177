// Mistakes with layers are reported where the layer is made.
#include "expect_error.h"
#include "ridge/nn/layers.h"

namespace ridge::testing::layer_test {
namespace {

TEST(LayerError, SizesThatMakeNoLayer) {
  Generator g(1);
  EXPECT_RIDGE_ERROR(nn::Linear(0, 5, g), ErrorCode::value, "uniform_by_fan_in", {"fan", "0"});
  EXPECT_RIDGE_ERROR(nn::Linear(5, -1, g), ErrorCode::shape, "", {"-1"});
  EXPECT_RIDGE_ERROR(nn::LayerNorm(-2), ErrorCode::shape, "", {"-2"});
  EXPECT_RIDGE_ERROR(nn::Embedding(-3, 4, g), ErrorCode::shape, "", {"-3"});
  EXPECT_RIDGE_ERROR(nn::Mlp(0, 4, g), ErrorCode::value, "uniform_by_fan_in", {"fan"});
  EXPECT_RIDGE_ERROR(nn::MultiHeadAttention(0, 1, g), ErrorCode::value, "uniform_by_fan_in", {});
  EXPECT_RIDGE_ERROR(nn::TransformerBlock(8, 3, g), ErrorCode::value, "MultiHeadAttention",
                     {"8 and 3 heads"});
}

}  // namespace
}  // namespace ridge::testing::layer_test
