#include "ridge/mapping/passes/run.h"

#include "ridge/base/error.h"
#include "ridge/base/knobs.h"
#include "ridge/graph/pass.h"
#include "ridge/mapping/passes/contract_to_tiles.h"
#include "ridge/mapping/passes/map_product.h"

namespace ridge::mapping {
namespace {

constexpr MappingPass kPasses[] = {
    {"contract_to_tiles",
     [](loop::Kernel kernel, const Mapping&, const loop::DeviceLimits&) {
       return contract_to_tiles(std::move(kernel));
     }},
    {"map_product", map_product},
};

void check(const loop::Kernel& kernel) {
  const int64_t level = knob_int(Knob::verify);
  if (level >= kVerifyPasses) loop::verify(kernel);
  if (level < kVerifyText) return;
  const std::string text = loop::to_text(kernel);
  RIDGE_INTERNAL_CHECK(loop::to_text(loop::parse(text)) == text,
                       "a kernel that reads back as another: " + text);
}

}  // namespace

std::span<const MappingPass> mapping_passes() { return kPasses; }

loop::Kernel run_mapping_passes(loop::Kernel kernel, const Mapping& mapping,
                                const loop::DeviceLimits& limits, PassesContext& context) {
  for (const MappingPass& pass : kPasses) {
    Decision decision;
    const std::string name = kernel.name;
    context.runs.push_back(
        run_pass({.name = pass.name}, context.runs, graph::is_disabled(pass.name),
                 {.run =
                      [&] {
                        Rewritten result = pass.run(std::move(kernel), mapping, limits);
                        kernel = std::move(result.kernel);
                        decision = std::move(result.decision);
                      },
                  .verify = [&] { check(kernel); },
                  .has_changed = [&] { return decision.verdict; },
                  .text = [&] { return loop::to_text(kernel); },
                  .subject = name,
                  .ending = "loop"}));
    if (context.runs.back().outcome != PassRun::Outcome::skipped) {
      context.decisions.push_back(std::move(decision));
    }
  }
  return kernel;
}

}  // namespace ridge::mapping
