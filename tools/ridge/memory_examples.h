// Programs that `ridge explain` plans without running them: what their gradients keep and what they
// compute again, and what that costs in memory and time.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ridge/recompute/recompute.h"
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

// What the gradients of a program keep and what they compute again, as one object for programs.

nlohmann::ordered_json point_json(const recompute::MemoryPoint& point);
// Most bytes first, layers that are alike together.
nlohmann::ordered_json decisions_json(const std::vector<aot::SavedOrRecomputed>& decisions,
                                      const graph::Graph& graph);
// The default, the curve of peak against time, and who holds the peak. In: a graph after the passes.
nlohmann::ordered_json memory_json(const graph::Graph& graph, const schedule::Options& options);

}  // namespace ridge::command
