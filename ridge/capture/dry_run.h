// How autograd finds out what a function with a gradient of its own returns (custom_vjp.h).
#pragma once

namespace ridge::capture {

void install_dry_run();

}  // namespace ridge::capture
