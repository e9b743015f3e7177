#include "ridge/cost/roofline/frame.h"

#include <fmt/format.h>

namespace ridge::cost {

std::string to_text(const Rate& rate) {
  const bool is_tera = rate.per_second >= 1e12;
  return fmt::format("{} {:.4g} {}/s", rate.figure, rate.per_second / (is_tera ? 1e12 : 1e9),
                     is_tera ? "T" : "G");
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
