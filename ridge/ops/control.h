// The ops of control flow: they run programs, so no record can say what they compute.
//
// They stand in graphs only (graph/control.h); users call `cond`, `scan` and `while_loop` of
// capture/control.h. Their schemas name all arguments but the programs, and no results: how many there
// are is up to the programs.
#pragma once

#include "ridge/dispatch/operator.h"

namespace ridge::ops {

enum class Control : uint8_t { none, cond, scan, while_loop };

Control control_of(const dispatch::Operator& op);
const dispatch::Operator& control_op(Control control);  // not of `none`

void register_control();  // once, by install_derived_layers

}  // namespace ridge::ops
