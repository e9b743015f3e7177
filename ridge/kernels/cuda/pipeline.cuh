// Rows that stream through the shared memory of a cluster: stream.h.
#pragma once

#include "ridge/kernels/cuda/mbarrier.cuh"

namespace ridge {

// @helper fetched_run needs barrier_in_memory
// Copies go fastest to where addresses are the same modulo a line of memory.
constexpr unsigned kLine = 128;
struct FetchedRun {
  const void* from;
  int bytes;
  unsigned at;  // of its room in that for a row
};
template <class Element>
__device__ inline FetchedRun fetched_run(unsigned at, const Element* from, int count) {
  const int bytes = count * static_cast<int>(sizeof(Element));
  return {from, bytes <= 0 ? 0 : (bytes + 15) / 16 * 16, at};
}
__device__ inline unsigned in_line(const void* from) {
  return static_cast<unsigned>(reinterpret_cast<unsigned long long>(from)) % kLine;
}
// Those of its bytes that lie from the first to the last one given.
__device__ inline int bytes_between(const FetchedRun& run, int first, int last) {
  const int end = run.bytes < last ? run.bytes : last;
  return end > first ? end - first : 0;
}
__device__ inline void fetch(unsigned char* to, const FetchedRun& run, int first, int last,
                             BarrierInMemory* barrier) {
  const int bytes = bytes_between(run, first, last);
  if (bytes == 0) return;
  copy_ahead(to + run.at + in_line(run.from) + first, static_cast<const char*>(run.from) + first,
             bytes, barrier);
}

// @helper fold_lanes
// The sums of all lanes: lane l has sum l / (32 / kSums), each combined as across_lanes does.
template <int kSums>
__device__ inline float fold_lanes(float (&sums)[kSums]) {
  int distance = 16;
#pragma unroll
  for (int count = kSums; count > 1; count /= 2) {
    const bool is_upper = (threadIdx.x & distance) != 0;
#pragma unroll
    for (int i = 0; i < count / 2; ++i) {
      const float own = is_upper ? sums[i + count / 2] : sums[i];
      const float other = is_upper ? sums[i] : sums[i + count / 2];
      sums[i] = own + __shfl_xor_sync(0xffffffffu, other, distance);
    }
    distance /= 2;
  }
#pragma unroll
  for (; distance > 0; distance /= 2) {
    sums[0] += __shfl_xor_sync(0xffffffffu, sums[0], distance);
  }
  return sums[0];
}

// @helper halved
__device__ constexpr int halved_count(int count, int most) {
  while (count > most) count = (count + 1) / 2;
  return count;
}
// Element i of what is left of a list that halves until it has at most kMost elements.
template <int kCount, int kMost, class At>
__device__ inline float halved(const At& at, int i) {
  if constexpr (kCount <= kMost) {
    return at(i);
  } else {
    constexpr int kHalf = (kCount + 1) / 2;
    const auto combined = [&](int k) { return k + kHalf < kCount ? at(k) + at(k + kHalf) : at(k); };
    return halved<kHalf, kMost>(combined, i);
  }
}

// @helper stream needs fetched_run fold_lanes halved cluster_barrier send
// Rows go round: kRows of them have room. One warp fetches, kWarps compute; they tell each other and the
// other blocks of the cluster their sums. A warp that tells those of row i has heard those of row i - 3 at
// the least, so that all have told these, and have heard those of row i - 6.
template <int kBlocks, int kWarps, int kSums, int kRows, int kToldRows, int kChunks>
struct StreamShared {
  BarrierInMemory is_there[kRows][kChunks], is_free[kRows][kChunks], is_told[kToldRows];
  float told[kToldRows][kSums][kBlocks * kWarps];
};
// A row comes and goes in chunks, which end at these bytes of each of its arrays.
template <int kBlocks, int kWarps, int kSums, int kRows, int kToldRows, int kRowBytes, int... kEnds>
class Stream {
 public:
  static constexpr int kChunks = sizeof...(kEnds);
  using Shared = StreamShared<kBlocks, kWarps, kSums, kRows, kToldRows, kChunks>;
  __device__ Stream(unsigned char* rows, Shared* shared) : rows_(rows), shared_(shared) {
    if (threadIdx.x == 0) {
      for (int i = 0; i < kRows * kChunks; ++i) start_barrier(&shared->is_there[0][0] + i, 1);
      for (int i = 0; i < kRows * kChunks; ++i) start_barrier(&shared->is_free[0][0] + i, kWarps);
      for (int i = 0; i < kToldRows; ++i) {
        start_barrier(&shared->is_told[i], kBlocks == 1 ? kWarps : 1);
      }
      show_barriers();
    }
    meet();
  }
  // All threads of the cluster. Nobody may leave while others tell it something.
  __device__ void meet() {
    cluster_arrive();
    cluster_wait();
  }

  // By one thread: the next row, as soon as there is room. Rows are off by different parts of a line, so a
  // chunk may reach to where the next one of the row before was.
  template <class... Runs>
  __device__ void fetch_row(const Runs&... runs) {
    constexpr int kEnd[] = {kEnds...};
    const unsigned row = begun_++, at = row % kRows;
#pragma unroll
    for (int i = 0; i < kChunks; ++i) {
      const int first = i == 0 ? 0 : kEnd[i - 1], next = i + 1 < kChunks ? i + 1 : i;
      await(&shared_->is_free[at][next], row / kRows % 2 ^ 1);
      BarrierInMemory* const is_there = &shared_->is_there[at][i];
      arrive_for(is_there, (bytes_between(runs, first, kEnd[i]) + ...));
      (fetch(rows_ + at * kRowBytes, runs, first, kEnd[i], is_there), ...);
    }
  }

  // By warps that compute: chunks of the next row to begin, or to end.
  __device__ void begin_chunk(int chunk) {
    await(&shared_->is_there[begun_ % kRows][chunk], begun_ / kRows % 2);
  }
  __device__ void end_chunk(int chunk) {
    __syncwarp();
    if (threadIdx.x % 32 == 0) arrive(&shared_->is_free[ended_ % kRows][chunk]);
  }
  template <class Element>
  __device__ const Element* begun(unsigned at, const Element* from) const {
    return row_at(begun_, at, from);
  }
  template <class Element>
  __device__ const Element* ended(unsigned at, const Element* from) const {
    return row_at(ended_, at, from);
  }
  __device__ void tell(const float (&own)[kSums]) {
    constexpr unsigned kLanes = 32 / kWays;
    static_assert(kLanes >= kBlocks);
    float sums[kWays];
#pragma unroll
    for (int i = 0; i < kWays; ++i) sums[i] = i < kSums ? own[i] : 0.0f;
    const float sum = fold_lanes(sums);
    const unsigned lane = threadIdx.x % 32, which = lane / kLanes, block = lane % kLanes;
    const unsigned at = begun_++ % kToldRows;
    const unsigned from = blockIdx.x % kBlocks * kWarps + threadIdx.x / 32;
    const bool tells = which < kSums && block < kBlocks;
    if constexpr (kBlocks == 1) {  // a block without a cluster cannot send
      if (tells) shared_->told[at][which][from] = sum;
      __syncwarp();
      if (lane == 0) arrive(&shared_->is_told[at]);
    } else {
      if (threadIdx.x == 0) arrive_for(&shared_->is_told[at], 4 * kBlocks * kWarps * kSums);
      if (tells) send(&shared_->told[at][which][from], block, sum, &shared_->is_told[at]);
    }
  }
  __device__ void hear(float (&sums)[kSums]) {
    constexpr int kLanes = 32 / kWays, kEach = kLanes / kBlocks;
    constexpr int kLeft = halved_count(kWarps, kEach);
    const unsigned at = ended_ % kToldRows;
    await(&shared_->is_told[at], ended_ / kToldRows % 2);
    const int lane = threadIdx.x % 32, which = lane / kLanes, part = lane % kEach;
    const int block = lane % kLanes / kEach;
    const float* const list = &shared_->told[at][which < kSums ? which : 0][block * kWarps];
    const auto listed = [&](int i) { return list[i]; };
    float sum = halved<kWarps, kEach>(listed, part < kLeft ? part : 0);
#pragma unroll
    for (int count = kLeft; count > 1; count = (count + 1) / 2) {
      const int half = (count + 1) / 2;
      const float other = __shfl_down_sync(0xffffffffu, sum, half);
      if (part + half < count) sum += other;
    }
#pragma unroll
    for (int distance = kLanes / 2; distance >= kEach; distance /= 2) {
      sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    }
#pragma unroll
    for (int i = 0; i < kSums; ++i) sums[i] = __shfl_sync(0xffffffffu, sum, i * kLanes);
  }
  __device__ void end_row() { ++ended_; }

 private:
  static constexpr int kWays = kSums == 1 ? 1 : kSums == 2 ? 2 : kSums <= 4 ? 4 : 8;
  template <class Element>
  __device__ const Element* row_at(unsigned row, unsigned at, const Element* from) const {
    return reinterpret_cast<const Element*>(rows_ + row % kRows * kRowBytes + at + in_line(from));
  }

  unsigned char* rows_;
  Shared* shared_;
  unsigned begun_ = 0, ended_ = 0;  // rows
};

}  // namespace ridge
