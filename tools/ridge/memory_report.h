// What the gradients of a program keep and what they compute again, as one object for programs.
#pragma once

#include <nlohmann/json.hpp>

#include "ridge/recompute/recompute.h"

namespace ridge::command {

nlohmann::ordered_json point_json(const recompute::MemoryPoint& point);
// Most bytes first, layers that are alike together.
nlohmann::ordered_json decisions_json(const std::vector<aot::KeptOrRecomputed>& decisions,
                                      const graph::Graph& graph);
// The default, the curve of peak against time, and who holds the peak. In: a graph after the passes.
nlohmann::ordered_json memory_json(const graph::Graph& graph, const schedule::Options& options);

}  // namespace ridge::command
