// Errors: the one exception type of Ridge, and the two checks that throw it.
//
// An error says which op refused, what it expected, what it was given, and the user's own
// file and line. A check deep in the library knows the first half, the dispatcher adds the
// rest while the error passes through it, so no function needs a location argument.
//
//   RIDGE_CHECK(a.rank() == b.rank(), .code = ErrorCode::shape,
//               .expected = "equal ranks", .given = to_text(a.rank()) + " and " + to_text(b.rank()));
//
//   what(): "add: expected equal ranks, given 2 and 3 (shape error at train.cpp:12)"
//
// Invariants: what() is one line and lives as long as any copy of the error; copying never
// throws, as the exception machinery requires; the arguments of a check are evaluated only
// when it fails. A condition with a top-level comma needs its own parentheses.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>

namespace ridge {

using Location = std::source_location;

std::string to_text(Location where);  // "train.cpp:12"

// What kind of rule was broken; bindings map these to exceptions of their language.
enum class ErrorCode {
  shape,
  dtype,
  device,
  value,
  index,
  memory,
  state,
  gradient,
  unknown_name,
  parse,
  io,
  internal,
};

// "shape", "unknown name", ...: as it reads in front of the word "error".
std::string_view name(ErrorCode code);

class Error : public std::exception {
 public:
  // Every part may be missing. `where` is a line of the user's program.
  struct Parts {
    ErrorCode code = ErrorCode::internal;
    std::string op{};
    std::string expected{};
    std::string given{};
    std::string hint{};
    std::optional<Location> where{};
  };

  explicit Error(Parts parts);

  // No move operations: a moved-from error would have no text, and a copy is one increment.
  Error(const Error&) noexcept = default;
  Error& operator=(const Error&) noexcept = default;
  ~Error() override = default;

  ErrorCode code() const noexcept { return body_->parts.code; }
  const std::string& op() const noexcept { return body_->parts.op; }
  const std::string& expected() const noexcept { return body_->parts.expected; }
  const std::string& given() const noexcept { return body_->parts.given; }
  const std::string& hint() const noexcept { return body_->parts.hint; }
  const std::optional<Location>& where() const noexcept { return body_->parts.where; }
  // The op the user called, where it is not `op` itself: layer_norm, when its mean failed.
  const std::string& inside() const noexcept { return body_->inside; }
  const char* what() const noexcept override { return body_->text.c_str(); }

  // Called by the dispatcher on the way out. The innermost op names itself; the outermost call
  // is where the user stands, so its location replaces one inside the library. Copies made
  // earlier do not change.
  void name_op(std::string_view op);
  void locate(std::string_view outer_op, Location where);

 private:
  struct Body {
    Parts parts;
    std::string inside;
    std::string text;
  };

  void set(Parts parts, std::string inside);

  std::shared_ptr<const Body> body_;  // shared and immutable: that is what makes copies noexcept
};

// Runs `body`; an error that leaves it names the function the user called, at the user's line.
template <class Body>
auto located(std::string_view function, Location where, Body body) {
  try {
    return body();
  } catch (Error& error) {
    error.locate(function, where);
    throw;
  }
}

// Out of line, so that a passing check costs its caller one compare and one untaken branch.
[[noreturn]] void throw_error(Error::Parts parts);
[[noreturn]] void throw_internal_error(std::string_view condition, std::string message,
                                       Location check);

}  // namespace ridge

// Checks what a user may get wrong. The arguments are designated initializers of Error::Parts.
#define RIDGE_CHECK(condition, ...)                             \
  do {                                                          \
    if (!(condition)) [[unlikely]] {                            \
      ::ridge::throw_error(::ridge::Error::Parts{__VA_ARGS__}); \
    }                                                           \
  } while (false)

// Checks what only a bug in Ridge can get wrong. The text names the condition and the line of
// the check, and leaves where() free for the line of the user's program.
#define RIDGE_INTERNAL_CHECK(condition, message)                                          \
  do {                                                                                    \
    if (!(condition)) [[unlikely]] {                                                      \
      ::ridge::throw_internal_error(#condition, (message), ::ridge::Location::current()); \
    }                                                                                     \
  } while (false)
