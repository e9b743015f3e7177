// Reproductions: what an internal failure leaves behind.
//
// A folder with the captured graph as text, the knobs that were set and the version; the error then
// ends with `reproduce: ridge repro <folder>`. It lies in RIDGE_DUMP, or in the system's folder for
// temporary files. User errors (a wrong shape) leave nothing.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ridge/graph/graph.h"

namespace ridge::driver {

// Runs `stages`; an internal error, or an exception that is no Error, leaves a reproduction.
void reproducing(const graph::Graph& graph, const std::string& name,
                 const std::function<void()>& stages);

// Compiles the graph of a reproduction again, under the knobs it was made with, and throws what that
// throws. A knob set now wins over the recorded one, and nothing is dumped unless asked for now.
void reproduce(const std::string& folder);

// Is a pass or stage named by RIDGE_DISABLE? `_` and `-` are the same.
bool is_disabled(std::string_view stage);

}  // namespace ridge::driver
