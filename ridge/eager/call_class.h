// The class of an eager call: what calls that share a kernel have in common.
//
// A class is a list of words (op, dtypes, attributes, layout); what may differ inside it are numbers.
// Where sizes are symbols, they are such numbers, and whatever the op's rules assume about them while
// a kernel is made is kept as guards. Where sizes are exact they are part of the class, and there are
// neither symbols nor guards. The layout of a pointwise call enters it after merging dimensions:
//
//   x[8, 3] contiguous, y[8, 3] contiguous     ->  {24}, x {1}, y {1}
//   x[8, 3] contiguous, y[3]                   ->  {8, 3}, x {3, 1}, y {0, 1}
#pragma once

#include <memory>
#include <vector>

#include "ridge/core/dtype.h"
#include "ridge/core/shape.h"
#include "ridge/dispatch/arg.h"
#include "ridge/expr/symbol.h"

namespace ridge::eager {

enum class ClassSizes : uint8_t { symbolic, exact };

class CallClass {
 public:
  explicit CallClass(ClassSizes sizes) : sizes_(sizes) {}

  void word(uint64_t value) { key_.push_back(value); }
  void dtype(DType dtype) { word(static_cast<uint64_t>(dtype.kind) << 8 | dtype.bits); }
  // A symbol if it may differ between calls of the class.
  Size size(int64_t value) { return number(value, 2); }
  Size stride(int64_t value) { return number(value, 1); }
  // Attributes are part of the class as they are, but for numbers the kernel reads from memory.
  void argument(const dispatch::Arg& arg, bool is_read_from_memory = false);

  const std::vector<uint64_t>& key() const { return key_; }
  const std::vector<int64_t>& values() const { return values_; }
  const std::vector<Ref<const expr::Symbol>>& symbols() const { return symbols_; }
  std::vector<expr::Guard> guards() const { return log_->guards(); }

 private:
  Size number(int64_t value, int64_t least);

  ClassSizes sizes_;
  std::vector<uint64_t> key_;
  std::vector<int64_t> values_;  // of the symbols
  std::vector<Ref<const expr::Symbol>> symbols_;
  std::shared_ptr<expr::GuardLog> log_ = std::make_shared<expr::GuardLog>();
};

struct ClassKeyHash {
  size_t operator()(const std::vector<uint64_t>& key) const;
};

struct MergedLayout {
  Ints sizes;                 // none of them 1
  std::vector<Ints> strides;  // by operand, 0 along dimensions it is broadcast over

  // How a stride enters a kernel: as the number 0 or 1, or as an argument.
  enum class StrideClass : uint8_t { zero, one, any };
  StrideClass stride_class(size_t operand, size_t dim) const;
};

// Operands given by their shapes and strides, null ones left out; all known.
MergedLayout merge_dimensions(const Shape& result,
                              const std::vector<std::pair<const Shape*, const Shape*>>& operands);

}  // namespace ridge::eager
