#include "ridge/calibrate/topology.h"

#include <sched.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "ridge/base/text.h"

namespace ridge::calibrate {

std::vector<int> usable_processors() {
  std::vector<int> processors;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &allowed)) processors.push_back(i);
  }
  return processors;
}

int core_count(const std::string& folder, const std::vector<int>& processors) {
  std::set<std::string> cores;
  for (const int processor : processors) {
    std::ifstream file(concat(folder, "/cpu", processor, "/topology/thread_siblings_list"));
    std::string siblings;
    if (!std::getline(file, siblings)) siblings = concat("processor ", processor);
    cores.insert(siblings);
  }
  return static_cast<int>(cores.size());
}

double shared_cache_bytes(const std::string& folder, const std::vector<int>& processors,
                          int level) {
  std::set<std::string> caches;
  double bytes = 0;
  for (const int processor : processors) {
    // One is listed after the other, data and instructions apart; which level one is of, it says.
    for (int index = 0;; ++index) {
      const std::string place = concat(folder, "/cpu", processor, "/cache/index", index);
      int its_level = 0;
      if (!(std::ifstream(place + "/level") >> its_level)) break;
      std::string size, sharers;
      std::ifstream(place + "/size") >> size;
      std::ifstream(place + "/shared_cpu_list") >> sharers;
      if (its_level != level || !size.ends_with('K') || !caches.insert(sharers).second) continue;
      bytes += 1024 * std::strtod(size.c_str(), nullptr);
    }
  }
  return bytes;
}

}  // namespace ridge::calibrate
