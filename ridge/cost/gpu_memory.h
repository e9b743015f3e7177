// What memory takes for the bytes of a kernel of a GPU.
#pragma once

#include "ridge/cost/resource_times.h"

namespace ridge::cost {

struct GpuMemorySeconds {
  double read = 0, written = 0;
};

// Note [Memory of a GPU]. Mixed reads and writes cost more than either: `dram.copy` is what
// both reach in equal parts; of unequal parts the smaller one is affected. A cache that other work has
// filled must first write back its dirty lines, and in return leaves the kernel's own writes behind: a
// kernel that only reads pays for the lines of others.
GpuMemorySeconds gpu_memory_seconds(double read, double written, Figures& figures,
                                    const Context& context);

// Bytes a second from memory: the most that was measured, and what nobody exceeds, which is that or
// the datasheet's. Reads and writes share it.
double reached_bandwidth(const Sheet& sheet);
double bandwidth_ceiling(const Sheet& sheet);

// What a kernel cannot do without.
struct GpuCompulsory {
  double bytes = 0;       // read and written
  double footprint = 0;   // of the arrays: what a cache has to hold
  double arithmetic = 0;  // seconds, at the ceilings
};
// The least time that this takes, whoever computes it: bytes come from the nearest level that holds
// them all.
double gpu_floor_seconds(const GpuCompulsory& least, Figures& figures, const Context& context);

// The launch of a kernel: less where it follows another.
double gpu_launch_seconds(Figures& figures, const Context& context);

// What a kernel takes by being one: its launch, and until requests to memory are under way and back.
double gpu_fixed_seconds(bool reaches_memory, Figures& figures, const Context& context);

}  // namespace ridge::cost
