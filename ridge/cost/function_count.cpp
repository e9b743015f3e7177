#include "ridge/cost/function_count.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "ridge/cost/gpu_arithmetic.h"
#include "ridge/cost/index_steps.h"

namespace ridge::cost {
namespace {

using expr::Expr;
using expr::Function;
using expr::Kind;

bool is_wave(const Expr& call) {
  return call->function == Function::sin || call->function == Function::cos;
}

class FunctionCounter {
 public:
  FunctionCounter(const ValueFacts& facts, const OnLoad& on_load)
      : facts_(facts), on_load_(on_load) {}

  Operations count(const Expr& e) {
    collect(e);
    for (const Expr& node : nodes_) {
      if (node->kind == Kind::call) add(node);
    }
    return result_;
  }

 private:
  // All nodes that are computed here, and how often each is used.
  void collect(const Expr& e) {
    std::vector<Expr> open{e};
    while (!open.empty()) {
      const Expr node = open.back();
      open.pop_back();
      if (uses_[node.get()]++ > 0) continue;
      const bool is_kept =
          node->kind == Kind::call && facts_.is_available && facts_.is_available(node);
      if (is_kept) continue;
      nodes_.push_back(node);
      if (node->kind == Kind::load) {
        on_load_(node);
        // The arithmetic of an index is mostly scalar; what it looks up is not.
        const bool looks_up = std::any_of(node->args.begin(), node->args.end(), holds_load);
        if (!looks_up) continue;
      }
      for (const Expr& arg : node->args) {
        if (!is_index(arg)) open.push_back(arg);
      }
    }
  }

  // Made of axes and sizes alone, and an argument of something else: mostly scalar too.
  static bool is_index(const Expr& e) {
    if (e->type != expr::Type::integer || e->kind != Kind::call) return false;
    bool result = true;
    expr::walk(e, [&](const Expr& node) {
      result &= node->kind != Kind::load && node->kind != Kind::input;
    });
    return result;
  }

  void add(const Expr& call) {
    if (call->function == Function::fma) {  // a product and a sum, in one instruction
      ++result_.calls[static_cast<size_t>(Function::mul)];
      ++result_.calls[static_cast<size_t>(Function::add)];
      ++result_.fused;
      return;
    }
    const auto which = static_cast<size_t>(is_halving(call) ? Function::mul
                                           : is_shift(call) ? Function::add
                                                            : call->function);
    ++result_.calls[which];
    if (is_quotient(call)) {
      ++result_.quotients;
    } else if (is_near(call)) {
      ++result_.near_calls[which];
    } else if (is_short(call)) {
      ++result_.short_calls[which];
    }
  }

  // By a power of two: its reciprocal is exact, and compilers multiply.
  static bool is_halving(const Expr& call) {
    if (call->function != Function::div || call->type != expr::Type::real) return false;
    const Expr& divisor = call->args[1];
    int exponent = 0;
    return divisor->kind == Kind::constant && divisor->type == expr::Type::real &&
           std::abs(std::frexp(divisor->real, &exponent)) == 0.5;
  }
  // Integers by a power of two: a shift or a mask, as cheap as a sum.
  static bool is_shift(const Expr& call) {
    if (call->function != Function::floor_div && call->function != Function::mod) return false;
    const Expr& divisor = call->args[1];
    return call->type == expr::Type::integer && divisor->kind == Kind::constant &&
           divisor->integer > 0 && std::has_single_bit(static_cast<uint64_t>(divisor->integer));
  }
  // Multiplied by a number that was inverted once, where its rounding does not show.
  bool is_quotient(const Expr& call) const {
    return call->function == Function::div && !is_halving(call) && is_short(call) &&
           expr::is_constant(call->args[1]);
  }
  bool is_near(const Expr& call) const { return is_wave(call) && facts_.forms.is_near; }
  bool is_short(const Expr& call) const {
    const Precision precision = facts_.forms.precision;
    return precision == Precision::half ||
           (precision == Precision::exponent && call->function == Function::exp);
  }

  const ValueFacts& facts_;
  const OnLoad& on_load_;
  std::unordered_map<const expr::Node*, int> uses_;
  std::vector<Expr> nodes_;
  Operations result_;
};

}  // namespace

Operations count_functions(const Expr& e, const ValueFacts& facts, const OnLoad& on_load) {
  return FunctionCounter(facts, on_load).count(e);
}

using expr::Function;

double flops_of(const Operations& operations) {
  int count = operations.reductions;
  for (const int calls : operations.calls) count += calls;
  return count;
}

bool is_special(Function function) { return expr::info(function).instructions >= 10; }

}  // namespace ridge::cost
