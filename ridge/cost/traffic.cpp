#include "ridge/cost/traffic.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ridge::cost {
namespace {

using AxisSet = uint64_t;

AxisSet with(AxisSet axes, int axis) {
  return axis < 0 ? axes : axes | (uint64_t{1} << static_cast<unsigned>(axis));
}
bool has(AxisSet axes, int axis) { return ((axes >> static_cast<unsigned>(axis)) & 1) != 0; }

// Bytes of the distinct lines an access touches while the axes `outside` stand still.
double lines_of(const MemoryAccess& access, AxisSet outside, double line) {
  std::vector<AxisStep> steps;
  double runs = 1;
  for (const AxisStep& step : access.steps) {
    if (has(outside, step.axis)) continue;
    if (step.is_random) {
      runs *= step.trips;
    } else if (step.span != 0) {
      steps.push_back(step);
    }
  }
  std::sort(steps.begin(), steps.end(), [](const AxisStep& a, const AxisStep& b) {
    return std::pair(a.stride, a.span) < std::pair(b.stride, b.span);
  });
  // Elements from the first to the last of a stretch without a hole of a line or more.
  double stretch = 1;
  for (const AxisStep& step : steps) {
    const auto stride = static_cast<double>(step.stride), span = static_cast<double>(step.span);
    const bool leaves_holes = (stride - stretch) * access.element_bytes >= line;
    if (leaves_holes) {
      runs *= std::min(step.trips, span + 1);
    } else {
      stretch += span;
    }
  }
  const double bytes = runs * std::max(stretch * access.element_bytes, line);
  return std::min(bytes, std::max(access.elements * access.element_bytes, line));
}

// What the lines of an access take of a cache: those that share sets leave the other sets unused.
double room_of(const MemoryAccess& access, AxisSet outside, const CacheLevel& level) {
  double room = lines_of(access, outside, level.line);
  for (const AxisStep& step : access.steps) {
    const auto bytes = static_cast<double>(step.stride * access.element_bytes);
    if (has(outside, step.axis) || step.is_random || bytes < level.line) continue;
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

class CacheWalk {
 public:
  explicit CacheWalk(const CacheLevel& level) : level_(level) {}

  // What one execution of an item brings in, by access.
  std::vector<Piece> bring(const Item& item, AxisSet outside) const {
    if (const auto* nest = std::get_if<Nest>(&item)) return bring_nest(*nest, outside);
    std::vector<Piece> pieces;
    const auto add = [&](const Block& block) {
      for (const MemoryAccess& access : block.accesses) {
        pieces.push_back({&access, lines_of(access, outside, level_.line)});
      }
    };
    if (const auto* block = std::get_if<Block>(&item)) {
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
    const bool is_at_once = nest.place == loop::Place::vector;
    const AxisSet inside = is_at_once ? outside : with(outside, nest.axis);
    std::vector<Piece> pieces;
    for (const Item& item : nest.items) {
      for (const Piece& piece : bring(item, inside)) pieces.push_back(piece);
    }
    if (footprint(pieces, inside) > level_.capacity) {
      for (Piece& piece : pieces) piece.bytes *= is_at_once ? 1 : nest.trips;
      return pieces;
    }
    std::map<std::pair<int, bool>, double> paid;
    for (Piece& piece : pieces) {
      double& before = paid[{piece.access->buffer, piece.access->is_store}];
      const double bytes = lines_of(*piece.access, outside, level_.line);
      piece.bytes = std::max(0.0, bytes - before);
      before = std::max(before, bytes);
    }
    return pieces;
  }

  double footprint(const std::vector<Piece>& pieces, AxisSet outside) const {
    std::map<int, double> by_buffer;
    for (const Piece& piece : pieces) {
      double& bytes = by_buffer[piece.access->buffer];
      bytes = std::max(bytes, room_of(*piece.access, outside, level_));
    }
    double sum = 0;
    for (const auto& [buffer, bytes] : by_buffer) sum += bytes;
    return sum;
  }

 private:
  const CacheLevel& level_;
};

void collect(const Item& item, double executions, std::vector<PlacedAccess>& into) {
  const auto add = [&](const Block& block, double times) {
    for (const MemoryAccess& access : block.accesses) into.push_back({&access, times});
  };
  if (const auto* nest = std::get_if<Nest>(&item)) {
    for (const Item& inner : nest->items) collect(inner, executions * nest->trips, into);
  } else if (const auto* block = std::get_if<Block>(&item)) {
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

std::vector<double> bytes_past(const KernelNest& nest, const CacheLevel& level) {
  const CacheWalk walk(level);
  const std::vector<Piece> pieces = walk.bring_nest(nest.root, 0);
  const double resident = level.resident > 0 ? level.resident : walk.footprint(pieces, 0);
  std::vector<double> bytes;
  for (const Piece& piece : pieces) bytes.push_back(resident <= level.capacity ? 0 : piece.bytes);
  return bytes;
}

Compulsory compulsory_bytes(const KernelNest& nest) {
  std::map<int, std::pair<double, double>> by_buffer;  // read, written
  for (const PlacedAccess& placed : accesses_of(nest)) {
    const MemoryAccess& access = *placed.access;
    auto& [read, written] = by_buffer[access.buffer];
    double& bytes = access.is_store ? written : read;
    // In elements, not lines: what must move if all else were perfect.
    bytes = std::max(bytes, lines_of(access, 0, access.element_bytes));
  }
  Compulsory result;
  for (const auto& [buffer, bytes] : by_buffer) {
    result.read += bytes.first;
    result.written += bytes.second;
    result.footprint += std::max(bytes.first, bytes.second);
  }
  return result;
}

}  // namespace ridge::cost
