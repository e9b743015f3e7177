// Every call of the driver goes through here: a failure becomes an Error that names the call.
//
//   check(driver().stream_synchronize, stream);
//   what(): "expected cuStreamSynchronize to succeed on cuda:0, given CUDA_ERROR_ILLEGAL_ADDRESS
//            (an illegal memory access was encountered) from kernel `fused_add_1` (device error)..."
//
// Errors that end a context (an illegal address, a failed launch) are remembered for their device
// with the kernels that may have caused them, so each later error says what the first one was.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::runtime::cuda {

// Whether every later call on that device will fail too.
bool is_sticky(DriverResult result);

std::string describe(DriverResult result);  // "CUDA_ERROR_NO_DEVICE (no CUDA-capable device ...)"

// `about`: the kernel or graph that was being launched or loaded, if any. Error{memory} where the
// device is out of memory, else Error{device}.
[[noreturn]] void throw_driver_error(const char* call, DriverResult result,
                                     std::string_view about = {});

template <class... Args>
void check(const Entry<DriverResult(Args...)>& entry, std::type_identity_t<Args>... args) {
  const DriverResult result = entry(args...);
  if (result != DriverResult::success) [[unlikely]]
    throw_driver_error(entry.symbol(), result);
}

template <class... Args>
void check_for(std::string_view about, const Entry<DriverResult(Args...)>& entry,
               std::type_identity_t<Args>... args) {
  const DriverResult result = entry(args...);
  if (result != DriverResult::success) [[unlikely]]
    throw_driver_error(entry.symbol(), result, about);
}

}  // namespace ridge::runtime::cuda
