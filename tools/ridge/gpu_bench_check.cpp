#include <algorithm>
#include <cmath>

#include "gpu_bench_run.h"
#include "ridge/base/text.h"
#include "ridge/calibrate/cuda_kernels.h"
#include "ridge/core/device_runtime.h"
#include "ridge/reference/reference.h"

namespace ridge::command {
namespace {

// Elements of an input that the reference, which is slow, is given.
constexpr int64_t kCheckedElements = 1 << 18;
// A chain of a few roundings, of operands that may be larger than the result.
constexpr double kRoundings = 8;

struct RowRange {
  int64_t first, count;
};

// At the beginning, in the middle and at the end.
std::vector<RowRange> checked_rows(int64_t rows, int64_t width) {
  const int64_t count = std::clamp<int64_t>(kCheckedElements / 3 / width, 1, rows);
  if (width >= kCheckedElements) return {{rows / 2, 1}};
  return {{0, count}, {(rows - count) / 2, count}, {rows - count, count}};
}

int64_t width_of(const Tensor& tensor) {
  return tensor.rank() == 0 || tensor.size(0).value() == 0
             ? 1
             : tensor.numel().value() / tensor.size(0).value();
}

bool has_rows(const Tensor& tensor, int64_t rows) {
  return tensor.rank() > 0 && tensor.size(0).value() == rows;
}

Tensor rows_on_host(const Tensor& tensor, RowRange range) {
  Shape shape = tensor.shape();
  shape[0] = range.count;
  const auto row_bytes = static_cast<int64_t>(bytes_for(tensor.dtype(), width_of(tensor)));
  Tensor result = Tensor::empty(shape, tensor.dtype());
  DeviceRuntime& runtime = device_runtime(tensor.device().kind);
  const Stream stream = runtime.current_stream(tensor.device());
  runtime.copy(result.raw_data(),
               static_cast<std::byte*>(device_address(tensor)) + range.first * row_bytes,
               static_cast<size_t>(range.count * row_bytes), stream);
  runtime.synchronize(stream);
  return result;
}

// Floating ones in f64, so that what is expected is the value and not another rounding of it.
Tensors expected_of(const GpuCase& gpu_case, const Tensors& inputs) {
  const reference::UseReference scope;
  Tensors exact;
  for (const Tensor& input : inputs) {
    exact.push_back(is_floating(input.dtype()) ? cast(input, f64) : input);
  }
  return gpu_case.function(exact);
}

std::vector<double> values_of(const Tensor& tensor) {
  const reference::UseReference scope;
  return cast(contiguous(tensor), f64).to_vector<double>();
}

double typical(const std::vector<double>& values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return values.empty() ? 0 : std::sqrt(squares / static_cast<double>(values.size()));
}

int64_t terms_of(const Tensors& inputs) {
  return inputs[0].rank() == 0 ? 1 : inputs[0].size(-1).value();
}

}  // namespace

void check_close(const std::string& what, const Tensor& ours, const Tensor& expected,
                 int64_t terms) {
  const std::vector<double> found = values_of(ours), wanted = values_of(expected);
  RIDGE_CHECK(found.size() == wanted.size(), .code = ErrorCode::state, .op = what,
              .expected = concat(wanted.size(), " elements"), .given = to_text(found.size()));
  const double sum_error = epsilon(f32) * std::sqrt(static_cast<double>(terms));
  const double relative =
      is_floating(ours.dtype()) ? kRoundings * std::max(epsilon(ours.dtype()), sum_error) : 0;
  const double scale = typical(wanted);
  for (size_t i = 0; i < found.size(); ++i) {
    const double allowed = relative * (std::abs(wanted[i]) + scale);
    RIDGE_CHECK(std::abs(found[i] - wanted[i]) <= allowed, .code = ErrorCode::state, .op = what,
                .expected = concat(wanted[i], " at element ", i, ", within ", allowed),
                .given = to_text(found[i]));
  }
}

void check_rows(const GpuCase& gpu_case, const Tensors& inputs, const Tensors& outputs) {
  const int64_t rows = inputs[0].size(0).value();
  for (const RowRange range : checked_rows(rows, width_of(inputs[0]))) {
    Tensors part;
    for (const Tensor& input : inputs) {
      // Weights may be as long as there are rows.
      const bool is_rows = has_rows(input, rows) && input.rank() == inputs[0].rank();
      part.push_back(is_rows ? rows_on_host(input, range) : to_device(input, kCpu));
    }
    const Tensors expected = expected_of(gpu_case, part);
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!has_rows(outputs[i], rows) || !has_rows(expected[i], range.count)) continue;
      check_close(gpu_case.name, rows_on_host(outputs[i], range), expected[i], terms_of(part));
    }
  }
}

void check_small(const GpuCase& gpu_case, Device device) {
  calibrate::RandomFill random(device);
  Tensors inputs, host;
  for (const BenchInput& input : gpu_case.small) {
    inputs.push_back(random.tensor(input.shape, input.dtype, input.below));
    host.push_back(to_device(inputs.back(), kCpu));
  }
  const Tensors outputs = compile(gpu_case.function, {.name = gpu_case.name})(inputs);
  const Tensors expected = expected_of(gpu_case, host);
  int64_t terms = 1;
  for (const Tensor& input : host) terms = std::max(terms, input.numel().value());
  for (size_t i = 0; i < outputs.size(); ++i) {
    check_close(gpu_case.name, to_device(outputs[i], kCpu), expected[i], terms);
  }
}

}  // namespace ridge::command
