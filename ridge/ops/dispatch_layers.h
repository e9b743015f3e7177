// The layers that follow from the records, each one fallback kernel that serves every op.
//
// `install_derived_layers` registers them once, together with `assign_`, the one raw write that
// every backend provides: it writes `from` through the strides of `to`.
#pragma once

namespace ridge::ops {

void install_derived_layers();

void install_meta();
void install_autocast();
void install_profile();

}  // namespace ridge::ops
