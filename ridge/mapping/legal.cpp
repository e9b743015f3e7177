#include "ridge/mapping/legal.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/mapping/product_shape.h"
#include "ridge/mapping/tuning.h"

namespace ridge::mapping {
namespace {

struct Refusal {
  Field field;
  std::string reason;
};
using Answer = std::optional<Refusal>;

// The only one with matrix units that warpgroups feed from shared memory by these instructions.
constexpr int64_t kWarpgroupArch = 90;
constexpr int64_t kMatrixArch = 80;
constexpr int kWidestProduct = 256;  // columns of one instruction
constexpr int kMaxCluster = 2;

Answer refuse_unit(const Product& p, const ProductWork& work, const loop::DeviceLimits& limits) {
  const bool is_warpgroup = p.unit == MatrixUnit::wgmma;
  if (is_warpgroup ? limits.arch != kWarpgroupArch : limits.arch < kMatrixArch) {
    return Refusal{Field::unit, concat("the device has no ", name(p.unit))};
  }
  if (work.lhs.dtype != work.rhs.dtype || !is_16_bit_float(work.lhs.dtype)) {
    return Refusal{Field::unit, concat("operands of ", ridge::name(work.lhs.dtype), " and ",
                                       ridge::name(work.rhs.dtype))};
  }
  if (work.accumulator != f32) {
    return Refusal{Field::unit, concat("sums in ", ridge::name(work.accumulator))};
  }
  return std::nullopt;
}

Answer refuse_tile(const Product& p) {
  const int rows = rows_of_warpgroup(p);
  const int lanes = p.unit == MatrixUnit::wgmma ? kWarpgroupRows : 2 * loop::kWarpSize;
  const int step = p.unit == MatrixUnit::wgmma ? 2 * kMatrixColumns : 4 * loop::kWarpSize / 2;
  if (rows == 0 || p.rows % p.warpgroups != 0 || rows % lanes != 0) {
    return Refusal{Field::tile,
                   concat(p.rows, " rows are no multiple of ", lanes, " for each warpgroup")};
  }
  if (p.columns % step != 0 || p.columns > kWidestProduct) {
    return Refusal{Field::tile, concat(p.columns, " columns are no multiple of ", step, " up to ",
                                       kWidestProduct)};
  }
  if (p.depth != 64 && (p.unit == MatrixUnit::wgmma || p.depth != 32)) {
    return Refusal{Field::tile, concat("a depth of ", p.depth, " is not one row of a swizzle")};
  }
  return std::nullopt;
}

Answer refuse_consumers(const Product& p, const loop::DeviceLimits& limits) {
  const bool takes_turns = p.consumers == Consumers::ping_pong;
  if (takes_turns && (p.unit != MatrixUnit::wgmma || p.warpgroups != 2)) {
    return Refusal{Field::consumers, "turns are of two warpgroups with wgmma"};
  }
  if (threads(p) > limits.max_threads_per_block) {
    return Refusal{Field::consumers,
                   concat(threads(p), " threads exceed ", limits.max_threads_per_block)};
  }
  return std::nullopt;
}

Answer refuse_registers(const Mapping& mapping, const ProductWork& work, const ProductShape& shape,
                        const loop::DeviceLimits& limits) {
  const auto& p = std::get<Product>(mapping.family);
  const bool is_warpgroup = p.unit == MatrixUnit::wgmma;
  const int64_t of_sm = limits.registers_per_sm / mapping.launch.min_blocks_per_sm;
  const int64_t has = is_warpgroup ? shape.consumer_registers
                                   : std::min(of_sm / threads(p), limits.max_registers_per_thread);
  const bool has_epilogue = work.epilogue.tile_load_bytes > 0 || work.results.size() > 1;
  const bool is_heavy = has_epilogue && p.split == 1;  // else another kernel has it
  const int64_t wants = accumulators(p) + (is_heavy ? tuning::kEpilogueRegisters : 0) +
                        (is_warpgroup ? tuning::kConsumerRegisters : tuning::kPortableRegisters);
  if (wants <= has) return std::nullopt;
  return Refusal{Field::tile,
                 concat(accumulators(p), " sums of a thread do not fit ", has, " registers")};
}

Answer refuse_shared(const Mapping& mapping, const ProductShape& shape,
                     const loop::DeviceLimits& limits) {
  const auto& p = std::get<Product>(mapping.family);
  const int64_t has =
      limits.shared_bytes / mapping.launch.min_blocks_per_sm - limits.reserved_shared_bytes;
  if (shape.shared_bytes <= has) return std::nullopt;
  return Refusal{Field::stages,
                 concat(p.stages, " stages of ", Bytes(shape.lhs.bytes + shape.rhs.bytes), " and ",
                        Bytes(shape.store_bytes), " to store exceed ", Bytes(has))};
}

Answer refuse_alignment(const Mapping& mapping, const ProductWork& work) {
  const auto& p = std::get<Product>(mapping.family);
  const bool copies_in_bulk = p.unit == MatrixUnit::wgmma;
  for (const auto& [operand, word] : {std::pair(&work.lhs, "lhs"), std::pair(&work.rhs, "rhs")}) {
    const int64_t has = alignment_of(*operand, mapping.alignment);
    if (copies_in_bulk && has < kBulkAlignment) {
      return Refusal{Field::align, concat("rows of ", word, " start at multiples of ", has,
                                          " bytes, bulk copies need ", kBulkAlignment)};
    }
  }
  if (p.store != StoreWay::tile) return std::nullopt;
  for (const Result& result : work.results) {
    const int64_t has = alignment_of(result, mapping.alignment);
    if (!is_16_bit_float(result.dtype)) {
      return Refusal{Field::store, "store tiles have elements of 16 bits, as stmatrix moves them"};
    }
    if (work.results.size() > kMostStoredResults) {
      return Refusal{Field::store,
                     concat("more than ", kMostStoredResults, " results in registers")};
    }
    if (!result.is_n_contiguous) {
      return Refusal{Field::store, "the result is not contiguous along its columns"};
    }
    if (!copies_in_bulk || has < kBulkAlignment) {
      return Refusal{Field::store, concat("rows of the result start at multiples of ", has,
                                          " bytes, bulk copies need ", kBulkAlignment)};
    }
  }
  return std::nullopt;
}

Answer refuse_rest(const Mapping& mapping, const ProductWork& work,
                   const loop::DeviceLimits& limits) {
  const auto& p = std::get<Product>(mapping.family);
  const int cluster = mapping.launch.cluster;
  if (cluster > std::min<int64_t>(kMaxCluster, limits.cluster_blocks) ||
      (cluster > 1 && p.unit != MatrixUnit::wgmma)) {
    return Refusal{Field::cluster, concat("a cluster of ", cluster, " blocks")};
  }
  if (p.stages < 2) return Refusal{Field::stages, "one stage overlaps nothing"};
  if (p.split > std::max(1.0, std::ceil(work.k / p.depth))) {
    return Refusal{Field::split, concat("more parts than steps of k: ", p.split)};
  }
  if (p.split > 1 && std::fmod(work.k, p.split * p.depth) != 0) {
    return Refusal{Field::split, concat("no ", p.split, " parts of as many steps of k each")};
  }
  if (p.split > 1 && p.store == StoreWay::tile) {
    return Refusal{Field::store, "sums of parts are f32, which their threads store"};
  }
  if (p.split > 1 && p.consumers == Consumers::ping_pong) {
    return Refusal{Field::split, "warpgroups that take turns finish whole tiles"};
  }
  return std::nullopt;
}

Answer refusal(const Mapping& mapping, const ProductWork& work, const loop::DeviceLimits& limits) {
  const auto& p = std::get<Product>(mapping.family);
  if (auto no = refuse_unit(p, work, limits)) return no;
  if (auto no = refuse_tile(p)) return no;
  if (auto no = refuse_consumers(p, limits)) return no;
  const ProductShape shape = shape_of(mapping, work, limits);
  if (auto no = refuse_registers(mapping, work, shape, limits)) return no;
  if (auto no = refuse_alignment(mapping, work)) return no;
  if (auto no = refuse_shared(mapping, shape, limits)) return no;
  return refuse_rest(mapping, work, limits);
}

}  // namespace

Fit can_run(const Mapping& mapping, const Work& work, const loop::DeviceLimits& limits) {
  if (auto no = refusal(mapping, work, limits)) return {Decision::no(no->reason), no->field};
  return {Decision::yes("within the limits of the device")};
}

Mapping parse_fitting(std::string_view text, const Work& work, const loop::DeviceLimits& limits) {
  const ParsedMapping parsed = parse(text);
  const Fit fit = can_run(parsed.mapping, work, limits);
  RIDGE_CHECK(fit.decision.verdict, .code = ErrorCode::value, .op = "mapping",
              .expected = concat("a mapping that fits, at column ",
                                 parsed.columns[static_cast<size_t>(fit.field)], ", `",
                                 name(fit.field), "`"),
              .given = concat("`", text, "`"), .hint = fit.decision.reason);
  return parsed.mapping;
}

int64_t alignment_of(const Operand& operand, Alignment policy) {
  const bool is_lengthened = policy == Alignment::realigned ||
                             (policy == Alignment::padded && operand.owner == PitchOwner::program);
  return is_lengthened ? std::max(operand.alignment, kPaddedAlignment) : operand.alignment;
}

int64_t alignment_of(const Result& result, Alignment policy) {
  const bool is_lengthened = policy != Alignment::given && result.owner == PitchOwner::program;
  return is_lengthened ? std::max(result.alignment, kPaddedAlignment) : result.alignment;
}

double operand_bytes(const ProductWork& work) {
  return work.batch * work.k * (work.m * work.lhs.dtype.bits + work.n * work.rhs.dtype.bits) / 8;
}

double result_bytes(const ProductWork& work) {
  double bits = 0;
  for (const Result& result : work.results) bits += result.dtype.bits;
  return work.batch * work.m * work.n * bits / 8;
}

}  // namespace ridge::mapping
