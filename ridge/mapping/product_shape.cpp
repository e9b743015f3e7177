#include "ridge/mapping/product_shape.h"

#include <algorithm>

#include "ridge/mapping/tuning.h"

namespace ridge::mapping {
namespace {

constexpr int kSwizzles[] = {128, 64, 32};

int64_t round_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

// `outer` rows of the tile in memory, `inner` contiguous elements. The widest swizzle whose boxes leave
// nothing over; else one of 64 bytes, which costs nothing, and rounds less than the widest.
SlotTile slot_tile(int outer, int inner, int element_bytes) {
  SlotTile tile;
  tile.swizzle = inner * element_bytes % kSwizzleSpan == 0 ? kSwizzleSpan : kSwizzleSpan / 2;
  tile.span = tile.swizzle / element_bytes;
  const auto whole = static_cast<int>(round_up(inner, tile.span));
  tile.rows = outer;
  tile.columns = whole;
  tile.bytes = round_up(int64_t{outer} * whole * element_bytes, kTileAlignment);
  return tile;
}

SlotTile by_columns(SlotTile tile) {
  std::swap(tile.rows, tile.columns);
  tile.is_column_contiguous = true;
  return tile;
}

int element_bytes(DType dtype) { return std::max(1, dtype.bits / 8); }

// The registers of a block are shared out among its warps, which are allocated by fours: the producer's
// warp counts as a warpgroup.
void set_registers(ProductShape& shape, const Mapping& mapping, const loop::DeviceLimits& limits) {
  const auto& product = std::get<Product>(mapping.family);
  if (product.unit != MatrixUnit::wgmma) return;
  const int64_t groups = product.warpgroups + 1, step = limits.register_step;
  const int64_t of_sm = limits.registers_per_sm / (4 * limits.warp_size);
  const int64_t most = limits.max_registers_per_thread / step * step;
  const int64_t launched =
      std::min(of_sm / std::max(1, mapping.launch.min_blocks_per_sm) / groups / step * step, most);
  shape.producer_registers = accumulators(product) <= tuning::kFewAccumulators
                                 ? tuning::kProducerRegisters
                                 : tuning::kLeanProducerRegisters;
  const int64_t left = launched * groups - shape.producer_registers;
  shape.consumer_registers =
      static_cast<int>(std::min(left / product.warpgroups / step * step, most));
}

}  // namespace

std::vector<StorePiece> store_pieces(int columns, DType dtype, size_t results) {
  std::vector<StorePiece> pieces;
  int first = 0;
  for (const int swizzle : kSwizzles) {
    if (results > 1 && swizzle == kSwizzleSpan) continue;
    const int width = swizzle / element_bytes(dtype);
    const int count = (columns - first) / width;
    // The last kind takes all that is left by columns of its own, if it can.
    if (count == 0) continue;
    pieces.push_back({.first = first, .columns = width, .count = count, .swizzle = swizzle});
    first += width * count;
  }
  return pieces;
}

ProductShape shape_of(const Mapping& mapping, const ProductWork& work,
                      const loop::DeviceLimits& limits) {
  const auto& product = std::get<Product>(mapping.family);
  const int lhs_bytes = element_bytes(work.lhs.dtype), rhs_bytes = element_bytes(work.rhs.dtype);
  ProductShape shape;
  shape.lhs = work.lhs.is_k_contiguous
                  ? slot_tile(product.rows, product.depth, lhs_bytes)
                  : by_columns(slot_tile(product.depth, product.rows, lhs_bytes));
  shape.rhs = work.rhs.is_k_contiguous
                  ? by_columns(slot_tile(product.columns, product.depth, rhs_bytes))
                  : slot_tile(product.depth, product.columns, rhs_bytes);
  const size_t results = work.results.size();
  // The dtype of store tiles; what threads store by themselves is cut alike.
  shape.pieces = store_pieces(product.columns, bf16, results);
  if (product.store == StoreWay::tile) {
    for (const StorePiece& piece : shape.pieces) {
      const int64_t tile = round_up(int64_t{kWarpgroupRows} * piece.swizzle, kTileAlignment);
      shape.store_bytes +=
          tile * product.store_buffers * product.warpgroups * static_cast<int64_t>(results);
    }
  }
  shape.shared_bytes = product.stages * (shape.lhs.bytes + shape.rhs.bytes) + shape.store_bytes +
                       tuning::kBarrierBytes;
  set_registers(shape, mapping, limits);
  return shape;
}

int threads(const Product& product) {
  const int producer = product.unit == MatrixUnit::wgmma ? loop::kWarpSize : 0;
  return product.warpgroups * 4 * loop::kWarpSize + producer;
}

int rows_of_warpgroup(const Product& product) {
  const bool divides = product.consumers == Consumers::cooperative;
  return divides ? product.rows / product.warpgroups : product.rows;
}

int accumulators(const Product& product) {
  return rows_of_warpgroup(product) * product.columns / (4 * loop::kWarpSize);
}

}  // namespace ridge::mapping
