#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "ridge/base/text.h"
#include "ridge/capture/signature.h"

namespace ridge::capture {
namespace {

using ItemKind = Signature::Item;

// One item, read back from its words.
struct ReadItem {
  ItemKind kind{};
  uint64_t head = 0;
  uint64_t body = 0;
  Ints sizes, strides;  // of a tensor; no strides if it is row-major

  bool operator==(const ReadItem&) const = default;

  bool is_argument() const { return kind < ItemKind::alias; }
  TensorKind of_tensor() const { return std::bit_cast<TensorKind>(head); }
  DType dtype() const { return of_tensor().dtype; }
  Device device() const { return of_tensor().device; }
  bool is_row_major() const { return of_tensor().is_contiguous; }
  bool is_weak() const { return of_tensor().is_weak; }
  bool requires_grad() const { return of_tensor().requires_grad; }
  bool is_aligned() const { return LayoutWord(body).is_aligned(); }
  std::string autocast() const {
    if ((head & 1) == 0) return "off";
    return concat("to ", name(std::bit_cast<DType>(static_cast<uint16_t>(head >> 8))));
  }
  bool grad_mode() const { return (head & 2) != 0; }
  std::string to_text() const;
};

std::string on_or_off(bool is_on) { return is_on ? "on" : "off"; }

std::string tensor_text(const ReadItem& item) {
  std::string text = concat(name(item.dtype()), to_text(std::span<const int64_t>(item.sizes)));
  if (!item.is_row_major()) {
    text += " with strides " + to_text(std::span<const int64_t>(item.strides));
  }
  if (item.is_weak()) text += " weak";
  if (item.requires_grad()) text += " that requires grad";
  if (!item.is_aligned()) text += " not at 16 bytes";
  return item.device() == kCpu ? text : concat(text, " ", to_text(item.device()));
}

std::string ReadItem::to_text() const {
  switch (kind) {
    case ItemKind::undefined: return "undefined";
    case ItemKind::number: return ridge::to_text(static_cast<int64_t>(body));
    case ItemKind::tensor: return tensor_text(*this);
    case ItemKind::alias:
      return concat("arguments ", head >> 28, " and ", head & ((1 << 28) - 1), " share memory, ",
                    static_cast<int64_t>(body), " bytes apart");
    case ItemKind::thread:
      return concat("autocast ", autocast(), grad_mode() ? "" : ", grad mode off");
  }
  return {};
}

// The items of a signature, tensors and numbers in the order they were visited.
std::vector<ReadItem> items_of(const Signature& signature) {
  std::vector<ReadItem> numbers, tensors, others;
  for (auto words = signature.items(); !words.empty(); words = words.subspan(2)) {
    const ReadItem item{.kind = Signature::kind_of(words[0]),
                        .head = Signature::rest_of(words[0]),
                        .body = words[1],
                        .sizes = {},
                        .strides = {}};
    (item.kind == ItemKind::number ? numbers
     : item.is_argument()          ? tensors
                                   : others)
        .push_back(item);
  }
  std::span<const uint64_t> words = signature.layouts();
  for (ReadItem& item : tensors) {
    const LayoutWord layout(item.body);
    if (item.kind == ItemKind::undefined) continue;
    const size_t rank = layout.rank();
    for (size_t i = 0; i < rank; ++i) {
      item.sizes.push_back(layout.is_packed() ? layout.size(i) : static_cast<int64_t>(words[i]));
      if (!layout.is_packed()) item.strides.push_back(static_cast<int64_t>(words[rank + i]));
    }
    if (!layout.is_packed()) words = words.subspan(2 * rank);
  }
  // What a number has in its first word is its place.
  for (ReadItem& number : numbers) {
    const auto place = std::min<size_t>(std::exchange(number.head, 0), tensors.size());
    tensors.insert(tensors.begin() + static_cast<ptrdiff_t>(place), number);
  }
  tensors.insert(tensors.end(), others.begin(), others.end());
  return tensors;
}

// The first guard of two different tensors that does not hold.
Difference tensor_difference(const ReadItem& before, const ReadItem& now) {
  const auto say = [](std::string guard, std::string old_value, std::string new_value) {
    return Difference{std::move(guard), {}, std::move(old_value), std::move(new_value), {}};
  };
  const auto list = [](const Ints& values) { return to_text(std::span<const int64_t>(values)); };
  if (before.dtype() != now.dtype()) {
    return say("dtype", std::string(name(before.dtype())), std::string(name(now.dtype())));
  }
  if (before.device() != now.device()) {
    return say("device", to_text(before.device()), to_text(now.device()));
  }
  if (before.sizes.size() != now.sizes.size()) {
    return say("rank", to_text(before.sizes.size()), to_text(now.sizes.size()));
  }
  for (size_t i = 0; i < now.sizes.size(); ++i) {
    if (before.sizes[i] == now.sizes[i]) continue;
    return say(concat("size ", i), to_text(before.sizes[i]), to_text(now.sizes[i]));
  }
  if (before.is_row_major() != now.is_row_major()) {
    return say("row-major", on_or_off(before.is_row_major()), on_or_off(now.is_row_major()));
  }
  if (before.is_weak() != now.is_weak()) {
    return say("weak", on_or_off(before.is_weak()), on_or_off(now.is_weak()));
  }
  if (before.requires_grad() != now.requires_grad()) {
    return say("requires_grad", on_or_off(before.requires_grad()), on_or_off(now.requires_grad()));
  }
  if (before.is_aligned() != now.is_aligned()) {
    return say("alignment", before.is_aligned() ? "16 bytes" : "less",
               now.is_aligned() ? "16 bytes" : "less");
  }
  return say("strides", list(before.strides), list(now.strides));
}

Difference difference_of(const ReadItem& before, const ReadItem& now) {
  const auto is_both = [&](ItemKind kind) { return before.kind == kind && now.kind == kind; };
  if (is_both(ItemKind::tensor)) return tensor_difference(before, now);
  Difference result{{}, {}, before.to_text(), now.to_text(), {}};
  if (is_both(ItemKind::number)) {
    result.guard = "value";
  } else if (is_both(ItemKind::thread)) {
    const bool is_grad = before.grad_mode() != now.grad_mode();
    result.guard = is_grad ? "grad mode" : "autocast";
    result.before = is_grad ? on_or_off(before.grad_mode()) : before.autocast();
    result.now = is_grad ? on_or_off(now.grad_mode()) : now.autocast();
  } else if (before.kind == ItemKind::alias || now.kind == ItemKind::alias) {
    result.guard = "aliasing";
    // One side has come to its end, the state of the thread, earlier than the other.
    if (before.kind == ItemKind::thread) result.before = "no shared memory";
    if (now.kind == ItemKind::thread) result.now = "no shared memory";
  } else {
    const bool is_defined = before.kind == ItemKind::undefined || now.kind == ItemKind::undefined;
    result.guard = is_defined ? "defined" : "kind";
  }
  return result;
}

}  // namespace

std::optional<Difference> first_difference(const Signature& kept, const Signature& given,
                                           std::span<const std::string> names) {
  const std::vector<ReadItem> old_items = items_of(kept), new_items = items_of(given);
  const size_t count = std::min(old_items.size(), new_items.size());
  for (size_t position = 0; position < count; ++position) {
    const ReadItem &before = old_items[position], &now = new_items[position];
    if (before == now) continue;
    Difference result = difference_of(before, now);
    const bool is_argument = before.is_argument() || now.is_argument();
    if (is_argument) {
      result.argument = position < names.size() ? names[position] : concat("argument ", position);
    }
    const bool is_sharing = result.guard == "aliasing";
    const std::string old_text = is_sharing ? result.before : before.to_text();
    const std::string new_text = is_sharing ? result.now : now.to_text();
    result.text = concat(is_argument ? result.argument : "the call", ": ", old_text, " before, ",
                         new_text, " now");
    return result;
  }
  return std::nullopt;
}

std::string describe_difference(const Signature& kept, const Signature& given,
                                std::span<const std::string> names) {
  const auto difference = first_difference(kept, given, names);
  return difference ? difference->text : "no difference";
}

size_t count_differences(const Signature& kept, const Signature& given) {
  const std::vector<ReadItem> old_items = items_of(kept), new_items = items_of(given);
  const size_t fewer = std::min(old_items.size(), new_items.size());
  size_t count = std::max(old_items.size(), new_items.size()) - fewer;
  for (size_t i = 0; i < fewer; ++i) count += old_items[i] == new_items[i] ? 0 : 1;
  return count;
}

}  // namespace ridge::capture
