#include "ridge/cost/traffic.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "ridge/cost/distinct_bytes.h"

namespace ridge::cost {
namespace {

bool is_in_memory(const MemoryAccess& access) { return access.space == loop::Space::global; }

// What the lines of an access take of a cache: those that share sets leave the other sets unused.
double room_of(const MemoryAccess& access, AxisSet outside, const CacheLevel& level) {
  double room = lines_of(access, outside, level.line);
  for (const AxisStep& step : access.steps) {
    const auto bytes = static_cast<double>(step.stride * access.element_bytes);
    if (outside.has(step.axis) || step.is_random || bytes < level.line) continue;
    // The largest power of two that divides the stride.
    const auto whole = static_cast<uint64_t>(bytes);
    const double shared = std::min(level.way, static_cast<double>(whole & (~whole + 1)));
    if (shared > level.line) room = std::max(room, step.trips * shared);
  }
  return room;
}

struct Piece {
  const MemoryAccess* access;
  double bytes;
};

class CacheModel {
 public:
  CacheModel(const CacheLevel& level, const Nest& root) : level_(level) { find_grid(root); }

  // What one execution of an item brings in, by access.
  std::vector<Piece> bring(const Item& item, AxisSet outside) const {
    if (const auto* nest = std::get_if<Nest>(&item)) return bring_nest(*nest, outside);
    std::vector<Piece> pieces;
    const auto add = [&](const BasicBlock& block) {
      for (const MemoryAccess& access : block.accesses) {
        const double bytes = is_in_memory(access) ? lines_of(access, outside, level_.line) : 0;
        pieces.push_back({&access, bytes});
      }
    };
    if (const auto* block = std::get_if<BasicBlock>(&item)) {
      add(*block);
    } else {
      const auto& product = std::get<Product>(item);
      add(product.lhs);
      add(product.rhs);
      add(product.epilogue);
    }
    return pieces;
  }

  std::vector<Piece> bring_nest(const Nest& nest, AxisSet outside) const {
    // Lanes run side by side: what one of them touches, its neighbors touch in the same moment.
    const bool is_at_once =
        nest.place == loop::Place::vector || nest.place == loop::Place::gpu_thread;
    const AxisSet inside = is_at_once ? outside : outside.with(nest.axis);
    std::vector<Piece> pieces;
    for (const Item& item : nest.items) {
      for (const Piece& piece : bring(item, inside)) pieces.push_back(piece);
    }
    if (level_.is_per_sm && grid_.has(nest.axis)) {
      for (Piece& piece : pieces) piece.bytes *= moves_along_grid(*piece.access) ? nest.trips : 1;
      return pieces;
    }
    if (footprint(pieces, inside) > level_.capacity) {
      for (Piece& piece : pieces) piece.bytes *= is_at_once ? 1 : nest.trips;
      return pieces;
    }
    std::map<std::pair<int, bool>, DistinctBytes> paid;
    for (Piece& piece : pieces) {
      if (!is_in_memory(*piece.access)) continue;
      const std::pair key(piece.access->buffer, piece.access->is_store);
      const auto [place, is_new] = paid.try_emplace(key, level_.line);
      const double before = is_new ? 0 : place->second.bytes();
      place->second.add(*piece.access, outside);
      piece.bytes = std::max(0.0, place->second.bytes() - before);
    }
    return pieces;
  }

  double footprint(const std::vector<Piece>& pieces, AxisSet outside) const {
    struct Room {
      DistinctBytes touched;
      double largest = 0, copies = 1;
    };
    std::map<int, Room> by_buffer;
    for (const Piece& piece : pieces) {
      if (!is_in_memory(*piece.access)) continue;
      if (piece.access->is_store && !level_.holds_stores) continue;
      Room& room = by_buffer.try_emplace(piece.access->buffer, Room{DistinctBytes(level_.line)})
                       .first->second;
      room.touched.add(*piece.access, outside);
      room.largest = std::max(room.largest, room_of(*piece.access, outside, level_));
      if (moves_along_grid(*piece.access)) room.copies = level_.blocks;
    }
    double sum = 0;
    for (const auto& [buffer, room] : by_buffer) {
      sum += room.copies * std::max(room.largest, room.touched.bytes());
    }
    return sum;
  }

 private:
  void find_grid(const Nest& nest) {
    const bool is_grid =
        nest.place == loop::Place::gpu_block || nest.place == loop::Place::gpu_cluster_block;
    if (is_grid) grid_.add(nest.axis);
    for (const Item& item : nest.items) {
      if (const auto* inner = std::get_if<Nest>(&item)) find_grid(*inner);
    }
  }
  bool moves_along_grid(const MemoryAccess& access) const {
    return std::ranges::any_of(access.steps,
                               [&](const AxisStep& step) { return grid_.has(step.axis); });
  }

  const CacheLevel& level_;
  AxisSet grid_;
};

void collect(const Item& item, double executions, std::vector<PlacedAccess>& into) {
  const auto add = [&](const BasicBlock& block, double times) {
    for (const MemoryAccess& access : block.accesses) into.push_back({&access, times});
  };
  if (const auto* nest = std::get_if<Nest>(&item)) {
    for (const Item& inner : nest->items) collect(inner, executions * nest->trips, into);
  } else if (const auto* block = std::get_if<BasicBlock>(&item)) {
    add(*block, executions);
  } else {
    const auto& product = std::get<Product>(item);
    add(product.lhs, executions * product.m * product.k);
    add(product.rhs, executions * product.k * product.n);
    add(product.epilogue, executions * product.m * product.n);
  }
}

}  // namespace

std::vector<PlacedAccess> accesses_of(const KernelNest& nest) {
  std::vector<PlacedAccess> result;
  for (const Item& item : nest.root.items) collect(item, 1, result);
  return result;
}

std::vector<double> miss_bytes(const KernelNest& nest, const CacheLevel& level) {
  const CacheModel walk(level, nest.root);
  const std::vector<Piece> pieces = walk.bring_nest(nest.root, {});
  const double resident = level.resident > 0 ? level.resident : walk.footprint(pieces, {});
  std::vector<double> bytes;
  for (const Piece& piece : pieces) bytes.push_back(resident <= level.capacity ? 0 : piece.bytes);
  return bytes;
}

Compulsory compulsory_bytes(const KernelNest& nest) {
  struct Both {
    // In elements, not lines: what must move if all else were perfect.
    explicit Both(double element) : read(element), written(element), any(element) {}
    DistinctBytes read, written, any;
  };
  std::map<int, Both> by_buffer;
  for (const PlacedAccess& placed : accesses_of(nest)) {
    const MemoryAccess& access = *placed.access;
    if (!is_in_memory(access)) continue;
    Both& both = by_buffer.try_emplace(access.buffer, Both(access.element_bytes)).first->second;
    (access.is_store ? both.written : both.read).add(access, {});
    both.any.add(access, {});
  }
  Compulsory result;
  for (const auto& [buffer, both] : by_buffer) {
    result.read += both.read.bytes();
    result.written += both.written.bytes();
    result.footprint += both.any.bytes();
  }
  return result;
}

}  // namespace ridge::cost
