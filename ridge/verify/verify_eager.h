// RIDGE_VERIFY=3: what the kernel of an eager call computed, against the reference (oracle.h).
//
//   kernel of softmax: expected 0.25 at [3, 5], within 1e-06, given 0.5
#pragma once

#include "ridge/base/knobs.h"
#include "ridge/dispatch/operator.h"
#include "ridge/verify/verify_kernels.h"

namespace ridge::verify {

// Error{internal} with a reproduction where the result is not what the op gives for its arguments,
// which may be on any device. Calls that would take the reference too long are left out.
void check_eager(const dispatch::Frame& frame, const Tensor& result);

inline bool checks_kernels() { return knob_int(Knob::verify) >= kVerifyKernels; }

}  // namespace ridge::verify
