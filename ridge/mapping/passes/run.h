// The passes that apply a mapping to a kernel, in their order, by the runner that graph passes have.
//
//   PassesContext context;
//   kernel = run_mapping_passes(std::move(kernel), mapping, limits, context);
//   context.runs[0]         {"contract_to_tiles", changed, 12.0 us}
//   context.decisions[1]    "yes: product wgmma 128x256x64 ..."
//
// RIDGE_DISABLE names passes to skip, RIDGE_DUMP has the kernel after each that changed it, RIDGE_VERIFY=1
// verifies it and =3 reads its text back.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ridge/base/pass_runner.h"
#include "ridge/loop/device_limits.h"
#include "ridge/mapping/mapping.h"
#include "ridge/mapping/passes/rewritten.h"

namespace ridge::mapping {

struct PassesContext {
  std::vector<PassRun> runs{};
  std::vector<Decision> decisions{};  // of each that was not skipped
};

struct MappingPass {
  std::string_view name;
  Rewritten (*run)(loop::Kernel, const Mapping&, const loop::DeviceLimits&);
};
std::span<const MappingPass> mapping_passes();

loop::Kernel run_mapping_passes(loop::Kernel kernel, const Mapping& mapping,
                                const loop::DeviceLimits& limits, PassesContext& context);

}  // namespace ridge::mapping
