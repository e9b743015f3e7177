// The probes of a CPU.
#pragma once

#include "ridge/calibrate/probe.h"

namespace ridge::calibrate {

struct CpuShape {
  int threads = 1;
  int lanes = 16;  // f32 in a vector register
  double line = 64;
  double l1 = 0, l2 = 0, l3 = 0;  // bytes; of one core, of one core, of all
};
// What the operating system and the code generator say of this machine. Error{device} where the
// sizes of the caches are not known.
CpuShape this_cpu_shape();

// Bandwidth of each level, read, written and copied; elements one by one.
void add_memory_probes(std::vector<Probe>& probes, const CpuShape& shape);
// FMA and plain arithmetic, products, and functions.
void add_arithmetic_probes(std::vector<Probe>& probes, const CpuShape& shape);
// What is left of a shared cache, and the reach of the TLB.
void add_capacity_probes(std::vector<Probe>& probes, const CpuShape& shape);
// A launch, a task, a loop.
void add_overhead_probes(std::vector<Probe>& probes, const CpuShape& shape);

}  // namespace ridge::calibrate
