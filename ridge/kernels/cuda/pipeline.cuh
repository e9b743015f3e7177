// The warp-specialized pipeline over rows: one producer warp copies rows into the stages of shared memory,
// consumer warps reduce each row and apply the sums `skew` rows later (codegen/cuda/row_pipeline.h).
#pragma once

#include "ridge/kernels/cuda/mbarrier.cuh"

namespace ridge {

// @helper row_copy needs mbarrier
// Bulk copies are fastest where source and destination have the same offset in a line.
constexpr unsigned kLine = 128;
struct RowCopy {
  const void* from;
  int bytes;
  unsigned at;  // offset in a stage
};
template <class Element>
__device__ inline RowCopy row_copy(unsigned at, const Element* from, int count) {
  const int bytes = count * static_cast<int>(sizeof(Element));
  return {from, bytes <= 0 ? 0 : (bytes + 15) / 16 * 16, at};
}
__device__ inline unsigned line_offset(const void* from) {
  return static_cast<unsigned>(reinterpret_cast<unsigned long long>(from)) % kLine;
}
// How many of its bytes lie in [first, last).
__device__ inline int bytes_between(const RowCopy& run, int first, int last) {
  const int end = run.bytes < last ? run.bytes : last;
  return end > first ? end - first : 0;
}
__device__ inline void copy_run(unsigned char* to, const RowCopy& run, int first, int last,
                                Mbarrier* barrier) {
  const int bytes = bytes_between(run, first, last);
  if (bytes == 0) return;
  bulk_copy(to + run.at + line_offset(run.from) + first, static_cast<const char*>(run.from) + first,
            bytes, barrier);
}

// @helper warp_reduce_sums
// kSums warp reductions at once: lane l gets sum number l / (32 / kSums), added in the order of warp_reduce.
template <int kSums>
__device__ inline float warp_reduce_sums(float (&sums)[kSums]) {
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

// @helper tree_fold
__device__ constexpr int tree_fold_count(int count, int most) {
  while (count > most) count = (count + 1) / 2;
  return count;
}
// Element i of a list that was added up pairwise until at most kMost elements were left.
template <int kCount, int kMost, class At>
__device__ inline float tree_fold(const At& at, int i) {
  if constexpr (kCount <= kMost) {
    return at(i);
  } else {
    constexpr int kHalf = (kCount + 1) / 2;
    const auto combined = [&](int k) { return k + kHalf < kCount ? at(k) + at(k + kHalf) : at(k); };
    return tree_fold<kHalf, kMost>(combined, i);
  }
}

// @helper row_pipeline needs row_copy warp_reduce_sums tree_fold cluster_barrier store_async
// A warp that sends its partial sums of row i has received the sums of row i - 3 at the least. So all warps have
// sent theirs of row i - 3, and have received the sums of row i - 6: kPartialRows of 8 are enough.
template <int kBlocks, int kWarps, int kSums, int kStages, int kPartialRows, int kChunks>
struct RowPipelineShared {
  Mbarrier full[kStages][kChunks], empty[kStages][kChunks], partials_ready[kPartialRows];
  float partials[kPartialRows][kSums][kBlocks * kWarps];
};
// A row is copied and released in chunks, which end at bytes kEnds of each of its arrays.
template <int kBlocks, int kWarps, int kSums, int kStages, int kPartialRows, int kRowBytes,
          int... kEnds>
class RowPipeline {
 public:
  static constexpr int kChunks = sizeof...(kEnds);
  using Shared = RowPipelineShared<kBlocks, kWarps, kSums, kStages, kPartialRows, kChunks>;
  __device__ RowPipeline(unsigned char* rows, Shared* shared) : rows_(rows), shared_(shared) {
    if (threadIdx.x == 0) {
      for (int i = 0; i < kStages * kChunks; ++i) mbarrier_init(&shared->full[0][0] + i, 1);
      for (int i = 0; i < kStages * kChunks; ++i) mbarrier_init(&shared->empty[0][0] + i, kWarps);
      for (int i = 0; i < kPartialRows; ++i) {
        mbarrier_init(&shared->partials_ready[i], kBlocks == 1 ? kWarps : 1);
      }
      fence_mbarrier_init();
    }
    sync_cluster();
  }
  // By all threads. A block must not exit while others store into its shared memory.
  __device__ void sync_cluster() {
    cluster_arrive();
    cluster_wait();
  }

  // By the producer thread. It waits until the stage is empty. Offsets in a line differ from row to row, so a chunk
  // may overlap the next chunk of the row that was there before.
  template <class... Runs>
  __device__ void produce_row(const Runs&... runs) {
    constexpr int kEnd[] = {kEnds...};
    const unsigned row = front_++, at = row % kStages;
#pragma unroll
    for (int i = 0; i < kChunks; ++i) {
      const int first = i == 0 ? 0 : kEnd[i - 1], next = i + 1 < kChunks ? i + 1 : i;
      mbarrier_wait(&shared_->empty[at][next], row / kStages % 2 ^ 1);
      Mbarrier* const full = &shared_->full[at][i];
      mbarrier_arrive_expect_tx(full, (bytes_between(runs, first, kEnd[i]) + ...));
      (copy_run(rows_ + at * kRowBytes, runs, first, kEnd[i], full), ...);
    }
  }

  // By consumer warps: chunks of the row being reduced, and of the row to which sums are applied.
  __device__ void wait_chunk(int chunk) {
    mbarrier_wait(&shared_->full[front_ % kStages][chunk], front_ / kStages % 2);
  }
  __device__ void release_chunk(int chunk) {
    __syncwarp();
    if (threadIdx.x % 32 == 0) mbarrier_arrive(&shared_->empty[back_ % kStages][chunk]);
  }
  template <class Element>
  __device__ const Element* reduce_row(unsigned at, const Element* from) const {
    return row_at(front_, at, from);
  }
  template <class Element>
  __device__ const Element* apply_row(unsigned at, const Element* from) const {
    return row_at(back_, at, from);
  }
  __device__ void send_partials(const float (&own)[kSums]) {
    constexpr unsigned kLanes = 32 / kWays;
    static_assert(kLanes >= kBlocks);
    float sums[kWays];
#pragma unroll
    for (int i = 0; i < kWays; ++i) sums[i] = i < kSums ? own[i] : 0.0f;
    const float sum = warp_reduce_sums(sums);
    const unsigned lane = threadIdx.x % 32, which = lane / kLanes, block = lane % kLanes;
    const unsigned at = front_++ % kPartialRows;
    const unsigned from = blockIdx.x % kBlocks * kWarps + threadIdx.x / 32;
    const bool is_sender = which < kSums && block < kBlocks;
    if constexpr (kBlocks == 1) {  // st.async needs a cluster
      if (is_sender) shared_->partials[at][which][from] = sum;
      __syncwarp();
      if (lane == 0) mbarrier_arrive(&shared_->partials_ready[at]);
    } else {
      if (threadIdx.x == 0)
        mbarrier_arrive_expect_tx(&shared_->partials_ready[at], 4 * kBlocks * kWarps * kSums);
      if (is_sender)
        store_async(&shared_->partials[at][which][from], block, sum, &shared_->partials_ready[at]);
    }
  }
  __device__ void receive_sums(float (&sums)[kSums]) {
    constexpr int kLanes = 32 / kWays, kEach = kLanes / kBlocks;
    constexpr int kLeft = tree_fold_count(kWarps, kEach);
    const unsigned at = back_ % kPartialRows;
    mbarrier_wait(&shared_->partials_ready[at], back_ / kPartialRows % 2);
    const int lane = threadIdx.x % 32, which = lane / kLanes, part = lane % kEach;
    const int block = lane % kLanes / kEach;
    const float* const list = &shared_->partials[at][which < kSums ? which : 0][block * kWarps];
    const auto listed = [&](int i) { return list[i]; };
    float sum = tree_fold<kWarps, kEach>(listed, part < kLeft ? part : 0);
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
  __device__ void release_row() { ++back_; }

 private:
  static constexpr int kWays = kSums == 1 ? 1 : kSums == 2 ? 2 : kSums <= 4 ? 4 : 8;
  template <class Element>
  __device__ const Element* row_at(unsigned row, unsigned at, const Element* from) const {
    return reinterpret_cast<const Element*>(rows_ + row % kStages * kRowBytes + at +
                                            line_offset(from));
  }

  unsigned char* rows_;
  Shared* shared_;
  unsigned front_ = 0, back_ = 0;  // rows produced or reduced; rows to which sums were applied
};

}  // namespace ridge
