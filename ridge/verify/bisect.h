// Who makes a program wrong: a pass, a fusion, a kernel, or the memory plan.
//
// Comes in: a reproduction, a graph and what it was run on. Goes out: the first step after which the
// results are no longer those of the reference, found by running the program again with steps left
// out and each step against the reference:
//
//   passes     replayed by the reference before and after each one (verify_passes.h)
//   fusion     RIDGE_DISABLE=fuse, then each op of the kernel at fault by itself
//   kernels    what each stored, for what it read (verify_kernels.h)
//
// A pass that is right may still be what makes a wrong kernel come up: `since` names the first
// optional pass (RIDGE_STOP_AFTER) without which the results are right.
#pragma once

#include <string>
#include <vector>

#include "ridge/verify/repro.h"

namespace ridge::verify {

struct Blame {
  enum class Kind : uint8_t {
    nothing,   // the results are right
    pass,      // `culprit` changes what the graph means
    fusion,    // `culprit` is a kernel that is right with its ops apart
    kernel,    // `culprit` is a kernel that is wrong, of one op, or whatever it is fused with
    memory,    // kernels are right, but one overwrites what another reads
    compiler,  // there is no program: `what` is the error
    unknown,   // wrong, and each step by itself is right
  };
  struct Trial {
    std::string knobs;  // what was set, beside the recorded knobs
    std::string wrong;  // what was wrong; empty if nothing
  };

  Kind kind = Kind::nothing;
  std::string culprit{};
  std::vector<std::string> ops{};    // that it computes
  std::vector<std::string> lines{};  // of the user's program
  std::string what{};                // the element that is wrong, or the error
  std::string since{};
  std::string workaround{};  // a knob to go on with; empty if none helps
  bool has_random_inputs = false;
  std::vector<Trial> trials{};
};

std::string_view name(Blame::Kind kind);

// Under the recorded knobs, as far as they are trusted. Without inputs it is run on random ones in the
// recorded strides: floats from -2 to 2, integers 0 and 1. It leaves no file behind.
Blame bisect(Reproduction reproduction, Trust trust, const Compile& compile);

std::string to_text(const Blame& blame);

}  // namespace ridge::verify
