#include "ridge/driver/program.h"

#include <chrono>

#include "ridge/base/knobs.h"
#include "ridge/driver/kernel_status.h"
#include "ridge/runtime/cpu/thread_pool.h"

namespace ridge::driver {

using schedule::BufferKind;
using schedule::KernelCall;
using schedule::PlannedBuffer;

Program::Program(schedule::Plan plan, const graph::Graph& graph)
    : plan_(std::move(plan)), graph_(graph) {
  std::vector<const loop::Kernel*> kernels;
  for (const KernelCall& call : plan_.calls) kernels.push_back(&call.kernel);
  const auto built = build(kernels);
  for (size_t i = 0; i < plan_.calls.size(); ++i) {
    const KernelCall& call = plan_.calls[i];
    auto step = std::make_unique<Step>();
    step->kernel = built[i];
    step->bytes = call.bytes.hint_or(0);
    steps_.push_back(std::move(step));
  }
  constants_.resize(plan_.buffers.size());
  for (size_t i = 0; i < plan_.buffers.size(); ++i) {
    const PlannedBuffer& buffer = plan_.buffers[i];
    if (buffer.kind == BufferKind::constant) constants_[i] = graph[buffer.value].constant;
  }
  for (const auto& update : graph.updates) {
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
      if (graph.inputs[i] == update.input) updated_inputs_.push_back(static_cast<int32_t>(i));
    }
  }
}

int32_t Program::launch(const Step& step, const KernelCall& call, std::span<void* const> memory,
                        bool is_timed) const {
  SmallVector<void*, 16> buffers;
  for (const int id : call.buffers) buffers.push_back(memory[static_cast<size_t>(id)]);
  int32_t status = 0;
  KernelRuntime* runtime = &runtime::kernel_runtime();
  if (!is_timed) {
    step.kernel->function(buffers.data(), nullptr, runtime, &status);
  } else {
    const auto start = std::chrono::steady_clock::now();
    step.kernel->function(buffers.data(), nullptr, runtime, &status);
    const auto time = std::chrono::steady_clock::now() - start;
    step.total_ns += std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
    ++step.launches;
  }
  return status;
}

std::vector<Tensor> Program::run(std::span<const Tensor* const> inputs) const {
  std::vector<void*> memory(plan_.buffers.size());
  std::vector<Tensor> made(plan_.buffers.size());
  Tensor arena;
  if (plan_.arena_bytes > 0) arena = Tensor::empty({plan_.arena_bytes}, u8);
  for (size_t i = 0; i < plan_.buffers.size(); ++i) {
    const PlannedBuffer& buffer = plan_.buffers[i];
    switch (buffer.kind) {
      case BufferKind::input:
        made[i] = *inputs[static_cast<size_t>(buffer.index)];
        memory[i] = made[i].raw_data();
        break;
      case BufferKind::constant: memory[i] = constants_[i].raw_data(); break;
      case BufferKind::output:
        made[i] = Tensor::empty(buffer.shape, buffer.dtype);
        made[i].impl().is_weak = graph_[buffer.value].type.is_weak;
        memory[i] = made[i].raw_data();
        break;
      case BufferKind::temporary:
        if (buffer.offset < 0) {
          made[i] = Tensor::empty(buffer.shape, buffer.dtype);
          memory[i] = made[i].raw_data();
        } else {
          memory[i] = static_cast<std::byte*>(arena.raw_data()) + buffer.offset;
        }
        break;
    }
  }
  const bool is_timed = is_timing_ || knob_int(Knob::debug) >= 2;
  LaunchCounts* counts = active_counts();
  // Written from the first kernel on, whether or not a later one fails.
  for (const int32_t input : updated_inputs_) {
    inputs[static_cast<size_t>(input)]->storage().bump_version();
  }
  for (size_t i = 0; i < steps_.size(); ++i) {
    const int32_t status = launch(*steps_[i], plan_.calls[i], memory, is_timed);
    if (status != 0) check_status(status, plan_.calls[i], graph_, inputs);
    if (counts != nullptr) {
      ++counts->kernels;
      counts->bytes += steps_[i]->bytes;
    }
  }
  std::vector<Tensor> outputs;
  for (const int id : plan_.outputs) outputs.push_back(made[static_cast<size_t>(id)]);
  return outputs;
}

int64_t Program::bytes() const {
  int64_t total = 0;
  for (const auto& step : steps_) total += step->bytes;
  return total;
}

std::vector<KernelRow> Program::rows() const {
  // Not named after the built kernels: programs share them, and each names them after its own ops.
  std::vector<KernelRow> rows = rows_of(plan_, graph_);
  const std::vector<double> times = total_us();
  for (size_t i = 0; i < steps_.size(); ++i) {
    rows[i].launches = steps_[i]->launches;
    rows[i].total_us = times[i];
  }
  return rows;
}

std::vector<double> Program::total_us() const {
  std::vector<double> times;
  for (const auto& step : steps_) times.push_back(static_cast<double>(step->total_ns) / 1000);
  return times;
}

}  // namespace ridge::driver
