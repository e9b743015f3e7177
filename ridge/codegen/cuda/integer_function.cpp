// Functions of integers and booleans. What is known to fit is computed in 32 bits; indices cannot
// overflow, other integers wrap.
#include <bit>

#include "ridge/base/error.h"
#include "ridge/codegen/cuda/scalar_function.h"

namespace ridge::codegen::cuda {
namespace {

using expr::Function;
using expr::Type;

bool is_bounded(const Interval& range) {
  return range.low != Interval{}.low && range.high != Interval{}.high;
}

class IntegerWriter {
 public:
  IntegerWriter(Emission& emission, const Expr& call, std::vector<Operand> args)
      : emission_(emission),
        call_(call),
        args_(std::move(args)),
        fact_(emission.ranges.of(call)),
        type_(fits_int32(fact_.range) ? CppType::int32 : CppType::int64) {}

  Operand write() {
    if (call_->type == Type::boolean) return on_booleans();
    switch (call_->function) {
      case Function::neg: return subtract({"0", CppType::int32}, wide(0));
      case Function::add: return sum_or_product("+", "wrap_add", kSum);
      case Function::sub: return subtract(wide(0), wide(1));
      case Function::mul: return sum_or_product("*", "wrap_mul", kProduct);
      case Function::floor_div: return divide(true);
      case Function::mod: return divide(false);
      case Function::pow: type_ = CppType::int64; return reporting("power", "power");
      case Function::min: return extremum("min");
      case Function::max: return extremum("max");
      case Function::abs: return absolute();
      case Function::sign: type_ = args_[0].type; return own("sign", "sign");
      case Function::floor:
      case Function::ceil:
      case Function::round:
      case Function::trunc: return args_[0];
      case Function::checked_index: return checked_index();
      case Function::philox: return philox();
      case Function::shift_right: return shift_right();
      case Function::fma:
      case Function::div:
      case Function::equal:
      case Function::not_equal:
      case Function::less:
      case Function::less_equal:
      case Function::logical_and:
      case Function::logical_or:
      case Function::logical_xor:
      case Function::logical_not:
      case Function::is_nan:
      case Function::select:
      case Function::exp:
      case Function::log:
      case Function::sqrt:
      case Function::rsqrt:
      case Function::sin:
      case Function::cos:
      case Function::tanh:
      case Function::erf:
      case Function::f16_value: break;
    }
    RIDGE_INTERNAL_CHECK(false, "a function that has no form on integers");
    return {};
  }

 private:
  // The argument, as wide as the result.
  Operand wide(size_t i) const { return converted(emission_, args_[i], type_); }
  bool can_overflow() const { return !fact_.is_index && !is_bounded(fact_.range); }

  // C++ widens the narrower one of two operands by itself, but not a product of two narrow ones.
  Operand sum_or_product(std::string_view symbol, std::string_view wrapping, int level) {
    if (can_overflow()) {
      type_ = CppType::int64;
      return own(wrapping, wrapping);
    }
    const bool is_widened = type_ == CppType::int64 && args_[0].type != CppType::int64 &&
                            args_[1].type != CppType::int64;
    return infix(symbol, is_widened ? wide(0) : args_[0], args_[1], wider(args_[0], args_[1]),
                 level);
  }
  Operand subtract(const Operand& a, const Operand& b) {
    if (!can_overflow()) return infix("-", a, b, wider(a, b), kSum);
    emission_.use("wrap_sub");
    return {concat("ridge::wrap_sub(", a.text, ", ", b.text, ")"), CppType::int64};
  }
  // What C++ computes in: at least what the result needs.
  CppType wider(const Operand& a, const Operand& b) const {
    const bool is_narrow = a.type != CppType::int64 && b.type != CppType::int64;
    return is_narrow ? type_ : CppType::int64;
  }

  // By a power of two, a shift and a mask round down for numbers of either sign.
  Operand divide(bool wants_quotient) {
    const ValueFact divisor = emission_.ranges.of(call_->args[1]);
    const ValueFact dividend = emission_.ranges.of(call_->args[0]);
    const int64_t number = divisor.range.is_point() ? divisor.range.low : 0;
    const Operand& a = args_[0];
    if (number > 0 && std::has_single_bit(static_cast<uint64_t>(number))) {
      const int bits = std::countr_zero(static_cast<uint64_t>(number));
      if (wants_quotient) return tight(">>", {ridge::to_text(bits), type_}, kShift);
      const std::string_view suffix = number - 1 > INT32_MAX ? "LL" : "";
      return tight("&", {concat(number - 1, suffix), type_}, kBitAnd);
    }
    const bool is_narrow = a.type != CppType::int64 && args_[1].type != CppType::int64;
    type_ = is_narrow ? CppType::int32 : CppType::int64;
    for (Operand& arg : args_) arg = converted(emission_, std::move(arg), type_);
    // Unsigned divisions are cheaper.
    if (dividend.range.low >= 0 && divisor.range.low > 0) {
      return own(wants_quotient ? "quotient" : "remainder", "quotient");
    }
    const std::string function = wants_quotient ? "floor_div" : "mod";
    const bool can_be_zero = divisor.range.contains(0);
    if (!can_be_zero) return own(function, function);
    return reporting(function, concat(function, "_checked"));
  }

  // Nobody remembers how shifts and masks bind.
  Operand tight(std::string_view symbol, const Operand& b, int level) const {
    const Operand a{parenthesized(args_[0], 1), args_[0].type};
    return infix(symbol, a, b, a.type, level);
  }

  Operand extremum(std::string_view function) {
    for (Operand& arg : args_) arg = converted(emission_, std::move(arg), type_);
    return own(function, concat("integer_", function));
  }
  Operand absolute() {
    const Operand zero{"0", CppType::int32};
    const Operand negative = subtract(zero, wide(0));
    return {concat(parenthesized(args_[0], 4), " < 0 ? ", parenthesized(negative, 11), " : ",
                   parenthesized(wide(0), 11)),
            type_, 12};
  }
  Operand checked_index() {
    const Operand index = reporting("checked_index", "checked_index");
    const bool fits = fits_int32(fact_.range);
    return converted(emission_, {index.text, CppType::int64},
                     fits ? CppType::int32 : CppType::int64);
  }
  Operand philox() {
    emission_.use("philox");
    return {concat("ridge::philox(", join(args_, ", ", &Operand::text), ")"), CppType::int64};
  }

  Operand shift_right() {
    const ValueFact bits = emission_.ranges.of(call_->args[1]);
    const int64_t widest = args_[0].type == CppType::int64 ? 63 : 31;
    if (bits.range.low >= 0 && bits.range.high <= widest) {
      const Operand n{parenthesized(args_[1], 1), args_[1].type};
      return tight(">>", n, kShift);
    }
    args_[0] = converted(emission_, args_[0], CppType::int64);
    return tight(">>", {concat("int(", parenthesized(args_[1], 1), " & 63)"), CppType::int32},
                 kShift);
  }

  Operand on_booleans() {
    const bool is_and = call_->function == Function::min || call_->function == Function::mul;
    if (args_.size() == 1) return args_[0];
    return infix(is_and ? "&" : "|", args_[0], args_[1], CppType::boolean,
                 is_and ? kBitAnd : kBitOr);
  }

  Operand own(std::string_view function, std::string_view snippet) {
    emission_.use(snippet);
    return {concat("ridge::", function, "(", join(args_, ", ", &Operand::text), ")"), type_};
  }
  Operand reporting(std::string_view function, std::string_view snippet) {
    emission_.sets_status = true;
    emission_.use(snippet);
    emission_.use("set_status");
    return {concat("ridge::", function, "(", join(args_, ", ", &Operand::text), ", wrong)"), type_};
  }

  Emission& emission_;
  const Expr& call_;
  std::vector<Operand> args_;
  ValueFact fact_;
  CppType type_;
};

}  // namespace

Operand write_integer_function(Emission& emission, const Expr& call, std::vector<Operand> args) {
  return IntegerWriter(emission, call, std::move(args)).write();
}

}  // namespace ridge::codegen::cuda
