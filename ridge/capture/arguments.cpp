#include "ridge/capture/arguments.h"

#include <algorithm>
#include <array>
#include <bit>

#include "ridge/base/text.h"

namespace ridge::capture {

void SharedStorages::find(size_t changed_count, std::span<const uint32_t, kFew> changed,
                          std::vector<Alias>& aliases) {
  if (changed_count == 0 && !is_other_count_) return;
  // Only "nothing is shared" is known to stay true of all but the tensors that changed.
  if (changed_count <= kFew && !is_other_count_ && aliases.empty()) {
    const auto few = changed.first(changed_count);
    if (std::ranges::none_of(few, [&](uint32_t tensor) { return shares_storage(tensor); })) return;
  }
  find_all(aliases);
}

bool SharedStorages::shares_storage(uint32_t tensor) const {
  const Storage* const storage = storages_[tensor];
  return storage != nullptr && std::ranges::count(storages_, storage) > 1;
}

void SharedStorages::find_all(std::vector<Alias>& aliases) {
  aliases.clear();
  if (++round_ == 0 || 2 * storages_.size() > slots_.size()) {
    slots_.assign(std::bit_ceil(std::max<size_t>(256, 2 * storages_.size())), {});
    round_ = 1;
  }
  const size_t mask = slots_.size() - 1;
  for (uint32_t tensor = 0; tensor < storages_.size(); ++tensor) {
    const Storage* const storage = storages_[tensor];
    if (storage == nullptr) continue;
    // Storages are aligned, so their low bits say nothing; the product spreads the others upward.
    size_t i = (reinterpret_cast<uintptr_t>(storage) * 0x9e3779b97f4a7c15u >> 40) & mask;
    while (slots_[i].round == round_ && slots_[i].storage != storage) i = (i + 1) & mask;
    if (slots_[i].round == round_) {
      aliases.push_back({slots_[i].tensor, tensor});
    } else {
      slots_[i] = {storage, round_, tensor};
    }
  }
}

void FlatArguments::clear(size_t argument_count) {
  tensors.clear();
  inputs.clear();
  sizes.clear();
  signature.clear();
  numbers_.clear();
  numbers_.reserve(argument_count);
  any_unusual = any_requires_grad = false;
}

void FlatArguments::add_real(double value) {
  numbers_.push_back(Tensor::number(value));
  add_tensor(numbers_.back());
}

// One loop over all tensors of a call. What it uses is in locals, or each store would make the
// compiler load it again.
void FlatArguments::read_tensors() {
  const size_t count = tensors.size();
  inputs.resize(count);
  uint64_t* words = signature.add_tensors(count);
  const Storage** const storages = storages_.start(count);
  Tensor* const* const given = tensors.data();
  const Tensor** input = inputs.data();
  uint64_t all_kinds = 0, all_packed = LayoutWord::kPacked;
  uint8_t unreadable = 0;
  std::array<uint32_t, SharedStorages::kFew> changed{};
  size_t changed_count = 0;
  for (size_t i = 0; i < count; ++i, words += 2) {
    const TensorImpl* const impl = given[i]->unsafe_impl();
    const Storage* storage = nullptr;
    words[0] = words[1] = 0;
    if (impl != nullptr) [[likely]] {
      storage = impl->storage.get();
      *input++ = given[i];
      all_kinds |= words[0] = Signature::word_of(*impl);
      all_packed &= words[1] = layout_word(*impl).bits();
      unreadable |= storage->unreadable();
    }
    if (storages[i] != storage) [[unlikely]] {
      storages[i] = storage;
      changed[std::min(changed_count++, changed.size() - 1)] = static_cast<uint32_t>(i);
    }
  }
  inputs.resize(static_cast<size_t>(input - inputs.data()));
  storages_.find(changed_count, changed, aliases);
  constexpr uint64_t kRequiresGrad =
      TensorKind{.requires_grad = true}.word() ^ TensorKind { .requires_grad = false }.word();
  any_unusual = unreadable != 0;
  any_requires_grad = (all_kinds & kRequiresGrad) != 0;
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
    RIDGE_CHECK(input.storage().fake_owner() == nullptr, .code = ErrorCode::state,
                .expected = "tensors with elements as arguments",
                .given = which + ", a tensor of a capture, which has none",
                .hint = "return it from the captured function instead of keeping it",
                .where = where);
    RIDGE_CHECK(!input.storage().is_donated(), .code = ErrorCode::state,
                .expected = "tensors with elements as arguments",
                .given = which + ", which was donated to a program that may have overwritten it",
                .hint = "pass what that program returned, or a copy made before", .where = where);
  }
  throw_internal_error("any_unusual", "one of the arguments is", Location::current());
}

}  // namespace ridge::capture
