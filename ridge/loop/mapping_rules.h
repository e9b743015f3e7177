// What scheduling, prices and code generation must agree on, each written once.
//
//   a sum along a row, 9 operations an element    ->    goes into 4 registers in turn; the price waits a quarter as often
//
// Numbers that only one of them knows are in its own tuning.h.
#pragma once

#include <bit>
#include <cstdint>

#include "ridge/loop/device_limits.h"

namespace ridge::loop {

// CPU: registers that a sum along a row goes into in turn, by the operations of the loop's body. Guesses.
constexpr int registers_of_sum(double operations) {
  return operations <= 12 ? 4 : operations <= 20 ? 2 : 1;
}

// CPU: rows of a tile of a product; a tile has two vectors of columns. There are 32 registers, or 16.
constexpr int64_t contract_tile_rows(int64_t vector_bytes) { return vector_bytes >= 64 ? 8 : 4; }

// CPU: bytes of all tiles of a task, which are on its stack.
inline constexpr int64_t kMostTaskTileBytes = int64_t{1} << 20;

// GPU: registers that a thread computes with, beside register-resident rows,
inline constexpr int64_t kOwnRegisters = 48;
// and all registers of a thread of a persistent block.
inline constexpr int64_t kPersistentRegisters = 128;

// GPU, warp-specialized pipelines: sums of a row that lanes of a warp exchange, at most, and the lanes that they take.
// Lanes of a group add up one sum each, and one lane of the group sends to each block of the cluster.
inline constexpr int64_t kMaxPipelineSums = 8;
constexpr bool can_exchange_sums(int64_t sums, int64_t blocks) {
  return sums > 0 && sums <= kMaxPipelineSums &&
         static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(sums))) * blocks <= kWarpSize;
}

}  // namespace ridge::loop
