#include "ridge/capture/result_slots.h"

#include <algorithm>
#include <map>

#include "ridge/capture/shared_memory.h"
#include "ridge/ops/registry.h"

namespace ridge::capture {
namespace {

using graph::ValueId;

class Placing {
 public:
  Placing(graph::Graph& graph, std::span<const LeftTensor> left,
          const std::function<Tensor(ValueId)>& fake, bool restores_aliases)
      : graph_(graph), fake_(fake) {
    for (const LeftTensor& tensor : left) {
      if (tensor.id.index < 0) continue;
      const ValueId memory = restores_aliases ? memory_of(graph, tensor.id) : tensor.id;
      auto& seen = seen_as_[memory];
      if (std::ranges::find(seen, tensor.id) == seen.end()) seen.push_back(tensor.id);
      memory_[tensor.id] = memory;
    }
  }

  Slot place(const LeftTensor& tensor) {
    if (tensor.id.index < 0) return {};
    const ValueId memory = memory_.at(tensor.id);
    const auto own = std::ranges::find(graph_.inputs, tensor.id);
    if (own != graph_.inputs.end()) return {Slot::From::input, position(graph_.inputs, tensor.id)};
    const bool is_argument = std::ranges::find(graph_.inputs, memory) != graph_.inputs.end();
    if (is_argument) {
      return {Slot::From::input, position(graph_.inputs, memory), view_of(tensor, memory)};
    }
    if (tensor.id == memory) return {Slot::From::output, output(memory)};
    const bool is_shared = seen_as_.at(memory).size() > 1 && is_plain(memory);
    if (!is_shared) return {Slot::From::output, output(tensor.id)};
    return {Slot::From::output, output(memory), view_of(tensor, memory)};
  }

 private:
  static int32_t position(const graph::ValueIds& list, ValueId id) {
    return static_cast<int32_t>(std::ranges::find(list, id) - list.begin());
  }

  int32_t output(ValueId id) {
    const int32_t found = position(graph_.outputs, id);
    if (found == static_cast<int32_t>(graph_.outputs.size())) graph_.outputs.push_back(id);
    return found;
  }

  // Laid out as an output is. What a composite op returns may be a view inside of it.
  bool is_plain(ValueId memory) const {
    const Tensor whole = fake_(memory);
    return whole.is_contiguous() && whole.offset().known() == 0;
  }

  std::shared_ptr<const Slot::View> view_of(const LeftTensor& tensor, ValueId memory) const {
    const Tensor& seen = tensor.fake;
    return std::make_shared<Slot::View>(Slot::View{seen.shape(), seen.strides(),
                                                   seen.offset() - fake_(memory).offset(),
                                                   is_cut(tensor.id, memory)});
  }

  bool is_cut(ValueId id, ValueId memory) const {
    for (; id != memory; id = *graph_[id].alias) {
      if (graph_.nodes[static_cast<size_t>(graph_[id].node)].op == &detach_op()) return true;
    }
    return false;
  }
  static const dispatch::Operator& detach_op() {
    static const dispatch::Operator& op = ops::find_op("detach");
    return op;
  }

  graph::Graph& graph_;
  const std::function<Tensor(ValueId)>& fake_;
  std::map<ValueId, std::vector<ValueId>> seen_as_;  // memory: the values it is left as
  std::map<ValueId, ValueId> memory_;
};

}  // namespace

std::vector<Slot> place_results(graph::Graph& graph, std::span<const LeftTensor> left,
                                const std::function<Tensor(ValueId)>& fake, bool restores_aliases) {
  Placing placing(graph, left, fake, restores_aliases);
  std::vector<Slot> slots;
  for (const LeftTensor& tensor : left) slots.push_back(placing.place(tensor));
  return slots;
}

}  // namespace ridge::capture
