#include "ridge/driver/program.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "ridge/base/knobs.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/ops/record.h"
#include "ridge/runtime/cpu/thread_pool.h"

namespace ridge::driver {

using schedule::BufferKind;
using schedule::KernelCall;
using schedule::PlannedBuffer;

Program::Program(schedule::Plan plan, const graph::Graph& graph) : plan_(std::move(plan)) {
  std::vector<const loop::Kernel*> kernels;
  for (const KernelCall& call : plan_.calls) kernels.push_back(&call.kernel);
  const auto built = build(kernels);
  for (size_t i = 0; i < plan_.calls.size(); ++i) {
    const KernelCall& call = plan_.calls[i];
    auto step = std::make_unique<Step>();
    step->kernel = built[i];
    step->bytes = call.bytes.hint_or(0);
    step->flops = call.flops.hint_or(0);
    std::set<std::string> lines;
    for (const int32_t number : call.nodes) {
      const graph::Node& node = graph.nodes[static_cast<size_t>(number)];
      const ops::OpRecord* record = node.op->record();
      const bool is_view = record != nullptr && has(record->traits, ops::Trait::View);
      // A view says which element is read, and costs nothing beside what reads it.
      if (!is_view || call.nodes.size() == 1) step->ops.push_back(node.op->name());
      if (node.where.line() > 0) lines.insert(ridge::to_text(node.where));
      const bool is_known = std::ranges::find(step->scopes, node.scope) != step->scopes.end();
      if (!node.scope.empty() && !is_known) step->scopes.push_back(node.scope);
      if (number == call.checked_node) {
        step->checked_op = node.op->name();
        step->checked_at = node.where;
      }
    }
    step->lines.assign(lines.begin(), lines.end());
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

void check_status(int32_t status, std::string_view op, Location where) {
  switch (static_cast<KernelStatus>(status)) {
    case KernelStatus::ok: return;
    case KernelStatus::index_out_of_range:
      throw Error({.code = ErrorCode::index,
                   .op = std::string(op),
                   .expected = "indices inside the dimension they select from",
                   .given = "at least one outside",
                   .where = where});
    case KernelStatus::division_by_zero:
      throw Error({.code = ErrorCode::value,
                   .op = std::string(op),
                   .expected = "an integer divisor other than 0",
                   .given = "0",
                   .where = where});
    case KernelStatus::negative_exponent:
      throw Error({.code = ErrorCode::value,
                   .op = std::string(op),
                   .expected = "an integer exponent of at least 0",
                   .given = "a negative one",
                   .where = where});
  }
  RIDGE_INTERNAL_CHECK(false, concat("a kernel left status ", status));
}

void Program::launch(const Step& step, const KernelCall& call, std::span<void* const> memory,
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
  if (status != 0) check_status(status, step.checked_op, step.checked_at);
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
    launch(*steps_[i], plan_.calls[i], memory, is_timed);
    if (counts != nullptr) {
      ++counts->kernels;
      counts->bytes += steps_[i]->bytes;
    }
  }
  std::vector<Tensor> outputs;
  for (const int id : plan_.outputs) {
    const auto i = static_cast<size_t>(id);
    outputs.push_back(plan_.buffers[i].kind == BufferKind::constant ? constants_[i] : made[i]);
  }
  return outputs;
}

int64_t Program::bytes() const {
  int64_t total = 0;
  for (const auto& step : steps_) total += step->bytes;
  return total;
}

std::vector<KernelRow> Program::rows() const {
  std::vector<KernelRow> rows;
  for (const auto& step : steps_) {
    rows.push_back({step->kernel->name, step->ops, step->scopes, step->lines, step->bytes,
                    step->flops, step->launches, static_cast<double>(step->total_ns) / 1000});
  }
  return rows;
}

}  // namespace ridge::driver
