// Note [Vector clocks]: what of each role instance of a block happened before now. An instance counts its own
// time, which advances whenever it releases something: a slot, or an arrival at a named barrier. Whoever takes
// what it released joins its clock. An access at time t of instance i is ordered before all that instances do
// whose clock says t or later for i; two accesses of which neither is ordered race, if one is a write.
//
//   clock.release(slot)      slot.join(clock), then time passes
//   clock.has_seen(2, 7)     whether time 7 of instance 2 is over for us
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ridge::loop {

class TileClock {
 public:
  TileClock() = default;
  TileClock(size_t instances, int self) : times_(instances), self_(self) {
    times_[static_cast<size_t>(self)] = 1;
  }

  int self() const { return self_; }
  int32_t now() const { return times_[static_cast<size_t>(self_)]; }
  bool has_seen(int instance, int32_t time) const {
    return instance == self_ || times_[static_cast<size_t>(instance)] >= time;
  }
  void join(const TileClock& other) {
    if (times_.size() < other.times_.size()) times_.resize(other.times_.size());
    for (size_t i = 0; i < other.times_.size(); ++i) {
      times_[i] = std::max(times_[i], other.times_[i]);
    }
  }
  void release(TileClock& to) {
    to.join(*this);
    ++times_[static_cast<size_t>(self_)];
  }

 private:
  std::vector<int32_t> times_;
  int self_ = 0;
};

}  // namespace ridge::loop
