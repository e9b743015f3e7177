// Arrays over lanes: values that outlive a part, partial results of reductions.
#include "ridge/codegen/cuda/lane_values.h"

#include <algorithm>

#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {

// Which values of a part are read outside of it, and the arrays for those.

namespace {

std::vector<int> values_of(const Part& part) {
  std::vector<int> values;
  for (const loop::Statement* statement : part) {
    if (const auto* const let = as<loop::Let>(*statement)) values.push_back(let->value);
    if (const auto* const var = as<loop::Var>(*statement)) values.push_back(var->value);
  }
  return values;
}

// Those that are read outside of the part, too.
std::vector<int> shared_values(const Emission& emission, const Part& part) {
  const std::vector<int> own = reads_of(part, emission.kernel.values.size());
  std::vector<int> shared;
  for (const int value : values_of(part)) {
    const auto number = static_cast<size_t>(value);
    if (own[number] != emission.region->reads[number]) shared.push_back(value);
  }
  return shared;
}

}  // namespace

void add_lane_values(Region& region, const loop::Statement& statement) {
  for_each_statement(statement, [&](const loop::Statement& s) {
    if (const auto* const let = as<loop::Let>(s)) region.lane_values.insert(let->value);
    if (const auto* const var = as<loop::Var>(s)) region.lane_values.insert(var->value);
    if (const auto* const c = as<loop::Contract>(s)) region.lane_values.insert(c->value);
  });
}

void declare_lane_arrays(Emission& emission, const Part& part) {
  forget_names(emission, part);
  for (const int value : shared_values(emission, part)) {
    const std::string array = emission.names.add(value_name(emission, value));
    emission.out.line(name(register_type(emission.dtype_of(value))), " ", array, "[",
                      emission.region->lanes, "];");
    emission.text_of(value) = lane_of(emission, array);
  }
}

void forget_names(Emission& emission, const Part& part) {
  const std::vector<int> shared = shared_values(emission, part);
  for (const int value : values_of(part)) {
    if (std::ranges::find(shared, value) == shared.end()) emission.text_of(value).clear();
  }
}

// Which reductions of a vector loop need partials, and the lines in front of it and behind it.
void LanePartials::start(const loop::Body& body) {
  if (emission_.pipeline != nullptr) return;  // added in order: row_pipeline.h
  find(body);
  for (Partial& partial : partials_) declare(partial);
}

void LanePartials::find(const loop::Body& body) {
  std::vector<bool> is_own(emission_.kernel.values.size());
  std::vector<int> times(emission_.kernel.values.size());
  for_each_statement(body, [&](const loop::Statement& statement) {
    if (const auto* const var = as<loop::Var>(statement)) {
      is_own[static_cast<size_t>(var->value)] = true;
    }
    const auto* const reduce = as<loop::Reduce>(statement);
    if (reduce == nullptr || is_own[static_cast<size_t>(reduce->value)]) return;
    if (++times[static_cast<size_t>(reduce->value)] > 1) return;
    partials_.push_back({reduce->value, reduce->combine, emission_.text_of(reduce->value), ""});
  });
  for (const loop::Statement& statement : body) {
    const auto* const reduce = as<loop::Reduce>(statement);
    if (reduce != nullptr && times[static_cast<size_t>(reduce->value)] == 1) {
      emission_.region->single.insert(reduce->value);
    }
  }
}

// A partial result that is set exactly once needs no initial value.
void LanePartials::declare(Partial& partial) {
  partial.lanes = emission_.names.add(concat(partial.var, "_lanes"));
  const CppType type = emission_.value_types[static_cast<size_t>(partial.value)];
  emission_.out.line(name(type), " ", partial.lanes, "[", emission_.region->lanes, "];");
  const std::string lane = lane_of(emission_, partial.lanes);
  emission_.text_of(partial.value) = lane;
  if (emission_.region->single.contains(partial.value)) return;
  const std::string identity = identity_text(emission_, partial.combine, type);
  for_each_lane(emission_, [&] { emission_.out.line(lane, " = ", identity, ";"); });
}

void LanePartials::finish() {
  if (!partials_.empty()) emission_.use("tree_reduce");
  for (const Partial& partial : partials_) {
    emission_.text_of(partial.value) = partial.var;
    const CppType type = emission_.value_types[static_cast<size_t>(partial.value)];
    const std::string all = concat("ridge::tree_reduce(", partial.lanes, ", ",
                                   combiner(emission_, partial.combine, type), ")");
    emission_.out.line(combine_text(emission_, partial.combine, partial.var, all, type));
  }
}

}  // namespace ridge::codegen::cuda
