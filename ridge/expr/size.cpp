#include "ridge/expr/size.h"

#include <algorithm>

#include "ridge/base/hash.h"
#include "ridge/base/text.h"
#include "ridge/expr/evaluate.h"
#include "ridge/expr/integer.h"
#include "ridge/expr/simplify.h"
#include "ridge/expr/text.h"

namespace ridge {
namespace {

void check_divisor(const Size& a, std::string_view symbol, const Size& b) {
  RIDGE_CHECK(b.known() != 0, .code = ErrorCode::value, .expected = "a divisor other than 0",
              .given = concat(a, " ", symbol, " ", b));
}

}  // namespace

Size::Size(expr::Expr e) {
  RIDGE_INTERNAL_CHECK(e->type != expr::Type::real, "a size made from a real expression");
  const expr::Expr simple = expr::simplify(expr::cast(std::move(e), expr::Type::integer));
  if (expr::is_constant(simple)) {
    *this = Size(simple->integer);
    return;
  }
  const auto address = reinterpret_cast<uintptr_t>(simple.get());
  RIDGE_INTERNAL_CHECK(address < uintptr_t{1} << 62, "an address that does not fit into a size");
  word_ = kSymbolicBase + static_cast<int64_t>(address);
  retain();
}

const expr::Node* Size::node() const {
  return reinterpret_cast<const expr::Node*>(static_cast<uintptr_t>(word_ - kSymbolicBase));
}

void Size::retain() const { (void)Ref<const expr::Node>(node()).release(); }
void Size::release() const { (void)Ref<const expr::Node>::adopt(node()); }

int64_t Size::read_symbolic(Location where) const { return expr::read(expression(), where); }

int64_t Size::hint_or(int64_t otherwise) const {
  if (!is_symbolic()) return word_;
  bool has_hints = true;
  const expr::Expr e = expression();
  expr::walk(e, [&](const expr::Expr& part) {
    if (part->kind == expr::Kind::symbol) has_hints &= part->symbol->expected().has_value();
  });
  if (!has_hints) return otherwise;
  const expr::Leaves leaves{.symbol = [](const expr::Symbol& symbol) {
    return expr::Number::of(symbol.expected()->value);
  }};
  return expr::evaluate(e, leaves).as_integer();
}

expr::Expr Size::expression() const {
  if (!is_symbolic()) return expr::constant(word_);
  return expr::Expr(Ref<const expr::Node>(node()));
}

std::string Size::to_text() const {
  return is_symbolic() ? expr::to_text(expression()) : ridge::to_text(word_);
}

uint64_t Size::hash() const {
  return is_symbolic() ? node()->hash : Hasher().combine(word_).digest();
}

bool Size::is_same(const Size& other) const {
  if (word_ == other.word_) return true;
  return is_symbolic() && other.is_symbolic() && expr::same(expression(), other.expression());
}

void Size::throw_too_large(std::string given) {
  throw_error(
      {.code = ErrorCode::value, .expected = "a size below 2^62", .given = std::move(given)});
}

bool decide_symbolic(expr::Function comparison, const SizeAt& a, const SizeAt& b) {
  return expr::decide(expr::call(comparison, {a.size.expression(), b.size.expression()}), a.where);
}

Size combine_symbolic(expr::Function function, const Size& a, const Size& b) {
  return Size(expr::call(function, {a.expression(), b.expression()}));
}

Size operator-(const Size& a) { return 0 - a; }

Size operator-(const Size& a, const Size& b) {
  if (are_plain(a, b)) return *a.known() - *b.known();
  return combine_symbolic(expr::Function::sub, a, b);
}

Size operator/(const Size& a, const Size& b) {
  check_divisor(a, "//", b);
  if (are_plain(a, b)) return expr::floor_divide(*a.known(), *b.known());
  return combine_symbolic(expr::Function::floor_div, a, b);
}

Size operator%(const Size& a, const Size& b) {
  check_divisor(a, "%", b);
  if (are_plain(a, b)) return expr::floor_modulo(*a.known(), *b.known());
  return combine_symbolic(expr::Function::mod, a, b);
}

Size min(const Size& a, const Size& b) {
  if (are_plain(a, b)) return std::min(*a.known(), *b.known());
  return combine_symbolic(expr::Function::min, a, b);
}

Size max(const Size& a, const Size& b) {
  if (are_plain(a, b)) return std::max(*a.known(), *b.known());
  return combine_symbolic(expr::Function::max, a, b);
}

Size symbolic_size(std::string name, expr::Interval range, std::optional<int64_t> hint,
                   const std::shared_ptr<expr::GuardLog>& log) {
  const auto expected = hint ? std::optional(expr::SpeedHint(*hint)) : std::nullopt;
  return Size(
      expr::symbol(make_ref<const expr::Symbol>(std::move(name), range, hint, log, expected)));
}

}  // namespace ridge
