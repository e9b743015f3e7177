#include "tests/fuzz/plan_memory.h"

#include <cstring>

#include "ridge/base/text.h"
#include "ridge/ops/view.h"
#include "ridge/reference/reference.h"
#include "tests/fuzz/fuzz_case.h"

namespace ridge::fuzz {
namespace {

using schedule::PlannedBuffer;

// From the first element to the last, gaps included.
size_t extent_bytes(const Tensor& tensor) {
  if (elements_of(tensor.shape()) == 0) return 0;
  int64_t extent = 1;
  for (size_t i = 0; i < tensor.shape().size(); ++i) {
    extent += (known(tensor.shape()[i]) - 1) * known(tensor.strides()[i]);
  }
  return bytes_for(tensor.dtype(), extent);
}

size_t dense_bytes(const PlannedBuffer& buffer) {
  return bytes_for(buffer.dtype, elements_of(buffer.shape));
}

}  // namespace

PlanMemory::PlanMemory(const schedule::Plan& plan, const graph::Graph& graph,
                       std::span<const Tensor> inputs, Edge edge)
    : plan_(plan), graph_(graph), given_(inputs), edge_(edge) {
  std::byte* arena = nullptr;
  if (edge == Edge::start) arena = add_block(static_cast<size_t>(plan.arena_bytes));
  for (const PlannedBuffer& buffer : plan.buffers) {
    switch (buffer.kind) {
      case BufferKind::input: {
        const Tensor& input = inputs[static_cast<size_t>(buffer.index)];
        data_.push_back(add_copy(input.raw_data(), extent_bytes(input)));
        break;
      }
      case BufferKind::constant: {
        const Tensor& constant = graph[buffer.value].constant;
        data_.push_back(add_copy(constant.raw_data(), extent_bytes(constant)));
        break;
      }
      case BufferKind::output: data_.push_back(add_block(dense_bytes(buffer))); break;
      case BufferKind::temporary: {
        const bool is_shared = arena != nullptr && buffer.offset >= 0;
        data_.push_back(is_shared ? arena + buffer.offset : add_block(dense_bytes(buffer)));
        break;
      }
    }
  }
}

std::byte* PlanMemory::add_block(size_t bytes) {
  blocks_.emplace_back(bytes, edge_);
  return blocks_.back().data();
}

std::byte* PlanMemory::add_copy(const void* from, size_t bytes) {
  std::byte* to = add_block(bytes);
  if (bytes > 0) std::memcpy(to, from, bytes);
  return to;
}

std::vector<void*> PlanMemory::arguments(const std::vector<int>& buffers) const {
  std::vector<void*> result;
  for (const int buffer : buffers) result.push_back(data_[static_cast<size_t>(buffer)]);
  return result;
}

Tensor PlanMemory::copy_of(size_t buffer, const Shape& strides) const {
  const PlannedBuffer& planned = plan_.buffers[buffer];
  const Tensor view =
      Tensor::from_blob_strided(data_[buffer], planned.shape, strides, planned.dtype);
  const reference::UseReference by_reference;
  return clone(view);
}

std::vector<Tensor> PlanMemory::outputs() const {
  std::vector<Tensor> result;
  for (const int id : plan_.outputs) {
    const auto buffer = static_cast<size_t>(id);
    const PlannedBuffer& planned = plan_.buffers[buffer];
    const bool is_input = planned.kind == BufferKind::input;
    result.push_back(copy_of(buffer, is_input ? given_[static_cast<size_t>(planned.index)].strides()
                                              : contiguous_strides(planned.shape)));
  }
  return result;
}

std::vector<Tensor> PlanMemory::inputs() const {
  std::vector<Tensor> result(given_.size());
  for (size_t i = 0; i < plan_.buffers.size(); ++i) {
    if (plan_.buffers[i].kind != BufferKind::input) continue;
    const auto index = static_cast<size_t>(plan_.buffers[i].index);
    result[index] = copy_of(i, given_[index].strides());
  }
  return result;
}

std::string PlanMemory::find_damage() const {
  for (const GuardedBlock& block : blocks_) {
    if (!block.is_intact()) return "wrote beside a buffer";
  }
  for (size_t i = 0; i < plan_.buffers.size(); ++i) {
    const PlannedBuffer& buffer = plan_.buffers[i];
    const bool is_constant = buffer.kind == BufferKind::constant;
    if (!is_constant && buffer.kind != BufferKind::input) continue;
    bool is_updated = false;
    for (const graph::Update& update : graph_.updates) is_updated |= update.input == buffer.value;
    if (is_updated) continue;
    const Tensor& given =
        is_constant ? graph_[buffer.value].constant : given_[static_cast<size_t>(buffer.index)];
    const size_t bytes = extent_bytes(given);
    if (bytes > 0 && std::memcmp(data_[i], given.raw_data(), bytes) != 0) {
      return concat("wrote to the ", is_constant ? "constant" : "input", " %", buffer.value.index);
    }
  }
  return {};
}

}  // namespace ridge::fuzz
