// What probes must know of a CPU before they measure it.
#pragma once

namespace ridge::calibrate {

struct CpuShape {
  int threads = 1;
  int cores = 1;   // that these threads run on: fewer where a core runs several
  int lanes = 16;  // f32 in a vector register
  double line = 64;
  double l1 = 0, l2 = 0, l3 = 0;  // bytes; of one core, of one core, of all

  // Threads that share the caches of one core when `tasks` of them work.
  int threads_of_core(int tasks) const { return tasks <= cores ? 1 : (tasks + cores - 1) / cores; }
};

// What the operating system and the code generator say of this machine; sizes of caches are its word
// only, which `checked_shape` (cpu_probes.h) measures. Error{device} where they are not known.
CpuShape this_cpu_shape();

}  // namespace ridge::calibrate
