// How rows and columns are cut, from sizes alone: for the loops of a group and for its price.
#include <algorithm>
#include <bit>

#include "ridge/schedule/gpu_row_work.h"
#include "ridge/schedule/gpu_split_reduction.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

constexpr int64_t kRowsInFlight = 4;     // of one thread
constexpr int64_t kMinRowsToChunk = 32;  // of one thread: less takes no longer than a launch

}  // namespace

bool is_column_major(const Group& group, const std::vector<AccessPattern>& patterns) {
  const size_t outer = group.outer.size();
  if (outer == 0 || group.inner.empty()) return false;
  int64_t preference = 0;
  for (const AccessPattern& pattern : patterns) {
    if (!pattern.is_affine || !is_along(pattern, group)) continue;
    // What is the same in all columns, or in all rows, is little.
    if (expr::is_constant(pattern.coefficients[outer - 1], 0)) continue;
    if (expr::is_constant(pattern.coefficients.back(), 1)) preference -= pattern.dtype.bits;
    if (expr::is_constant(pattern.coefficients[outer - 1], 1)) preference += pattern.dtype.bits;
  }
  return preference > 0;
}

Chunks chunks_of(int64_t length, int64_t wanted, int64_t multiple) {
  const int64_t multiples = divided_up(length, multiple);
  wanted = std::clamp<int64_t>(wanted, 1, multiples);
  const int64_t least = divided_up(multiples, wanted);
  int64_t chosen = least;
  for (int64_t size = least; 4 * size <= 5 * least; ++size) {
    if (length % (size * multiple) != 0) continue;
    chosen = size;
    break;
  }
  return {divided_up(multiples, chosen), chosen * multiple};
}

Chunks row_chunks(int64_t rows, int64_t length, int64_t width, int64_t sms) {
  if (length < kMinSplitRow || rows >= sms) return {};
  // A thread that takes only a few elements costs more than it saves.
  constexpr int64_t kMinVectors = 2;
  const int64_t stride = kSplitThreads * width, most = length / (kMinVectors * stride);
  return chunks_of(length, std::min(sms * kRowBlocksPerSm / rows, most), stride);
}

int64_t blocks_of_row(int64_t rows, int64_t length, int64_t sms, int64_t cluster) {
  if (length < kMinSplitRow || rows >= sms) return 1;
  int64_t blocks = 1;
  while (blocks < cluster && rows * blocks < 2 * sms) blocks *= 2;
  // SMs that stand idle cost less than a second launch, if they are few.
  return 10 * rows * blocks >= 9 * sms ? blocks : 1;
}

ColumnTile column_tile(const Size& columns, const Size& length, int64_t width,
                       int64_t max_column_threads) {
  const int64_t count = columns.known().value_or(max_column_threads * width);
  const int64_t column_threads =
      std::clamp<int64_t>(divided_up(count, width), 1, max_column_threads);
  const auto rows = static_cast<uint64_t>(length.known().value_or(kMaxBlockThreads));
  const auto fitting = static_cast<uint64_t>(kMaxBlockThreads / column_threads);
  const uint64_t row_threads =
      std::min(std::bit_floor(fitting), std::bit_ceil(std::max<uint64_t>(rows, 1)));
  return {width, column_threads, static_cast<int64_t>(row_threads)};
}

std::optional<ColumnTile> misaligned_column_tile(int64_t columns, int64_t length, int64_t width,
                                                 int64_t sms) {
  ColumnTile tile = column_tile(columns, length, width);
  tile.is_misaligned = true;
  const bool is_narrow = kWarp * kWideBytes / width < loop::kCudaLimits.line_bytes;
  const bool are_alike = tile.row_threads * columns % width == 0;
  if (!is_narrow || !are_alike || columns < kMisalignedTiles * tile.columns()) return std::nullopt;
  if (length < kMinRowsToChunk * tile.row_threads) return std::nullopt;
  const int64_t tiles = divided_up(columns, tile.stride());
  const int64_t wanted = divided_up(sms * kMisalignedColumnBlocksPerSm, tiles);
  tile.chunks = chunks_of(length, wanted, tile.row_threads * kRowsInFlight);
  return tile.is_chunked() ? std::optional(tile) : std::nullopt;
}

Chunks column_chunks(const ColumnTile& tile, int64_t batches, int64_t columns, int64_t length,
                     int64_t sms) {
  if (length < kMinRowsToChunk * tile.row_threads) return {};
  const int64_t tiles = batches * divided_up(columns, tile.columns());
  return chunks_of(length, sms * kColumnBlocksPerSm / tiles, tile.row_threads * kRowsInFlight);
}

}  // namespace ridge::schedule
