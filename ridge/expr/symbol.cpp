#include "ridge/expr/symbol.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "ridge/base/text.h"
#include "ridge/expr/evaluate.h"
#include "ridge/expr/simplify.h"
#include "ridge/expr/text.h"

namespace ridge::expr {
namespace {

uint64_t next_symbol_id() {
  static std::atomic<uint64_t> next = 0;
  return next.fetch_add(1, std::memory_order_relaxed);
}

// The value under the hints; an error at the user's line if a symbol has none.
Number value_from_hints(const Expr& e, Location where) {
  walk(e, [&](const Expr& node) {
    if (node->kind != Kind::symbol || node->symbol->hint()) return;
    throw_error({.code = ErrorCode::value,
                 .expected = "a size that is known here",
                 .given = concat("the symbolic ", e->type == Type::boolean ? "condition " : "size ",
                                 to_text(e)),
                 .hint = concat("`", node->symbol->name(),
                                "` has no value yet: give its Dim a value, or call compile with "
                                "an example input, so that the program can be specialized"),
                 .where = where});
  });
  return evaluate(e, {});
}

thread_local const Location* guard_origin = nullptr;

void leave_guard(const Expr& condition, Location where) {
  if (guard_origin != nullptr) where = *guard_origin;
  const Expr guard = simplify(condition);
  std::vector<std::shared_ptr<GuardLog>> told;  // symbols of one capture share one log
  walk(guard, [&](const Expr& node) {
    if (node->kind != Kind::symbol) return;
    const std::shared_ptr<GuardLog> log = node->symbol->log(where);
    if (log == nullptr || std::ranges::find(told, log) != told.end()) return;
    log->add({guard, where});
    told.push_back(log);
  });
}

}  // namespace

GuardOrigin::GuardOrigin(Location where)
    : where_(where), outer_(std::exchange(guard_origin, &where_)) {}

GuardOrigin::~GuardOrigin() { guard_origin = outer_; }

void GuardLog::add(Guard guard) {
  const std::lock_guard lock(mutex_);
  const auto is_repeat = [&](const Guard& old) { return same(old.condition, guard.condition); };
  if (std::ranges::none_of(guards_, is_repeat)) guards_.push_back(std::move(guard));
}

std::vector<Guard> GuardLog::guards() const {
  const std::lock_guard lock(mutex_);
  return guards_;
}

Symbol::Symbol(std::string name, Interval range, std::optional<GuardingHint> hint,
               const std::shared_ptr<GuardLog>& log, std::optional<SpeedHint> expected)
    : name_(std::move(name)),
      range_(range),
      hint_(hint),
      expected_(expected),
      log_(log),
      has_log_(log != nullptr),
      id_(next_symbol_id()) {
  RIDGE_CHECK(range_.low <= range_.high, .code = ErrorCode::value,
              .expected = concat("a range of ", name_, " that is not empty"),
              .given = to_text(range_));
  RIDGE_CHECK(!hint_ || range_.contains(hint_->value), .code = ErrorCode::value,
              .expected = concat("a value of ", name_, " in ", to_text(range_)),
              .given = ridge::to_text(hint_->value));
}

std::shared_ptr<GuardLog> Symbol::log(Location where) const {
  std::shared_ptr<GuardLog> log = log_.lock();
  RIDGE_CHECK(log != nullptr || !has_log_, .code = ErrorCode::state,
              .expected = "a size of a capture that is still going on",
              .given = concat("the symbolic size ", name_), .where = where);
  return log;
}

std::optional<bool> prove(const Expr& condition) {
  const Expr simple = simplify(cast(condition, Type::boolean));
  if (!is_constant(simple)) return std::nullopt;
  return simple->integer != 0;
}

bool decide(const Expr& condition, Location where) {
  if (const std::optional<bool> proven = prove(condition)) return *proven;
  const bool outcome = value_from_hints(condition, where).as_boolean();
  leave_guard(outcome ? condition : !condition, where);
  return outcome;
}

int64_t read(const Expr& integer, Location where) {
  const Expr simple = simplify(integer);
  if (is_constant(simple)) return simple->integer;
  const int64_t value = value_from_hints(simple, where).as_integer();
  leave_guard(equal(simple, value), where);
  return value;
}

}  // namespace ridge::expr
