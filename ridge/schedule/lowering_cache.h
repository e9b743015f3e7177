// Groups that are alike are lowered once: the others take over what became of the first.
//
//   LoweringCache cache(program);
//   LoweredGroup lowered = cache.lowered(input, [&] { return lower(input); });
//
// Goes out: exactly what lowering the group would give. Kernels speak of buffers by their place in a list,
// so it is the numbers in that list that change, the names of buffers and values, and which nodes a call
// computes. Where it cannot be seen what a name was made of, the group is lowered by itself.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>

#include "ridge/schedule/group_signature.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule {

struct LoweredGroup {
  std::vector<KernelCall> calls;      // without the names and notes that `describe` gives
  std::vector<std::string> contents;  // of their kernels: kernel_text.h
  std::vector<ScratchBuffer> scratch_buffers;
};

class LoweringCache {
 public:
  explicit LoweringCache(const InlinedGraph& program);
  ~LoweringCache();

  LoweredGroup lowered(const LoopInput& input, const std::function<LoweredGroup()>& lower);

 private:
  class First;  // of its form
  const InlinedGraph& program_;
  GroupSignatures forms_;
  std::unordered_map<std::vector<uint64_t>, std::unique_ptr<First>, SignatureHash> known_;
};

}  // namespace ridge::schedule
