// Cases of `ridge bench` that reduce: rows, columns, norms and their gradients.
#include "gpu_bench_families.h"
#include "ridge/base/text.h"

namespace ridge::command {
namespace {

using Function = std::function<Tensors(const Tensors&)>;

// The peers' shapes, then lengths that 16 bytes do not divide.
const std::vector<Shape>& row_shapes() {
  static const std::vector<Shape>& shapes = *new std::vector<Shape>{
      {16384, 768},  {16384, 4096}, {8192, 8192}, {4096, 50257}, {65536, 128},
      {32, 1 << 20}, {16384, 1000}, {9973, 4097}, {1, 1 << 26}};
  return shapes;
}

// Few long rows, whose blocks share them.
const std::vector<BenchInput>& few_rows() {
  static const std::vector<BenchInput>& rows = *new std::vector<BenchInput>{
      {{8, 1 << 22}, bf16}, {{16, 1 << 21}, bf16}, {{64, 1 << 19}, bf16}, {{32, 1 << 20}, f32}};
  return rows;
}

// Reads all its inputs; weights of many rows are too few to count (calibrate/plain_sweep.h).
GpuCase row_case(std::vector<BenchInput> inputs, int64_t written, Function function) {
  GpuCase result{.inputs = std::move(inputs), .function = std::move(function)};
  for (const BenchInput& input : result.inputs) result.arrays.read.push_back(bytes_of(input));
  if (written > 0) result.arrays.written = {written};
  check_rows_of(result);
  return result;
}

BenchInput weights_of(const BenchInput& x) { return {{x.shape.back()}, x.dtype}; }

Tensors summed(const Tensors& t) { return {sum(cast(t[0], f32), {1})}; }
Tensors summed_columns(const Tensors& t) { return {sum(cast(t[0], f32), {0})}; }
Tensors normalized(const Tensors& t) { return {layer_norm(t[0], t[1], t[2])}; }
Tensors rms_normalized(const Tensors& t) { return {rms_norm(t[0], t[1])}; }
Tensors softened(const Tensors& t) { return {softmax(t[0], 1)}; }

// The last input is the gradient of the result; those of all others come out.
Function gradient_of(Tensors (*function)(const Tensors&)) {
  return [function](const Tensors& t) {
    const Tensors arguments(t.begin(), t.end() - 1);
    const auto pulled = vjp([function](const Tensors& a) { return function(a); })(arguments);
    return Tensors(pulled.second(Tensors{t.back()}));
  };
}

// Of a small run: with so many rows, and no longer ones than the reference can check.
std::vector<BenchInput> with_rows(std::vector<BenchInput> inputs, int64_t rows) {
  for (BenchInput& input : inputs) {
    if (input.shape.size() == 2) input.shape[0] = rows;
    input.shape.back() = checked_length(input.shape.back().value());
  }
  return inputs;
}

// `arguments` of the function, whose gradients are written; `read` of them and of the gradient of the result.
GpuCase gradient_case(std::vector<BenchInput> arguments, const std::vector<BenchInput>& read,
                      Tensors (*function)(const Tensors&)) {
  GpuCase result{.inputs = std::move(arguments), .function = gradient_of(function)};
  for (const BenchInput& input : read) result.arrays.read.push_back(bytes_of(input));
  for (const BenchInput& input : result.inputs) result.arrays.written.push_back(bytes_of(input));
  result.inputs.push_back(result.inputs[0]);  // the gradient of the result
  check_rows_of(result);
  // Those of weights are sums over rows, which only a small run shows.
  result.small = with_rows(result.inputs, result.inputs[0].shape[1].value() > 10000 ? 3 : 37);
  return result;
}

// From the result of the forward pass, which programs keep and which peers have.
GpuCase softmax_gradient_case(const BenchInput& x) {
  GpuCase result{.inputs = {x, x}, .function = [](const Tensors& t) {
                   const Tensor y = cast(t[0], f32), product = y * cast(t[1], f32);
                   return Tensors{cast(product - y * sum(product, {1}, true), t[0].dtype())};
                 }};
  result.arrays = {{bytes_of(x), bytes_of(x)}, {bytes_of(x)}};
  check_rows_of(result);
  return result;
}

GpuCase column_case(const BenchInput& x) {
  return {.inputs = {x},
          .function = summed_columns,
          .arrays = {.read = {bytes_of(x)}},
          .small = with_rows({x}, 61)};
}

}  // namespace

void add_gpu_row_families(std::vector<GpuFamily>& families) {
  const auto add = [&](const std::string& what, std::function<GpuCase(const BenchInput&)> make) {
    families.push_back(matrix_family(what, std::move(make)));
  };
  add("row.softmax", [](const BenchInput& x) { return row_case({x}, bytes_of(x), softened); });
  add("row.layer_norm", [](const BenchInput& x) {
    return row_case({x, weights_of(x), weights_of(x)}, bytes_of(x), normalized);
  });
  add("row.rms_norm", [](const BenchInput& x) {
    return row_case({x, weights_of(x)}, bytes_of(x), rms_normalized);
  });
  add("row.sum", [](const BenchInput& x) { return row_case({x}, 0, summed); });
  add("row.log_softmax", [](const BenchInput& x) {
    return row_case({x}, bytes_of({x.shape, f32}),
                    [](const Tensors& t) { return Tensors{log_softmax(cast(t[0], f32), 1)}; });
  });
  add("row.argmax", [](const BenchInput& x) {
    return row_case({x}, 0, [](const Tensors& t) { return Tensors{argmax(t[0], 1)}; });
  });
  add("column.sum", column_case);
}

void add_gpu_gradient_families(std::vector<GpuFamily>& families) {
  families.push_back(matrix_family("gradient.softmax", softmax_gradient_case));
  families.push_back(matrix_family("gradient.softmax_from_input", [](const BenchInput& x) {
    return gradient_case({x}, {x, x}, softened);
  }));
  families.push_back(matrix_family("gradient.layer_norm", [](const BenchInput& x) {
    const BenchInput weights = weights_of(x);  // what a bias adds does not depend on it
    return gradient_case({x, weights, weights}, {x, weights, x}, normalized);
  }));
  families.push_back(matrix_family("gradient.rms_norm", [](const BenchInput& x) {
    return gradient_case({x, weights_of(x)}, {x, weights_of(x), x}, rms_normalized);
  }));
}

void add_gpu_row_cases(std::vector<GpuCase>& cases) {
  for (const Shape& shape : row_shapes()) {
    cases.push_back(gpu_case("row.softmax", {shape, bf16}));
    cases.push_back(gpu_case("row.layer_norm", {shape, bf16}));
    cases.push_back(gpu_case("row.rms_norm", {shape, bf16}));
    cases.push_back(gpu_case("row.sum", {shape, bf16}));
    cases.push_back(gpu_case("row.log_softmax", {shape, bf16}));
  }
  for (const BenchInput& x : few_rows()) cases.push_back(gpu_case("row.sum", x));
  cases.push_back(gpu_case("row.argmax", {{8192, 50304}, bf16}));
  for (const Shape& shape : {Shape{16384, 4096}, Shape{16384, 768}, Shape{9973, 1025}}) {
    cases.push_back(gpu_case("column.sum", {shape, bf16}));
  }
}

void add_gpu_gradient_cases(std::vector<GpuCase>& cases) {
  for (const Shape& shape :
       {Shape{16384, 768}, Shape{16384, 4096}, Shape{8192, 8192}, Shape{4096, 50257}}) {
    cases.push_back(gpu_case("gradient.softmax", {shape, bf16}));
    cases.push_back(gpu_case("gradient.layer_norm", {shape, bf16}));
    cases.push_back(gpu_case("gradient.rms_norm", {shape, bf16}));
  }
}

}  // namespace ridge::command
