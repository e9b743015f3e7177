// Reproductions: what an internal failure leaves behind.
//
// A folder with the captured graph, what it was run on and how (repro_folder.h); the error then ends
// with `reproduce: ridge repro <folder>`. It lies in RIDGE_DUMP, or in the system's folder for
// temporary files, under a name that nobody foresees. User errors (a wrong shape) leave nothing.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "ridge/driver/pipeline.h"
#include "ridge/driver/repro_folder.h"

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
// While it lives, failures on this thread are those of a reproduction: they are to be seen and not gone
// around, and leave no further one.
class Reproducing {
 public:
  explicit Reproducing(const std::string& folder);  // that errors name; none if empty
  ~Reproducing();
  Reproducing(const Reproducing&) = delete;
  Reproducing& operator=(const Reproducing&) = delete;

 private:
  const std::string* outer_;
};
bool is_reproducing();

// Compiles the graph of a reproduction again, under the knobs it was made with as far as they are
// trusted, runs it where its inputs are there, and throws what that throws. Returns whether it was run.
bool reproduce(const std::string& folder, Trust trust = Trust::decisions);

}  // namespace ridge::driver
