// Which values of a part are read outside of it, and the arrays for those.
#include "ridge/codegen/cuda/lane_values.h"

#include <algorithm>

#include "ridge/codegen/cuda/lane_loop.h"

namespace ridge::codegen::cuda {
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

}  // namespace ridge::codegen::cuda
