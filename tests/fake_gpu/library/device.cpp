// The fake driver's device, contexts, memory, streams and events.
#include <cstdlib>
#include <cstring>

#include "tests/fake_gpu/library/state.h"

namespace fake_gpu {
namespace {

using namespace ridge::runtime::cuda;  // this file stands in for what that one declares

thread_local ContextHandle current_context = nullptr;

bool is_inside(const std::map<uintptr_t, size_t>& blocks, uintptr_t address) {
  auto found = blocks.upper_bound(address);
  return found != blocks.begin() && (--found, address < found->first + found->second);
}

// Device 0 is an H200 by its figures, device 1 a slice of one.
int attribute_value(DeviceAttribute which, int device) {
  switch (which) {
    case DeviceAttribute::compute_capability_major: return 9;
    case DeviceAttribute::compute_capability_minor: return 0;
    case DeviceAttribute::multiprocessors: return device == 0 ? 132 : 60;
    case DeviceAttribute::warp_size: return 32;
    case DeviceAttribute::cluster_launch: return 1;
    case DeviceAttribute::max_grid_x: return 2147483647;
    case DeviceAttribute::max_grid_y:
    case DeviceAttribute::max_grid_z: return 65535;
    case DeviceAttribute::max_block_z: return 64;
    case DeviceAttribute::shared_bytes_per_block_optin: return 232448;
    case DeviceAttribute::shared_bytes_per_multiprocessor: return 233472;
    case DeviceAttribute::registers_per_multiprocessor: return 65536;
    case DeviceAttribute::max_threads_per_multiprocessor: return 2048;
    case DeviceAttribute::max_blocks_per_multiprocessor: return 32;
    default: return 1024;
  }
}

}  // namespace

extern "C" {

DriverResult cuInit(unsigned) { return DriverResult::success; }
DriverResult cuDriverGetVersion(int* into) {
  *into = 13000;
  return DriverResult::success;
}
DriverResult cuGetErrorName(DriverResult, const char** into) {
  *into = "CUDA_ERROR_OF_THE_FAKE";
  return DriverResult::success;
}
DriverResult cuGetErrorString(DriverResult, const char** into) {
  *into = "as the test asked";
  return DriverResult::success;
}
DriverResult cuDeviceGet(DeviceHandle* into, int device) {
  *into = device;
  return DriverResult::success;
}
DriverResult cuDeviceGetCount(int* into) {
  *into = 2;
  return DriverResult::success;
}
DriverResult cuDeviceGetName(char* into, int room, DeviceHandle device) {
  const char* const name = device == 0 ? "Fake GPU of the tests" : "NVIDIA H200 MIG 3g.71gb";
  std::strncpy(into, name, static_cast<size_t>(room));
  return DriverResult::success;
}
DriverResult cuDeviceTotalMem_v2(size_t* into, DeviceHandle) {
  *into = size_t{140} << 30;
  return DriverResult::success;
}
DriverResult cuDeviceGetAttribute(int* into, DeviceAttribute which, DeviceHandle device) {
  *into = attribute_value(which, device);
  return DriverResult::success;
}

DriverResult cuDevicePrimaryCtxRetain(ContextHandle* into, DeviceHandle) {
  static char context = 0;
  *into = reinterpret_cast<ContextHandle>(&context);
  return DriverResult::success;
}
DriverResult cuCtxSetCurrent(ContextHandle context) {
  current_context = context;
  return DriverResult::success;
}
DriverResult cuCtxGetCurrent(ContextHandle* into) {
  {
    const std::lock_guard lock(state().mutex);
    ++state().counts.context_questions;
  }
  *into = current_context;
  return DriverResult::success;
}
DriverResult cuCtxSynchronize() {
  const std::lock_guard lock(state().mutex);
  ++state().counts.waits;
  return DriverResult::success;
}

DriverResult cuMemGetInfo_v2(size_t* free, size_t* total) {
  const std::lock_guard lock(state().mutex);
  *total = state().memory_bytes;
  *free = *total - state().used_bytes;
  return DriverResult::success;
}
DriverResult cuMemAlloc_v2(DevicePointer* into, size_t bytes) {
  if (planned("cuMemAlloc_v2") != DriverResult::success) return DriverResult::out_of_memory;
  const std::lock_guard lock(state().mutex);
  if (state().used_bytes + bytes > state().memory_bytes) return DriverResult::out_of_memory;
  void* data = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  std::memset(data, 0xa5, bytes);  // what nobody wrote is no number that a test expects
  *into = reinterpret_cast<DevicePointer>(data);
  state().used_bytes += bytes;
  state().device_blocks[*into] = bytes;
  return DriverResult::success;
}
DriverResult cuMemFree_v2(DevicePointer data) {
  const std::lock_guard lock(state().mutex);
  const auto found = state().device_blocks.find(data);
  if (found == state().device_blocks.end()) return DriverResult::invalid_value;
  state().used_bytes -= found->second;
  state().device_blocks.erase(found);
  std::free(reinterpret_cast<void*>(data));
  return DriverResult::success;
}
DriverResult cuMemHostAlloc(void** into, size_t bytes, unsigned) {
  if (const auto result = planned("cuMemHostAlloc"); result != DriverResult::success) {
    return result;
  }
  const std::lock_guard lock(state().mutex);
  *into = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  state().pinned_blocks[reinterpret_cast<uintptr_t>(*into)] = bytes;
  return DriverResult::success;
}
DriverResult cuMemFreeHost(void* data) {
  const std::lock_guard lock(state().mutex);
  state().pinned_blocks.erase(reinterpret_cast<uintptr_t>(data));
  std::free(data);
  return DriverResult::success;
}
DriverResult cuMemcpyAsync(DevicePointer to, DevicePointer from, size_t bytes, StreamHandle) {
  if (const auto result = planned("cuMemcpyAsync"); result != DriverResult::success) {
    return result;
  }
  std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
  return DriverResult::success;
}
DriverResult cuMemsetD8Async(DevicePointer data, unsigned char value, size_t bytes,
                             StreamHandle stream) {
  submit(reinterpret_cast<FakeStream*>(stream), {.function = nullptr,
                                                 .arguments = {reinterpret_cast<void*>(data)},
                                                 .value = value,
                                                 .bytes = bytes});
  return DriverResult::success;
}
DriverResult cuPointerGetAttributes(unsigned, PointerAttribute*, void** into, DevicePointer data) {
  const std::lock_guard lock(state().mutex);
  MemoryType type = MemoryType::unknown;
  if (is_inside(state().device_blocks, data)) type = MemoryType::device;
  if (is_inside(state().pinned_blocks, data)) type = MemoryType::host;
  *static_cast<MemoryType*>(into[0]) = type;
  return DriverResult::success;
}

// A fake map holds what it was made of, in this order: address, rank, type, swizzle, promotion, and then for each
// dimension its extent, its box, and the bytes of its stride.
DriverResult cuTensorMapEncodeTiled(TensorMap* into, TensorMapType type, uint32_t rank,
                                    void* address, const uint64_t* extents,
                                    const uint64_t* stride_bytes, const uint32_t* box,
                                    const uint32_t* steps, TensorMapInterleave,
                                    TensorMapSwizzle swizzle, TensorMapPromotion promotion,
                                    TensorMapFill) {
  if (const auto result = planned("cuTensorMapEncodeTiled"); result != DriverResult::success) {
    return result;
  }
  if (rank < 1 || rank > 5) return DriverResult::invalid_value;
  *into = {};
  into->words[0] = reinterpret_cast<uintptr_t>(address);
  into->words[1] = rank | static_cast<uint64_t>(type) << 8 | static_cast<uint64_t>(swizzle) << 16 |
                   static_cast<uint64_t>(promotion) << 24;
  for (uint32_t i = 0; i < rank; ++i) {
    if (steps[i] != 1) return DriverResult::invalid_value;
    into->words[2 + i] = extents[i];
    into->words[7 + i] = box[i];
    if (i > 0) into->words[11 + i] = stride_bytes[i - 1];
  }
  return DriverResult::success;
}

DriverResult cuStreamCreate(StreamHandle* into, unsigned) {
  if (const auto result = planned("cuStreamCreate"); result != DriverResult::success) {
    return result;
  }
  const std::lock_guard lock(state().mutex);
  std::vector<std::unique_ptr<FakeStream>>& free = state().free_streams;
  if (free.empty()) free.push_back(std::make_unique<FakeStream>());
  *into = reinterpret_cast<StreamHandle>(free.back().release());
  free.pop_back();
  return DriverResult::success;
}
DriverResult cuStreamDestroy_v2(StreamHandle stream) {
  const std::lock_guard lock(state().mutex);
  auto* const gone = reinterpret_cast<FakeStream*>(stream);
  *gone = {};
  state().free_streams.emplace_back(gone);
  return DriverResult::success;
}
DriverResult cuStreamSynchronize(StreamHandle) { return cuCtxSynchronize(); }
DriverResult cuStreamWaitEvent(StreamHandle, EventHandle, unsigned) {
  return DriverResult::success;
}
DriverResult cuEventCreate(EventHandle* into, unsigned) {
  if (const auto result = planned("cuEventCreate"); result != DriverResult::success) {
    return result;
  }
  *into = reinterpret_cast<EventHandle>(new char);
  return DriverResult::success;
}
DriverResult cuEventRecord(EventHandle, StreamHandle) { return planned("cuEventRecord"); }
DriverResult cuEventQuery(EventHandle) { return DriverResult::success; }
DriverResult cuEventSynchronize(EventHandle) { return DriverResult::success; }
DriverResult cuEventElapsedTime(float* into, EventHandle, EventHandle) {
  *into = 0.001f;
  return DriverResult::success;
}
DriverResult cuEventDestroy_v2(EventHandle event) {
  delete reinterpret_cast<char*>(event);
  return DriverResult::success;
}

}  // extern "C"

}  // namespace fake_gpu
