// What probes must know of a CPU before they measure it: threads, cores, caches.
#pragma once

#include <functional>
#include <string>
#include <vector>

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

// Cores and caches of this machine, as the operating system lists them.

// The processors that this process may run on.
std::vector<int> usable_processors();

// How many cores the processors lie on: those of one core name the same siblings in
// FOLDER/cpuN/topology/thread_siblings_list. One without such a file counts as a core of its own.
int core_count(const std::string& folder, const std::vector<int>& processors);

// Bytes of all caches of a level that these processors reach, each once: FOLDER/cpuN/cache/index3 of
// the third level. 0 where nothing is listed.
double shared_cache_bytes(const std::string& folder, const std::vector<int>& processors, int level);

// How much a cache holds, told by how fast arrays of growing size are gone through: what a system says
// of its caches may be the sum over sockets that this program never runs on.
//
//   capacity_of(copy_rate, 4 MiB, 960 MiB)         30 MiB, where the system says 320
//   checked_bytes(320 MiB, 30 MiB)                 30 MiB
//   checked_bytes(32 MiB, 28 MiB)                  32 MiB: others have the rest of it

// Bytes up to which `rate` (bytes a second, of going through so many bytes again and again) is nearer to
// that of `least` bytes, which the cache holds, than to that of `most`, which it does not. All of `most`
// where the two are so close that nothing can be told.
double capacity_of(const std::function<double(double bytes)>& rate, double least, double most);

// What the system says, unless less than half of it was found.
double checked_bytes(double reported, double measured);

}  // namespace ridge::calibrate
