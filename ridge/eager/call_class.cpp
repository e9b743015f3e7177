#include "ridge/eager/call_class.h"

#include "ridge/base/hash.h"
#include "ridge/expr/size.h"

namespace ridge::eager {

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

MergedLayout::StrideClass MergedLayout::stride_class(size_t operand, size_t dim) const {
  const int64_t stride = strides[operand][dim];
  if (stride == 0) return StrideClass::zero;
  return stride == 1 && dim + 1 == sizes.size() ? StrideClass::one : StrideClass::any;
}

MergedLayout merge_dimensions(const Shape& result,
                              const std::vector<std::pair<const Shape*, const Shape*>>& operands) {
  MergedLayout layout;
  layout.strides.resize(operands.size());
  const auto stride_of = [&](size_t operand, size_t dim) -> int64_t {
    const auto [shape, strides] = operands[operand];
    if (shape == nullptr) return 0;
    const size_t skipped = result.size() - shape->size();
    if (dim < skipped || (*shape)[dim - skipped].known() == 1) return 0;
    return *(*strides)[dim - skipped].known();
  };
  for (size_t dim = 0; dim < result.size(); ++dim) {
    const int64_t size = *result[dim].known();
    if (size == 1) continue;
    bool merges = !layout.sizes.empty();
    for (size_t k = 0; merges && k < operands.size(); ++k) {
      merges = layout.strides[k].back() == stride_of(k, dim) * size;
    }
    if (merges) {
      layout.sizes.back() *= size;
    } else {
      layout.sizes.push_back(size);
    }
    for (size_t k = 0; k < operands.size(); ++k) {
      if (merges) {
        layout.strides[k].back() = stride_of(k, dim);
      } else {
        layout.strides[k].push_back(stride_of(k, dim));
      }
    }
  }
  return layout;
}

}  // namespace ridge::eager
