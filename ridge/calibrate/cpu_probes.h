// The probes of a CPU.
#pragma once

#include "ridge/calibrate/cpu_shape.h"
#include "ridge/calibrate/probe.h"

namespace ridge::calibrate {

// Bandwidth of each level, read, written and copied; elements one by one.
void add_memory_probes(std::vector<Probe>& probes, const CpuShape& shape);
// FMA and plain arithmetic, products, and functions.
void add_arithmetic_probes(std::vector<Probe>& probes, const CpuShape& shape);
// What is left of a shared cache, and the reach of the TLB.
void add_capacity_probes(std::vector<Probe>& probes, const CpuShape& shape);
// The shape with sizes of caches that were measured, where the system's word is not borne out.
CpuShape checked_shape(const CpuShape& said);
// A launch, a task, a loop.
void add_overhead_probes(std::vector<Probe>& probes, const CpuShape& shape);

}  // namespace ridge::calibrate
