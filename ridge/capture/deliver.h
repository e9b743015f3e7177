// The outputs of a captured program, as the result of the call and in the caller's structs.
//
//   Result r = deliver<Result>(captured, flat, outputs);
//
// In: what was captured, the arguments of this call, the outputs of its program. Out: the result,
// of the type the function returns, and `assign_back` done: tensors that the function put in place
// of others in an argument are put there.
#pragma once

#include "ridge/capture/arguments.h"
#include "ridge/capture/trace.h"

namespace ridge::capture {

// The values of a program's symbols in a call; if none are given, the inputs' shapes have them.
using SymbolValues = std::span<const int64_t>;

// The view that a slot describes, of the tensor it names.
Tensor view_of(const Captured& captured, const Slot::View& view, const Tensor& whole,
               std::span<const Tensor* const> inputs, SymbolValues values);

inline Tensor tensor_of(const Captured& captured, const Slot& slot,
                        std::span<const Tensor* const> inputs, std::span<const Tensor> outputs,
                        SymbolValues values) {
  if (slot.from == Slot::From::undefined) return {};
  const auto index = static_cast<size_t>(slot.index);
  const Tensor& whole = slot.from == Slot::From::output ? outputs[index] : *inputs[index];
  if (slot.view == nullptr) [[likely]]
    return whole;
  return view_of(captured, *slot.view, whole, inputs, values);
}

namespace detail {

struct ResultFiller {
  const Captured& captured;
  std::span<const Tensor* const> inputs;
  std::span<const Tensor> outputs;
  SymbolValues values;
  size_t next = 0;
  void tensor(NoPath, Tensor& tensor) {
    tensor = tensor_of(captured, captured.results[next++], inputs, outputs, values);
  }
  void number(NoPath, int64_t) {}
};

}  // namespace detail

// The result of a call; R is the type the captured function returned.
template <class R>
R build_result(const Captured& captured, std::span<const Tensor* const> inputs,
               std::span<const Tensor> outputs, SymbolValues values = {}) {
  if constexpr (!std::is_void_v<R>) {
    R result = *static_cast<const R*>(captured.result_form.get());
    detail::ResultFiller filler{captured, inputs, outputs, values};
    visit_value(result, filler, NoPath());
    return result;
  }
}

// Puts what the function put into its arguments into those of this call. `inputs` may point into
// them, so a result that returns an argument is built first.
void assign_back(const Captured& captured, std::span<Tensor* const> tensors,
                 std::span<const Tensor* const> inputs, std::span<const Tensor> outputs,
                 SymbolValues values = {});

template <class R>
R deliver(const Captured& captured, const FlatArguments& flat, std::span<const Tensor> outputs,
          SymbolValues values = {}) {
  if constexpr (std::is_void_v<R>) {
    assign_back(captured, flat.tensors, flat.inputs, outputs, values);
  } else {
    R result = build_result<R>(captured, flat.inputs, outputs, values);
    assign_back(captured, flat.tensors, flat.inputs, outputs, values);
    return result;
  }
}

}  // namespace ridge::capture
