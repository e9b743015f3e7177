// Programs that `ridge explain` plans without running them: what their gradients keep and what they
// compute again, and what that costs in memory and time.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ridge/schedule/plan.h"

namespace ridge::command {

struct MemoryExample {
  std::string name;
  std::string what;
  std::string batch;  // what one of a batch is
  int64_t usual_batch;
  // For a device; everything that is said of it.
  std::function<nlohmann::ordered_json(int64_t batch, const schedule::Options& options)> plan;
};

const std::vector<MemoryExample>& memory_examples();
// Null if there is none of that name.
const MemoryExample* find_memory_example(const std::string& name);

// What `plan` gave, for people.
std::string memory_text(const nlohmann::ordered_json& report);

}  // namespace ridge::command
