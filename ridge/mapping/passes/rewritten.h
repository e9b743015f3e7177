// What a mapping pass gives back, and the few rewrites of index expressions that the passes share.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "ridge/base/decision.h"
#include "ridge/loop/loop.h"

namespace ridge::mapping {

using expr::Expr;

// The kernel, and why it is another now or still the same.
struct Rewritten {
  loop::Kernel kernel;
  Decision decision;
};

// What a pass throws at itself to stop: the kernel stays as it was, with this reason.
struct Refused {
  std::string reason;
};
[[noreturn]] inline void refuse(std::string reason) { throw Refused{std::move(reason)}; }

// The expression with other leaves: `axes` and `params` give the replacement by number, or a null Expr where
// the leaf stays. Simplified.
using Replacement = std::function<Expr(int number)>;
Expr replaced(const Expr& e, const Replacement& axes, const Replacement& params = {});
bool mentions_axis(const Expr& e, int axis);
bool is_same(const Expr& a, const Expr& b);  // once simplified

// Names that nothing else of a kernel has: tile, tile2, ...
class Names {
 public:
  explicit Names(const loop::Kernel& kernel);
  std::string unused(std::string wanted);

 private:
  std::vector<std::string> taken_;
};

}  // namespace ridge::mapping
