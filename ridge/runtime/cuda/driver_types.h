// The types and numbers of the CUDA driver API that Ridge uses, declared by hand.
//
// They are ABI, which NVIDIA keeps, so the library builds without a toolkit. Where one is on the
// include path, tests/unit/runtime/cuda/driver_types_test.cpp compares every line with cuda.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridge::runtime::cuda {

// Handles. Only pointers to these exist.
using ContextHandle = struct ContextTag*;
using ModuleHandle = struct ModuleTag*;
using FunctionHandle = struct FunctionTag*;
using StreamHandle = struct StreamTag*;
using EventHandle = struct EventTag*;
using GraphHandle = struct GraphTag*;
using GraphExecHandle = struct GraphExecTag*;
using GraphNodeHandle = struct GraphNodeTag*;
using DeviceHandle = int;
using DevicePointer = unsigned long long;

// What a call returns; the values that are told apart here. Any other int may come too.
enum class DriverResult : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  deinitialized = 4,
  stub_library = 34,
  no_device = 100,
  invalid_image = 200,
  no_binary_for_gpu = 209,
  ecc_uncorrectable = 214,
  nvlink_uncorrectable = 220,
  unsupported_ptx_version = 222,
  contained = 226,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  device_assert = 710,
  hardware_stack_error = 714,
  illegal_instruction = 715,
  misaligned_address = 716,
  invalid_address_space = 717,
  invalid_pc = 718,
  launch_failed = 719,
  tensor_memory_leak = 721,
  system_driver_mismatch = 803,
  stream_capture_unsupported = 900,
  stream_capture_invalidated = 901,
  stream_capture_implicit = 906,
  graph_exec_update_failure = 910,
  external_device = 911,
};

enum class DeviceAttribute : int {
  max_threads_per_block = 1,
  max_block_x = 2,
  max_block_y = 3,
  max_block_z = 4,
  max_grid_x = 5,
  max_grid_y = 6,
  max_grid_z = 7,
  warp_size = 10,
  clock_khz = 13,
  multiprocessors = 16,
  memory_clock_khz = 36,
  memory_bus_bits = 37,
  l2_bytes = 38,
  max_threads_per_multiprocessor = 39,
  compute_capability_major = 75,
  compute_capability_minor = 76,
  shared_bytes_per_multiprocessor = 81,
  registers_per_multiprocessor = 82,
  shared_bytes_per_block_optin = 97,
  max_blocks_per_multiprocessor = 106,
  cluster_launch = 120,
};

enum class FunctionAttribute : int {
  max_threads_per_block = 0,
  static_shared_bytes = 1,
  constant_bytes = 2,
  local_bytes = 3,
  registers = 4,
  binary_version = 6,
  max_dynamic_shared_bytes = 8,
  non_portable_cluster_allowed = 14,
};

enum class PointerAttribute : int { memory_type = 2, device_ordinal = 9 };
// Of PointerAttribute::memory_type; memory that CUDA does not know is 0.
enum class MemoryType : unsigned { unknown = 0, host = 1, device = 2 };

enum class CaptureMode : int { global = 0, thread_local_only = 1, relaxed = 2 };
enum class CaptureStatus : int { none = 0, active = 1, invalidated = 2 };

inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr unsigned kEventTimed = 0;
inline constexpr unsigned kEventDisableTiming = 2;
inline constexpr unsigned kHostPortable = 1;  // pinned for every context

enum class LaunchAttributeId : int { cluster_dimension = 4, programmatic_serialization = 6 };

struct LaunchAttribute {
  struct Dimension {
    unsigned x, y, z;
  };
  union Value {
    char pad[64];
    Dimension cluster;
    int programmatic_serialization;
  };
  LaunchAttributeId id;
  alignas(8) Value value;
};

struct LaunchConfig {
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared_bytes;
  StreamHandle stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};

// Of a kernel in a graph; its attributes, such as its cluster, stay what they were.
struct KernelNodeParameters {
  FunctionHandle function;
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared_bytes;
  void** arguments;
  void** extra;
  void* kernel;  // another way to name the function; null
  ContextHandle context;
};

// A strided array in global memory and the boxes it is copied by, in the form of the hardware. Kernels take it by value.
struct alignas(64) TensorMap {
  uint64_t words[16];
};

enum class TensorMapType : int { u8 = 0, i32 = 3, i64 = 5, f16 = 6, f32 = 7, f64 = 8, bf16 = 9 };
enum class TensorMapInterleave : int { none = 0 };
enum class TensorMapSwizzle : int { none = 0, bytes_32 = 1, bytes_64 = 2, bytes_128 = 3 };
enum class TensorMapPromotion : int { none = 0, l2_128_bytes = 2 };
enum class TensorMapFill : int { zeros = 0 };

struct GraphUpdateInfo {
  int result;
  GraphNodeHandle error_node;
  GraphNodeHandle error_from_node;
};

}  // namespace ridge::runtime::cuda
