// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
#include <array>
#include <cstddef>

#include "ridge/expr/evaluate.h"

namespace ridge::expr {
namespace {

constexpr int kRounds = 10;
constexpr uint32_t kMultiplier0 = 0xD2511F53;
constexpr uint32_t kMultiplier1 = 0xCD9E8D57;
constexpr uint32_t kKeyStep0 = 0x9E3779B9;  // golden ratio
constexpr uint32_t kKeyStep1 = 0xBB67AE85;  // sqrt(3) - 1

uint32_t low(uint64_t word) { return static_cast<uint32_t>(word); }
uint32_t high(uint64_t word) { return static_cast<uint32_t>(word >> 32); }

}  // namespace

uint32_t philox(uint64_t seed, uint64_t rank, uint64_t call, uint64_t element, int word) {
  std::array<uint32_t, 4> counter = {low(element), high(element), low(call), high(call)};
  uint32_t key0 = low(seed);
  uint32_t key1 = high(seed) ^ low(rank);
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t product0 = uint64_t{kMultiplier0} * counter[0];
    const uint64_t product1 = uint64_t{kMultiplier1} * counter[2];
    counter = {high(product1) ^ counter[1] ^ key0, low(product1),
               high(product0) ^ counter[3] ^ key1, low(product0)};
    key0 += kKeyStep0;
    key1 += kKeyStep1;
  }
  return counter[static_cast<size_t>(word) & 3];
}

}  // namespace ridge::expr
