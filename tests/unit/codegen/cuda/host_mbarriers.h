// What streams of rows (ridge/codegen/cuda/row_pipeline.h) need of a device, on the host: part of host_shim.h.
//
// Copies and sums that are sent arrive late and in any order, and what a copy is to overwrite is lost at
// once: whoever reads before the barrier lets it, or is still to read when the room is given away, finds
// no number there. So a run with a few seeds says of the barriers what sanitizers of devices cannot:
// racecheck of CUDA 13 takes all bulk copies that another warp awaits for races.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace host {

struct Barrier {
  int expected = 0, pending = 0;
  int64_t bytes = 0;  // that are announced and not there
  unsigned phase = 0;
};

inline bool is_faulty = false;     // something that a device would not do
inline uint64_t events = 0;        // changes of barriers
inline uint64_t random_state = 0;  // 0: nothing is late, and all run in order

inline unsigned random_below(unsigned end) {
  if (random_state == 0) return 0;
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<unsigned>(random_state >> 33) % end;
}

inline void change(Barrier* barrier, int arrivals, int64_t bytes) {
  ++events;
  barrier->pending -= arrivals;
  barrier->bytes += bytes;
  is_faulty |= barrier->pending < 0;
  if (barrier->pending > 0 || barrier->bytes != 0) return;
  barrier->pending = barrier->expected;
  ++barrier->phase;
}

// A copy in flight: to memory of a block, and the mbarrier there.
struct Sent {
  void* to;
  std::vector<char> bytes;  // of a sum; those of a copy are read when it arrives
  const void* from;
  size_t count;
  Barrier* barrier;
  unsigned late;
};
inline std::vector<Sent> in_flight;

inline void start_copy(void* to, const void* from, int bytes, Barrier* barrier) {
  const auto is_even = [](const void* at) { return reinterpret_cast<uintptr_t>(at) % 16 == 0; };
  is_faulty |= !is_even(to) || !is_even(from) || bytes % 16 != 0;
  std::memset(to, 0xff, static_cast<size_t>(bytes));
  in_flight.push_back({to, {}, from, static_cast<size_t>(bytes), barrier, random_below(24)});
}
inline void start_store(float* to, float value, Barrier* barrier) {
  std::vector<char> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  in_flight.push_back({to, std::move(bytes), nullptr, sizeof value, barrier, random_below(24)});
}
// False if nothing is in flight.
inline bool deliver() {
  if (in_flight.empty()) return false;
  std::vector<Sent> later;
  for (Sent& sent : in_flight) {
    if (sent.late > 0) {
      --sent.late;
      later.push_back(std::move(sent));
      continue;
    }
    std::memcpy(sent.to, sent.from != nullptr ? sent.from : sent.bytes.data(), sent.count);
    change(sent.barrier, 0, -static_cast<int64_t>(sent.count));
  }
  in_flight = std::move(later);
  return true;
}

}  // namespace host

// In the namespace of the text that calls them, as RIDGE_ON_HOST.
#define RIDGE_MBARRIERS_ON_HOST                                                                 \
  using Mbarrier = host::Barrier;                                                               \
  inline void mbarrier_init(Mbarrier* barrier, unsigned arrivals) {                             \
    *barrier = {.expected = static_cast<int>(arrivals), .pending = static_cast<int>(arrivals)}; \
  }                                                                                             \
  inline void fence_mbarrier_init() {}                                                          \
  inline void mbarrier_arrive(Mbarrier* barrier) { host::change(barrier, 1, 0); }               \
  inline void mbarrier_arrive_expect_tx(Mbarrier* barrier, unsigned bytes) {                    \
    host::change(barrier, 1, bytes);                                                            \
  }                                                                                             \
  inline void mbarrier_wait(const Mbarrier* barrier, unsigned parity) {                         \
    while (barrier->phase % 2 == parity) host::wait_for_event();                                \
  }                                                                                             \
  inline void bulk_copy(void* to, const void* from, int bytes, Mbarrier* barrier) {             \
    host::start_copy(to, from, bytes, barrier);                                                 \
  }                                                                                             \
  inline void store_async(float* own, unsigned block, float value, Mbarrier* barrier) {         \
    host::start_store(host::in_cluster(own, block), value, host::in_cluster(barrier, block));   \
  }                                                                                             \
  template <class T>                                                                            \
  void store_in_cluster(T* own, unsigned block, T value) {                                      \
    *host::in_cluster(own, block) = value;                                                      \
  }                                                                                             \
  inline void cluster_arrive() {}                                                               \
  inline void cluster_wait() { host::wait_for(host::Wait::cluster); }
