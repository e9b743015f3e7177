#include "ridge/capture/signature.h"

#include <algorithm>
#include <bit>

#include "ridge/base/error.h"
#include "ridge/dispatch/thread_state.h"

namespace ridge::capture {

namespace {

// Odd constants with well-spread bits.
constexpr uint64_t kOfHead = 0x9e3779b97f4a7c15, kOfBody = 0xd6e8feb86659fd93;

uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 32)) * kOfBody;
  return x ^ (x >> 29);
}

uint64_t number_of(const Size& size) {
  RIDGE_CHECK(!size.is_symbolic(), .code = ErrorCode::shape,
              .expected = "an argument whose sizes are numbers",
              .given = "the size " + size.to_text());
  return static_cast<uint64_t>(*size.known());
}

}  // namespace

void Signature::grow(size_t count) {
  capacity_ = std::max<size_t>({64, 2 * capacity_, size_ + count});
  words_.resize(capacity_);
}

uint64_t* Signature::add_tensors(size_t count) {
  if (size_ + 2 * count > capacity_) grow(2 * count);
  uint64_t* words = words_.data() + size_;
  size_ += 2 * count;
  return words;
}

void Signature::add_layout(const TensorImpl& tensor) {
  const size_t rank = tensor.shape.size();
  if (size_ + 2 * rank > capacity_) grow(2 * rank);
  for (size_t i = 0; i < rank; ++i) {
    words_[size_ + i] = number_of(tensor.shape[i]);
    words_[size_ + rank + i] = number_of(tensor.strides[i]);
  }
  size_ += 2 * rank;
}

void Signature::add_alias(size_t first, size_t second, int64_t bytes_between) {
  add(header(Item::alias, static_cast<uint64_t>(first) << 28 | second),
      static_cast<uint64_t>(bytes_between));
}

void Signature::add_thread() {
  const dispatch::ThreadState& thread = dispatch::thread_state();
  const bool is_autocast = (thread.included - thread.excluded).has(dispatch::Key::autocast);
  const uint64_t lowered = is_autocast ? std::bit_cast<uint16_t>(thread.autocast_dtype) : 0;
  const uint64_t flags = (is_autocast ? 1u : 0u) | (thread.grad_enabled ? 2u : 0u);
  add(header(Item::thread, flags | lowered << 8), 0);
  item_words_ = size_;
}

void Signature::finish() {
  // One product for the two words of an item; only rotating and adding wait for the item before.
  const uint64_t* word = words_.data();
  uint64_t sum = size_;
  for (const uint64_t* const end = word + size_; word != end; word += 2) {
    sum = std::rotl(sum, 23) + (word[0] + kOfHead) * (word[1] ^ kOfBody);
  }
  hash_ = mixed(sum);
}

bool Signature::operator==(const Signature& other) const {
  return hash_ == other.hash_ && std::ranges::equal(words(), other.words());
}

}  // namespace ridge::capture
