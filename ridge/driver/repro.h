// Reproductions: what an internal failure leaves behind.
//
// A folder with the captured graph, what it was run on and how (repro_folder.h); the error then ends
// with `reproduce: ridge repro <folder>`. It lies in RIDGE_DUMP, or in the system's folder for
// temporary files. User errors (a wrong shape) leave nothing.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "ridge/driver/pipeline.h"

namespace ridge::driver {

// Runs `stages`; an internal error, or an exception that is no Error, leaves a reproduction, unless it
// names one already. `inputs`: what the graph is run on.
void reproducing(const graph::Graph& graph, const GraphOptions& options,
                 std::span<const Tensor> inputs, const std::function<void()>& stages);
inline void reproducing(const graph::Graph& graph, const GraphOptions& options,
                        const std::function<void()>& stages) {
  reproducing(graph, options, {}, stages);
}

// Writes a reproduction of what the program does without; returns how to use it, or why there is none.
std::string leave_reproduction(const graph::Graph& graph, const GraphOptions& options,
                               const std::string& what, std::span<const Tensor> inputs = {});
// Whether this thread is in `reproduce`, where a failure is to be seen and not gone around.
bool is_reproducing();

// Compiles the graph of a reproduction again, under the knobs it was made with, runs it where its
// inputs are there, and throws what that throws. Returns whether it was run.
bool reproduce(const std::string& folder);

}  // namespace ridge::driver
