// What a kernel in tiles asks of a GPU, and the time that this takes on a device.
//
// Who maps a kernel says what one tile needs and how many of them the busiest SM computes; the sheet
// says how fast that goes. Every amount carries the arithmetic that it came from, for `explain`.
//
//   Demand d = ...;                              // mapping::demand_of
//   DemandPrice p = price(d, sheet);
//   p.price.predicted, name(p.price.limiter)     121e-6, "matrix"
//   p.to_text()     "path 106 us = 16 waves * 6.5 us + fill 0.7 us + epilogue 1.2 us; ..."
//
// Three things run beside each other and slow each other down (Note [Tiles]):
//   path    waves * (the slowest of tensor cores, shared memory, L2 for one tile) + fill + epilogue
//   power   all flops at the rate that large products sustain, which is less than the peak
//   memory  bytes from and to DRAM
#pragma once

#include <string>

#include "ridge/cost/price.h"

namespace ridge::cost {

// An amount, and how it was computed: {24576, "128 * 192"}.
struct Term {
  double value = 0;
  std::string arithmetic{};
};

struct Demand {
  std::string dtype = "bf16";  // of the operands: figures matrix.T and sustained.T
  double matrix_share = 1;     // of matrix.T that the kernel's instructions reach
  // Of one tile.
  Term tile_flops;              // as instructions compute them, padding included
  Term tile_shared_bytes;       // read by tensor cores
  Term tile_l2_bytes;           // copied to shared memory
  Term epilogue_seconds;        // from the last product to the last store
  bool hides_epilogue = false;  // behind the main loop of another tile of the SM
  // Of the kernel.
  Term flops;  // of all tiles, padding included
  Term dram_read, dram_written;
  Term waves;          // tiles of the busiest SM
  Term fill_seconds;   // until the first slots are full
  Term extra_seconds;  // before and after the kernel: realigned operands, sums over parts
  // For the floor.
  double compulsory_flops = 0, compulsory_bytes = 0;
};

struct DemandPrice {
  Price price;
  double tile = 0, path = 0, power = 0, memory = 0;  // seconds
  Demand demand;

  std::string to_text() const;  // one line
};

// Error{value} where the sheet lacks a rate of the matrix unit or of memory.
DemandPrice price(const Demand& demand, const Sheet& sheet, const Context& context = {});

}  // namespace ridge::cost
