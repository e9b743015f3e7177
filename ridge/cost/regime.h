// What binds a program: the one thing whose improvement helps.
#pragma once

#include <cstdint>
#include <string_view>

namespace ridge::cost {

enum class Regime : uint8_t { compute, memory, network, overhead };

constexpr std::string_view name(Regime regime) {
  switch (regime) {
    case Regime::compute: return "compute";
    case Regime::memory: return "memory";
    case Regime::network: return "network";
    case Regime::overhead: return "overhead";
  }
  return "";
}

}  // namespace ridge::cost
