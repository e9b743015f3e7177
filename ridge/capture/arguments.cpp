#include "ridge/capture/arguments.h"

#include <algorithm>

#include "ridge/base/text.h"

namespace ridge::capture {

void StorageTable::grow() {
  limit_ = std::max<size_t>(128, 4 * limit_);
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * limit_));
  for (const Slot& slot : old) {
    if (slot.round == round_) place(slot.storage, slot.tensor);
  }
}

void FlatArguments::clear(size_t argument_count) {
  tensors.clear();
  inputs.clear();
  aliases.clear();
  signature.clear();
  numbers_.clear();
  numbers_.reserve(argument_count);
  storages_.clear();
  any_stand_in = false;
  any_requires_grad = false;
}

void FlatArguments::add_real(double value) {
  numbers_.push_back(Tensor::number(value));
  add_tensor(numbers_.back());
}

void FlatArguments::finish() {
  const auto begin = [&](uint32_t number) {
    const TensorImpl& tensor = tensors[number]->impl();
    const int64_t bytes = static_cast<int64_t>(bytes_for(tensor.dtype, tensor.offset.hint_or(0)));
    return bytes;
  };
  for (const Alias& alias : aliases) {
    signature.add_alias(alias.first, alias.second, begin(alias.second) - begin(alias.first));
  }
  signature.finish();
}

namespace {

// "f32[2, 3], input 4": the first tensor for which `test` holds.
std::string first_input(std::span<const Tensor* const> inputs, bool (*test)(const Tensor&)) {
  const auto found = std::ranges::find_if(inputs, [&](const Tensor* t) { return test(*t); });
  return concat(describe(**found), ", input ", found - inputs.begin());
}

}  // namespace

void FlatArguments::check_elements(Location where) const {
  if (!any_stand_in) [[likely]]
    return;
  const auto is_stand_in = [](const Tensor& tensor) {
    return tensor.storage().stand_in_owner() != nullptr;
  };
  throw Error(
      {.code = ErrorCode::state,
       .expected = "tensors with elements as arguments",
       .given = first_input(inputs, is_stand_in) + ", a tensor of a capture, which has none",
       .hint = "return it from the captured function instead of keeping it",
       .where = where});
}

void FlatArguments::check(Location where) const {
  check_elements(where);
  if (!any_requires_grad) [[likely]]
    return;
  const auto requires_grad = [](const Tensor& tensor) { return tensor.requires_grad(); };
  throw Error({.code = ErrorCode::gradient,
               .expected = "arguments that do not require grad",
               .given = first_input(inputs, requires_grad) + ", which requires grad",
               .hint = "gradients of a captured function come from value_and_grad, grad or vjp; "
                       "detach the argument if none is wanted",
               .where = where});
}

}  // namespace ridge::capture
