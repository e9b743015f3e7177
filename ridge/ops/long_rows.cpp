#include "ridge/ops/long_rows.h"

#include <limits>

#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/unary.h"
#include "ridge/ops/view.h"

namespace ridge::ops {
namespace {

// Of 16 bits, rows of up to some 920,000 elements stay in the shared memory of a cluster of an H200, 8 SMs, where they are
// enough to keep clusters busy. 1024 x 1048576 went from 2073 to 1562 us, 32 x 1048576 from 79 to 61 (2026-11-17,
// `ridge bench gpu.row.softmax.bf16.32x1048576`). For 32 x 524288, which are several kernels too, the model says
// 53 us, and 41 if they were cut: not measured.
constexpr int64_t kLongRow = int64_t{1} << 20;
// Few rows have enough of them to give all SMs of a device some. Whole steps of 16 bytes.
constexpr int64_t kLongestChunk = int64_t{1} << 15, kShortestChunk = int64_t{1} << 12, kStep = 8;

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

Size length_of(const Tensor& x, size_t count) {
  return numel(Shape(x.shape().end() - static_cast<ptrdiff_t>(count), x.shape().end()));
}

// Of rows along the last `count` dimensions.
std::optional<int64_t> chunk_of(const Tensor& x, size_t count) {
  const bool is_traced = x.storage().fake_owner() != nullptr;
  return is_traced ? row_chunk(length_of(x, count)) : std::nullopt;
}

// The last `count` dimensions as chunks of a row: {..., chunks, elements of a chunk}.
Tensor in_chunks(const Tensor& x, size_t count, int64_t chunk) {
  Shape shape(x.shape().begin(), x.shape().end() - static_cast<ptrdiff_t>(count));
  shape.push_back(*length_of(x, count).known() / chunk);
  shape.push_back(chunk);
  return reshape(x, shape);
}

// A value for each row, in the shape of x with 1 for each reduced dimension.
Tensor as_row_value(const Tensor& value, const Tensor& x, size_t count) {
  Shape shape = x.shape();
  for (size_t i = shape.size() - count; i < shape.size(); ++i) shape[i] = 1;
  return reshape(value, shape);
}

Exponentials exponentials_by_chunks(const Tensor& x, int64_t chunk) {
  const Tensor chunks = in_chunks(x, 1, chunk);
  const Tensor tops = max(chunks, {-1}, true);
  // exp(-inf - -inf) is NaN, and a chunk may be all -inf in a row that is not.
  const Tensor shifts = where(tops == kMinusInfinity, 0, tops);
  const Tensor totals = sum(exp(chunks - shifts), {-1}, true);
  const Tensor top = max(tops, {-2}, true);
  const Tensor total = sum(totals * exp(tops - top), {-2}, true);
  const Tensor shifted = x - as_row_value(top, x, 1);
  return {shifted, exp(shifted), as_row_value(total, x, 1)};
}

CenteredRows centered_by_chunks(const Tensor& x, size_t count, int64_t chunk) {
  const Tensor chunks = in_chunks(x, count, chunk);
  const Tensor means = mean(chunks, {-1}, true);
  const Tensor distances = chunks - means;
  const Tensor variances = mean(distances * distances, {-1}, true);
  const Tensor average = mean(means, {-2}, true);  // chunks are alike
  const Tensor off = means - average;
  return {x - as_row_value(average, x, count),
          as_row_value(mean(variances + off * off, {-2}, true), x, count)};
}

}  // namespace

std::optional<int64_t> row_chunk(const Size& length) {
  const int64_t known = length.known().value_or(0);
  if (known < kLongRow) return std::nullopt;
  for (int64_t chunk = kLongestChunk; chunk >= kShortestChunk; chunk -= kStep) {
    if (known % chunk == 0) return chunk;
  }
  return std::nullopt;
}

Exponentials exponentials(const Tensor& x, int64_t dim) {
  const auto chunk = dim == x.rank() - 1 ? chunk_of(x, 1) : std::nullopt;
  if (chunk) return exponentials_by_chunks(x, *chunk);
  const Tensor shifted = x - max(x, {dim}, true);
  const Tensor values = exp(shifted);
  return {shifted, values, sum(values, {dim}, true)};
}

CenteredRows centered_rows(const Tensor& x, const Ints& dims) {
  const auto chunk = chunk_of(x, dims.size());
  if (chunk) return centered_by_chunks(x, dims.size(), *chunk);
  const Tensor centered = x - mean(x, dims, true);
  return {centered, mean(centered * centered, dims, true)};
}

}  // namespace ridge::ops
