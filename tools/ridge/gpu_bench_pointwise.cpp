// Cases of `ridge bench` that compute each element from elements at its place.
#include "gpu_bench_families.h"
#include "ridge/base/text.h"

namespace ridge::command {
namespace {

// Shapes of the peers' programs, and others that are not round.
const Shape kHidden{16384, 3072};
constexpr int64_t kMany = int64_t{1} << 28;
constexpr int kMostCosines = 8;

using Function = std::function<Tensors(const Tensors&)>;

// Reads its first input and others of its size, and writes one result like it.
GpuCase map_case(std::vector<BenchInput> inputs, Function function) {
  GpuCase result{.inputs = std::move(inputs), .function = std::move(function)};
  for (const BenchInput& input : result.inputs) result.arrays.read.push_back(bytes_of(input));
  result.arrays.written.push_back(bytes_of(result.inputs[0]));
  check_rows_of(result);
  return result;
}

Function repeated_cos(int times) {
  return [times](const Tensors& t) {
    Tensor y = t[0];
    for (int i = 0; i < times; ++i) y = cos(y);
    return Tensors{y};
  };
}

Tensors bias_gelu_residual(const Tensors& t) { return {gelu_tanh(t[0] + t[1]) * 0.5 + t[2]}; }

// As it is written, without the identity.
Tensors sin2_cos2(const Tensors& t) {
  const Tensor s = sin(t[0]), c = cos(t[0]);
  return {s * s + c * c};
}

}  // namespace

void add_gpu_pointwise_families(std::vector<GpuFamily>& families) {
  const auto add = [&](const std::string& what, std::function<GpuCase(const BenchInput&)> make) {
    families.push_back(matrix_family("pointwise." + what, std::move(make)));
  };
  add("bias_gelu_residual", [](const BenchInput& x) {
    return map_case({x, {{x.shape.back()}, x.dtype}, x}, bias_gelu_residual);
  });
  add("sin2_cos2", [](const BenchInput& x) { return map_case({x}, sin2_cos2); });
  add("add", [](const BenchInput& x) {
    return map_case({x, x}, [](const Tensors& t) { return Tensors{t[0] + t[1]}; });
  });
  add("silu_mul", [](const BenchInput& x) {
    return map_case({x, x}, [](const Tensors& t) { return Tensors{silu(t[0]) * t[1]}; });
  });
  add("gelu", [](const BenchInput& x) {
    return map_case({x}, [](const Tensors& t) { return Tensors{gelu(t[0])}; });
  });
  for (int times = 1; times <= kMostCosines; ++times) {
    families.push_back(
        {.what = concat("pointwise.cos_", times),
         .axes = {"ELEMENTS"},
         .make = [times](const BenchInput& x) { return map_case({x}, repeated_cos(times)); }});
  }
}

void add_gpu_pointwise_cases(std::vector<GpuCase>& cases) {
  for (const Shape& shape : {kHidden, Shape{4099, 1025}}) {
    for (const DType dtype : {bf16, f32}) {
      cases.push_back(gpu_case("pointwise.bias_gelu_residual", {shape, dtype}));
      cases.push_back(gpu_case("pointwise.sin2_cos2", {shape, dtype}));
    }
  }
  for (int times = 1; times <= kMostCosines; ++times) {
    cases.push_back(gpu_case(concat("pointwise.cos_", times), {{kMany}, f32}));
  }
  for (const DType dtype : {bf16, f32}) {
    cases.push_back(gpu_case("pointwise.add", {kHidden, dtype}));
    cases.push_back(gpu_case("pointwise.silu_mul", {kHidden, dtype}));
    cases.push_back(gpu_case("pointwise.gelu", {kHidden, dtype}));
  }
}

}  // namespace ridge::command
