#include "ridge/capture/arguments.h"

#include <algorithm>
#include <bit>

#include "ridge/base/text.h"

namespace ridge::capture {

void StorageTable::renew(size_t count) {
  const size_t size = std::bit_ceil(std::max<size_t>(256, 2 * count));
  slots_.assign(size, {});
  mask_ = size - 1;
  round_ = 1;
}

void FlatArguments::clear(size_t argument_count) {
  tensors.clear();
  inputs.clear();
  aliases.clear();
  signature.clear();
  numbers_.clear();
  numbers_.reserve(argument_count);
  any_unusual = false;
}

void FlatArguments::add_real(double value) {
  numbers_.push_back(Tensor::number(value));
  add_tensor(numbers_.back());
}

// One loop over all tensors of a call, with nothing in it but loads, stores and untaken branches.
void FlatArguments::read_tensors() {
  const size_t count = tensors.size();
  uint64_t* words = signature.add_tensors(count);
  inputs.resize(count);
  storages_.start(count);
  const Tensor** input = inputs.data();
  bool are_readable = true;
  uint64_t all_words = 0, all_packed = LayoutWord::kPacked;
  for (size_t i = 0; i < count; ++i, words += 2) {
    const TensorImpl* impl = tensors[i]->unsafe_impl();
    if (impl == nullptr) [[unlikely]] {
      words[0] = words[1] = 0;
      continue;
    }
    *input++ = tensors[i];
    const uint64_t layout = layout_word(*impl).bits();
    words[0] = Signature::word_of(*impl);
    words[1] = layout;
    all_words |= words[0];
    all_packed &= layout;
    const Storage* storage = impl->storage.get();
    are_readable &= storage->is_readable();
    const uint32_t first = storages_.add(storage, static_cast<uint32_t>(i));
    if (first != StorageTable::kNew) [[unlikely]]
      aliases.push_back({first, static_cast<uint32_t>(i)});
  }
  inputs.resize(static_cast<size_t>(input - inputs.data()));
  static constexpr uint64_t kRequiresGrad =
      TensorKind{.requires_grad = true}.word() & ~TensorKind{.requires_grad = false}.word();
  any_unusual = !are_readable || (all_words & kRequiresGrad) != 0;
  are_packed_ = all_packed != 0;
}

void FlatArguments::add_aliases() {
  const auto start = [&](uint32_t tensor) {
    const TensorImpl& impl = tensors[tensor]->impl();
    return impl.offset.value() * impl.dtype.bits / 8;
  };
  for (const Alias& alias : aliases) {
    signature.add_alias(alias.first, alias.second, start(alias.second) - start(alias.first));
  }
}

void FlatArguments::finish() {
  read_tensors();
  if (!aliases.empty()) [[unlikely]]
    add_aliases();
  signature.add_thread();
  if (!are_packed_) [[unlikely]] {
    for (const Tensor* input : inputs) {
      if (!layout_word(input->impl()).is_packed()) signature.add_layout(input->impl());
    }
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
                .hint =
                    "gradients of a captured function come from value_and_grad, grad or vjp; "
                    "detach the argument if none is wanted",
                .where = where);
  }
  throw_internal_error("any_unusual", "one of the arguments is", Location::current());
}

}  // namespace ridge::capture
