// How the factories of this folder end: a filled node becomes an immutable expression.
#pragma once

#include "ridge/expr/expr.h"

namespace ridge::expr {

// Computes the hash and what is known of the whole tree. The node must not be changed afterwards.
Expr finish(Ref<Node> node);

}  // namespace ridge::expr
