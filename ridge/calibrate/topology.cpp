#include "ridge/calibrate/topology.h"

#include <sched.h>

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

}  // namespace ridge::calibrate
