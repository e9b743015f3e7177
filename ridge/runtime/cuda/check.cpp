#include "ridge/runtime/cuda/check.h"

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/core/device.h"
#include "ridge/runtime/cuda/context.h"

namespace ridge::runtime::cuda {
namespace {

// In `expected`, because an error's `op` is left for the op that the user called.
std::string device_text(int device) {
  return to_text(Device{DeviceKind::cuda, static_cast<int8_t>(device)});
}

std::string hint_for(DriverResult result) {
  switch (result) {
    case DriverResult::not_initialized:
      return "a process that forked after its parent used CUDA cannot use it: start CUDA after "
             "fork";
    case DriverResult::no_binary_for_gpu:
    case DriverResult::invalid_image:
    case DriverResult::unsupported_ptx_version:
      return concat(
          "code must be compiled for this device's architecture, by a toolkit that the "
          "driver (CUDA ",
          version_text(cuda_availability().driver_version), ") knows");
    case DriverResult::launch_out_of_resources:
      return "the kernel needs more registers or shared memory than a block of this size can have";
    case DriverResult::stream_capture_unsupported:
    case DriverResult::stream_capture_invalidated:
      return "what waits, allocates or copies from pageable memory cannot be part of a graph";
    default: return {};
  }
}

// "... from kernel `a`", and the same text again for whatever fails afterwards.
[[noreturn]] void throw_sticky_error(const char* call, DriverResult result, int device) {
  LaunchHistory& history = launch_history(device);
  const std::string before = history.fault();
  const std::string suspects = history.suspects();
  const std::string text =
      describe(result) +
      (suspects.empty() ? ", from work not launched by Ridge" : " from " + suspects);
  const std::string first = history.remember_fault(text);
  throw_error({.code = ErrorCode::device,
               .expected = concat(call, " to succeed on ", device_text(device)),
               .given = before.empty() ? first : "a device already lost to " + first,
               .hint = "the device is lost to this process, which must be started again; with "
                       "CUDA_LAUNCH_BLOCKING=1 each launch waits, and the error names its kernel"});
}

}  // namespace

bool is_sticky(DriverResult result) {
  switch (result) {
    case DriverResult::ecc_uncorrectable:
    case DriverResult::nvlink_uncorrectable:
    case DriverResult::contained:
    case DriverResult::illegal_address:
    case DriverResult::launch_timeout:
    case DriverResult::device_assert:
    case DriverResult::hardware_stack_error:
    case DriverResult::illegal_instruction:
    case DriverResult::misaligned_address:
    case DriverResult::invalid_address_space:
    case DriverResult::invalid_pc:
    case DriverResult::launch_failed:
    case DriverResult::tensor_memory_leak:
    case DriverResult::external_device: return true;
    default: return false;
  }
}

std::string describe(DriverResult result) {
  const DriverApi& api = driver();
  const char* name = nullptr;
  const char* text = nullptr;
  if (api.get_error_name(result, &name) != DriverResult::success || name == nullptr) {
    return concat("error ", static_cast<int>(result), ", which this driver has no name for");
  }
  if (api.get_error_string(result, &text) != DriverResult::success || text == nullptr) return name;
  return concat(name, " (", text, ")");
}

void throw_driver_error(const char* call, DriverResult result, std::string_view about) {
  const int device = device_in_use();
  if (is_sticky(result)) throw_sticky_error(call, result, device);
  throw_error(
      {.code = result == DriverResult::out_of_memory ? ErrorCode::memory : ErrorCode::device,
       .expected = concat(call, about.empty() ? "" : concat(" of `", about, "`"), " to succeed on ",
                          device_text(device)),
       .given = describe(result),
       .hint = hint_for(result)});
}

}  // namespace ridge::runtime::cuda
