#include <llvm/ADT/StringMap.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ridge/codegen/llvm/generate.h"

namespace ridge::codegen {
namespace {

CpuTarget find_host() {
  CpuTarget target;
  target.cpu = llvm::sys::getHostCPUName().str();
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  std::vector<std::string> names;
  for (const auto& feature : features) {
    names.push_back((feature.second ? "+" : "-") + feature.first().str());
  }
  std::sort(names.begin(), names.end());  // the map has no order, and the text goes into objects
  for (const std::string& name : names) {
    target.features += (target.features.empty() ? "" : ",") + name;
  }
  const bool has_avx512 =
      features["avx512f"] && features["avx512bw"] && features["avx512dq"] && features["avx512vl"];
  const bool has_avx2 = features["avx2"] && features["fma"];
  target.vector_bytes = has_avx512 ? 64 : has_avx2 ? 32 : 16;
  return target;
}

}  // namespace

const CpuTarget& host_target() {
  // Never destroyed: static destructors of the host may still call ops.
  static const CpuTarget& target = *new CpuTarget(find_host());
  return target;
}

}  // namespace ridge::codegen
