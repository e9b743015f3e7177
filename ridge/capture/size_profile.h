// Which sizes of a function's arguments become symbols: what has been seen of them so far.
//
//   f(x: f32[8, 64]), then f(x: f32[9, 64])     the second program is for x: f32[x_0, 64]
//
// Kept for each skeleton by itself (call_sizes.h). Asked where no program serves a call, by one thread
// at a time.
#pragma once

#include <map>

#include "ridge/capture/symbolic_sizes.h"
#include "ridge/capture/trace.h"

namespace ridge::capture {

class SizeProfile {
 public:
  // Programs for calls alike but for sizes; with more of them every size becomes a symbol.
  static constexpr int kMostPrograms = 8;

  // Error{value} where a name has two ranges.
  SizeProfile(Dynamic mode, std::vector<DimOf> dims, Location where);

  // How to make a program for this call, best first. A size of 1 behaves unlike others (it is
  // broadcast), so that a program captured with it would serve nothing else: the first plan has a
  // usual hint in its place, and may turn out not to serve the call; the next has it fixed. What is
  // empty is fixed in every plan, and in the last plan everything is: where something cannot be told
  // of symbols that can be told of numbers, a program is made for those.
  // Error{value} for a declared size outside of its range, Error{unknown_name} for a declared tensor
  // that is no argument, Error{shape} for sizes of one name that differ and for a size of two names.
  std::vector<std::vector<SlotPlan>> plans(const CallSizes& call, const SizeNames& names);

 private:
  struct Seen {
    std::vector<int64_t> first, largest;  // by slot
    std::vector<bool> has_changed;
    int programs = 0;
  };
  Seen& observe(const CallSizes& call);
  std::vector<const Dim*> declared_in(const CallSizes& call, const SizeNames& names) const;
  void check_range(const Dim& dim, int64_t value) const;
  size_t slot_of(const DimOf& declared, const CallSizes& call, const SizeNames& names) const;

  Dynamic mode_;
  std::vector<DimOf> dims_;
  Location where_;
  std::map<std::vector<uint64_t>, Seen> seen_;
};

}  // namespace ridge::capture
