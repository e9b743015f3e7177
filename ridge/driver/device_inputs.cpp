#include "ridge/driver/device_inputs.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/driver/aligned_operand.h"
#include "ridge/driver/device_numbers.h"

namespace ridge::driver {

bool gives_way(const graph::Type& type) { return type.device == kCpu && type.shape.empty(); }

DeviceInputs::DeviceInputs(const graph::Graph& graph, Device device)
    : device_(device), is_number_(graph.inputs.size()), is_written_(graph.inputs.size()) {
  if (device == kCpu) return;
  for (const auto& update : graph.updates) {
    RIDGE_CHECK(!gives_way(graph[update.input].type), .code = ErrorCode::device, .op = graph.name,
                .expected = concat("what is written on ", to_text(device), ", as the rest"),
                .given = "a 0-d tensor of the CPU", .hint = "to_device(tensor, device) copies one");
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
      if (graph.inputs[i] == update.input) is_written_[i] = true;
    }
  }
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    is_number_[i] = gives_way(graph[graph.inputs[i]].type);
    has_numbers_ |= is_number_[i];
  }
}

bool DeviceInputs::fit(std::span<const Tensor* const> inputs) const {
  if (device_ == kCpu) return true;
  return !has_numbers_ &&
         std::all_of(inputs.begin(), inputs.end(), [](const Tensor* t) { return is_aligned(*t); });
}

std::vector<Tensor> DeviceInputs::run_on_copies(std::span<const Tensor* const> inputs,
                                                const Run& run) const {
  std::vector<Tensor> there;
  std::vector<const Tensor*> pointers;
  there.reserve(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    there.push_back(is_number_[i] ? number_on_device(*inputs[i], device_) : aligned(*inputs[i]));
    pointers.push_back(&there.back());
  }
  std::vector<Tensor> outputs = run(pointers);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!is_written_[i] || there[i].is_same(*inputs[i])) continue;
    write_span(*inputs[i], there[i]);
    inputs[i]->storage().bump_version();
  }
  return outputs;
}

}  // namespace ridge::driver
