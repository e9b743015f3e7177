// An image set as tensors, a batch at a time, in an order that is shuffled anew for each pass.
//
//   Batches batches(images, 64, seed);
//   const Batch batch = batches.next();     // images f32[64, side, side], labels i64[64]
//
// A pass ends where fewer images than a batch are left, so all batches have one shape.
#pragma once

#include "demo_images.h"
#include "ridge/base/random.h"
#include "ridge/core/device_copy.h"

namespace ridge::command {

struct Batch {
  Tensor images;
  Tensor labels;
};

class Batches {
 public:
  // Error{value} for a batch that is larger than the set, which must outlive this.
  Batches(const ImageSet& images, int64_t batch_size, uint64_t seed);

  Batch next();

 private:
  void shuffle();

  const ImageSet& images_;
  int64_t batch_size_;
  SplitMix64 random_;
  std::vector<int64_t> order_;
  int64_t next_ = 0;
};

// Batches where the model is. To a GPU each is copied into the same memory, so that a step finds it
// at the same addresses, and the copy waits for the step before, not the host.
class BatchFeed {
 public:
  explicit BatchFeed(Device device) : device_(device) {}

  // Valid until the next one.
  const Batch& put(const Batch& batch);

 private:
  Device device_;
  Batch there_;
};

// Images first .. first + count as they lie.
Batch batch_of(const ImageSet& images, int64_t first, int64_t count);

}  // namespace ridge::command
