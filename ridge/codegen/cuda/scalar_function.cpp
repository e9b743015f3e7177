#include "ridge/codegen/cuda/scalar_function.h"

#include <limits>

#include "ridge/base/error.h"
#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {
namespace {

using expr::Function;
using expr::Type;

class FunctionWriter {
 public:
  FunctionWriter(Emission& emission, const Expr& call, std::vector<Operand> args, CppType real)
      : emission_(emission), call_(call), args_(std::move(args)), real_(real) {}

  // On reals.
  Operand arithmetic() {
    for (Operand& arg : args_) arg = converted(emission_, std::move(arg), real_);
    const Operand& a = args_[0];
    switch (call_->function) {
      case Function::neg: return {concat("-", parenthesized(a, 0)), real_, 1};
      case Function::add: return infix("+", a, args_[1], real_, kSum);
      case Function::sub: return infix("-", a, args_[1], real_, kSum);
      case Function::mul: return infix("*", a, args_[1], real_, kProduct);
      case Function::fma: return with_arguments(real_ == CppType::f32 ? "__fmaf_rn" : "__fma_rn");
      case Function::div:
        return is_16_bits() ? own("div_16", "div_16") : infix("/", a, args_[1], real_, kProduct);
      case Function::floor_div: return own("real_floor_div", "real_floor_div");
      case Function::mod: return own("real_mod", "real_mod");
      case Function::pow: return cuda("pow");
      case Function::min: return own("min", real_ == CppType::f32 ? "float_min" : "double_min");
      case Function::max: return own("max", real_ == CppType::f32 ? "float_max" : "double_max");
      case Function::abs: return cuda("fabs");
      case Function::sign: return own("sign", "sign");
      case Function::floor: return cuda("floor");
      case Function::ceil: return cuda("ceil");
      case Function::round: return cuda("rint");
      case Function::trunc: return cuda("trunc");
      case Function::exp: return is_plain_exponent() ? own("exp_16", "exp_16") : cuda("exp");
      case Function::log: return cuda("log");
      case Function::sqrt: return is_16_bits() ? own("sqrt_16", "sqrt_16") : cuda("sqrt");
      case Function::rsqrt: return cuda("rsqrt");
      case Function::sin: return wave("sin", "sine");
      case Function::cos: return wave("cos", "cosine");
      case Function::tanh: return is_16_bits() ? own("tanh_16", "tanh_16") : cuda("tanh");
      case Function::erf: return cuda("erf");
      case Function::is_nan:
      case Function::equal:
      case Function::not_equal:
      case Function::less:
      case Function::less_equal: return comparison();
      case Function::logical_and:
      case Function::logical_or:
      case Function::logical_xor:
      case Function::logical_not: return logic();
      case Function::select:
      case Function::checked_index:
      case Function::philox:
      case Function::shift_right:
      case Function::f16_value: break;
    }
    RIDGE_INTERNAL_CHECK(false, "a function that has no form on reals");
    return {};
  }

  // 32 bits of lanes compared with a loop-invariant of 64: that is narrowed once, before the loop
  // (26 of 484 us for a cross entropy of bf16 8192x50304 on an H200).
  void narrow_invariant() {
    const bool is_equality =
        call_->function == Function::equal || call_->function == Function::not_equal;
    if (!is_equality || emission_.region == nullptr) return;
    for (size_t i = 0; i < 2; ++i) {
      const Expr &lanes = call_->args[1 - i], &invariant = call_->args[i];
      const bool is_mixed = args_[i].type == CppType::int64 && args_[1 - i].type == CppType::int32;
      if (!is_mixed || expr::is_constant(invariant)) continue;
      if (lane_stride(emission_, invariant) != 0 || lane_stride(emission_, lanes) == 0) continue;
      const Interval range = emission_.ranges.of(lanes).range;
      if (range.low <= std::numeric_limits<int32_t>::min()) continue;
      emission_.use("narrowed");
      args_[i] = {concat("ridge::narrowed(", args_[i].text, ")"), CppType::int32};
    }
  }
  Operand comparison() {
    if (are_words()) {
      for (Operand& arg : args_) arg = {concat("unsigned(", arg.text, ")"), arg.type};
    } else {
      narrow_invariant();
    }
    const Operand& a = args_[0];
    const auto compare = [&](std::string_view symbol, int level) {
      return infix(symbol, a, args_[1], CppType::boolean, level);
    };
    if (call_->function == Function::is_nan) {
      return is_real(a.type) ? infix("!=", a, a, CppType::boolean, kEquality)
                             : Operand{"false", CppType::boolean};
    }
    if (call_->function == Function::less) return compare("<", kOrder);
    if (call_->function == Function::less_equal) return compare("<=", kOrder);
    return compare(call_->function == Function::equal ? "==" : "!=", kEquality);
  }

  // Both sides are there already, but `&&` reads better and costs the same.
  Operand logic() {
    for (Operand& arg : args_) arg = converted(emission_, std::move(arg), CppType::boolean);
    const Operand& a = args_[0];
    if (call_->function == Function::logical_not) {
      return {concat("!", parenthesized(a, 0)), CppType::boolean, 1};
    }
    const bool is_or = call_->function == Function::logical_or;
    if (call_->function == Function::logical_xor) {
      return infix("^", a, args_[1], CppType::boolean, kBitXor);
    }
    return infix(is_or ? "||" : "&&", a, args_[1], CppType::boolean, is_or ? kOr : kAnd);
  }

 private:
  Operand with_arguments(std::string function) const {
    return {concat(function, "(", join(args_, ", ", &Operand::text), ")"), real_};
  }
  Operand own(std::string_view function, std::string_view snippet) {
    emission_.use(snippet);
    return with_arguments(concat("ridge::", function));
  }
  Operand cuda(std::string_view function) const {
    return with_arguments(concat(function, real_ == CppType::f32 ? "f" : ""));
  }
  // Integers that are wide, but have no more than 32 bits that are not 0.
  bool are_words() const {
    bool is_any_wide = false;
    for (size_t i = 0; i < args_.size(); ++i) {
      const Interval& range = emission_.ranges.of(call_->args[i]).range;
      if (is_real(args_[i].type) || range.low < 0 || range.high > 0xffffffff) return false;
      is_any_wide |= args_[i].type == CppType::int64;
    }
    return is_any_wide;
  }
  bool is_16_bits() const {
    return emission_.forms.precision == Precision::half && real_ == CppType::f32;
  }
  bool is_plain_exponent() const {
    return emission_.forms.precision != Precision::full && real_ == CppType::f32;
  }
  // As much of the reduction as the argument may need, if its value has none yet.
  Operand wave(std::string_view of_double, std::string_view of_float) {
    if (real_ == CppType::f64) return with_arguments(std::string(of_double));
    if (emission_.forms.is_near) {
      const std::string near = concat(of_float, "_near");
      return own(near, near);
    }
    const Expr& argument = call_->args[0];
    emission_.use(of_float);
    const auto known = argument->kind == expr::Kind::input ? emission_.angles.find(argument->index)
                                                           : emission_.angles.end();
    const std::string angle =
        known != emission_.angles.end()
            ? known->second
            : angle_text(emission_, emission_.ranges.of(argument), args_[0].text, is_16_bits());
    const bool has_sign = emission_.sign_free_call != &*call_;
    const std::string_view which = has_sign       ? bits_text(is_16_bits())
                                   : is_16_bits() ? "<16, false>"
                                                  : "<24, false>";
    return {concat("ridge::", of_float, which, "(", angle, ")"), real_};
  }

  Emission& emission_;
  const Expr& call_;
  std::vector<Operand> args_;
  CppType real_;
};

bool is_logic(Function f) {
  return f == Function::logical_and || f == Function::logical_or || f == Function::logical_xor ||
         f == Function::logical_not;
}

bool is_comparison(Function f) {
  return f == Function::equal || f == Function::not_equal || f == Function::less ||
         f == Function::less_equal || f == Function::is_nan;
}

}  // namespace

std::set<int> sign_free_values_of(const loop::Kernel& kernel) {
  std::map<int, int> uses, squares;
  for_each_statement(kernel.body, [&](const loop::Statement& statement) {
    if (const auto* const store = as<loop::Store>(statement)) ++uses[store->value];
    if (const auto* const reduce = as<loop::Reduce>(statement)) ++uses[reduce->operand];
    for_each_expression(statement, [&](const Expr& e) {
      const auto count_uses = [&](const Expr& part) {
        expr::walk(part, [&](const Expr& node) {
          if (node->kind == expr::Kind::input) ++uses[node->index];
        });
      };
      const bool is_product = e->kind == expr::Kind::call &&
                              (e->function == Function::mul || e->function == Function::fma);
      if (!is_product || e->args[0]->kind != expr::Kind::input ||
          !expr::same(e->args[0], e->args[1])) {
        return count_uses(e);
      }
      ++squares[e->args[0]->index];
      if (e->function == Function::fma) count_uses(e->args[2]);
    });
  });
  std::set<int> result;
  for (const auto& [value, count] : squares) {
    if (uses[value] == 0) result.insert(value);
  }
  return result;
}

std::map<int, bool> values_with_sincos(const loop::Kernel& kernel) {
  struct Readers {
    bool has_sine = false, has_cosine = false, has_full = false, has_half = false;
  };
  std::map<int, Readers> readers;
  for_each_statement(kernel.body, [&](const loop::Statement& statement) {
    const auto* const let = as<loop::Let>(statement);
    const bool is_half = let != nullptr && let->forms.precision == Precision::half;
    for_each_expression(statement, [&](const Expr& e) {
      expr::walk(e, [&](const Expr& node) {
        if (node->kind != expr::Kind::call || node->args[0]->kind != expr::Kind::input) return;
        const bool is_sine = node->function == Function::sin;
        if (!is_sine && node->function != Function::cos) return;
        Readers& of_value = readers[node->args[0]->index];
        (is_sine ? of_value.has_sine : of_value.has_cosine) = true;
        (is_half ? of_value.has_half : of_value.has_full) = true;
      });
    });
  });
  std::map<int, bool> both;
  for (const auto& [value, of_value] : readers) {
    const bool are_alike = of_value.has_half != of_value.has_full;
    if (of_value.has_sine && of_value.has_cosine && are_alike) both[value] = of_value.has_half;
  }
  return both;
}

std::string_view bits_text(bool is_16_bits) { return is_16_bits ? "<16>" : ""; }

ValueFact small_angle() { return {.low = -kSmallAngle, .high = kSmallAngle}; }

std::string angle_text(Emission& emission, const ValueFact& fact, const std::string& argument,
                       bool is_16_bits) {
  const bool is_small = fact.low >= -kSmallAngle && fact.high <= kSmallAngle;
  const std::string function = is_small ? "angle_small" : "angle";
  emission.use(function);
  return concat("ridge::", function, bits_text(is_16_bits), "(", argument, ")");
}

const Expr* one_plus(const Emission& emission, const Expr& call, CppType real) {
  const bool is_sum = call->function == Function::add && call->type == Type::real;
  const bool is_16_bits = emission.forms.precision == Precision::half && real == CppType::f32;
  if (!is_sum || !is_16_bits) return nullptr;
  for (const size_t i : {0, 1}) {
    const Expr &one = call->args[i], &other = call->args[1 - i];
    const bool is_one =
        one->kind == expr::Kind::constant && one->type == Type::real && one->real == 1;
    const bool is_short = other->kind == expr::Kind::call &&
                          (other->function == Function::tanh || other->function == Function::erf);
    if (is_one && is_short) return &other;
  }
  return nullptr;
}

Operand write_one_plus(Emission& emission, const Expr& call, Operand argument) {
  const std::string function = concat("one_plus_", expr::info(call->function).name, "_16");
  emission.use(function);
  argument = converted(emission, std::move(argument), CppType::f32);
  return {concat("ridge::", function, "(", argument.text, ")"), CppType::f32};
}

Operand infix(std::string_view symbol, const Operand& a, const Operand& b, CppType type,
              int level) {
  return {concat(parenthesized(a, level), " ", symbol, " ", parenthesized(b, level - 1)), type,
          level};
}

Operand write_function(Emission& emission, const Expr& call, std::vector<Operand> args,
                       CppType real) {
  bool has_real = call->type == Type::real;
  for (const Operand& arg : args) has_real |= is_real(arg.type);
  const Function f = call->function;
  const bool is_integer = !has_real && !is_logic(f) && !is_comparison(f);
  if (is_integer) return write_integer_function(emission, call, std::move(args));
  if (f == Function::f16_value) {
    emission.use("f16_bits");
    return {concat("ridge::f16_value((unsigned short)", parenthesized(args[0], 1), ")"),
            CppType::f32};
  }
  FunctionWriter writer(emission, call, std::move(args), real);
  if (is_logic(f)) return writer.logic();
  return has_real ? writer.arithmetic() : writer.comparison();
}

}  // namespace ridge::codegen::cuda
