#include "ridge/runtime/cuda/current_stream.h"

#include <array>

#include "ridge/base/error.h"

namespace ridge::runtime::cuda {
namespace {

// By index of the device. Trivial, so that it serves destructors of other thread-locals.
constinit thread_local std::array<uintptr_t, 128> current{};

uintptr_t& slot_of(Device device) {
  RIDGE_CHECK(device.kind == DeviceKind::cuda && device.index >= 0, .code = ErrorCode::device,
              .expected = "a stream of a CUDA device", .given = to_text(device));
  return current[static_cast<size_t>(device.index)];
}

}  // namespace

Stream current_stream(Device device) { return {device, slot_of(device)}; }

StreamScope::StreamScope(Stream stream) : outer_(current_stream(stream.device)) {
  slot_of(stream.device) = stream.handle;
}

StreamScope::~StreamScope() { current[static_cast<size_t>(outer_.device.index)] = outer_.handle; }

}  // namespace ridge::runtime::cuda
