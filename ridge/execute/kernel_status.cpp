#include "ridge/execute/kernel_status.h"

#include <algorithm>

#include "ridge/base/text.h"

namespace ridge::execute {
namespace {

std::string text_of(const OpCheck& suspect) {
  return concat(suspect.op, " at ", ridge::to_text(suspect.where));
}

}  // namespace

Error::Parts status_error(int32_t status, std::string_view op, Location where, std::string hint) {
  Error::Parts parts{
      .code = ErrorCode::value, .op = std::string(op), .hint = std::move(hint), .where = where};
  switch (static_cast<KernelStatus>(status)) {
    case KernelStatus::index_out_of_range:
      parts.code = ErrorCode::index;
      parts.expected = "indices inside the dimension they select from";
      parts.given = "at least one outside";
      return parts;
    case KernelStatus::division_by_zero:
      parts.expected = "an integer divisor other than 0";
      parts.given = "0";
      return parts;
    case KernelStatus::negative_exponent:
      parts.expected = "an integer exponent of at least 0";
      parts.given = "a negative one";
      return parts;
    case KernelStatus::ok: break;
  }
  throw_internal_error("a known status", concat("a kernel left status ", status),
                       Location::current());
}

void check_status(int32_t status, std::string_view op, Location where, std::string hint) {
  if (status != 0) throw Error(status_error(status, op, where, std::move(hint)));
}

void throw_status(int32_t status, const ExecutableCall& call) {
  std::vector<OpCheck> suspects;
  for (const OpCheck& check : call.checks) {
    if (static_cast<int32_t>(check.status) == status) suspects.push_back(check);
  }
  RIDGE_INTERNAL_CHECK(!suspects.empty(),
                       concat(call.kernel, " checks nothing, and left status ", status));
  const std::string others = join(std::span(suspects).subspan(1), ", ", text_of);
  const std::string hint =
      others.empty() ? "" : "or it was " + others + ", which the same kernel computes";
  throw Error(status_error(status, suspects[0].op, suspects[0].where, hint));
}

LateFailures::LateFailures(const ExecutablePlan& plan) : program_(plan.name) {
  for (const ExecutableCall& call : plan.calls) calls_.push_back({call.kernel, call.checks});
}

void LateFailures::note_line(Location where) {
  const auto is_it = [&](Location line) {
    return line.line() == where.line() && line.file_name() == where.file_name();
  };
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find_if(lines_, is_it);
  if (known == lines_.begin() && known != lines_.end()) return;
  if (known != lines_.end()) lines_.erase(known);
  lines_.insert(lines_.begin(), where);
  if (lines_.size() > kMostLines) lines_.pop_back();
}

// Each line that the eager call was made from is a suspect of its own.
std::vector<OpCheck> LateFailures::suspects_of(const Call& call, int32_t status) const {
  const std::lock_guard lock(mutex_);
  std::vector<OpCheck> found;
  for (const OpCheck& suspect : call.suspects) {
    if (static_cast<int32_t>(suspect.status) != status) continue;
    if (lines_.empty()) found.push_back(suspect);
    for (const Location line : lines_) found.push_back({suspect.status, suspect.op, line});
  }
  return found;
}

Error LateFailures::error(size_t call, int32_t status) const {
  const Call& at = calls_[call];
  const std::vector<OpCheck> suspects = suspects_of(at, status);
  RIDGE_INTERNAL_CHECK(!suspects.empty(),
                       concat(at.kernel, " checks nothing, and left status ", status));
  Error::Parts parts = status_error(status, suspects[0].op, suspects[0].where);
  parts.given += concat(", in kernel `", at.kernel, "` of an earlier run of ",
                        program_.empty() ? "a program" : concat("`", program_, "`"), ", by ",
                        join(suspects, " or ", text_of));
  parts.hint =
      "it was found after that call had returned; RIDGE_WAIT=1 makes each call wait for its "
      "kernels, and the one at fault throws";
  return Error(std::move(parts));
}

}  // namespace ridge::execute
