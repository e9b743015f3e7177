#include "ridge/runtime/cuda/device_properties.h"

#include <map>
#include <memory>
#include <mutex>

#include "ridge/base/text.h"
#include "ridge/runtime/cuda/check.h"
#include "ridge/runtime/cuda/context.h"

namespace ridge::runtime::cuda {
namespace {

DeviceProperties ask(int device) {
  context_of(device);  // checks the index, with an error that knows what there is
  const DriverApi& api = driver();
  DeviceHandle handle = 0;
  check(api.device_get, &handle, device);
  const auto attribute = [&](DeviceAttribute which) {
    int value = 0;
    check(api.device_get_attribute, &value, which, handle);
    return value;
  };
  char name[256] = {};
  check(api.device_get_name, name, static_cast<int>(sizeof name) - 1, handle);

  DeviceProperties properties;
  properties.name = name;
  check(api.device_total_mem, &properties.memory_bytes, handle);
  properties.compute_major = attribute(DeviceAttribute::compute_capability_major);
  properties.compute_minor = attribute(DeviceAttribute::compute_capability_minor);
  properties.multiprocessors = attribute(DeviceAttribute::multiprocessors);
  properties.clock_khz = attribute(DeviceAttribute::clock_khz);
  properties.memory_clock_khz = attribute(DeviceAttribute::memory_clock_khz);
  properties.memory_bus_bits = attribute(DeviceAttribute::memory_bus_bits);
  properties.l2_bytes = attribute(DeviceAttribute::l2_bytes);
  properties.shared_bytes_per_block = attribute(DeviceAttribute::shared_bytes_per_block_optin);
  properties.shared_bytes_per_multiprocessor =
      attribute(DeviceAttribute::shared_bytes_per_multiprocessor);
  properties.registers_per_multiprocessor =
      attribute(DeviceAttribute::registers_per_multiprocessor);
  properties.threads_per_multiprocessor =
      attribute(DeviceAttribute::max_threads_per_multiprocessor);
  properties.blocks_per_multiprocessor = attribute(DeviceAttribute::max_blocks_per_multiprocessor);
  properties.threads_per_block = attribute(DeviceAttribute::max_threads_per_block);
  properties.warp_size = attribute(DeviceAttribute::warp_size);
  properties.max_block[0] = attribute(DeviceAttribute::max_block_x);
  properties.max_block[1] = attribute(DeviceAttribute::max_block_y);
  properties.max_block[2] = attribute(DeviceAttribute::max_block_z);
  properties.max_grid[0] = attribute(DeviceAttribute::max_grid_x);
  properties.max_grid[1] = attribute(DeviceAttribute::max_grid_y);
  properties.max_grid[2] = attribute(DeviceAttribute::max_grid_z);
  properties.has_clusters = attribute(DeviceAttribute::cluster_launch) != 0;
  return properties;
}

}  // namespace

const DeviceProperties& device_properties(int device) {
  struct Known {
    std::mutex mutex;
    std::map<int, DeviceProperties> properties;  // its elements stay where they are
  };
  static Known* const known = new Known;
  const std::lock_guard lock(known->mutex);
  const auto found = known->properties.find(device);
  if (found != known->properties.end()) return found->second;
  return known->properties.emplace(device, ask(device)).first->second;
}

std::string arch_name(int compute_major, int compute_minor) {
  return concat("sm_", compute_major, compute_minor, compute_major >= 9 ? "a" : "");
}

std::string arch_name(const DeviceProperties& properties) {
  return arch_name(properties.compute_major, properties.compute_minor);
}

std::string to_text(const DeviceProperties& properties) {
  TextWriter writer;
  writer.line("name                ", properties.name);
  writer.line("architecture        ", arch_name(properties));
  writer.line("multiprocessors     ", properties.multiprocessors);
  writer.line("clock               ", properties.clock_khz / 1000, " MHz");
  writer.line("memory              ", Bytes(properties.memory_bytes));
  writer.line("memory clock        ", properties.memory_clock_khz / 1000, " MHz, ",
              properties.memory_bus_bits, " bits");
  writer.line("L2                  ", Bytes(properties.l2_bytes));
  writer.line("shared, block       ", properties.shared_bytes_per_block, " B");
  writer.line("shared, processor   ", properties.shared_bytes_per_multiprocessor, " B");
  writer.line("registers           ", properties.registers_per_multiprocessor);
  writer.line("threads             ", properties.threads_per_multiprocessor);
  return std::move(writer).str();
}

}  // namespace ridge::runtime::cuda
