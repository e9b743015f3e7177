// RIDGE_VERIFY=3: each kernel of a run against the reference, on the very values it read.
//
// Comes in: a plan whose calls say what they store, and the memory of a run. Before a call its
// operands are copied to the host; after it, what it stored is compared with what the graph's nodes
// give for them (oracle.h). So an error is the kernel's own, whatever went wrong before it, and the
// first one that is found is where it began:
//
//   kernel fused_add_gelu_3f2a91c0: expected 1.25 at [3, 5] of the f32[8, 16] of add, gelu, ...
//
// Kernels of one group that hand partial results to each other count as one. Values that somebody
// overwrote before they were read are found, too: the kernels are right then, and the memory plan is
// not. What would take the reference too long is left out, and a warning says so.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/base/knobs.h"
#include "ridge/dispatch/operator.h"
#include "ridge/execute/executor.h"
#include "ridge/graph/symbols.h"
#include "ridge/schedule/plan.h"
#include "ridge/verify/oracle.h"

namespace ridge::verify {

// Knob::verify from here on checks kernels and what passes make of a graph.
inline constexpr int64_t kVerifyKernels = execute::kVerifyWatches;

// Error{internal} that says whose fault it is.
struct WrongKernel : Error {
  WrongKernel(Parts parts, size_t number, bool is_memory)
      : Error(std::move(parts)), call(number), is_overwritten(is_memory) {}
  size_t call;          // of the plan
  bool is_overwritten;  // not its results are wrong, but what it was given
};

class KernelCheck final : public execute::KernelWatch {
 public:
  // Plan, inputs and memory must outlive it. `sizes`: of the graph's symbols in this run; `memory`: as
  // the executor fills it, by buffer of the plan.
  KernelCheck(const schedule::Plan& plan, const graph::Graph& graph, graph::SymbolSizes sizes,
              std::span<const Tensor* const> inputs, std::span<void* const> memory, Device device);

  void before(size_t call) override;
  void after(size_t call) override;

 private:
  // A value in memory.
  struct Known {
    int buffer;
    Shape strides;
    uint64_t content;  // its hash
  };
  // Kernels that are checked together, and what they are given.
  struct Unit {
    size_t first = 0, last = 0;
    graph::Graph part{};
    std::vector<Tensor> inputs{};
    bool is_checked = false;
  };

  void open(size_t call);
  void set_part(Unit& unit) const;
  void read_inputs(Unit& unit, const graph::ValueIds& values) const;
  void store(const schedule::KernelCall::Stored& stored, const Tensor& now);
  Tensor read(graph::ValueId value, int buffer, const Shape& strides) const;
  bool is_direct_operand(const Unit& unit, graph::ValueId value, int buffer) const;
  [[noreturn]] void throw_overwritten(size_t call, graph::ValueId value) const;
  [[noreturn]] void throw_wrong(graph::ValueId value, const reference::Mismatch& mismatch) const;
  std::string kernels_text(const Unit& unit) const;

  const schedule::Plan& plan_;
  graph::SymbolSizes sizes_;
  graph::Graph graph_;  // with the sizes of the inputs in the place of symbols
  std::span<void* const> memory_;
  Device device_;
  std::map<int32_t, Known> known_;  // by value
  Unit unit_;
  size_t next_ = 0;  // the first call that is in no unit yet
};

// RIDGE_VERIFY=3: what the kernel of an eager call computed, against the reference (oracle.h).
//
//   kernel of softmax: expected 0.25 at [3, 5], within 1e-06, given 0.5
// Error{internal} with a reproduction where the result is not what the op gives for its arguments,
// which may be on any device. Calls that would take the reference too long are left out.
void check_eager(const dispatch::Frame& frame, const Tensor& result);

inline bool checks_kernels() { return knob_int(Knob::verify) >= kVerifyKernels; }

}  // namespace ridge::verify
