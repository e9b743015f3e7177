// What the driver says about a device: for sheets, for limits of launches, for choosing code.
//
//   const DeviceProperties& properties = device_properties(0);
//   properties.name         "NVIDIA H200"
//   arch_name(properties)   "sm_90a"
//
// The driver is asked once for each device; they do not change while a process runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ridge::runtime::cuda {

struct DeviceProperties {
  std::string name{};
  int compute_major = 0;
  int compute_minor = 0;
  size_t memory_bytes = 0;
  int multiprocessors = 0;
  int clock_khz = 0;         // of a multiprocessor, boost
  int memory_clock_khz = 0;  // of a transfer in each direction of a double data rate
  int memory_bus_bits = 0;
  int64_t l2_bytes = 0;
  int64_t shared_bytes_per_block = 0;  // the most a block can opt in to, static and dynamic
  int64_t shared_bytes_per_multiprocessor = 0;
  int registers_per_multiprocessor = 0;
  int threads_per_multiprocessor = 0;
  int blocks_per_multiprocessor = 0;
  int threads_per_block = 0;
  int warp_size = 0;
  int max_block[3] = {};
  int max_grid[3] = {};
  bool has_clusters = false;
};

// Error{device} if there is no such device.
const DeviceProperties& device_properties(int device);

// The architecture to compile for: from Hopper on the one with the features of that very chip
// (wgmma and the like), which runs nowhere else.
std::string arch_name(int compute_major, int compute_minor);
std::string arch_name(const DeviceProperties& properties);

std::string to_text(const DeviceProperties& properties);  // several lines, `name value`

}  // namespace ridge::runtime::cuda
