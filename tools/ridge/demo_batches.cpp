#include "demo_batches.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "ridge/base/text.h"

namespace ridge::command {

namespace {

Batch gather_batch(const ImageSet& images, std::span<const int64_t> numbers) {
  const auto count = static_cast<int64_t>(numbers.size());
  const Batch batch = {Tensor::empty({count, kImageSide, kImageSide}, f32),
                       Tensor::empty({count}, i64)};
  float* pixels = batch.images.data<float>();
  int64_t* labels = batch.labels.data<int64_t>();
  for (const int64_t number : numbers) {
    pixels = std::copy_n(images.pixels.data() + number * kPixelCount, kPixelCount, pixels);
    *labels++ = images.labels[static_cast<size_t>(number)];
  }
  return batch;
}

}  // namespace

Batches::Batches(const ImageSet& images, int64_t batch_size, uint64_t seed)
    : images_(images),
      batch_size_(batch_size),
      random_(seed),
      order_(static_cast<size_t>(images.count())) {
  RIDGE_CHECK(0 < batch_size && batch_size <= images.count(), .code = ErrorCode::value,
              .op = "demo", .expected = concat("batches of at most ", images.count(), " images"),
              .given = concat(batch_size), .where = Location::current());
  std::iota(order_.begin(), order_.end(), int64_t{0});
  shuffle();
}

void Batches::shuffle() {
  for (int64_t i = images_.count() - 1; i > 0; --i) {
    std::swap(order_[static_cast<size_t>(i)], order_[static_cast<size_t>(random_.integer(0, i))]);
  }
  next_ = 0;
}

Batch Batches::next() {
  if (next_ + batch_size_ > images_.count()) shuffle();
  const Batch batch = gather_batch(
      images_,
      std::span(order_).subspan(static_cast<size_t>(next_), static_cast<size_t>(batch_size_)));
  next_ += batch_size_;
  return batch;
}

const Batch& BatchFeed::put(const Batch& batch) {
  if (!there_.images.defined() || device_ == kCpu) {
    there_ = {to_device(batch.images, device_), to_device(batch.labels, device_)};
  } else {
    copy_into(there_.images, batch.images);
    copy_into(there_.labels, batch.labels);
  }
  return there_;
}

Batch batch_of(const ImageSet& images, int64_t first, int64_t count) {
  RIDGE_CHECK(0 <= first && first + count <= images.count(), .code = ErrorCode::value, .op = "demo",
              .expected = concat("images among ", images.count()),
              .given = concat(count, " from number ", first), .where = Location::current());
  std::vector<int64_t> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return gather_batch(images, numbers);
}

}  // namespace ridge::command
