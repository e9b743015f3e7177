// Cases of `ridge bench` that reduce: rows, columns, norms and their gradients.
#include "gpu_bench_cases.h"
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

// Longer rows would keep the reference, which checks them, busy for minutes.
constexpr int64_t kLongestChecked = 1 << 22;

GpuCase row_case(const std::string& what, std::vector<BenchInput> inputs, int64_t written,
                 Function function) {
  GpuCase result{.name = gpu_case_name("row." + what, inputs[0]),
                 .inputs = inputs,
                 .function = std::move(function),
                 .has_independent_rows = true};
  if (inputs[0].shape[1].value() > kLongestChecked) {
    result.has_independent_rows = false;
    for (BenchInput& input : inputs) input.shape.back() = 100003;
    result.small = inputs;
  }
  result.arrays.read = {bytes_of(result.inputs[0])};
  if (written > 0) result.arrays.written = {written};
  return result;
}

// Few long rows, whose blocks share them.
const std::vector<BenchInput>& few_rows() {
  static const std::vector<BenchInput>& rows = *new std::vector<BenchInput>{
      {{8, 1 << 22}, bf16}, {{16, 1 << 21}, bf16}, {{64, 1 << 19}, bf16}, {{32, 1 << 20}, f32}};
  return rows;
}

Tensors summed(const Tensors& t) { return {sum(cast(t[0], f32), {1})}; }
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

std::vector<BenchInput> with_rows(std::vector<BenchInput> inputs, int64_t rows) {
  for (BenchInput& input : inputs) {
    if (input.shape.size() == 2) input.shape[0] = rows;
  }
  return inputs;
}

void add_gradient(std::vector<GpuCase>& cases, const std::string& what,
                  std::vector<BenchInput> inputs, Tensors (*function)(const Tensors&)) {
  GpuCase result{.name = gpu_case_name(concat("gradient.", what), inputs[0]),
                 .inputs = inputs,
                 .function = gradient_of(function),
                 .has_independent_rows = true,
                 .small = with_rows(inputs, inputs[0].shape[1].value() > 10000 ? 3 : 37)};
  result.arrays.read = {bytes_of(inputs[0]), bytes_of(inputs[0])};
  result.arrays.written = {bytes_of(inputs[0])};
  cases.push_back(std::move(result));
}

}  // namespace

void add_gpu_row_cases(std::vector<GpuCase>& cases) {
  for (const Shape& shape : row_shapes()) {
    const BenchInput x{shape, bf16}, row{{shape.back()}, bf16};
    const int64_t bytes = bytes_of(x);
    cases.push_back(row_case("softmax", {x}, bytes, softened));
    cases.push_back(row_case("layer_norm", {x, row, row}, bytes, normalized));
    cases.push_back(row_case("rms_norm", {x, row}, bytes, rms_normalized));
    cases.push_back(row_case("sum", {x}, 0, summed));
    cases.push_back(row_case("log_softmax", {x}, 2 * bytes, [](const Tensors& t) {
      return Tensors{log_softmax(cast(t[0], f32), 1)};
    }));
  }
  for (const BenchInput& x : few_rows()) cases.push_back(row_case("sum", {x}, 0, summed));
  const BenchInput logits{{8192, 50304}, bf16};
  cases.push_back(
      row_case("argmax", {logits}, 0, [](const Tensors& t) { return Tensors{argmax(t[0], 1)}; }));
  for (const Shape& shape : {Shape{16384, 4096}, Shape{16384, 768}, Shape{9973, 1025}}) {
    const BenchInput x{shape, bf16};
    GpuCase columns = row_case("unused", {x}, 0,
                               [](const Tensors& t) { return Tensors{sum(cast(t[0], f32), {0})}; });
    columns.name = gpu_case_name("column.sum", x);
    columns.has_independent_rows = false;
    columns.small = with_rows({x}, 61);
    cases.push_back(std::move(columns));
  }
}

void add_gpu_gradient_cases(std::vector<GpuCase>& cases) {
  for (const Shape& shape :
       {Shape{16384, 768}, Shape{16384, 4096}, Shape{8192, 8192}, Shape{4096, 50257}}) {
    const BenchInput x{shape, bf16}, row{{shape.back()}, bf16};
    add_gradient(cases, "softmax", {x, x}, softened);
    add_gradient(cases, "layer_norm", {x, row, row, x}, normalized);
    add_gradient(cases, "rms_norm", {x, row, x}, rms_normalized);
  }
}

}  // namespace ridge::command
