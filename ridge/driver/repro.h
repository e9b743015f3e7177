// Reproductions: what an internal failure leaves behind.
//
// A folder with the captured graph as text, the strides of its inputs, the knobs that were set, the
// version and the error's text (graph.ir, strides.txt, ...); the error then ends with `reproduce: ridge repro <folder>`. It lies in RIDGE_DUMP, or in the system's folder for
// temporary files. User errors (a wrong shape) leave nothing.
#pragma once

#include <functional>
#include <string>

#include "ridge/driver/pipeline.h"

namespace ridge::driver {

// Runs `stages`; an internal error, or an exception that is no Error, leaves a reproduction.
void reproducing(const graph::Graph& graph, const GraphOptions& options,
                 const std::function<void()>& stages);

// Writes a reproduction of what the program does without; returns how to use it, or why there is none.
std::string leave_reproduction(const graph::Graph& graph, const GraphOptions& options,
                               const std::string& what);
// Whether this thread is in `reproduce`, where a failure is to be seen and not gone around.
bool is_reproducing();

// Compiles the graph of a reproduction again, under the knobs it was made with, and throws what that
// throws. Another version of Ridge is a warning. A knob set now wins over the recorded one, and nothing is dumped unless asked for now.
void reproduce(const std::string& folder);

}  // namespace ridge::driver
