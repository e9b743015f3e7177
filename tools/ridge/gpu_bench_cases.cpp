#include "gpu_bench_cases.h"

#include "ridge/base/text.h"

namespace ridge::command {
namespace {

// Shapes of the peers' programs, and others that are not round.
const Shape kHidden{16384, 3072};
constexpr int64_t kMany = int64_t{1} << 28;

using Function = std::function<Tensors(const Tensors&)>;

// Reads its first input and others of its size, and writes one result like it.
GpuCase map_case(const std::string& what, std::vector<BenchInput> inputs, Function function) {
  GpuCase result{.name = gpu_case_name("pointwise." + what, inputs[0]),
                 .inputs = inputs,
                 .function = std::move(function),
                 .has_independent_rows = true};
  for (const BenchInput& input : inputs) result.arrays.read.push_back(bytes_of(input));
  result.arrays.written.push_back(bytes_of(inputs[0]));
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

int64_t bytes_of(const BenchInput& input) {
  return static_cast<int64_t>(bytes_for(input.dtype, numel(input.shape).value()));
}

std::string gpu_case_name(const std::string& what, const BenchInput& input) {
  return concat("gpu.", what, ".", name(input.dtype), ".", join(input.shape, "x"));
}

void add_gpu_pointwise_cases(std::vector<GpuCase>& cases) {
  for (const Shape& shape : {kHidden, Shape{4099, 1025}}) {
    for (const DType dtype : {bf16, f32}) {
      const BenchInput x{shape, dtype}, row{{shape.back()}, dtype};
      cases.push_back(map_case("bias_gelu_residual", {x, row, x}, bias_gelu_residual));
      cases.push_back(map_case("sin2_cos2", {x}, sin2_cos2));
    }
  }
  for (int times = 1; times <= 8; ++times) {
    cases.push_back(
        map_case(concat("cos_", times), {BenchInput{{kMany}, f32}}, repeated_cos(times)));
  }
  for (const DType dtype : {bf16, f32}) {
    const BenchInput x{kHidden, dtype};
    cases.push_back(map_case("add", {x, x}, [](const Tensors& t) { return Tensors{t[0] + t[1]}; }));
    cases.push_back(
        map_case("silu_mul", {x, x}, [](const Tensors& t) { return Tensors{silu(t[0]) * t[1]}; }));
    cases.push_back(map_case("gelu", {x}, [](const Tensors& t) { return Tensors{gelu(t[0])}; }));
  }
}

const std::vector<GpuCase>& gpu_cases() {
  static const std::vector<GpuCase>& cases = *new std::vector<GpuCase>([] {
    std::vector<GpuCase> all;
    add_gpu_pointwise_cases(all);
    add_gpu_row_cases(all);
    add_gpu_gradient_cases(all);
    add_gpu_movement_cases(all);
    add_gpu_product_cases(all);
    add_gpu_training_cases(all);
    add_gpu_overhead_cases(all);
    add_gpu_compile_cases(all);
    return all;
  }());
  return cases;
}

}  // namespace ridge::command
