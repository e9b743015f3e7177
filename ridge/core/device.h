// Devices: a kind and an index, as in cpu, cuda:1, meta.
//
// `meta` tensors have shape, dtype and strides but no data: they are how shapes are computed
// without computing values. The outside kinds are places for backends registered from outside the
// library. The order of kinds is the priority of backends in a call that mixes them: a plain CPU
// number beside a CUDA tensor runs on CUDA, and whatever touches a meta tensor is meta.
#pragma once

#include <cstdint>
#include <string>

namespace ridge {

enum class DeviceKind : uint8_t { cpu, outside0, outside1, outside2, outside3, cuda, meta };
inline constexpr int kDeviceKindCount = 7;

struct Device {
  DeviceKind kind = DeviceKind::cpu;
  int8_t index = 0;
  constexpr bool operator==(const Device&) const = default;
};

inline constexpr Device kCpu{};
inline constexpr Device kMeta{DeviceKind::meta, 0};

std::string to_text(Device device);  // "cpu", "cuda:0", the registered name of an outside backend

}  // namespace ridge
