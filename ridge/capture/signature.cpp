#include "ridge/capture/signature.h"

#include <algorithm>
#include <array>

#include "ridge/base/text.h"
#include "ridge/dispatch/thread_state.h"

namespace ridge::capture {

namespace {

// Odd constants with well-spread bits; one lane each, so that their products run side by side.
constexpr std::array<uint64_t, 4> kLanes = {0x9e3779b97f4a7c15, 0xd6e8feb86659fd93,
                                            0xa0761d6478bd642f, 0xe7037ed1a0b428db};

uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 32)) * kLanes[1];
  return x ^ (x >> 29);
}

// A step multiplies, and turns the high half down: the top bits of a product depend on every bit of
// the word, its lowest on few.
uint64_t step(uint64_t state, uint64_t word, uint64_t factor) {
  const uint64_t product = (state ^ word) * factor;
  return product ^ (product >> 32);
}

}  // namespace

void Signature::grow(size_t count) {
  capacity_ = std::max<size_t>({64, 2 * capacity_, size_ + count});
  words_.resize(capacity_);
}

void Signature::throw_symbolic(const Size& size) {
  throw Error({.code = ErrorCode::shape,
               .expected = "an argument whose sizes are numbers",
               .given = "the size " + size.to_text()});
}

void Signature::add_alias(size_t first, size_t second, int64_t distance) {
  uint64_t* out = room(2);
  out[0] = header(Item::alias, static_cast<uint64_t>(first) << 28 | second);
  out[1] = static_cast<uint64_t>(distance);
}

void Signature::finish() {
  const dispatch::ThreadState& thread = dispatch::thread_state();
  const bool is_autocast = (thread.included - thread.excluded).has(dispatch::Key::autocast);
  const uint64_t lowered = std::bit_cast<uint16_t>(thread.autocast_dtype);
  *room(1) = header(Item::thread, is_autocast ? 1 | lowered << 8 : 0);

  std::array<uint64_t, 4> lanes = kLanes;
  const uint64_t* word = words_.data();
  size_t left = size_;
  for (; left >= 4; left -= 4, word += 4) {
    for (size_t i = 0; i < 4; ++i) lanes[i] = step(lanes[i], word[i], kLanes[i]);
  }
  for (size_t i = 0; i < left; ++i) lanes[i] = step(lanes[i], word[i], kLanes[i]);
  hash_ = size_;
  for (const uint64_t lane : lanes) hash_ = mixed(hash_ ^ lane);
}

bool Signature::operator==(const Signature& other) const {
  return hash_ == other.hash_ && std::ranges::equal(words(), other.words());
}

// Reads the words again, one item at a time.
class SignatureReader {
 public:
  using Item = Signature::Item;
  explicit SignatureReader(const Signature& signature) : words_(signature.words()) {}

  bool is_done() const { return words_.empty(); }
  Item kind() const { return static_cast<Item>(words_[0] & 0xff); }

  // The next item as text; equal texts mean equal items.
  std::string next() {
    const uint64_t head = words_[0] >> 8;
    const Item item = kind();
    words_ = words_.subspan(1);
    switch (item) {
      case Item::undefined: return "undefined";
      case Item::number: return to_text(static_cast<int64_t>(take()));
      case Item::tensor: return tensor(head);
      case Item::alias:
        return concat("arguments ", head >> 28, " and ", head & ((1 << 28) - 1), " share memory, ",
                      static_cast<int64_t>(take()), " bytes apart");
      case Item::thread: return thread(head);
    }
    return {};
  }

 private:
  uint64_t take() {
    const uint64_t word = words_[0];
    words_ = words_.subspan(1);
    return word;
  }

  std::string take_list(size_t count) {
    Ints values;
    for (size_t i = 0; i < count; ++i) values.push_back(static_cast<int64_t>(take()));
    return to_text(std::span<const int64_t>(values));
  }

  std::string tensor(uint64_t head) {
    const auto dtype = std::bit_cast<DType>(static_cast<uint16_t>(head));
    const auto device = std::bit_cast<Device>(static_cast<uint16_t>(head >> 16));
    const size_t rank = head >> 40;
    std::string text = concat(name(dtype), take_list(rank));
    if ((head >> 32 & 1) == 0) text += " with strides " + take_list(rank);
    if ((head >> 33 & 1) != 0) text += " weak";
    return device == kCpu ? text : concat(text, " ", to_text(device));
  }

  static std::string thread(uint64_t head) {
    if ((head & 1) == 0) return "autocast off";
    return concat("autocast to ", name(std::bit_cast<DType>(static_cast<uint16_t>(head >> 8))));
  }

  std::span<const uint64_t> words_;
};

std::string describe_difference(const Signature& kept, const Signature& given,
                                std::span<const std::string> names) {
  using Item = SignatureReader::Item;
  SignatureReader before(kept);
  SignatureReader now(given);
  for (size_t position = 0; !before.is_done() && !now.is_done(); ++position) {
    const bool is_argument = before.kind() < Item::alias || now.kind() < Item::alias;
    const bool is_sharing = before.kind() == Item::alias || now.kind() == Item::alias;
    std::string old_text = before.next();
    std::string new_text = now.next();
    if (old_text == new_text) continue;
    // One side has come to its end, the state of the thread, earlier than the other.
    if (is_sharing && before.is_done()) old_text = "no shared memory";
    if (is_sharing && now.is_done()) new_text = "no shared memory";
    const std::string what = !is_argument              ? "the call"
                             : position < names.size() ? names[position]
                                                       : concat("argument ", position);
    return concat(what, ": ", old_text, " before, ", new_text, " now");
  }
  return "no difference";
}

}  // namespace ridge::capture
