#include "ridge/driver/late_failure.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/driver/kernel_status.h"

namespace ridge::driver {

LateFailures::LateFailures(const schedule::Plan& plan, const graph::Graph& graph)
    : program_(graph.name) {
  for (const schedule::KernelCall& call : plan.calls) {
    Call& known = calls_.emplace_back(Call{call.kernel.name, {}});
    for (const schedule::KernelCall::Check& check : call.checks) {
      const graph::Node& node = graph.nodes[static_cast<size_t>(check.node)];
      known.suspects.push_back({check.status, std::string(node.op->name()), node.where});
    }
  }
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
std::vector<LateFailures::Suspect> LateFailures::suspects_of(const Call& call,
                                                             int32_t status) const {
  const std::lock_guard lock(mutex_);
  std::vector<Suspect> found;
  for (const Suspect& suspect : call.suspects) {
    if (static_cast<int32_t>(suspect.status) != status) continue;
    if (lines_.empty()) found.push_back(suspect);
    for (const Location line : lines_) found.push_back({suspect.status, suspect.op, line});
  }
  return found;
}

Error LateFailures::error(size_t call, int32_t status) const {
  const Call& at = calls_[call];
  const std::vector<Suspect> suspects = suspects_of(at, status);
  RIDGE_INTERNAL_CHECK(!suspects.empty(),
                       concat(at.kernel, " checks nothing, and left status ", status));
  const auto text = [](const Suspect& suspect) {
    return concat(suspect.op, " at ", ridge::to_text(suspect.where));
  };
  Error::Parts parts = status_error(status, suspects[0].op, suspects[0].where);
  parts.given += concat(", in kernel `", at.kernel, "` of an earlier run of ",
                        program_.empty() ? "a program" : concat("`", program_, "`"), ", by ",
                        join(suspects, " or ", text));
  parts.hint =
      "it was found after that call had returned; RIDGE_WAIT=1 makes each call wait for its "
      "kernels, and the one at fault throws";
  return Error(std::move(parts));
}

}  // namespace ridge::driver
