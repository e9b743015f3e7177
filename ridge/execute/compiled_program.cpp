#include "ridge/execute/compiled_program.h"

#include <set>

#include "ridge/base/knobs.h"
#include "ridge/base/small_vector.h"
#include "ridge/core/device_copy.h"
#include "ridge/execute/kernel_status.h"
#include "ridge/runtime/cuda/device_properties.h"

namespace ridge::execute {

CompiledProgram::CompiledProgram(std::unique_ptr<const ExecutablePlan> plan,
                                 std::unique_ptr<Executor> executor, Device device,
                                 ProgramHooks hooks)
    : plan_(std::move(plan)),
      device_(device),
      binder_(*plan_),
      executor_(std::move(executor)),
      hooks_(std::move(hooks)) {
  if (plan_->symbols.empty()) last_ = bind({});
  for (const ExecutableCall& call : plan_->calls) {
    steps_.push_back(std::make_unique<Step>());
    steps_.back()->bytes = call.bytes.hint_or(0);
  }
  constants_.resize(plan_->buffers.size());
  for (size_t i = 0; i < plan_->buffers.size(); ++i) {
    const ExecutableBuffer& buffer = plan_->buffers[i];
    if (buffer.kind == BufferKind::constant) constants_[i] = to_device(buffer.constant, device);
  }
  plan_sources();
}

void CompiledProgram::plan_sources() {
  std::vector<Source> of_buffer(plan_->buffers.size());
  constant_memory_.resize(plan_->buffers.size());
  for (size_t i = 0; i < plan_->buffers.size(); ++i) {
    const ExecutableBuffer& buffer = plan_->buffers[i];
    if (buffer.kind == BufferKind::constant) {
      constant_memory_[i] = device_address(constants_[i]);
      of_buffer[i] = {Source::Kind::constant, i, i};
    } else if (buffer.kind == BufferKind::input) {
      of_buffer[i] = {Source::Kind::input, i, static_cast<size_t>(buffer.index)};
      sources_.push_back(of_buffer[i]);
    } else if (buffer.kind == BufferKind::output || buffer.offset < 0) {
      of_buffer[i] = {Source::Kind::made, i, forms_.size()};
      sources_.push_back(of_buffer[i]);
      forms_.push_back({i, buffer.dtype, buffer.is_weak});
    }
  }
  for (const int id : plan_->outputs) outputs_.push_back(of_buffer[static_cast<size_t>(id)]);
  std::set<size_t> later;
  for (size_t i = outputs_.size(); i-- > 0;) {
    outputs_[i].is_last = later.insert(outputs_[i].buffer).second;
  }
}

std::shared_ptr<const BoundProgram> CompiledProgram::bind(std::span<const int64_t> values) const {
  RIDGE_INTERNAL_CHECK(values.size() == symbols().size(), "a value for each symbol");
  if (symbols().empty() && last_ != nullptr) return last_;
  auto bound = std::make_shared<BoundProgram>();
  bound->values.assign(values.begin(), values.end());
  bound->plan = binder_.bind(values);
  bound->executor = executor_->bind(bound->plan);
  return bound;
}

std::shared_ptr<const BoundProgram> CompiledProgram::bound_to(
    std::span<const Tensor* const> inputs) const {
  if (symbols().empty()) return last_;
  const std::vector<int64_t> values = symbol_values(*plan_, inputs);
  {
    const std::lock_guard lock(last_mutex_);
    if (last_ != nullptr && last_->values == values) return last_;
  }
  std::shared_ptr<const BoundProgram> bound = bind(values);
  const std::lock_guard lock(last_mutex_);
  last_ = bound;
  return bound;
}

void CompiledProgram::note_updates(std::span<const Tensor* const> inputs) const {
  for (const int32_t input : plan_->written_inputs) {
    inputs[static_cast<size_t>(input)]->storage().bump_version();
  }
}

void CompiledProgram::launch(std::span<void*> memory, std::span<const Tensor* const> inputs,
                             const BoundProgram& bound) const {
  const bool is_timed = is_timing_.load(std::memory_order_relaxed) || knob_int(Knob::debug) >= 2;
  std::vector<double> seconds(is_timed ? steps_.size() : 0);
  bound.executor->check_earlier_runs();
  std::optional<Failure> failure;
  try {
    std::unique_ptr<KernelWatch> watch;
    if (knob_int(Knob::verify) >= kVerifyWatches && hooks_.watch) [[unlikely]] {
      watch = hooks_.watch(inputs, bound.values, memory);
    }
    failure = bound.executor->run({.memory = memory, .seconds = seconds, .watch = watch.get()});
  } catch (const Error& error) {
    // Without memory nothing was launched; after any other error inputs may be half written.
    if (error.code() != ErrorCode::memory) note_updates(inputs);
    throw;
  }
  note_updates(inputs);
  if (failure) {
    if (hooks_.report_failure) hooks_.report_failure(*failure, inputs, bound.values);
    throw_status(failure->status, plan_->calls[failure->call]);
  }
  for (size_t i = 0; i < seconds.size(); ++i) {
    steps_[i]->total_ns += static_cast<int64_t>(1e9 * seconds[i]);
    ++steps_[i]->launches;
  }
  if (LaunchCounts* counts = active_counts()) {
    counts->kernels += static_cast<int64_t>(steps_.size());
    counts->bytes += bound.plan.bytes;
  }
}

std::vector<Tensor> CompiledProgram::run(std::span<const Tensor* const> inputs,
                                         const BoundProgram& bound) const {
  SmallVector<void*, 256> memory(constant_memory_.begin(), constant_memory_.end());
  SmallVector<Tensor, 8> made;
  for (const Source& source : sources_) {
    if (source.kind == Source::Kind::made) {
      const Form& form = forms_[source.index];
      made.push_back(Tensor::empty(bound.plan.shapes[form.buffer], form.dtype, device_));
      made.back().impl().is_weak = form.is_weak;
      memory[source.buffer] = made.back().storage().data();
    } else {
      memory[source.buffer] = device_address(*inputs[source.index]);
    }
  }
  launch(memory, inputs, bound);
  std::vector<Tensor> outputs;
  outputs.reserve(outputs_.size());
  for (const Source& source : outputs_) {
    switch (source.kind) {
      case Source::Kind::input: outputs.push_back(*inputs[source.index]); break;
      case Source::Kind::constant: outputs.push_back(constants_[source.index]); break;
      case Source::Kind::made: {
        Tensor& tensor = made[source.index];
        source.is_last ? outputs.push_back(std::move(tensor)) : outputs.push_back(tensor);
        break;
      }
    }
  }
  return outputs;
}

int64_t CompiledProgram::bytes() const {
  int64_t total = 0;
  for (const auto& step : steps_) total += step->bytes;
  return total;
}

std::string CompiledProgram::gpu_name() const {
  if (device_.kind != DeviceKind::cuda) return {};
  return runtime::cuda::device_properties(device_.index).name;
}

std::vector<int64_t> CompiledProgram::launches() const {
  std::vector<int64_t> launches;
  for (const auto& step : steps_) launches.push_back(step->launches);
  return launches;
}

std::vector<double> CompiledProgram::total_us() const {
  std::vector<double> times;
  for (const auto& step : steps_) times.push_back(static_cast<double>(step->total_ns) / 1000);
  return times;
}

}  // namespace ridge::execute
