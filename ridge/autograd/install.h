// Switching autograd on for the process.
#pragma once

namespace ridge::autograd {

// Registers the kernel of kernel.h as the fallback of Key::autograd, for every op there is and will
// be. From any thread, any number of times.
void install();

}  // namespace ridge::autograd
