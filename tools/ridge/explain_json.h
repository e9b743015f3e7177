// A report of `ridge explain` as one object for programs.
#pragma once

#include <nlohmann/json.hpp>

#include "ridge/driver/verdict.h"

namespace ridge::command {

nlohmann::ordered_json explain_json(const driver::Report& report, const driver::Verdict& verdict);

}  // namespace ridge::command
