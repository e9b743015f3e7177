// Cores and caches of this machine, as the operating system lists them.
#pragma once

#include <string>
#include <vector>

namespace ridge::calibrate {

// The processors that this process may run on.
std::vector<int> usable_processors();

// How many cores the processors lie on: those of one core name the same siblings in
// FOLDER/cpuN/topology/thread_siblings_list. One without such a file counts as a core of its own.
int core_count(const std::string& folder, const std::vector<int>& processors);

// Bytes of all caches of a level that these processors reach, each once: FOLDER/cpuN/cache/index3 of
// the third level. 0 where nothing is listed.
double shared_cache_bytes(const std::string& folder, const std::vector<int>& processors, int level);

}  // namespace ridge::calibrate
