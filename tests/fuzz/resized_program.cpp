#include "tests/fuzz/resized_program.h"

#include "ridge/capture/capture.h"
#include "ridge/capture/deliver.h"
#include "ridge/capture/shared_memory.h"
#include "ridge/graph/pass.h"

namespace ridge::fuzz {

ResizedProgram::ResizedProgram(const ViewProgram& program, RunGraph run_graph)
    : program_(program),
      run_graph_(std::move(run_graph)),
      profile_(Dynamic::automatic, {}, Location::current()) {}

const ResizedProgram::Entry* ResizedProgram::serving(const capture::CallSizes& call) const {
  for (size_t i = entries_.size(); i-- > 0;) {
    if (!entries_[i]->sizes.refusal(call)) return entries_[i].get();
  }
  return nullptr;
}

const ResizedProgram::Entry& ResizedProgram::make(const capture::CallSizes& call,
                                                  std::vector<Tensor>& arguments) {
  const auto function = [&](std::vector<Tensor>& given) { return run_program(program_, given); };
  const capture::SizeNames names = capture::names_of({}, arguments);
  const auto plans = profile_.plans(call, names);
  for (const auto& plan : plans) {
    auto entry = std::make_unique<Entry>(Entry{capture::SymbolicSizes(call, plan, names), {}});
    const capture::CaptureOptions options{
        .name = "views", .restores_aliases = true, .sizes = &entry->sizes};
    try {
      entry->captured = capture::capture(function, options, arguments);
    } catch (const Error&) {
      if (&plan == &plans.back()) throw;
      continue;  // what symbols cannot tell, numbers can
    }
    entry->captured.graph = entry->sizes.settled(std::move(entry->captured.graph));
    entry->captured.symbols = entry->sizes.symbols();
    graph::PassContext context;
    entry->passed = graph::run_passes(entry->captured.graph, graph::standard_passes(), context);
    entry->sizes.take_guards();
    entries_.push_back(std::move(entry));
    if (const Entry* found = serving(call)) return *found;
  }
  RIDGE_INTERNAL_CHECK(false, "a program that refuses the call it was made for");
  return *entries_.back();
}

std::vector<Tensor> ResizedProgram::call(std::vector<Tensor>& arguments) {
  capture::FlatArguments flat;
  capture::flatten(flat, Location::current(), arguments);
  const capture::CallSizes sizes = capture::sizes_of(flat);
  const Entry* entry = serving(sizes);
  if (entry == nullptr) entry = &make(sizes, arguments);
  const std::vector<int64_t> values = entry->sizes.values_in(sizes);
  const graph::Graph bound = graph::with_values(entry->passed, entry->sizes.symbols(), values);
  const capture::CallInputs inputs(entry->captured, flat.inputs);
  const std::vector<Tensor> outputs = run_graph_(bound, inputs.all());
  return capture::deliver<std::vector<Tensor>>(entry->captured, flat, outputs, values);
}

}  // namespace ridge::fuzz
