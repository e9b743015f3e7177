#include "ridge/runtime/cuda/tensor_map.h"

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/expr/evaluate.h"
#include "ridge/runtime/cuda/check.h"

namespace ridge::runtime::cuda {
namespace {

constexpr size_t kMostDimensions = 5;
constexpr int64_t kAlignment = 16;  // bytes, of the address and of strides
constexpr int64_t kMostExtent = int64_t{1} << 32;
constexpr int64_t kMostStrideBytes = int64_t{1} << 40;  // and below
constexpr int64_t kMostBox = 256;

class ShapeMaker {
 public:
  ShapeMaker(const TensorView& view, std::span<const int64_t> sizes, std::string_view kernel)
      : view_(view), sizes_(sizes), kernel_(kernel) {}

  TensorMapShape make(DevicePointer buffer) const {
    const size_t rank = view_.extents.size();
    require(rank >= 1 && rank <= kMostDimensions, "1 to 5 dimensions", rank);
    require(view_.strides.size() == rank && view_.box.size() == rank,
            "as many strides and box extents as dimensions",
            concat(view_.strides.size(), " and ", view_.box.size(), " for ", rank));
    TensorMapShape shape{.type = type(),
                         .rank = static_cast<uint32_t>(rank),
                         .address = address(buffer),
                         .extents = {},
                         .stride_bytes = {},
                         .box = {},
                         .swizzle = swizzle()};
    for (size_t i = 0; i < rank; ++i) {
      const size_t dimension = rank - 1 - i;
      shape.extents[i] = extent(dimension);
      shape.box[i] = box(dimension);
      if (i > 0) shape.stride_bytes[i - 1] = stride_bytes(dimension);
    }
    const int64_t last_stride = value(view_.strides.back());
    require(last_stride == 1, "a stride of 1 in the last dimension", last_stride);
    check_lines();
    return shape;
  }

 private:
  template <class Given>
  void require(bool holds, std::string_view expected, const Given& given) const {
    RIDGE_CHECK(
        holds, .code = ErrorCode::value,
        .expected = concat(expected, " in a view of buffer ", view_.buffer, " of `", kernel_, "`"),
        .given = concat(given));
  }

  int64_t value(const expr::Expr& e) const {
    const expr::Leaves leaves{.param = [&](int index) {
      require(static_cast<size_t>(index) < sizes_.size(), "a size for each param",
              concat("none for param ", index));
      return expr::Number::of(sizes_[static_cast<size_t>(index)]);
    }};
    return expr::evaluate(e, leaves).as_integer();
  }
  int64_t element_bytes() const { return static_cast<int64_t>(bytes_for(view_.dtype, 1)); }

  TensorMapType type() const {
    if (view_.dtype == bf16) return TensorMapType::bf16;
    if (view_.dtype == f16) return TensorMapType::f16;
    if (view_.dtype == f32) return TensorMapType::f32;
    if (view_.dtype == f64) return TensorMapType::f64;
    if (view_.dtype == i32) return TensorMapType::i32;
    if (view_.dtype == i64) return TensorMapType::i64;
    require(view_.dtype == i8 || view_.dtype == u8, "elements that tensor maps know",
            name(view_.dtype));
    return TensorMapType::u8;
  }

  DevicePointer address(DevicePointer buffer) const {
    const int64_t first = view_.first ? value(view_.first) : 0;
    const DevicePointer at = buffer + static_cast<DevicePointer>(first * element_bytes());
    require(at % kAlignment == 0, "an address that is a multiple of 16 bytes",
            concat(at % kAlignment, " bytes past one"));
    return at;
  }
  uint64_t extent(size_t dimension) const {
    const int64_t given = value(view_.extents[dimension]);
    require(given >= 1 && given <= kMostExtent,
            concat("1 to 2^32 elements in dimension ", dimension), given);
    return static_cast<uint64_t>(given);
  }
  uint64_t stride_bytes(size_t dimension) const {
    const int64_t bytes = value(view_.strides[dimension]) * element_bytes();
    require(bytes % kAlignment == 0,
            concat("a stride that is a multiple of 16 bytes in dimension ", dimension),
            concat(bytes, " bytes"));
    require(bytes >= 0 && bytes < kMostStrideBytes,
            concat("a stride from 0 to below 2^40 bytes in dimension ", dimension),
            concat(bytes, " bytes"));
    return static_cast<uint64_t>(bytes);
  }
  uint32_t box(size_t dimension) const {
    const int64_t given = view_.box[dimension];
    require(given >= 1 && given <= kMostBox,
            concat("a box of 1 to 256 elements in dimension ", dimension), given);
    return static_cast<uint32_t>(given);
  }
  TensorMapSwizzle swizzle() const {
    switch (view_.swizzle_bytes) {
      case 0: return TensorMapSwizzle::none;
      case 32: return TensorMapSwizzle::bytes_32;
      case 64: return TensorMapSwizzle::bytes_64;
      case 128: return TensorMapSwizzle::bytes_128;
      default: break;
    }
    require(false, "a swizzle of 128, 64, 32 or 0 bytes", view_.swizzle_bytes);
    return TensorMapSwizzle::none;
  }
  // What is contiguous in a box.
  void check_lines() const {
    const int64_t bytes = view_.box.back() * element_bytes();
    require(bytes % kAlignment == 0, "box lines of a multiple of 16 bytes",
            concat(bytes, " bytes"));
    require(view_.swizzle_bytes == 0 || bytes <= view_.swizzle_bytes,
            "box lines no longer than the swizzle",
            concat(bytes, " bytes for a swizzle of ", view_.swizzle_bytes));
  }

  const TensorView& view_;
  std::span<const int64_t> sizes_;
  std::string_view kernel_;
};

}  // namespace

TensorMapShape tensor_map_shape(const TensorView& view, std::span<const int64_t> sizes,
                                DevicePointer buffer, std::string_view kernel) {
  return ShapeMaker(view, sizes, kernel).make(buffer);
}

TensorMap encode_tensor_map(const TensorView& view, std::span<const int64_t> sizes,
                            DevicePointer buffer, std::string_view kernel) {
  return encode_tensor_map(tensor_map_shape(view, sizes, buffer, kernel), kernel);
}

TensorMap encode_tensor_map(const TensorMapShape& shape, std::string_view kernel) {
  constexpr uint32_t kEveryElement[kMostDimensions] = {1, 1, 1, 1, 1};
  TensorMap map{};
  // Promotion to 256 bytes is slower where a pitch is an odd multiple of 16, and no faster elsewhere.
  check_for(kernel, driver().tensor_map_encode, &map, shape.type, shape.rank,
            reinterpret_cast<void*>(shape.address), shape.extents, shape.stride_bytes, shape.box,
            kEveryElement, TensorMapInterleave::none, shape.swizzle,
            TensorMapPromotion::l2_128_bytes, TensorMapFill::zeros);
  return map;
}

}  // namespace ridge::runtime::cuda
