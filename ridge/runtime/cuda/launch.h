// The shape of a launch, and the limits it must keep.
//
// The driver answers a wrong shape with "invalid argument"; these checks say which number is wrong
// and what it may be. They are plain functions of plain structs, so they are tested without a GPU.
#pragma once

#include <cstdint>
#include <string_view>

#include "ridge/core/device.h"
#include "ridge/core/kernel_abi.h"
#include "ridge/runtime/cuda/device_properties.h"

namespace ridge::runtime::cuda {

struct Dim3 {
  uint32_t x = 1;
  uint32_t y = 1;
  uint32_t z = 1;
  uint64_t count() const { return uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

struct Launch {
  Dim3 grid{};  // in blocks
  Dim3 block{};
  Dim3 cluster{};                   // in blocks; must divide the grid
  bool is_cluster_in_code = false;  // the kernel says so itself, and the launch need not
  uint32_t shared_bytes = 0;        // dynamic
  Stream stream{};
  // Programmatic dependent launch: starts before the previous kernel of the stream ends, and waits for it in the kernel.
  bool dependent_launch = false;
};

// Of a loaded kernel, as the driver has it.
struct KernelAttributes {
  int registers = 0;
  int local_bytes = 0;  // of a thread: spills and arrays
  int static_shared_bytes = 0;
  int constant_bytes = 0;
  int max_threads_per_block = 0;  // given its registers
  int binary_version = 0;         // 90 for sm_90
};

struct LaunchLimits {
  uint64_t threads_per_block = 1024;
  Dim3 block{1024, 1024, 64};
  Dim3 grid{2147483647, 65535, 65535};
  uint64_t shared_bytes = kDeclaredSharedBytes;  // static and dynamic
  bool has_clusters = false;
};

inline constexpr uint32_t kPortableClusterSize = 8;  // what every device with clusters has
inline constexpr uint32_t kMaxClusterSize = 16;

LaunchLimits launch_limits(const DeviceProperties& properties);

// Error{value} that names the kernel, the number and its limit.
void check_launch(const Launch& shape, const LaunchLimits& limits,
                  const KernelAttributes& attributes, std::string_view kernel);

std::string to_text(const Dim3& dim);  // "16x2x1"

}  // namespace ridge::runtime::cuda
