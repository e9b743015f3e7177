#include "ridge/autograd/stripe.h"

#include <cstddef>
#include <cstdint>

namespace ridge::autograd {

namespace {
constexpr size_t kStripeCount = 64;
}

std::mutex& stripe(const void* object) {
  // Never destroyed: tensors in static storage still take them while the process ends.
  static std::mutex* const stripes = new std::mutex[kStripeCount];
  // Objects are at least 16 bytes apart, so the lowest bits say nothing.
  return stripes[(reinterpret_cast<uintptr_t>(object) >> 5) % kStripeCount];
}

}  // namespace ridge::autograd
