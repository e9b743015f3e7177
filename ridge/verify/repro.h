// Reproductions: what an internal failure leaves behind.
//
// A folder with the captured graph, what it was run on and how (repro_folder.h); the error then ends
// with `reproduce: ridge repro <folder>`. It lies in RIDGE_DUMP, or in the system's folder for
// temporary files, under a name that nobody foresees. User errors (a wrong shape) leave nothing.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "ridge/graph/graph.h"
#include "ridge/graph/graph_options.h"
#include "ridge/schedule/plan.h"
#include "ridge/verify/repro_folder.h"

namespace ridge::verify {

// Runs `stages`; an internal error, or an exception that is no Error, leaves a reproduction, unless it
// names one already. `inputs`: what the graph is run on.
void reproducing(const graph::Graph& graph, const graph::GraphOptions& options,
                 std::span<const Tensor> inputs, const std::function<void()>& stages);
inline void reproducing(const graph::Graph& graph, const graph::GraphOptions& options,
                        const std::function<void()>& stages) {
  reproducing(graph, options, {}, stages);
}

// Writes a reproduction of what the program does without; returns how to use it, or why there is none.
std::string leave_reproduction(const graph::Graph& graph, const graph::GraphOptions& options,
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

// The graph of a reproduction, compiled. Compiling is the driver's, which knows the order of stages; it
// hands a function over that does it.
class Candidate {
 public:
  virtual ~Candidate() = default;
  virtual std::vector<Tensor> run(std::span<const Tensor* const> inputs) const = 0;
  // The kernels alone, without leaving a reproduction of what fails, where it is one program.
  virtual std::vector<Tensor> run_kernels(std::span<const Tensor* const> inputs) const = 0;
  virtual const graph::Graph& graph() const = 0;   // after the passes
  virtual const schedule::Plan* plan() const = 0;  // null where it is not one program
};
using Compile =
    std::function<std::unique_ptr<Candidate>(const graph::Graph&, const graph::GraphOptions&)>;

// Compiles the graph of a reproduction again, under the knobs it was made with as far as they are
// trusted, runs it where its inputs are there, and throws what that throws. Returns whether it was run.
bool reproduce(const std::string& folder, Trust trust, const Compile& compile);

}  // namespace ridge::verify
