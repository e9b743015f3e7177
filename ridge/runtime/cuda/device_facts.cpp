#include "ridge/runtime/cuda/device_facts.h"

#include <map>
#include <memory>
#include <mutex>

#include "ridge/base/text.h"
#include "ridge/runtime/cuda/check.h"
#include "ridge/runtime/cuda/context.h"

namespace ridge::runtime::cuda {
namespace {

DeviceFacts ask(int device) {
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

  DeviceFacts facts;
  facts.name = name;
  check(api.device_total_mem, &facts.memory_bytes, handle);
  facts.compute_major = attribute(DeviceAttribute::compute_capability_major);
  facts.compute_minor = attribute(DeviceAttribute::compute_capability_minor);
  facts.multiprocessors = attribute(DeviceAttribute::multiprocessors);
  facts.clock_khz = attribute(DeviceAttribute::clock_khz);
  facts.memory_clock_khz = attribute(DeviceAttribute::memory_clock_khz);
  facts.memory_bus_bits = attribute(DeviceAttribute::memory_bus_bits);
  facts.l2_bytes = attribute(DeviceAttribute::l2_bytes);
  facts.shared_bytes_per_block = attribute(DeviceAttribute::shared_bytes_per_block_optin);
  facts.shared_bytes_per_multiprocessor =
      attribute(DeviceAttribute::shared_bytes_per_multiprocessor);
  facts.registers_per_multiprocessor = attribute(DeviceAttribute::registers_per_multiprocessor);
  facts.threads_per_multiprocessor = attribute(DeviceAttribute::max_threads_per_multiprocessor);
  facts.blocks_per_multiprocessor = attribute(DeviceAttribute::max_blocks_per_multiprocessor);
  facts.threads_per_block = attribute(DeviceAttribute::max_threads_per_block);
  facts.warp_size = attribute(DeviceAttribute::warp_size);
  facts.max_block[0] = attribute(DeviceAttribute::max_block_x);
  facts.max_block[1] = attribute(DeviceAttribute::max_block_y);
  facts.max_block[2] = attribute(DeviceAttribute::max_block_z);
  facts.max_grid[0] = attribute(DeviceAttribute::max_grid_x);
  facts.max_grid[1] = attribute(DeviceAttribute::max_grid_y);
  facts.max_grid[2] = attribute(DeviceAttribute::max_grid_z);
  facts.has_clusters = attribute(DeviceAttribute::cluster_launch) != 0;
  return facts;
}

}  // namespace

const DeviceFacts& device_facts(int device) {
  struct Known {
    std::mutex mutex;
    std::map<int, DeviceFacts> facts;  // its elements stay where they are
  };
  static Known* const known = new Known;
  const std::lock_guard lock(known->mutex);
  const auto found = known->facts.find(device);
  if (found != known->facts.end()) return found->second;
  return known->facts.emplace(device, ask(device)).first->second;
}

std::string arch_name(int compute_major, int compute_minor) {
  return concat("sm_", compute_major, compute_minor, compute_major >= 9 ? "a" : "");
}

std::string arch_name(const DeviceFacts& facts) {
  return arch_name(facts.compute_major, facts.compute_minor);
}

double peak_bytes_per_second(const DeviceFacts& facts) {
  return 2.0 * facts.memory_clock_khz * 1e3 * facts.memory_bus_bits / 8;
}

std::string to_text(const DeviceFacts& facts) {
  TextWriter writer;
  writer.line("name                ", facts.name);
  writer.line("architecture        ", arch_name(facts));
  writer.line("multiprocessors     ", facts.multiprocessors);
  writer.line("clock               ", facts.clock_khz / 1000, " MHz");
  writer.line("memory              ", Bytes(facts.memory_bytes));
  writer.line("memory clock        ", facts.memory_clock_khz / 1000, " MHz, ",
              facts.memory_bus_bits, " bits");
  writer.line("L2                  ", Bytes(facts.l2_bytes));
  writer.line("shared, block       ", facts.shared_bytes_per_block, " B");
  writer.line("shared, processor   ", facts.shared_bytes_per_multiprocessor, " B");
  writer.line("registers           ", facts.registers_per_multiprocessor);
  writer.line("threads             ", facts.threads_per_multiprocessor);
  return std::move(writer).str();
}

}  // namespace ridge::runtime::cuda
