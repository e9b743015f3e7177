// Running a function only to see what it returns, while a program is being captured.
//
// The function is captured, into a graph that is thrown away: nothing of it is recorded in the
// program. This layer does not know graphs, so the one that does installs how.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace ridge::autograd {

// Runs the body. Returns the op that wrote to a tensor from outside of it, if one did.
using DryRun = std::optional<std::string> (*)(const std::function<void()>& body);

void install_dry_run(DryRun run);
// Error{internal} if none is installed.
std::optional<std::string> dry_run(const std::function<void()>& body);

}  // namespace ridge::autograd
