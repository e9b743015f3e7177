// A tensor size: an integer, or a symbolic expression.
//
// One word. Integers below 2^62 in magnitude are held directly, anything else is a counted
// reference to an expression, kept simplified. There is no implicit conversion to an integer:
// `value()` reads one, takes the caller's location and leaves an equality guard if the size is
// symbolic. Comparing two sizes gives a plain bool and, if the outcome is not provable, leaves a
// guard likewise. Arithmetic that leaves the range, or divides by zero, is an Error.
//
//   Size n = t.size(0);
//   if (n == 1) ...            // a guard at this line when n is symbolic
//   int64_t k = n.value();     // an equality guard at this line when n is symbolic
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "ridge/base/error.h"
#include "ridge/expr/expr.h"
#include "ridge/expr/symbol.h"

namespace ridge {

class Size {
 public:
  Size() = default;
  template <std::integral T>
  Size(T value) : word_(static_cast<int64_t>(value)) {
    // An unsigned value that is too large for int64_t arrives here as a negative one.
    const bool has_wrapped = std::unsigned_integral<T> && word_ < 0;
    if (!is_plain(word_) || has_wrapped) [[unlikely]] {
      if constexpr (std::unsigned_integral<T>) throw_too_large(std::to_string(value));
      throw_too_large(std::to_string(word_));
    }
  }
  explicit Size(expr::Expr e);  // simplified; constants become plain integers
  Size(const Size& other) : word_(other.word_) {
    if (is_symbolic()) retain();
  }
  Size(Size&& other) noexcept : word_(std::exchange(other.word_, 0)) {}
  Size& operator=(Size other) noexcept {
    std::swap(word_, other.word_);
    return *this;
  }
  ~Size() {
    if (is_symbolic()) release();
  }

  bool is_symbolic() const { return word_ < -kLargestPlain; }

  // The integer, if this size is one. Never leaves a guard.
  std::optional<int64_t> known() const {
    return is_symbolic() ? std::nullopt : std::optional<int64_t>(word_);
  }
  // The integer; for a symbolic size its hint, with an equality guard at `where`.
  int64_t value(Location where = Location::current()) const {
    return is_symbolic() ? read_symbolic(where) : word_;
  }
  // For choices that affect speed only: the value or what is expected of it (SpeedHint), with no
  // guard; `otherwise` without one.
  int64_t hint_or(int64_t otherwise) const;

  expr::Expr expression() const;
  std::string to_text() const;
  uint64_t hash() const;
  bool is_same(const Size& other) const;  // structurally; never leaves a guard

  // "expected a size below 2^62, given ..."; for the operators below.
  [[noreturn]] static void throw_too_large(std::string given);

 private:
  static constexpr int64_t kLargestPlain = (int64_t{1} << 62) - 1;
  // A symbolic size is the address of its node, counted up from the lowest integer. An address is
  // far below 2^62, so the word lies below every plain integer: one compare tells them apart.
  static constexpr int64_t kSymbolicBase = std::numeric_limits<int64_t>::min();

  static constexpr bool is_plain(int64_t word) {
    return -kLargestPlain <= word && word <= kLargestPlain;
  }
  int64_t read_symbolic(Location where) const;
  void retain() const;
  void release() const;
  const expr::Node* node() const;

  int64_t word_ = 0;
};

// An operand of a comparison, carrying the line where it was written.
struct SizeAt {
  const Size size;
  const Location where;
  SizeAt(const Size& size_, Location where_ = Location::current()) : size(size_), where(where_) {}
  template <std::integral T>
  SizeAt(T value, Location where_ = Location::current()) : size(value), where(where_) {}
};

// The general case of the operators below: at least one operand is symbolic.
bool decide_symbolic(expr::Function comparison, const SizeAt& a, const SizeAt& b);
Size combine_symbolic(expr::Function function, const Size& a, const Size& b);

inline bool are_plain(const Size& a, const Size& b) { return !a.is_symbolic() && !b.is_symbolic(); }

// Plain integers are the common case on every op call, so they stay inline.
inline bool operator==(const SizeAt& a, const SizeAt& b) {
  if (are_plain(a.size, b.size)) [[likely]]
    return *a.size.known() == *b.size.known();
  return decide_symbolic(expr::Function::equal, a, b);
}
inline bool operator<(const SizeAt& a, const SizeAt& b) {
  if (are_plain(a.size, b.size)) [[likely]]
    return *a.size.known() < *b.size.known();
  return decide_symbolic(expr::Function::less, a, b);
}
inline bool operator<=(const SizeAt& a, const SizeAt& b) {
  if (are_plain(a.size, b.size)) [[likely]]
    return *a.size.known() <= *b.size.known();
  return decide_symbolic(expr::Function::less_equal, a, b);
}
inline bool operator!=(const SizeAt& a, const SizeAt& b) { return !(a == b); }
inline bool operator>(const SizeAt& a, const SizeAt& b) { return b < a; }
inline bool operator>=(const SizeAt& a, const SizeAt& b) { return b <= a; }

inline Size operator+(const Size& a, const Size& b) {
  // Two plain integers cannot overflow a word; the constructor checks the result.
  if (are_plain(a, b)) [[likely]]
    return *a.known() + *b.known();
  return combine_symbolic(expr::Function::add, a, b);
}
inline Size operator*(const Size& a, const Size& b) {
  if (!are_plain(a, b)) [[unlikely]]
    return combine_symbolic(expr::Function::mul, a, b);
  int64_t product = 0;
  if (__builtin_mul_overflow(*a.known(), *b.known(), &product)) [[unlikely]] {
    Size::throw_too_large(a.to_text() + " * " + b.to_text());
  }
  return product;
}
Size operator-(const Size& a);
Size operator-(const Size& a, const Size& b);
Size operator/(const Size& a, const Size& b);  // rounds towards minus infinity
Size operator%(const Size& a, const Size& b);
Size min(const Size& a, const Size& b);
Size max(const Size& a, const Size& b);
// A quotient rounded up: how many parts of b hold a. Neither is negative, and b is not 0.
template <std::integral T>
constexpr T divided_up(T a, std::type_identity_t<T> b) {
  return (a + b - 1) / b;
}
inline Size divided_up(const Size& a, const Size& b) { return (a + (b - 1)) / b; }

// A fresh symbolic size. What is expected of it is its hint.
Size symbolic_size(std::string name, expr::Interval range, std::optional<int64_t> hint = {},
                   const std::shared_ptr<expr::GuardLog>& log = {});

}  // namespace ridge
