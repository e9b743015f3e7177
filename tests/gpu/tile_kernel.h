// The golden kernels over mapped tiles on a real device: compiled, loaded, launched on operands of any size, and
// judged against sums in f64.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ridge/runtime/cuda/module.h"
#include "tests/gpu/runtime_on_gpu.h"
#include "tests/gpu/wrong_elements.h"
#include "tests/unit/codegen/cuda/tile_samples.h"

namespace ridge::golden {

struct ProductSizes {
  int64_t m, n, k;
  std::string to_text() const;
};

class TileKernel {
 public:
  explicit TileKernel(const std::string& name);

  const std::string& name() const { return name_; }
  DType dtype() const { return kernel_.buffers[0].dtype; }
  bool has_bias() const { return kernel_.buffers.size() == 4; }
  bool has_gelu() const { return name_.starts_with("bias_gelu"); }
  bool is_odd() const { return name_.starts_with("odd"); }
  // Of a in [m, k], else in [k, m]; of b in [n, k], else in [k, n].
  bool is_lhs_by_rows() const { return is_by_rows(0, 0); }
  bool is_rhs_by_rows() const { return is_by_rows(1, 1); }
  TileGeometry geometry() const { return geometry_of(kernel_); }

  // Buffers in the order of the kernel's.
  void launch(const ProductSizes& given, const std::vector<void*>& buffers, Stream stream) const;

 private:
  bool is_by_rows(size_t view, int size) const;

  std::string name_;
  loop::Kernel kernel_;
  codegen::CudaKernel text_;
  runtime::cuda::Kernel loaded_;
};

// 16-bit elements here and on the device.
class Elements {
 public:
  Elements(DType dtype, int64_t count, Stream stream, const std::function<double()>& next);

  void fetch(Stream stream);
  void* data() const { return block_.as<void>(); }
  double operator[](int64_t i) const { return values_[static_cast<size_t>(i)]; }
  const std::vector<double>& values() const { return values_; }

 private:
  void read();

  DType dtype_;
  std::vector<double> values_;
  std::vector<uint16_t> bits_;
  runtime::cuda::Block block_;
};

struct TileOperands {
  Elements lhs, rhs, bias, out;
  TileOperands(const TileKernel& kernel, const ProductSizes& s, Stream stream,
               const std::function<double()>& next);

  std::vector<void*> buffers(const TileKernel& kernel) const;

  struct Expected {
    double value, magnitude;  // of the terms of the sum
  };
  Expected expected(const TileKernel& kernel, const ProductSizes& s, int64_t m, int64_t n) const;
};

// Rounded once; sums in f32 are off by far less than 16 bits, the function by 2^-14 of its argument.
double tolerance(const TileKernel& kernel, const TileOperands::Expected& expected);

}  // namespace ridge::golden
