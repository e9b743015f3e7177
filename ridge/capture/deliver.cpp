#include "ridge/capture/deliver.h"

#include <algorithm>

#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/symbols.h"
#include "ridge/ops/view.h"

namespace ridge::capture {
namespace {

graph::SymbolSizes sizes_in_call(const Captured& captured, std::span<const Tensor* const> inputs,
                                 SymbolValues values) {
  if (!values.empty()) return graph::sizes_of(captured.symbols, values);
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < captured.graph.inputs.size(); ++i) tensors.push_back(*inputs[i]);
  return graph::bind_symbols(captured.graph, tensors);
}

}  // namespace

Tensor view_of(const Captured& captured, const Slot::View& view, const Tensor& whole,
               std::span<const Tensor* const> inputs, SymbolValues values) {
  const auto is_symbolic = [](const Size& size) { return size.is_symbolic(); };
  Slot::View here = view;
  if (std::ranges::any_of(view.shape, is_symbolic) ||
      std::ranges::any_of(view.strides, is_symbolic) || view.offset.is_symbolic()) {
    const graph::SymbolSizes sizes = sizes_in_call(captured, inputs, values);
    here.shape = graph::substitute(view.shape, sizes);
    here.strides = graph::substitute(view.strides, sizes);
    here.offset = graph::substitute(view.offset, sizes);
    // One that is empty may compute an offset behind the end.
    if (numel(here.shape).known() == 0) here.offset = 0;
  }
  // A result with a history is seen by ops, so that the view has one too.
  if (!view.is_cut && whole.requires_grad() && dispatch::thread_state().grad_enabled) {
    RIDGE_CHECK(whole.is_contiguous(), .code = ErrorCode::gradient, .op = captured.graph.name,
                .expected = "no view of an argument that requires grad as a result, or row by row",
                .given = describe(whole), .hint = "return a clone of it");
    return strided(reshape(whole, {numel(whole.shape())}), here.shape, here.strides, here.offset);
  }
  return Tensor::view_of(Ref<Storage>(&whole.storage()), std::move(here.shape),
                         std::move(here.strides), whole.offset() + here.offset, whole.dtype());
}

void assign_back(const Captured& captured, std::span<Tensor* const> tensors,
                 std::span<const Tensor* const> inputs, std::span<const Tensor> outputs,
                 SymbolValues values) {
  // All are read before any is written: two members may have changed places.
  std::vector<Tensor> now;
  now.reserve(captured.replaced.size());
  for (const Captured::Replaced& replaced : captured.replaced) {
    now.push_back(tensor_of(captured, replaced.now, inputs, outputs, values));
  }
  for (size_t i = 0; i < now.size(); ++i) {
    *tensors[captured.replaced[i].tensor] = std::move(now[i]);
  }
}

}  // namespace ridge::capture
