#include "ridge/driver/program.h"

#include "ridge/base/knobs.h"
#include "ridge/core/device_copy.h"
#include "ridge/driver/kernel_status.h"

namespace ridge::driver {

using schedule::BufferKind;
using schedule::KernelCall;
using schedule::PlannedBuffer;

Program::Program(schedule::Plan plan, const graph::Graph& graph, Device device)
    : plan_(std::move(plan)),
      graph_(graph),
      device_(device),
      executor_(make_executor(plan_, device)) {
  for (const KernelCall& call : plan_.calls) {
    steps_.push_back(std::make_unique<Step>());
    steps_.back()->bytes = call.bytes.hint_or(0);
  }
  constants_.resize(plan_.buffers.size());
  for (size_t i = 0; i < plan_.buffers.size(); ++i) {
    const PlannedBuffer& buffer = plan_.buffers[i];
    if (buffer.kind != BufferKind::constant) continue;
    constants_[i] = to_device(graph[buffer.value].constant, device);
  }
  for (const auto& update : graph.updates) {
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
      if (graph.inputs[i] == update.input) updated_inputs_.push_back(static_cast<int32_t>(i));
    }
  }
}

std::vector<void*> Program::place(std::span<const Tensor* const> inputs,
                                  std::vector<Tensor>& made) const {
  std::vector<void*> memory(plan_.buffers.size());
  made.resize(plan_.buffers.size() + 1);
  Tensor& arena = made.back();
  if (plan_.arena_bytes > 0) arena = Tensor::empty({plan_.arena_bytes}, u8, device_);
  for (size_t i = 0; i < plan_.buffers.size(); ++i) {
    const PlannedBuffer& buffer = plan_.buffers[i];
    switch (buffer.kind) {
      case BufferKind::input: made[i] = *inputs[static_cast<size_t>(buffer.index)]; break;
      case BufferKind::constant: made[i] = constants_[i]; break;
      case BufferKind::output:
        made[i] = Tensor::empty(buffer.shape, buffer.dtype, device_);
        made[i].impl().is_weak = graph_[buffer.value].type.is_weak;
        break;
      case BufferKind::temporary:
        if (buffer.offset < 0) made[i] = Tensor::empty(buffer.shape, buffer.dtype, device_);
        break;
    }
    memory[i] = made[i].defined() ? device_address(made[i])
                                  : static_cast<std::byte*>(device_address(arena)) + buffer.offset;
  }
  return memory;
}

// Ops are computed again to find the one at fault, on the CPU, which can say what it read.
void Program::report(const Failure& failure, std::span<const Tensor* const> inputs) const {
  std::vector<Tensor> here;
  for (const Tensor* input : inputs) here.push_back(to_device(*input, kCpu));
  std::vector<const Tensor*> pointers;
  for (const Tensor& tensor : here) pointers.push_back(&tensor);
  check_status(failure.status, plan_.calls[failure.call], graph_, pointers);
}

void Program::execute(std::span<void* const> memory, std::span<const Tensor* const> inputs) const {
  const bool is_timed = is_timing_ || knob_int(Knob::debug) >= 2;
  std::vector<double> seconds(is_timed ? steps_.size() : 0);
  const std::optional<Failure> failure = executor_->run({memory, seconds});
  if (failure) report(*failure, inputs);
  for (size_t i = 0; i < seconds.size(); ++i) {
    steps_[i]->total_ns += static_cast<int64_t>(1e9 * seconds[i]);
    ++steps_[i]->launches;
  }
  if (LaunchCounts* counts = active_counts()) {
    counts->kernels += static_cast<int64_t>(steps_.size());
    for (const auto& step : steps_) counts->bytes += step->bytes;
  }
}

std::vector<Tensor> Program::run(std::span<const Tensor* const> inputs) const {
  std::vector<Tensor> made;
  const std::vector<void*> memory = place(inputs, made);
  // Written from the first kernel on, whether or not a later one fails.
  for (const int32_t input : updated_inputs_) {
    inputs[static_cast<size_t>(input)]->storage().bump_version();
  }
  execute(memory, inputs);
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
