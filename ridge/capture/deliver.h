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

// The view that a slot describes, of the tensor it names. `inputs` give symbols their sizes.
Tensor view_of(const Captured& captured, const Slot::View& view, const Tensor& whole,
               std::span<const Tensor* const> inputs);

inline Tensor tensor_of(const Captured& captured, const Slot& slot,
                        std::span<const Tensor* const> inputs, std::span<const Tensor> outputs) {
  if (slot.from == Slot::From::undefined) return {};
  const auto index = static_cast<size_t>(slot.index);
  const Tensor& whole = slot.from == Slot::From::output ? outputs[index] : *inputs[index];
  if (slot.view == nullptr) [[likely]]
    return whole;
  return view_of(captured, *slot.view, whole, inputs);
}

namespace detail {

struct ResultFiller {
  const Captured& captured;
  std::span<const Tensor* const> inputs;
  std::span<const Tensor> outputs;
  size_t next = 0;
  void tensor(NoPath, Tensor& tensor) {
    tensor = tensor_of(captured, captured.results[next++], inputs, outputs);
  }
  void number(NoPath, int64_t) {}
};

}  // namespace detail

// The result of a call; R is the type the captured function returned.
template <class R>
R build_result(const Captured& captured, std::span<const Tensor* const> inputs,
               std::span<const Tensor> outputs) {
  if constexpr (!std::is_void_v<R>) {
    R result = *static_cast<const R*>(captured.result_form.get());
    detail::ResultFiller filler{captured, inputs, outputs};
    visit_value(result, filler, NoPath());
    return result;
  }
}

// Puts what the function put into its arguments into those of this call. `inputs` may point into
// them, so a result that returns an argument is built first.
void assign_back(const Captured& captured, std::span<Tensor* const> tensors,
                 std::span<const Tensor* const> inputs, std::span<const Tensor> outputs);

template <class R>
R deliver(const Captured& captured, const FlatArguments& flat, std::span<const Tensor> outputs) {
  if constexpr (std::is_void_v<R>) {
    assign_back(captured, flat.tensors, flat.inputs, outputs);
  } else {
    R result = build_result<R>(captured, flat.inputs, outputs);
    assign_back(captured, flat.tensors, flat.inputs, outputs);
    return result;
  }
}

}  // namespace ridge::capture
