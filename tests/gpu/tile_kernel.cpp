#include "tests/gpu/tile_kernel.h"

#include <cmath>

#include "ridge/base/text.h"
#include "ridge/core/element_cast.h"
#include "ridge/expr/evaluate.h"
#include "ridge/runtime/cuda/tensor_map.h"

namespace ridge::golden {

using runtime::cuda::cuda_runtime;
using runtime::cuda::device_properties;

std::string ProductSizes::to_text() const { return concat(m, " x ", n, " x ", k); }

TileKernel::TileKernel(const std::string& name)
    : name_(name), kernel_(codegen::mapped_sample(name)), text_(codegen::generated(kernel_)) {
  const runtime::cuda::CompiledCuda code = runtime::cuda::compile_cuda(
      text_.source, {.name = name, .arch = "sm_90a", .is_self_contained = true});
  loaded_ = runtime::cuda::Module::load(0, code.cubin, name)->kernel(text_.symbol);
}

bool TileKernel::is_by_rows(size_t view, int size) const {
  const expr::Expr& first = kernel_.views[view].extents[0];
  return first->kind == expr::Kind::param && first->index == size;
}

void TileKernel::launch(const ProductSizes& given, const std::vector<void*>& buffers,
                        Stream stream) const {
  const std::vector<int64_t> sizes = {given.m, given.n, given.k};
  std::vector<runtime::cuda::TensorMap> maps;
  std::vector<int> numbers(sizes.begin(), sizes.end());
  for (const TensorView& view : text_.views) {
    const void* const buffer = buffers[static_cast<size_t>(view.buffer)];
    maps.push_back(runtime::cuda::encode_tensor_map(
        view, sizes, reinterpret_cast<runtime::cuda::DevicePointer>(buffer), name_));
  }
  std::vector<const void*> arguments;
  for (const KernelArgument& argument : text_.arguments) {
    const auto index = static_cast<size_t>(argument.index);
    switch (argument.kind) {
      case KernelArgument::Kind::pointer: arguments.push_back(&buffers[index]); break;
      case KernelArgument::Kind::size: arguments.push_back(&numbers[index]); break;
      case KernelArgument::Kind::tensor_map: arguments.push_back(&maps[index]); break;
    }
  }
  const expr::Leaves leaves{
      .param = [&](int i) { return expr::Number::of(sizes[static_cast<size_t>(i)]); }};
  const int64_t tiles = expr::evaluate(text_.blocks, leaves).as_integer();
  const int64_t blocks =
      codegen::launched_blocks(text_, tiles, device_properties(0).multiprocessors);
  loaded_.launch({.grid = {static_cast<uint32_t>(blocks)},
                  .block = {static_cast<uint32_t>(text_.threads)},
                  .shared_bytes = static_cast<uint32_t>(text_.dynamic_shared_bytes),
                  .stream = stream},
                 arguments);
}

Elements::Elements(DType dtype, int64_t count, Stream stream, const std::function<double()>& next)
    : dtype_(dtype),
      values_(static_cast<size_t>(count)),
      bits_(values_.size()),
      block_(2 * values_.size(), stream) {
  for (size_t i = 0; i < values_.size(); ++i) {
    store_element(dtype, bits_.data(), static_cast<int64_t>(i), expr::Number::of(next()));
  }
  cuda_runtime().copy(block_.as<void>(), bits_.data(), 2 * bits_.size(), stream);
  read();
}

void Elements::fetch(Stream stream) {
  cuda_runtime().copy(bits_.data(), block_.as<void>(), 2 * bits_.size(), stream);
  cuda_runtime().synchronize(stream);
  read();
}

void Elements::read() {
  for (size_t i = 0; i < values_.size(); ++i) {
    values_[i] = load_element(dtype_, bits_.data(), static_cast<int64_t>(i)).as_real();
  }
}

TileOperands::TileOperands(const TileKernel& kernel, const ProductSizes& s, Stream stream,
                           const std::function<double()>& next)
    : lhs(kernel.dtype(), s.m * s.k, stream, next),
      rhs(kernel.dtype(), s.n * s.k, stream, next),
      bias(kernel.dtype(), s.n, stream, next),
      out(kernel.dtype(), s.m * s.n, stream, [] { return std::nan(""); }) {}

std::vector<void*> TileOperands::buffers(const TileKernel& kernel) const {
  if (!kernel.has_bias()) return {lhs.data(), rhs.data(), out.data()};
  return {lhs.data(), rhs.data(), bias.data(), out.data()};
}

TileOperands::Expected TileOperands::expected(const TileKernel& kernel, const ProductSizes& s,
                                              int64_t m, int64_t n) const {
  const bool lhs_by_rows = kernel.is_lhs_by_rows(), rhs_by_rows = kernel.is_rhs_by_rows();
  double sum = 0, magnitude = 0;
  for (int64_t k = 0; k < s.k; ++k) {
    const double term =
        lhs[lhs_by_rows ? m * s.k + k : k * s.m + m] * rhs[rhs_by_rows ? n * s.k + k : k * s.n + n];
    sum += term;
    magnitude += std::abs(term);
  }
  if (!kernel.has_bias()) return {sum, magnitude};
  sum += bias[n];
  if (!kernel.has_gelu()) return {std::max(sum, 0.0), magnitude};
  const double inner = 0.7978845608028654 * (sum + 0.044715 * sum * sum * sum);
  return {0.5 * sum * (1 + std::tanh(inner)), magnitude + std::abs(sum)};
}

double tolerance(const TileKernel& kernel, const TileOperands::Expected& expected) {
  return epsilon(kernel.dtype()) * (std::abs(expected.value) + 1e-3) +
         0x1p-13 * (kernel.has_gelu() ? expected.magnitude : 0) + 0x1p-20 * expected.magnitude;
}

}  // namespace ridge::golden
