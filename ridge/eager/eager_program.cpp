#include "ridge/eager/eager_program.h"

#include <mutex>
#include <unordered_map>

#include "ridge/base/large_stack.h"
#include "ridge/core/device_copy.h"
#include "ridge/execute/launch_counts.h"
#include "ridge/linker/link.h"

namespace ridge::eager {
namespace {

// Beyond this many, programs that no thread holds anymore are let go.
constexpr size_t kMostPrograms = 4096;

struct EagerPrograms {
  std::mutex mutex;
  std::unordered_map<std::vector<uint64_t>, std::shared_ptr<const EagerProgram>, ClassKeyHash>
      by_key;
  int64_t made = 0;
};

EagerPrograms& eager_programs() {
  static EagerPrograms& instance = *new EagerPrograms;
  return instance;
}

schedule::Plan plan_of(OneNode& one, Device device) {
  schedule::Options options = linker::options_for(device);
  options.input_strides = std::move(one.input_strides);
  return schedule::schedule(schedule::InlinedGraph(one.graph, {std::move(one.node_definition)}),
                            options);
}

graph::Graph named(graph::Graph graph) {
  graph.name = "an eager call";
  return graph;
}

}  // namespace

EagerProgram::EagerProgram(OneNode one, Device device)
    : device_(device),
      plan_(plan_of(one, device)),
      linked_(linker::executable_plan(plan_, named(std::move(one.graph)))),
      executor_(linker::make_executor(plan_, linked_, device)),
      sizes_(execute::PlanBinder(linked_).bind({})),
      bound_(executor_->bind(sizes_)) {
  for (const execute::ExecutableCall& call : linked_.calls) bytes_ += call.bytes.hint_or(0);
}

std::optional<execute::Failure> EagerProgram::run(std::span<const Tensor> inputs,
                                                  const Tensor& result, Location where) const {
  bound_->check_earlier_runs();
  std::vector<Tensor> made;  // keeps memory until the kernels are queued
  const auto fresh = [&](const Shape& shape, DType dtype) {
    made.push_back(Tensor::empty(shape, dtype, device_));
    return static_cast<std::byte*>(device_address(made.back()));
  };
  SmallVector<void*, 8> memory;
  for (const execute::ExecutableBuffer& buffer : linked_.buffers) {
    if (buffer.kind == BufferKind::temporary) {
      // Those of the arena are the executor's to place.
      memory.push_back(buffer.offset >= 0 ? nullptr : fresh(buffer.shape, buffer.dtype));
      continue;
    }
    RIDGE_INTERNAL_CHECK(buffer.kind != BufferKind::constant, "an eager call has no constants");
    const bool is_input = buffer.kind == BufferKind::input;
    const Tensor& tensor = is_input ? inputs[static_cast<size_t>(buffer.index)] : result;
    memory.push_back(tensor.defined() ? device_address(tensor) : nullptr);
  }
  const std::optional<execute::Failure> failure =
      bound_->run({.memory = std::span<void*>(memory.data(), memory.size()), .where = &where});
  if (execute::LaunchCounts* counts = execute::active_counts()) {
    counts->kernels += static_cast<int64_t>(plan_.calls.size());
    counts->bytes += bytes_;
  }
  return failure;
}

std::shared_ptr<const EagerProgram> find_program(ClassedCall& call, Device device) {
  call.layout.word(static_cast<uint64_t>(device.kind) << 8 | static_cast<uint8_t>(device.index));
  const std::vector<uint64_t>& key = call.layout.key();
  EagerPrograms& programs = eager_programs();
  {
    const std::lock_guard lock(programs.mutex);
    if (const auto found = programs.by_key.find(key); found != programs.by_key.end()) {
      return found->second;
    }
  }
  const auto made =
      on_large_stack([&] { return std::make_shared<const EagerProgram>(call.graph(), device); });
  const std::lock_guard lock(programs.mutex);
  if (programs.by_key.size() >= kMostPrograms) {
    std::erase_if(programs.by_key, [](const auto& entry) { return entry.second.use_count() == 1; });
  }
  ++programs.made;
  return programs.by_key.emplace(key, made).first->second;
}

EagerProgramCounts eager_program_counts() {
  const std::lock_guard lock(eager_programs().mutex);
  return {eager_programs().made, static_cast<int64_t>(eager_programs().by_key.size())};
}

}  // namespace ridge::eager
