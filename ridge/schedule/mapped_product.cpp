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

mapping::DescribedProduct described(const KernelCall& call) {
  const auto sizes = expected_sizes(call);
  if (!sizes) return {Decision::no("nobody knows its sizes")};
  const mapping::Rewritten unmapped = mapping::contract_to_tiles(call.kernel);
  if (!unmapped.decision) return {unmapped.decision};
  return mapping::describe_product(unmapped.kernel, *sizes);
}

// Of the first kernel of a product that is cut: the same tiles, of one part.
mapping::Mapping of_one_part(mapping::Mapping mapping) {
  std::get<mapping::Product>(mapping.family).split = 1;
  return mapping;
}

void add_choice(KernelCall& call, const mapping::Choice& choice) {
  call.decisions.push_back(choice.decision);
  call.decisions.back().reason += concat(" (", choice.best->price.to_text(), ")");
  for (const mapping::PricedMapping& other : choice.runners_up) {
    Decision decision = Decision::no(mapping::to_text(other.mapping));
    decision.cost_if_yes_us = 1e6 * other.price.price.predicted;
    call.decisions.push_back(std::move(decision));
  }
}

}  // namespace

int ChosenMapping::parts() const {
  return decision ? std::get<mapping::Product>(choice.best->mapping.family).split : 1;
}

ChosenMapping choose_mapping(const KernelCall& call, const LoopInput& input,
                             const mapping::KernelId& id, bool can_split) {
  mapping::DescribedProduct product = described(call);
  if (!product.decision) return {std::move(product.decision)};
  const auto accepts = [&](const mapping::Mapping& mapping) {
    const bool is_split = std::get<mapping::Product>(mapping.family).split > 1;
    if (is_split && !can_split) return Decision::no("parts of k for sizes that are symbols");
    return mapping::can_apply(of_one_part(mapping));
  };
  mapping::Choice choice =
      mapping::choose(product.work, *input.sheet, id, {.resident = input.resident}, accepts);
  Decision decision = choice.decision;
  return {std::move(decision), std::move(product.work), std::move(choice)};
}

void map_product(KernelCall& call, const ChosenMapping& chosen, const loop::DeviceLimits& limits) {
  std::string reason = chosen.decision.reason;
  if (chosen.decision) {
    const mapping::Mapping mapping = of_one_part(chosen.choice.best->mapping);
    mapping::PassesContext context;
    loop::Kernel mapped = mapping::run_mapping_passes(call.kernel, mapping, limits, context);
    if (mapped.threads > 0) {
      call.mapped = {mapping, chosen.parts() > 1 ? described(call).work : chosen.work};
      call.kernel = std::move(mapped);
      // The tile that it would have had by itself is of no interest any more.
      call.decisions.clear();
      add_choice(call, chosen.choice);
      if (is_logged("mapping")) {
        const mapping::Work& work = call.mapped->work;
        log(LogLevel::info, "mapping",
            concat(work.m, " x ", work.n, " x ", work.k, ": ", mapping::to_text(mapping)));
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
  const ChosenMapping chosen = choose_mapping(call, input, {}, call.sizes.empty());
  if (!chosen.decision) return std::nullopt;
  return chosen.choice.best->price.price.predicted;
}

}  // namespace ridge::schedule
