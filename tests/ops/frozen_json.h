// Calls and results as JSON: how sample calls reach PyTorch and its results come back.
//
//   {"tensor": {"dtype": "f32", "shape": [2], "values": [1.5, "nan"]}}, {"ints": [0, 1]}, ...
#pragma once

#include <nlohmann/json.hpp>

#include "ridge/dispatch/arg.h"

namespace ridge::testing {

nlohmann::json to_json(const Tensor& tensor);
nlohmann::json to_json(const dispatch::Value& value);
Tensor tensor_from_json(const nlohmann::json& json);
dispatch::Value value_from_json(const nlohmann::json& json);

}  // namespace ridge::testing
