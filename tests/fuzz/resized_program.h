// A program of views for calls of changing sizes, found and made as `compile` does it, and run without
// machine code: the graphs that symbols and guards give are what is tested, thousands of them a minute.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "ridge/capture/size_profile.h"
#include "tests/fuzz/view_program.h"

namespace ridge::fuzz {

// How a functional graph without symbols is run on the inputs of a call.
using RunGraph =
    std::function<std::vector<Tensor>(const graph::Graph&, std::span<const Tensor* const>)>;

class ResizedProgram {
 public:
  ResizedProgram(const ViewProgram& program, RunGraph run_graph);

  std::vector<Tensor> call(std::vector<Tensor>& arguments);

 private:
  struct Entry {
    capture::SymbolicSizes sizes;
    capture::Captured captured;
    graph::Graph passed{};
  };
  // The newest that serves the call; null if none does.
  const Entry* serving(const capture::CallSizes& call) const;
  const Entry& make(const capture::CallSizes& call, std::vector<Tensor>& arguments);

  const ViewProgram& program_;
  RunGraph run_graph_;
  capture::SizeProfile profile_;
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace ridge::fuzz
