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
  any_unusual = false;
}

void FlatArguments::add_real(double value) {
  numbers_.push_back(Tensor::number(value));
  add_tensor(numbers_.back());
}

void FlatArguments::finish() {
  const auto start = [&](uint32_t tensor) {
    const TensorImpl& impl = tensors[tensor]->impl();
    return impl.offset.value() * impl.dtype.bits / 8;
  };
  for (const Alias& alias : aliases) {
    signature.add_alias(alias.first, alias.second, start(alias.second) - start(alias.first));
  }
  signature.finish();
}

void FlatArguments::throw_unusual(Location where) const {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& input = *inputs[i];
    const std::string which = concat(describe(input), ", input ", i);
    RIDGE_CHECK(input.storage().stand_in_owner() == nullptr, .code = ErrorCode::state,
                .expected = "tensors with elements as arguments",
                .given = which + ", a tensor of a capture, which has none",
                .hint = "return it from the captured function instead of keeping it",
                .where = where);
    RIDGE_CHECK(!input.storage().is_donated(), .code = ErrorCode::state,
                .expected = "tensors with elements as arguments",
                .given = which + ", which was donated to a program that may have overwritten it",
                .hint = "pass what that program returned, or a copy made before", .where = where);
    RIDGE_CHECK(!input.requires_grad(), .code = ErrorCode::gradient,
                .expected = "arguments that do not require grad",
                .given = which + ", which requires grad",
                .hint = "gradients of a captured function come from value_and_grad, grad or vjp; "
                        "detach the argument if none is wanted",
                .where = where);
  }
  throw_internal_error("any_unusual", "one of the arguments is", Location::current());
}

}  // namespace ridge::capture
