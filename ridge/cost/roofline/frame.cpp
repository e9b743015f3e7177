#include "ridge/base/text.h"
#include "ridge/cost/roofline/matmul_model.h"
#include "ridge/cost/sheet.h"
#include "ridge/cost/units.h"

namespace ridge::cost {

std::string to_text(const Rate& rate) {
  // A figure may say more than its key: "vector.f32.fma / 2", "link.device, 1 of 4 links".
  const std::string_view key =
      std::string_view(rate.figure).substr(0, rate.figure.find_first_of(", "));
  return concat(rate.figure, " ",
                readable_text(rate.per_second, unit_of(key).value_or(Unit::count)));
}

std::vector<std::string> rates_of(const MatmulMachine& machine) {
  std::vector<std::string> texts{to_text(machine.math), to_text(machine.memory)};
  if (machine.reached.per_second < machine.math.per_second) {
    texts.push_back(concat("reached ", to_text(machine.reached)));
  }
  return texts;
}

Estimate frame_estimate(std::string operation, const Query& query, Rates& rates,
                        const PartsOf& parts, const std::vector<std::string_view>& dimensions) {
  Estimate estimate;
  estimate.operation = std::move(operation);
  estimate.sheet = query.sheet->name;
  estimate.sheet_version = query.sheet->version;
  estimate.parts = parts(query.sizes);
  const auto launch = query.sheet->value("launch");
  if (!launch) rates.absent("launch", "overhead is not judged");
  add_bounds(estimate, launch);
  for (const std::string_view dimension : dimensions) {
    estimate.crossovers.push_back(
        {std::string(dimension), crossover_along(dimension, query.sizes, parts)});
  }
  if (!dimensions.empty()) estimate.crossover_batch = estimate.crossovers.front().at;
  estimate.notices = rates.notices();
  return estimate;
}

}  // namespace ridge::cost
