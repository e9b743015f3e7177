// A report of `ridge explain` as one object for programs.
#pragma once

#include <nlohmann/json.hpp>

#include "ridge/report/explain.h"

namespace ridge::command {

nlohmann::ordered_json explain_json(const report::Report& report, const report::Verdict& verdict);

}  // namespace ridge::command
