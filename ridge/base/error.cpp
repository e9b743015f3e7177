#include "ridge/base/error.h"

#include <algorithm>
#include <utility>

namespace ridge {

std::string to_text(Location where) {
  return std::string(where.file_name()) + ":" + std::to_string(where.line());
}

namespace {

// "expected x, given y", or as much of it as is known.
std::string complaint(const Error::Parts& parts) {
  std::string text;
  if (!parts.expected.empty()) text += "expected " + parts.expected;
  if (!parts.given.empty()) text += (text.empty() ? "given " : ", given ") + parts.given;
  return text;
}

// "shape error inside layer_norm at train.cpp:12".
std::string circumstances(const Error::Parts& parts, const std::string& inside) {
  std::string text = std::string(name(parts.code)) + " error";
  if (!inside.empty()) text += " inside " + inside;
  if (parts.where) text += " at " + to_text(*parts.where);
  return text;
}

std::string describe(const Error::Parts& parts, const std::string& inside) {
  std::string text = complaint(parts);
  if (text.empty()) {
    text = circumstances(parts, inside);
  } else {
    text += " (" + circumstances(parts, inside) + ")";
  }
  if (!parts.op.empty()) text = parts.op + ": " + text;
  if (!parts.hint.empty()) text += "; hint: " + parts.hint;
  // A part may quote text of several lines; logs and terminals are promised one.
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

std::string_view name(ErrorCode code) {
  switch (code) {
    case ErrorCode::shape: return "shape";
    case ErrorCode::dtype: return "dtype";
    case ErrorCode::device: return "device";
    case ErrorCode::value: return "value";
    case ErrorCode::index: return "index";
    case ErrorCode::memory: return "memory";
    case ErrorCode::state: return "state";
    case ErrorCode::gradient: return "gradient";
    case ErrorCode::unknown_name: return "unknown name";
    case ErrorCode::parse: return "parse";
    case ErrorCode::io: return "io";
    case ErrorCode::internal: return "internal";
  }
  return "unclassified";  // a value outside the enum, cast from somewhere
}

Error::Error(Parts parts) { set(std::move(parts), {}); }

void Error::set(Parts parts, std::string inside) {
  std::string text = describe(parts, inside);
  body_ = std::make_shared<const Body>(Body{std::move(parts), std::move(inside), std::move(text)});
}

void Error::name_op(std::string_view op) {
  if (!this->op().empty() || op.empty()) return;
  Parts parts = body_->parts;
  parts.op = op;
  set(std::move(parts), inside());
}

void Error::locate(std::string_view outer_op, Location where) {
  Parts parts = body_->parts;
  std::string inside = body_->inside;
  if (parts.op.empty()) parts.op = outer_op;
  if (inside.empty() && parts.op != outer_op) inside = outer_op;
  parts.where = where;
  set(std::move(parts), std::move(inside));
}

void throw_error(Error::Parts parts) { throw Error(std::move(parts)); }

void throw_internal_error(std::string_view condition, std::string message, Location check) {
  throw Error({.code = ErrorCode::internal,
               .expected = "`" + std::string(condition) + "` in " + to_text(check),
               .given = std::move(message),
               .hint = "this is a bug in Ridge, please report it"});
}

}  // namespace ridge
