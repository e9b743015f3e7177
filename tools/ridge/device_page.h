// One device as `ridge devices NAME` shows it: every figure, its source, and the checks.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "ridge/cost/sheet.h"

namespace ridge::command {

// A sheet and, where both are known, the one that measures or describes the same device.
struct DevicePage {
  std::shared_ptr<const cost::Sheet> sheet;
  std::shared_ptr<const cost::Sheet> datasheet{};  // set together with `measured`
  std::shared_ptr<const cost::Sheet> measured{};
};

// Error{unknown_name} with the nearest names.
DevicePage find_device(const std::string& name);

std::string page_text(const DevicePage& page);
nlohmann::ordered_json page_json(const DevicePage& page);

}  // namespace ridge::command
