#include "ridge/schedule/mapped_product.h"

#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/mapping/passes/contract_to_tiles.h"
#include "ridge/mapping/passes/map_product.h"
#include "ridge/mapping/passes/product_work.h"
#include "ridge/mapping/passes/run.h"
#include "ridge/schedule/kernel_call.h"

namespace ridge::schedule {
namespace {

struct ChosenMapping {
  Decision decision;  // no: nothing was chosen
  mapping::Work work{};
  mapping::Choice choice{};
};

ChosenMapping choose_mapping(const KernelCall& call, const LoopInput& input,
                             const mapping::KernelId& id) {
  const auto sizes = expected_sizes(call);
  if (!sizes) return {Decision::no("nobody knows its sizes")};
  const mapping::Rewritten unmapped = mapping::contract_to_tiles(call.kernel);
  if (!unmapped.decision) return {unmapped.decision};
  mapping::DescribedProduct product = mapping::describe_product(unmapped.kernel, *sizes);
  if (!product.decision) return {std::move(product.decision)};
  mapping::Choice choice = mapping::choose(product.work, *input.sheet, id,
                                           {.resident = input.resident}, mapping::can_apply);
  Decision decision = choice.decision;
  return {std::move(decision), std::move(product.work), std::move(choice)};
}

void add_choice(KernelCall& call, const mapping::Choice& choice) {
  call.decisions.push_back(choice.decision);
  for (const mapping::PricedMapping& other : choice.runners_up) {
    Decision decision = Decision::no(mapping::to_text(other.mapping));
    decision.cost_if_yes_us = 1e6 * other.price.price.predicted;
    call.decisions.push_back(std::move(decision));
  }
}

}  // namespace

void map_product(KernelCall& call, const LoopInput& input, const mapping::KernelId& id) {
  ChosenMapping chosen = choose_mapping(call, input, id);
  std::string reason = chosen.decision.reason;
  if (chosen.decision) {
    const mapping::Mapping mapping = chosen.choice.best->mapping;
    mapping::PassesContext context;
    loop::Kernel mapped = mapping::run_mapping_passes(call.kernel, mapping, input.limits, context);
    if (mapped.threads > 0) {
      call.kernel = std::move(mapped);
      // The tile that it would have had by itself is of no interest any more.
      call.decisions.clear();
      add_choice(call, chosen.choice);
      call.mapped = {mapping, std::move(chosen.work)};
      if (is_logged("mapping")) {
        log(LogLevel::info, "mapping", concat(id.hash, ": ", mapping::to_text(mapping)));
      }
      return;
    }
    reason =
        context.decisions.empty() ? "the passes are switched off" : context.decisions.back().reason;
  }
  call.decisions.push_back(Decision::no(concat("in tiles of a mapping: ", reason)));
}

std::optional<double> mapped_seconds(const LoopInput& input) {
  EmittedGroup emitted = gpu_loops(input);
  if (emitted.kernels.size() != 1) return std::nullopt;
  KernelCall call{.kernel = {}, .buffers = {}, .sizes = {}, .nodes = {}};
  set_kernel(call, std::move(emitted.kernels.front()));
  const ChosenMapping chosen = choose_mapping(call, input, {});
  if (!chosen.decision) return std::nullopt;
  return chosen.choice.best->price.price.predicted;
}

}  // namespace ridge::schedule
