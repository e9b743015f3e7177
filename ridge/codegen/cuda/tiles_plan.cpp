#include "ridge/codegen/cuda/tiles_plan.h"

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/loop/device_limits.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::codegen::cuda {
namespace {

using loop::as;

constexpr int64_t kMbarrierBytes = 8;
constexpr int64_t kLinearAlignment = 128;  // of a box in shared memory
constexpr int kNamedBarriers = 16;
constexpr int kMostRegisters = 248;  // of a thread, that is a multiple of 8
constexpr int64_t kRegisters = loop::kCudaLimits.registers_per_sm;

int64_t round_up(int64_t bytes, int64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

TilePlacement placement(const loop::Tile& tile) {
  TilePlacement shared;
  const int64_t rows = constant_extent(tile.rows), columns = constant_extent(tile.columns);
  shared.lines = tile.is_column_contiguous ? columns : rows;
  shared.elements = tile.is_column_contiguous ? rows : columns;
  const int64_t line_bytes = static_cast<int64_t>(bytes_for(tile.dtype, 1)) * shared.elements;
  switch (tile.layout) {
    case loop::TileLayout::swizzle_32: shared.span = 32; break;
    case loop::TileLayout::swizzle_64: shared.span = 64; break;
    case loop::TileLayout::swizzle_128: shared.span = 128; break;
    default: shared.span = line_bytes; break;
  }
  shared.is_swizzled = tile.layout != loop::TileLayout::linear;
  const int64_t alignment = shared.is_swizzled ? 8 * shared.span : kLinearAlignment;
  shared.bytes = round_up(round_up(line_bytes, shared.span) * shared.lines, alignment);
  return shared;
}

class Planner {
 public:
  explicit Planner(const loop::Kernel& kernel) : kernel_(kernel) {}

  TilesPlan run() {
    add_roles();
    add_tiles();
    for (const loop::Ring& ring : kernel_.rings) {
      RingPlan barriers{.full_offset = plan_.shared_bytes, .empty_offset = 0};
      barriers.empty_offset = barriers.full_offset + kMbarrierBytes * ring.slots;
      plan_.shared_bytes = barriers.empty_offset + kMbarrierBytes * ring.slots;
      plan_.rings.push_back(barriers);
    }
    for (const RolePlan& role : plan_.roles) count_arrivals(role);
    return plan_;
  }

 private:
  void add_roles() {
    int barrier = kNamedBarriers;
    for (const bool wants_warpgroups : {true, false}) {
      for (const loop::Statement& statement : kernel_.body) {
        const auto* const role = as<loop::Role>(statement);
        if (role == nullptr || (role->warps == loop::kWarpgroupWarps) != wants_warpgroups) continue;
        if (role->warps > 1) barrier -= role->instances;
        plan_.roles.push_back({.role = role,
                               .first_warp = plan_.warps,
                               .warps = role->warps * role->instances,
                               .threads = role->warps * loop::kWarpSize,
                               .barrier = barrier});
        plan_.warps += role->warps * role->instances;
      }
    }
    plan_.blocks_per_sm = static_cast<int>(std::max<int64_t>(1, kernel_.min_blocks_per_sm));
    const int64_t charged =
        round_up(plan_.warps, loop::kWarpgroupWarps) * loop::kWarpSize * plan_.blocks_per_sm;
    if (charged == 0) return;
    plan_.launch_registers =
        static_cast<int>(std::min<int64_t>(kMostRegisters, kRegisters / charged / 8 * 8));
  }

  void add_tiles() {
    for (const loop::Tile& tile : kernel_.tiles) {
      TilePlacement shared;
      if (loop::is_shared(tile.layout)) {
        shared = placement(tile);
        shared.slots =
            tile.ring < 0 ? tile.slots : kernel_.rings[static_cast<size_t>(tile.ring)].slots;
        for (const RolePlan& role : plan_.roles) {
          if (role.role->name == tile.role) shared.instances = role.role->instances;
        }
        const int64_t alignment = shared.is_swizzled ? 8 * shared.span : kLinearAlignment;
        shared.offset = round_up(plan_.shared_bytes, alignment);
        plan_.shared_bytes = shared.offset + shared.bytes * shared.slots * shared.instances;
      }
      plan_.tiles.push_back(shared);
    }
    plan_.shared_bytes = round_up(plan_.shared_bytes, kMbarrierBytes);
  }

  // One lane of each warp gives a slot back. Instances that skip slots share them out; else each takes all.
  void count_arrivals(const RolePlan& plan) {
    const loop::Role& role = *plan.role;
    std::vector<bool> skips(kernel_.rings.size());
    loop::for_each_statement(role.body, [&](const loop::Statement& statement) {
      const auto* const skip = as<loop::SkipSlots>(statement);
      if (skip != nullptr) skips[static_cast<size_t>(skip->ring)] = true;
    });
    std::vector<bool> produces(kernel_.rings.size()), consumes(kernel_.rings.size());
    std::vector<bool> writes(kernel_.rings.size());
    loop::for_each_statement(role.body, [&](const loop::Statement& statement) {
      if (const auto* const consume = as<loop::Consume>(statement)) {
        consumes[static_cast<size_t>(consume->ring)] = true;
      }
      const auto* const produce = as<loop::Produce>(statement);
      if (produce == nullptr) return;
      produces[static_cast<size_t>(produce->ring)] = true;
      loop::for_each_statement(produce->body, [&](const loop::Statement& inner) {
        if (is_thread_write(inner)) writes[static_cast<size_t>(produce->ring)] = true;
      });
    });
    for (size_t i = 0; i < kernel_.rings.size(); ++i) {
      const int instances = skips[i] ? 1 : role.instances;
      RingPlan& ring = plan_.rings[i];
      if (consumes[i]) ring.empty_arrivals += instances * role.warps;
      if (produces[i]) ring.full_arrivals += instances * (writes[i] ? role.warps : 1);
    }
  }

  const loop::Kernel& kernel_;
  TilesPlan plan_;
};

Decision can_write_tile(const loop::Tile& tile) {
  const auto no = [&](std::string_view what) {
    return Decision::no(concat("tile ", tile.name, ' ', what));
  };
  if (tile.layout == loop::TileLayout::unmapped) return no("is not mapped");
  if (!expr::is_constant(tile.rows) || !expr::is_constant(tile.columns)) {
    return no("has extents that are not constant");
  }
  const int64_t rows = tile.rows->integer, columns = tile.columns->integer;
  switch (tile.layout) {
    case loop::TileLayout::accumulator:
      if (tile.dtype != f32) return no("accumulates in another type than f32");
      if (rows % 64 != 0 || columns % 8 != 0) return no("is no accumulator of 64 rows, 8 columns");
      break;
    case loop::TileLayout::operand:
      if (tile.dtype != bf16 && tile.dtype != f16) return no("is an operand that is not 16 bits");
      if (rows % 64 != 0 || columns % 16 != 0) return no("is no operand of 64 rows, 16 columns");
      break;
    case loop::TileLayout::row_values:
      if (tile.dtype != f32 || rows % 64 != 0 || columns != 1) return no("are no values of rows");
      break;
    case loop::TileLayout::column_values:
      if (tile.dtype != f32 || columns % 8 != 0 || rows != 1) return no("are no values of columns");
      break;
    default:
      if (tile.layout != loop::TileLayout::linear && placement(tile).lines % 8 != 0) {
        return no("is swizzled, of lines that are no multiple of 8");
      }
      break;
  }
  return Decision::yes("");
}

// What is not printed yet, or never is.
Decision can_write_statements(const loop::Kernel& kernel) {
  Decision can = Decision::yes("");
  for_each_statement(kernel.body, [&](const loop::Statement& statement) {
    const auto* const fold = as<loop::FoldTile>(statement);
    const auto* const role = as<loop::Role>(statement);
    const auto* const move = as<loop::MoveTile>(statement);
    if (move != nullptr) {
      for (const int number : {move->into, move->from.tile}) {
        const loop::Tile& tile = kernel.tiles[static_cast<size_t>(number)];
        if (!loop::is_shared(tile.layout) || is_16_bit_float(tile.dtype)) continue;
        can = Decision::no(concat("tile ", tile.name, " is moved, and not of 16 bits"));
      }
    }
    if (fold != nullptr && fold->along == loop::Along::rows) {
      can = Decision::no("a fold along rows needs the other warps");
    }
    if (role == nullptr || role->warps != 1) return;
    for (const loop::Tile& tile : kernel.tiles) {
      if (tile.role != role->name || !loop::is_in_registers(tile.layout)) continue;
      can = Decision::no(concat("tile ", tile.name, " is in the registers of a warp alone"));
    }
  });
  return can;
}

}  // namespace

bool is_thread_write(const loop::Statement& statement) {
  return as<loop::MoveTile>(statement) != nullptr || as<loop::Store>(statement) != nullptr;
}

int64_t constant_extent(const loop::Expr& e) {
  RIDGE_INTERNAL_CHECK(expr::is_constant(e), "extents of mapped tiles are constants");
  return e->integer;
}

int64_t tile_registers(const loop::Tile& tile) {
  const int64_t rows = constant_extent(tile.rows), columns = constant_extent(tile.columns);
  switch (tile.layout) {
    case loop::TileLayout::accumulator: return rows / 64 * columns / 2;
    case loop::TileLayout::operand: return rows / 64 * columns / 4;
    case loop::TileLayout::row_values: return rows / 64 * 2;
    case loop::TileLayout::column_values: return columns / 4;
    default: return 0;
  }
}

TilesPlan tiles_plan(const loop::Kernel& kernel) { return Planner(kernel).run(); }

Decision can_write_tiles(const loop::Kernel& kernel, int arch) {
  if (arch < 90 || arch >= 100) return Decision::no("its tiles are mapped to sm_90a");
  for (const loop::Tile& tile : kernel.tiles) {
    if (Decision can = can_write_tile(tile); !can.verdict) return can;
  }
  for (const loop::Statement& statement : kernel.body) {
    if (as<loop::Role>(statement) == nullptr) return Decision::no("it is not made of roles");
  }
  if (Decision can = can_write_statements(kernel); !can.verdict) return can;
  const TilesPlan plan = tiles_plan(kernel);
  if (plan.roles.empty()) return Decision::no("it is not made of roles");
  if (plan.warps * loop::kWarpSize > loop::kCudaLimits.max_threads_per_block) {
    return Decision::no(concat("a block of ", plan.warps * loop::kWarpSize, " threads"));
  }
  Decision can = Decision::yes("");
  for_each_statement(kernel.body, [&](const loop::Statement& statement) {
    const auto* const barrier = as<loop::NamedBarrier>(statement);
    const auto is_own = [&](const RolePlan& role) { return barrier->number >= role.barrier; };
    if (barrier == nullptr || std::ranges::none_of(plan.roles, is_own)) return;
    can = Decision::no(
        concat("barrier ", barrier->number, " is one at which a role meets by itself"));
  });
  if (!can.verdict) return can;
  int64_t registers = 0, last = 0, partial_warps = 0;
  for (const RolePlan& role : plan.roles) {
    last = role.role->registers == 0 ? plan.launch_registers : role.role->registers;
    if (role.role->warps == loop::kWarpgroupWarps)
      registers += role.warps * last;
    else
      partial_warps += role.warps;
  }
  registers += round_up(partial_warps, loop::kWarpgroupWarps) * last;
  const int64_t most = plan.launch_registers * round_up(plan.warps, loop::kWarpgroupWarps);
  if (registers > most) {
    return Decision::no(concat("its roles take ", registers * loop::kWarpSize, " registers of ",
                               most * loop::kWarpSize));
  }
  const int64_t most_bytes = loop::limits_of_arch(arch).block_shared_bytes();
  if (plan.shared_bytes > most_bytes) {
    return Decision::no(concat(plan.shared_bytes, " bytes of shared memory of ", most_bytes));
  }
  return Decision::yes("roles, tiles and layouts are those of sm_90a");
}

}  // namespace ridge::codegen::cuda
