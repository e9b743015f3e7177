// What memory takes for the bytes of a kernel of a GPU.
#pragma once

#include "ridge/cost/price_parts.h"

namespace ridge::cost {

struct GpuMemorySeconds {
  double read = 0, written = 0;
};

// Note [Memory of a GPU]. Reading and writing in turn costs more than either: `dram.copy` is what
// both reach in equal parts, and of unequal parts the smaller one is affected. A cache that other
// work has filled must write a share of that back before it can hold anything else, and leaves the
// kernel's own writes behind in return: who only reads pays for what was there.
GpuMemorySeconds gpu_memory_seconds(double read, double written, Figures& figures,
                                    const Context& context);

// The launch of a kernel: less where it follows another.
double gpu_launch_seconds(Figures& figures, const Context& context);

// What a kernel takes by being one: its launch, and until requests to memory are under way and back.
double gpu_fixed_seconds(bool reaches_memory, Figures& figures, const Context& context);

}  // namespace ridge::cost
