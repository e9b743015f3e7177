// Cases of `ridge bench` from training: a loss with its gradient, and an optimizer.
#include <tuple>

#include "gpu_bench_families.h"
#include "gpu_bench_run.h"
#include "ridge/base/text.h"
#include "ridge/reference/reference.h"
#include "ridge/runtime/cuda/cuda_runtime.h"

namespace ridge::command {
namespace {

using Optimizer = nn::AdamW<Tensors>;

// Parameters of GPT-2 small: 124 million in 148 tensors.
std::vector<Shape> gpt2_shapes() {
  constexpr int64_t kWidth = 768, kLayers = 12;
  std::vector<Shape> shapes{{50257, kWidth}, {1024, kWidth}};
  const auto add_norm = [&] { shapes.insert(shapes.end(), {Shape{kWidth}, Shape{kWidth}}); };
  const auto add_linear = [&](int64_t in, int64_t out) {
    shapes.insert(shapes.end(), {Shape{in, out}, Shape{out}});
  };
  for (int64_t layer = 0; layer < kLayers; ++layer) {
    add_norm();
    add_linear(kWidth, 3 * kWidth);
    add_linear(kWidth, kWidth);
    add_norm();
    add_linear(kWidth, 4 * kWidth);
    add_linear(4 * kWidth, kWidth);
  }
  add_norm();
  return shapes;
}

// One that has made no step, with memory on the device. Its constructor would make it of a model's
// tensors one by one.
Optimizer fresh_optimizer(const Tensors& parameters, Device device) {
  Optimizer optimizer(Tensors(1, Tensor::of<float>({1}, {1})));
  auto& runtime = runtime::cuda::cuda_runtime();
  const auto zeros_like_all = [&] {
    Tensors zeros_of;
    for (const Tensor& parameter : parameters) {
      zeros_of.push_back(Tensor::empty(parameter.shape(), f32, device));
      runtime.fill(device_address(zeros_of.back()), 0, bytes_for(f32, parameter.numel().value()),
                   runtime.current_stream(device));
    }
    return zeros_of;
  };
  optimizer.first_moment = zeros_like_all();
  optimizer.second_moment = zeros_like_all();
  optimizer.learning_rate = to_device(optimizer.learning_rate, device);
  optimizer.step = to_device(optimizer.step, device);
  return optimizer;
}

void update(Tensors& parameters, Optimizer& optimizer, const Tensors& gradients) {
  optimizer.update(parameters, gradients);
}

ReadyCase ready_adamw(const std::string& name, const std::vector<Shape>& shapes, Device device,
                      Tensors* kept_parameters = nullptr, Tensors* kept_gradients = nullptr) {
  calibrate::RandomFill random(device);
  Tensors parameters, gradients;
  for (const Shape& shape : shapes) {
    parameters.push_back(random.tensor(shape, f32));
    gradients.push_back(random.tensor(shape, f32));
  }
  if (kept_parameters != nullptr) *kept_parameters = parameters;
  if (kept_gradients != nullptr) *kept_gradients = gradients;
  Optimizer optimizer = fresh_optimizer(parameters, device);
  return ready_case(name, &update, std::move(parameters), std::move(optimizer),
                    std::move(gradients));
}

// Some steps of a few tensors against the reference; `ready_adamw` has made the first.
void check_adamw(Device device) {
  constexpr int kSteps = 3;
  const std::vector<Shape> shapes{{1}, {3}, {17, 33}, {1000}, {4099}};
  Tensors parameters, gradients, expected, host_gradients;
  const ReadyCase ready = ready_adamw("adamw_small", shapes, device, &parameters, &gradients);
  // The same values again: the first step has changed those of the device.
  calibrate::RandomFill random(device);
  for (const Shape& shape : shapes) {
    expected.push_back(to_device(random.tensor(shape, f32), kCpu));
    host_gradients.push_back(to_device(random.tensor(shape, f32), kCpu));
  }
  for (int step = 1; step < kSteps; ++step) ready.run();
  const reference::UseReference scope;
  Optimizer optimizer(expected);
  for (int step = 0; step < kSteps; ++step) optimizer.update(expected, host_gradients);
  for (size_t i = 0; i < expected.size(); ++i) {
    check_close("adamw", to_device(parameters[i], kCpu), expected[i], 1);
  }
}

// The loss and the gradient of the logits.
GpuCase cross_entropy_case(const BenchInput& logits) {
  const int64_t rows = logits.shape[0].value(), classes = logits.shape[1].value();
  const int64_t small_classes = checked_length(classes);
  GpuCase result{.inputs = {logits, {{rows}, i64, classes}},
                 .function =
                     [](const Tensors& t) {
                       const auto of = [](const Tensor& x, const Tensor& at) {
                         return cross_entropy(cast(x, f32), at);
                       };
                       const auto [value, gradient] = value_and_grad(of)(t[0], t[1]);
                       return Tensors{value, gradient};
                     },
                 .small = {{{3, small_classes}, logits.dtype}, {{3}, i64, small_classes}}};
  result.arrays = {{bytes_of(logits)}, {bytes_of(logits)}};
  return result;
}

}  // namespace

void add_gpu_training_families(std::vector<GpuFamily>& families) {
  families.push_back(matrix_family("training.cross_entropy", cross_entropy_case));
}

void add_gpu_training_cases(std::vector<GpuCase>& cases) {
  const std::vector<Shape> shapes = gpt2_shapes();
  int64_t bytes = 0;
  for (const Shape& shape : shapes) bytes += bytes_of({shape, f32});
  GpuCase adamw{.name = concat("gpu.training.adamw.f32.", shapes.size(), "_tensors")};
  adamw.arrays = {{bytes, bytes, bytes, bytes}, {bytes, bytes, bytes}};
  adamw.make = [shapes](Device device) {
    check_adamw(device);
    return ready_adamw("adamw", shapes, device);
  };
  cases.push_back(std::move(adamw));
  cases.push_back(gpu_case("training.cross_entropy", {{8192, 50304}, bf16}));
  cases.push_back(gpu_case("training.cross_entropy", {{8192, 50257}, bf16}));
}

}  // namespace ridge::command
