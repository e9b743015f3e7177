// An estimate of the roofline calculator as people and programs read it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "ridge/cost/roofline/estimate.h"

namespace ridge::command {

std::string roofline_text(const cost::Estimate& estimate);
nlohmann::ordered_json roofline_json(const cost::Estimate& estimate);

}  // namespace ridge::command
