#include "ridge/driver/entry.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/capture/shared_memory.h"
#include "ridge/recompute/control_recompute.h"
#include "ridge/recompute/memory_search.h"

namespace ridge::driver {
namespace {

GraphOptions symbolic_options(const std::string& name, const capture::FlatArguments& flat,
                              const capture::SymbolicSizes& sizes) {
  GraphOptions options{.name = name, .input_strides = {}, .symbols = sizes.symbols()};
  for (size_t i = 0; i < flat.tensors.size(); ++i) {
    if (!flat.tensors[i]->defined()) continue;
    options.input_strides.push_back(sizes.strides_of(i, *flat.tensors[i]));
  }
  return options;
}

FoundProgram bound(const std::shared_ptr<Entry>& entry, const capture::CallSizes& call) {
  return {entry, entry->compiled->bind(entry->sizes.values_in(call))};
}

}  // namespace

GraphOptions graph_options(const std::string& name, std::span<const Tensor* const> inputs) {
  GraphOptions options{.name = name, .input_strides = {}};
  for (const Tensor* input : inputs) {
    options.input_strides.push_back(input->is_contiguous() ? std::nullopt
                                                           : std::optional(input->strides()));
  }
  return options;
}

namespace {

// What a program needs that has nothing to compute again; nothing where it runs op by op.
std::optional<int64_t> peak_without_gradients(const CompiledGraph& compiled) {
  if (compiled.program() != nullptr) return recompute::peak_bytes(compiled.plan());
  if (compiled.control() == nullptr) return std::nullopt;
  for (const CompiledGraph* part : compiled.parts()) {
    if (part->program() == nullptr) continue;
    const schedule::Options options = scheduling_of(compiled.options(), part->program()->device());
    return recompute::control_figures(compiled.graph(), options, 0).peak_bytes;
  }
  return std::nullopt;
}

// Where gradients are, whoever decided about them has met the budget; unless nothing may decide.
void check_budget_without_gradients(const Entry& entry, int64_t budget) {
  const bool is_met = budget == 0 || entry.gradients != nullptr || entry.compiled->recomputed();
  if (is_met || graph::is_disabled("recompute")) return;
  const std::optional<int64_t> peak = peak_without_gradients(*entry.compiled);
  if (!peak || *peak <= budget) return;
  recompute::throw_unmet_budget(
      budget, *peak,
      "no gradients are taken, so there is nothing to compute again; a smaller batch "
      "needs less");
}

void make_programs(Entry& entry, const std::string& name, const capture::FlatArguments& flat,
                   int64_t memory_budget, Location where) {
  entry.captured.graph = entry.sizes.settled(std::move(entry.captured.graph));
  entry.captured.symbols = entry.sizes.symbols();
  GraphOptions options = symbolic_options(name, flat, entry.sizes);
  options.memory_budget = memory_budget;
  std::vector<size_t> wrt;
  if (flat.any_requires_grad) {
    wrt = requiring_grad(capture::CallInputs(entry.captured, flat.inputs).all());
  }
  if (!wrt.empty()) {
    entry.gradients =
        std::make_unique<GradientProgram>(entry.captured.graph, std::move(wrt), options, where);
  }
  entry.compiled = std::make_unique<CompiledGraph>(
      entry.gradients != nullptr ? entry.gradients->forward() : entry.captured.graph, options);
  check_budget_without_gradients(entry, memory_budget);
  entry.sizes.take_guards();
}

}  // namespace

void compile_entry(Entry& entry, const std::string& name, const capture::FlatArguments& flat,
                   int64_t memory_budget, Location where) {
  try {
    make_programs(entry, name, flat, memory_budget, where);
  } catch (Error& error) {
    if (!error.where()) error.locate(name, where);
    throw;
  }
}

FoundProgram find_serving(Entries entries, const capture::CallSizes& call) {
  for (size_t i = entries.size(); i-- > 0;) {
    if (!entries[i]->sizes.refusal(call)) return bound(entries[i], call);
  }
  return {};
}

bool any_covers(Entries entries, const capture::CallSizes& call,
                std::span<const capture::SlotPlan> plan) {
  return std::ranges::any_of(entries, [&](const std::shared_ptr<Entry>& entry) {
    return entry->sizes.covers(call, plan);
  });
}

std::optional<capture::Difference> why_refused(const Entry& entry, const capture::CallSizes& call,
                                               const capture::Signature& made_for,
                                               const capture::Signature& given) {
  const auto refusal = entry.sizes.refusal(call);
  if (!entry.sizes.has_symbols() || !refusal || refusal->condition.empty()) {
    return capture::first_difference(made_for, given, entry.captured.names);
  }
  const std::string line =
      refusal->where.line() > 0 ? concat(" at ", ridge::to_text(refusal->where)) : "";
  return capture::Difference{
      .guard = refusal->condition,
      .argument = {},
      .before = refusal->condition,
      .now = refusal->given,
      .text = concat("the guard ", refusal->condition, line, ", and ", refusal->given, " now")};
}

}  // namespace ridge::driver
