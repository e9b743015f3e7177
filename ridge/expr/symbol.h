// Symbols and guards: what is known of a size that is only a name.
//
// A symbol has a range, an optional guarding hint (its value in the call being captured) and the
// guard log of its capture. Deciding a condition on symbols tries a proof first; failing that it
// evaluates with the hints and leaves a guard behind, so that the program is only reused where the
// same outcome holds. Without hints the decision is an error at the user's line. A hint for speed is
// of another type: choices by it leave no guard, so they must not change what a program computes.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/base/ref.h"
#include "ridge/expr/expr.h"
#include "ridge/expr/interval.h"

namespace ridge::expr {

// A condition that was assumed: `condition` evaluated to true (its negation is recorded when the
// outcome was false), at the user's line.
struct Guard {
  Expr condition;
  Location where;
};

// Thread-safe, ordered, without repeats. Owned by the capture: symbols refer to it weakly, because
// its guards refer to them.
class GuardLog {
 public:
  void add(Guard guard);
  std::vector<Guard> guards() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Guard> guards_;
};

// The value of a symbol in the call that is captured: whoever decides by it leaves a guard.
struct GuardingHint {
  GuardingHint(int64_t value_) : value(value_) {}
  int64_t value;
};
// The value to expect of a symbol: whoever chooses by it chooses speed, and nothing else.
struct SpeedHint {
  explicit SpeedHint(int64_t value_) : value(value_) {}
  int64_t value;
};

class Symbol : public RefCounted {
 public:
  Symbol(std::string name, Interval range, std::optional<GuardingHint> hint,
         const std::shared_ptr<GuardLog>& log, std::optional<SpeedHint> expected = {});

  const std::string& name() const { return name_; }
  const Interval& range() const { return range_; }
  const std::optional<GuardingHint>& hint() const { return hint_; }
  const std::optional<SpeedHint>& expected() const { return expected_; }
  // Null if it never had one. Error{state} at `where` if its capture has ended: an answer could no
  // longer be guarded.
  std::shared_ptr<GuardLog> log(Location where) const;
  uint64_t id() const { return id_; }  // two symbols of one name are still two symbols

 private:
  std::string name_;
  Interval range_;
  std::optional<GuardingHint> hint_;
  std::optional<SpeedHint> expected_;
  std::weak_ptr<GuardLog> log_;
  bool has_log_;
  uint64_t id_;
};

// While it lives, guards left by this thread are those of this line: rules of ops decide for the user's
// call. Without one, a guard has the line that decided.
class GuardOrigin {
 public:
  explicit GuardOrigin(Location where);
  ~GuardOrigin();
  GuardOrigin(const GuardOrigin&) = delete;
  GuardOrigin& operator=(const GuardOrigin&) = delete;

 private:
  Location where_;
  const Location* outer_;
};

// True or false if it follows from the ranges of the symbols alone.
std::optional<bool> prove(const Expr& condition);

// The truth of `condition`: proven, or taken from the hints and logged as a guard.
bool decide(const Expr& condition, Location where);

// The value of an integer expression: constant, or taken from the hints with an equality guard.
int64_t read(const Expr& integer, Location where);

}  // namespace ridge::expr
