#include "ridge/runtime/cuda/shared_library.h"

#include <dlfcn.h>

#include "ridge/base/text.h"

namespace ridge::runtime::cuda {
namespace {

std::string last_loader_message() {
  const char* message = dlerror();
  return message != nullptr ? message : "no reason given";
}

}  // namespace

void* EntryTable::open_first(const LibrarySearch& search, std::string& problem) {
  std::vector<std::string> candidates = search.names;
  for (const std::string& folder : search.folders) {
    for (const std::string& name : search.names) candidates.push_back(folder + "/" + name);
  }
  for (const std::string& candidate : candidates) {
    // Symbols stay local: another CUDA in this process, PyTorch's say, must not meet ours.
    if (void* library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      path_ = candidate;
      return library;
    }
    // The first reason is the one about the plain name; those about folders only repeat it.
    if (problem.empty()) problem = last_loader_message();
  }
  problem = concat("no ", join(search.names, " or "), " (", problem, ")");
  return nullptr;
}

std::string EntryTable::load(const LibrarySearch& search) {
  const std::string remedy = search.remedy.empty() ? "" : "; " + search.remedy;
  std::string problem;
  void* library = open_first(search, problem);
  if (library == nullptr) return problem + remedy;
  for (const Slot& slot : slots_) {
    *slot.address = dlsym(library, slot.symbol);
    if (*slot.address == nullptr) {
      return concat(path_, " has no ", slot.symbol, ", it is too old or another library", remedy);
    }
  }
  return {};
}

}  // namespace ridge::runtime::cuda
