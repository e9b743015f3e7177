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

inline Tensor tensor_of(const Slot& slot, std::span<const Tensor* const> inputs,
                        std::span<const Tensor> outputs) {
  switch (slot.from) {
    case Slot::From::undefined: return {};
    case Slot::From::output: return outputs[static_cast<size_t>(slot.index)];
    case Slot::From::input: return *inputs[static_cast<size_t>(slot.index)];
  }
  return {};
}

namespace detail {

struct ResultFiller {
  std::span<const Slot> slots;
  std::span<const Tensor* const> inputs;
  std::span<const Tensor> outputs;
  size_t next = 0;
  void tensor(NoPath, Tensor& tensor) { tensor = tensor_of(slots[next++], inputs, outputs); }
  void number(NoPath, int64_t) {}
};

}  // namespace detail

// The result of a call; R is the type the captured function returned.
template <class R>
R build_result(const Captured& captured, std::span<const Tensor* const> inputs,
               std::span<const Tensor> outputs) {
  if constexpr (!std::is_void_v<R>) {
    R result = *static_cast<const R*>(captured.result_form.get());
    detail::ResultFiller filler{captured.results, inputs, outputs};
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
