// Asynchronous copies from global to shared memory: `async_copy` and `wait_copies` of loop.h.
#include <algorithm>
#include <cstring>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/loop/memory.h"

namespace ridge::loop {

// Nobody may read an element before it arrives, so it is copied at once.
void Memory::async_copy(ElementRef to, ElementRef from, Lanes lanes) {
  Region& into = regions_[static_cast<size_t>(to.buffer)];
  Region& source = regions_[static_cast<size_t>(from.buffer)];
  for (size_t i = 0; i < lanes.size();) {
    const size_t first = i;
    const uint32_t thread = lanes[i] >> thread_shift_;
    for (; i < lanes.size() && lanes[i] >> thread_shift_ == thread; ++i) {
      const int64_t index = to.index[lanes[i]].integer;
      const int64_t from_index = from.index[lanes[i]].integer;
      if (!is_in_range(into, index, false) || !is_in_range(source, from_index, true)) continue;
      copy_lane(into, index, source, from_index, lanes[i]);
    }
    const Lanes of_thread = lanes.subspan(first, i - first);
    if (vector_run_ == 0 || counts_.status != KernelStatus::ok) continue;
    for (const ElementRef& element : {to, from}) {
      if (is_run(of_thread, element.index)) continue;
      throw_error({.op = kernel_.name,
                   .expected = "an async_copy of consecutive elements in a vector loop",
                   .given = kernel_.buffers[static_cast<size_t>(element.buffer)].name});
    }
    if (!into.shadow.empty()) lose_lanes(into, of_thread, to.index);
  }
  count(static_cast<size_t>(from.buffer), lanes, from.index, true);
  count(static_cast<size_t>(to.buffer), lanes, to.index, false);
}

void Memory::copy_lane(Region& to, int64_t index, Region& from, int64_t from_index, uint32_t lane) {
  const int64_t at = place(to, index, lane);
  std::memcpy(to.data + at * to.element_bytes, from.data + from_index * from.element_bytes,
              static_cast<size_t>(to.element_bytes));
  if (!from.shadow.empty()) {
    touch(from, from_index, lane, true);
    ++from.shadow[static_cast<size_t>(from_index)].pending_reads;
  }
  if (to.shadow.empty()) return;
  touch(to, index, lane, false);
  to.shadow[static_cast<size_t>(at)].is_in_flight = true;
  copies_in_flight_[lane >> thread_shift_].push_back({&to, &from, at, from_index, lane});
}

bool Memory::is_run(Lanes of_thread, Column index) {
  return std::ranges::all_of(of_thread, [&](uint32_t lane) {
    return index[lane].integer - lane == index[of_thread[0]].integer - of_thread[0];
  });
}

// The old elements of lanes that are masked off.
void Memory::lose_lanes(Region& region, Lanes of_thread, Column index) {
  const uint32_t first = of_thread[0] >> thread_shift_ << thread_shift_;
  for (uint32_t i = 0; i < vector_extent_; ++i) {
    const uint32_t lane = first + i;
    const int64_t at = index[of_thread[0]].integer + lane - of_thread[0];
    if (std::ranges::find(of_thread, lane) != of_thread.end()) continue;
    if (!is_in_range(region, at, false)) continue;
    touch(region, at, lane, false);
    region.shadow[static_cast<size_t>(place(region, at, lane))] = {};
  }
}

void Memory::wait_copies(Lanes lanes, int pending) {
  for (const uint32_t lane : lanes) {
    std::vector<CopyInFlight>& copies = copies_in_flight_[lane >> thread_shift_];
    for (CopyInFlight& element : copies) {
      if (++element.waits <= pending) continue;
      Shadow& shadow = element.to->shadow[static_cast<size_t>(element.index)];
      shadow.is_in_flight = false;
      shadow.write = touch_of(element.lane);
      if (element.from->shadow.empty()) continue;
      --element.from->shadow[static_cast<size_t>(element.from_index)].pending_reads;
    }
    std::erase_if(copies, [&](const CopyInFlight& element) { return element.waits > pending; });
  }
}

void Memory::report_in_flight(const Region& region, int64_t index, const Touch& now) {
  ++counts_.races;
  if (options_.on_race != OnRace::fail || counts_.status != KernelStatus::ok) return;
  throw_error({.op = kernel_.name,
               .expected = "a wait_copies between an async_copy and what touches its elements",
               .given = concat("a race at ", region.buffer->name, "[", index,
                               "], which is in flight, with ", who(now, true))});
}

}  // namespace ridge::loop
