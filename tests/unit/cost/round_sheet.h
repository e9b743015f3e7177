// A sheet of round numbers, so that prices can be derived by hand.
#pragma once

#include "ridge/cost/sheet.h"

namespace ridge::cost {

// One core: 10 GB/s from memory, 100 GB/s from its caches, 100 GFLOP/s, 1 G functions a second.
inline Sheet round_numbers() {
  return parse_sheet(R"(ridge-sheet 1
name     round
title    round numbers
kind     cpu
version  2026-01-01
source   us  "made up for a test"  2026-01-01
figure   vector.f32.fma   100 GFLOP/s  source=us
figure   vector.f32       50 GFLOP/s   source=us
figure   matrix.f32       80 GFLOP/s   accumulate=f32 source=us
figure   dram.read        10 GB/s      source=us
figure   dram.write       10 GB/s      source=us
figure   dram.copy        10 GB/s      source=us
figure   l3.read          40 GB/s      source=us
figure   l3.write         40 GB/s      source=us
figure   l3.copy          40 GB/s      source=us
figure   l2.read          100 GB/s     source=us
figure   l2.write         100 GB/s     source=us
figure   l2.copy          100 GB/s     source=us
figure   l1.read          200 GB/s     source=us
figure   l1.write         200 GB/s     source=us
figure   l1.copy          200 GB/s     source=us
figure   l1.bytes         32 KiB       source=us
figure   l2.bytes         1 MiB        source=us
figure   l3.bytes         16 MiB       source=us
figure   gather.l1        1 GOP/s      source=us
figure   gather.l2        1 GOP/s      source=us
figure   gather.l3        100 MOP/s    source=us
figure   gather.dram      50 MOP/s     source=us
figure   function.exp     1 GOP/s      source=us
figure   launch           100 ns       source=us
figure   task             1 us         source=us
figure   loop             1 ns         source=us
figure   combine          1 ns         source=us
figure   vector.latency   1 ns         source=us
figure   tlb              10 ns        source=us
figure   tlb.bytes        4 MiB        source=us
figure   units            1            source=us
figure   lanes            16           source=us
figure   line             64 B         source=us
)",
                     "round.sheet");
}

// One unit of a GPU: 100 GB/s from memory, 1 TB/s from L2 and shared memory, 1 TFLOP/s, 100 ns for
// a barrier.
inline Sheet round_gpu() {
  return parse_sheet(R"(ridge-sheet 1
name     round-gpu
title    round numbers
kind     gpu
version  2026-01-01
source   us  "made up for a test"  2026-01-01
figure   vector.f32.fma   1 TFLOP/s    source=us
figure   vector.f32       500 GFLOP/s  source=us
figure   vector.f64.fma   20 GFLOP/s   source=us
figure   vector.f64       10 GFLOP/s   source=us
figure   matrix.bf16      10 TFLOP/s   accumulate=f32 source=us
figure   matrix.i8        20 TOP/s     accumulate=i32 source=us
figure   special.f32      100 GOP/s    source=us
figure   dram.peak        100 GB/s     source=us
figure   dram.latency     1 us         source=us
figure   l2.read          1 TB/s       source=us
figure   l2.bytes         1 MiB        source=us
figure   l1.bytes         256 KiB      source=us
figure   shared.read      1 TB/s       source=us
figure   launch           1 us         source=us
figure   barrier          100 ns       source=us
figure   units            1            source=us
figure   threads          2048         source=us
figure   sector           32 B         source=us
)",
                     "round-gpu.sheet");
}

}  // namespace ridge::cost
