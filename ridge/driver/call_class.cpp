#include "ridge/driver/call_class.h"

#include "ridge/base/hash.h"
#include "ridge/expr/size.h"

namespace ridge::driver {

using dispatch::Arg;
using dispatch::ArgKind;

Size CallClass::number(int64_t value, int64_t least) {
  // What a kernel takes as arguments lies in this range; anything else is part of its class.
  constexpr int64_t kLargest = int64_t{1} << 31;
  const bool is_symbol = sizes_ == ClassSizes::symbolic && value > 1 && value <= kLargest;
  word(is_symbol ? 1 : 0);  // apart from the value, which may be any word: -1 stands for the rest
  if (!is_symbol) {
    word(static_cast<uint64_t>(value));
    return value;
  }
  // Nothing is expected of it: one kernel serves calls of all sizes, and the first may be tiny.
  const Size size(expr::symbol(make_ref<const expr::Symbol>(
      "s" + std::to_string(values_.size()), expr::Interval{least, kLargest}, value, log_)));
  values_.push_back(value);
  symbols_.push_back(size.expression()->symbol);
  return size;
}

void CallClass::argument(const Arg& arg, bool is_read_from_memory) {
  word(static_cast<uint64_t>(arg.kind));
  switch (arg.kind) {
    case ArgKind::none:
    case ArgKind::tensor:
    case ArgKind::tensors: break;
    case ArgKind::integer: word(static_cast<uint64_t>(arg.integer)); break;
    case ArgKind::real: word(is_read_from_memory ? 0 : Hasher().combine(arg.real).digest()); break;
    case ArgKind::flag: word(arg.flag ? 1 : 0); break;
    case ArgKind::dtype: dtype(arg.dtype); break;
    case ArgKind::device: word(static_cast<uint64_t>(arg.device.kind)); break;
    case ArgKind::ints:
      word(arg.count);
      for (const int64_t value : arg.ints()) word(static_cast<uint64_t>(value));
      break;
    case ArgKind::sizes: word(arg.count); break;  // the sizes follow, as sizes
  }
}

size_t ClassKeyHash::operator()(const std::vector<uint64_t>& key) const {
  Hasher hasher;
  for (const uint64_t word : key) hasher.combine(word);
  return hasher.digest();
}

}  // namespace ridge::driver
