// What a kernel's status word says, as an Error at the user's line.
//
// A fused kernel may check several indices and divisors, and its status says only which kind was wrong.
// Each op that could have set it is a suspect:
//
//   embedding(tokens, index) + embedding(positions, index)      one kernel, two index checks
//
// On a GPU a status is known after the run that set it, Note [Late failures]. The inputs of that run may
// be gone, so nothing is computed again to find the op at fault: all suspects are named.
//
//   LateFailures late(plan);
//   late.note_line(where);                  // of an eager call: its plan was made at the first one
//   throw late.error(call, status);
//
//   what(): "embedding: expected indices inside the dimension they select from, given at least one
//            outside, in kernel `fused_gather_add_3f0` of an earlier run of `step`, at model.cpp:12
//            (index error at model.cpp:12). RIDGE_WAIT=1 ..."
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "ridge/execute/executable_plan.h"

namespace ridge::execute {

// What the status says, in the name of an op at a line; it is not ok.
Error::Parts status_error(int32_t status, std::string_view op, Location where,
                          std::string hint = {});
// Throws that; nothing for ok.
void check_status(int32_t status, std::string_view op, Location where, std::string hint = {});

// Throws it for the first suspect of a call, and names the others; the status is not ok.
[[noreturn]] void throw_status(int32_t status, const ExecutableCall& call);

class LateFailures {
 public:
  // Does not refer to the plan afterwards.
  explicit LateFailures(const ExecutablePlan& plan);

  void note_line(Location where);  // from any thread
  Error error(size_t call, int32_t status) const;

 private:
  static constexpr size_t kMostLines = 4;
  struct Call {
    std::string kernel;
    std::vector<OpCheck> suspects;
  };

  std::vector<OpCheck> suspects_of(const Call& call, int32_t status) const;

  std::string program_;
  std::vector<Call> calls_;  // of the plan
  mutable std::mutex mutex_;
  std::vector<Location> lines_;  // the newest first
};

}  // namespace ridge::execute
