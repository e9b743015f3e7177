#include "ridge/schedule/gpu_tile_shape.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_split_reduction.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {

namespace {

constexpr int64_t kSectorBytes = loop::kCudaLimits.sector_bytes;
constexpr int64_t kBankBytes = loop::kCudaLimits.bank_bytes;
// Vectors in a pass over all banks.
constexpr int64_t kSwizzledThreads = loop::kCudaLimits.banks * kBankBytes / kWideBytes;

int64_t bytes_of(DType dtype) { return std::max(1, dtype.bits / 8); }

// An access by constant steps along the axes of the kernel.
struct Steps {
  DType dtype;
  bool is_store;
  std::vector<int64_t> by_axis;  // 0 where the axis has one element
  int64_t first;

  int64_t along(int axis) const { return by_axis[static_cast<size_t>(axis)]; }
};

std::optional<Steps> steps_of(const GpuEmitter& gpu, const AccessPattern& pattern) {
  const Emitter& emitter = gpu.emitter;
  const Expr address = emitter.simplified(substitute_axes(pattern.address, emitter.group_axes()));
  if (has_load(address)) return std::nullopt;
  const auto affine = expr::as_affine(address, emitter.axis_count());
  if (!affine) return std::nullopt;
  Steps steps{pattern.dtype, pattern.is_store, {}, 0};
  for (int axis = 0; axis < emitter.axis_count(); ++axis) {
    const Expr step = expr::simplify(affine->coefficients[static_cast<size_t>(axis)]);
    if (!expr::is_constant(step)) return std::nullopt;
    steps.by_axis.push_back(emitter.extent(axis).known() == 1 ? 0 : step->integer);
  }
  const Expr first = expr::simplify(affine->constant);
  if (!expr::is_constant(first)) return std::nullopt;
  steps.first = first->integer;
  return steps;
}

class TileFinder {
 public:
  explicit TileFinder(const GpuEmitter& gpu) : gpu_(gpu) {
    for (const AccessPattern& pattern : gpu.group.patterns) {
      if (auto steps = steps_of(gpu, pattern)) accesses_.push_back(std::move(*steps));
    }
  }

  std::optional<TileShape> run() const {
    for (const int axis : gpu_.axes.outer) {
      if (!gpu_.emitter.extent(axis).known()) return std::nullopt;
    }
    const int column_axis = heaviest(
        [](const Steps& access, int axis) { return access.is_store && access.along(axis) == 1; });
    if (column_axis < 0) return std::nullopt;
    const int row_axis = heaviest([&](const Steps& access, int axis) {
      return axis != column_axis &&
             is_transposed_access(access.along(column_axis), access.along(axis), access.dtype);
    });
    if (row_axis < 0) return std::nullopt;
    return shaped(
        {.column_axis = column_axis, .row_axis = row_axis, .column_width = 1, .row_width = 1});
  }

 private:
  int64_t extent(int axis) const { return *gpu_.emitter.extent(axis).known(); }

  // The axis that most bytes of accesses want; -1 if none does.
  template <class Wants>
  int heaviest(const Wants& wants) const {
    int found = -1;
    int64_t most = 0;
    for (const int axis : gpu_.axes.outer) {
      int64_t bytes = 0;
      for (const Steps& access : accesses_) {
        if (wants(access, axis)) bytes += bytes_of(access.dtype);
      }
      if (bytes > most) found = axis;
      most = std::max(most, bytes);
    }
    return found;
  }

  bool is_staged(const Steps& access, const TileShape& shape) const {
    return is_transposed_access(access.along(shape.column_axis), access.along(shape.row_axis),
                                access.dtype);
  }

  // 16 bytes of the widest of these accesses, where all of them start at multiples of that.
  template <class IsOne>
  int64_t width(int axis, const IsOne& is_one) const {
    int64_t width = kWideBytes;
    while (width > 1 && extent(axis) % width != 0) width /= 2;
    for (const Steps& access : accesses_) {
      if (!is_one(access) || access.along(axis) == 0) continue;
      if (access.along(axis) != 1) return 1;
      width = std::min(width, kWideBytes / bytes_of(access.dtype));
      int64_t steps = access.first;
      for (size_t i = 0; i < access.by_axis.size(); ++i) {
        if (static_cast<int>(i) != axis) steps |= std::abs(access.by_axis[i]);
      }
      while (width > 1 && steps % width != 0) width /= 2;
    }
    return width;
  }

  std::optional<TileShape> shaped(TileShape shape) const {
    int64_t widest = 1, narrowest = kWideBytes, staged = 0;
    for (const Steps& access : accesses_) {
      if (access.along(shape.column_axis) == 0 || access.along(shape.row_axis) == 0) continue;
      const int64_t bytes = bytes_of(access.dtype);
      widest = std::max(widest, bytes);
      narrowest = std::min(narrowest, bytes);
      if (is_staged(access, shape)) staged += bytes;
    }
    // A row of a tile that is shorter than a sector gains nothing.
    const int64_t least = kSectorBytes / widest;
    if (extent(shape.column_axis) < least || extent(shape.row_axis) < least) return std::nullopt;
    shape.column_width =
        width(shape.column_axis, [&](const Steps& access) { return !is_staged(access, shape); });
    shape.row_width =
        width(shape.row_axis, [&](const Steps& access) { return is_staged(access, shape); });
    int64_t side = kWarp;
    while (side < kMaxTileSide && 4 * side * side * widest <= kTileBytes) side *= 2;
    while (side > kWarp && side * side * staged > kTileSharedBytes) side /= 2;
    // No SM should be idle; but rows of a tile fill all banks.
    const int64_t full = kSwizzledThreads * kWideBytes / narrowest;
    while (side > full && tiles(shape, side) < gpu_.input.limits.sms) side /= 2;
    if (side * side * staged > kTileSharedBytes) return std::nullopt;
    shape.columns = fitting(extent(shape.column_axis), side, shape.column_width);
    shape.rows = fitting(extent(shape.row_axis), side, shape.row_width);
    const int64_t column_vectors = std::min(kSwizzledThreads, shape.columns / shape.column_width);
    shape.is_swizzled = shape.column_width > 1 &&
                        column_vectors * shape.column_width * narrowest >= 2 * kSectorBytes;
    const int64_t vectors =
        shape.columns * shape.rows / std::max(shape.column_width, shape.row_width);
    if (vectors < kWarp) return std::nullopt;
    shape.threads = std::min(vectors, kTileThreads);
    return shape;
  }

  int64_t tiles(const TileShape& shape, int64_t side) const {
    int64_t count = 1;
    for (const int axis : gpu_.axes.outer) {
      const bool is_cut = axis == shape.column_axis || axis == shape.row_axis;
      count *= is_cut ? divided_up(extent(axis), side) : extent(axis);
    }
    return count;
  }
  static int64_t fitting(int64_t extent, int64_t side, int64_t width) {
    const auto needed = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(extent)));
    return std::max(width, std::min(side, needed));
  }

  const GpuEmitter& gpu_;
  std::vector<Steps> accesses_;
};

}  // namespace

int64_t TileShape::column_threads() const {
  const int64_t all = columns / column_width;
  return is_swizzled ? std::min(kSwizzledThreads, all) : all;
}

int64_t TileShape::beside() const {
  return std::min({kWarp, column_threads(), rows / row_width, threads});
}

int64_t TileShape::elements(DType dtype) const {
  const int64_t padding = std::max<int64_t>(1, kBankBytes / bytes_of(dtype));
  return columns * (rows + (is_swizzled ? 0 : padding));
}

Expr TileShape::place(DType dtype, const TilePoint& point) const {
  const Expr start = point.column * (elements(dtype) / columns);
  if (!is_swizzled) return start + point.chunk * row_width + point.in_chunk;
  const int64_t rotation = std::max<int64_t>(1, kWideBytes / bytes_of(dtype) / row_width);
  const Expr swizzled = expr::mod(point.chunk + point.vector * rotation, rows / row_width);
  return start + swizzled * row_width + point.in_chunk;
}

bool is_transposed_access(int64_t column_stride, int64_t row_stride, DType dtype) {
  return row_stride == 1 && std::abs(column_stride) * bytes_of(dtype) >= kSectorBytes;
}

std::optional<TileShape> tile_shape(const GpuEmitter& gpu) { return TileFinder(gpu).run(); }

namespace {

TileTraversal new_traversal(Emitter& emitter, int64_t steps, int64_t width) {
  TileTraversal traversal{.step = emitter.add_axis(steps), .steps = steps, .width = width};
  if (width > 1) traversal.lane = emitter.add_axis(width);
  return traversal;
}

// What number of all vectors of the tile a thread takes at a step.
Expr vector_number(const TileTraversal& traversal, const TileShape& shape,
                   const TileThreads& threads) {
  const Expr first = expr::axis(traversal.step) * shape.threads;
  return first + expr::axis(threads.row) * shape.beside() + expr::axis(threads.thread);
}

Expr at_lane_zero(const TileTraversal& traversal, const Expr& e, int axis_count) {
  std::vector<Expr> axes;
  for (int i = 0; i < axis_count; ++i)
    axes.push_back(i == traversal.lane ? Expr(0) : expr::axis(i));
  return substitute_axes(e, axes);
}

TileTraversal placed(TileTraversal traversal, const Emitter& emitter, const TileShape& shape,
                     const TileThreads& threads) {
  const TilePoint& point = traversal.point;
  const Expr i = point.chunk * shape.row_width + point.in_chunk;
  traversal.row = emitter.simplified(expr::axis(threads.row_tile) * shape.rows + i);
  traversal.column =
      emitter.simplified(expr::axis(threads.column_tile) * shape.columns + point.column);
  const Expr inside = traversal.row < emitter.extent(shape.row_axis).expression() &&
                      traversal.column < emitter.extent(shape.column_axis).expression();
  // Vectors are inside as a whole.
  const Expr bounds_check =
      emitter.simplified(at_lane_zero(traversal, inside, emitter.axis_count()));
  if (!expr::is_constant(bounds_check)) traversal.is_inside = bounds_check;
  return traversal;
}

loop::Body only(loop::Statement statement) {
  loop::Body body;
  body.push_back(std::move(statement));
  return body;
}

}  // namespace

loop::Statement TileTraversal::with(loop::Body body) const {
  if (lane >= 0) body = only({loop::Loop{lane, Expr(width), loop::Place::vector, std::move(body)}});
  if (is_inside) body = only({loop::If{is_inside, std::move(body)}});
  return {loop::Loop{step, Expr(steps), loop::Place::serial, std::move(body)}};
}

TileTraversal traverse_rows(Emitter& emitter, const TileShape& shape, const TileThreads& threads) {
  TileTraversal traversal = new_traversal(emitter, shape.row_steps(), shape.row_width);
  const Expr number = vector_number(traversal, shape, threads);
  const Expr chunks = shape.rows / shape.row_width;
  const Expr row = expr::floor_div(number, chunks);
  traversal.point = {expr::mod(number, chunks), traversal.in_vector(),
                     expr::floor_div(row, shape.column_width), row};
  return placed(std::move(traversal), emitter, shape, threads);
}

TileTraversal traverse_columns(Emitter& emitter, const TileShape& shape,
                               const TileThreads& threads) {
  TileTraversal traversal = new_traversal(emitter, shape.column_steps(), shape.column_width);
  const Expr number = vector_number(traversal, shape, threads);
  const Expr beside = shape.column_threads();
  const Expr line = expr::floor_div(number, beside);
  const Expr i = expr::mod(line, shape.rows);
  const Expr vector = expr::floor_div(line, shape.rows) * beside + expr::mod(number, beside);
  traversal.point = {expr::floor_div(i, shape.row_width), expr::mod(i, shape.row_width), vector,
                     vector * shape.column_width + traversal.in_vector()};
  return placed(std::move(traversal), emitter, shape, threads);
}

}  // namespace ridge::schedule
