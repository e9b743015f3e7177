// Groups that reduce columns: in one kernel, or split over several.
#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_column_kernel.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

class SplitColumns {
 public:
  explicit SplitColumns(const LoopInput& input)
      : input_(input), gpu_(input), passes_(row_passes(input)), scratch_(input) {
    length_ = gpu_.extent_of(gpu_.axes.inner);
  }

  std::optional<EmittedGroup> run() {
    if (!is_column_major(input_.group, gpu_.group.patterns)) return std::nullopt;
    if (const auto tile = misaligned_tile()) return in_several_kernels(*tile);
    int64_t width = split_width(gpu_, gpu_.axes.outer, input_.group.outer.size() - 1);
    while (width > 1 && shared_bytes(column_tile(columns(), length_, width)) > kColumnSharedBytes)
      width /= 2;
    ColumnTile tile = column_tile(columns(), length_, width);
    if (shared_bytes(tile) > kColumnSharedBytes) return std::nullopt;
    tile.chunks = chunks(tile);
    return tile.is_chunked() ? in_several_kernels(tile) : whole(tile);
  }

 private:
  Size columns() const { return gpu_.emitter.extent(gpu_.axes.outer.back()); }

  // Where rows are contiguous and nothing else is computed: the rows of a row of threads have the same
  // misalignment, so threads take aligned vectors.
  std::optional<ColumnTile> misaligned_tile() const {
    const size_t last = input_.group.outer.size() - 1;
    const auto length = length_.known(), count = columns().known();
    if (last > 0 || !length || !count || passes_.size() != 1 || !passes_.front().stores.empty()) {
      return std::nullopt;
    }
    const int64_t width = uneven_split_width(gpu_, last);
    if (*count % width == 0) return std::nullopt;
    if (!rows_follow_each_other(*count, width)) return std::nullopt;
    const auto tile = misaligned_column_tile(*count, *length, width, input_.limits.sms);
    return tile && shared_bytes(*tile) <= kColumnSharedBytes ? tile : std::nullopt;
  }
  bool rows_follow_each_other(int64_t columns, int64_t width) const {
    const Shape& rows = input_.group.inner;
    const std::vector<Expr> start(input_.group.extents().size(), Expr(0));
    for (const AccessPattern& pattern : gpu_.group.patterns) {
      if (!pattern.is_affine && (axes_in(pattern.address) & 1) != 0) return false;
      if (!pattern.is_affine || !expr::is_constant(pattern.coefficients[0], 1)) continue;
      const auto& steps = pattern.coefficients;
      // Of what all rows share there is nothing in front of a row, or behind it.
      if (std::all_of(steps.begin() + 1, steps.end(),
                      [](const Expr& step) { return expr::is_constant(step, 0); })) {
        if (pattern.is_store) continue;
        return false;
      }
      Size step = columns;
      for (size_t i = rows.size(); i-- > 0; step = step * rows[i]) {
        const auto known = step.known();
        if (!known || !expr::is_constant(steps[i + 1], static_cast<double>(*known))) return false;
      }
      const Expr first = expr::simplify(substitute_axes(pattern.address, start));
      if (!expr::is_constant(first) || first->integer % width != 0) return false;
      // A select may choose rows that an array does not have: an unpredicated vector load
      // could pass its end.
      const auto elements = pattern.elements.known();
      if (!elements || first->integer + *length_.known() * columns > *elements) return false;
    }
    return true;
  }

  int64_t shared_bytes(const ColumnTile& tile) const {
    int64_t bytes = 0;
    for (const RowPass& pass : passes_) {
      for (const Member* member : pass.reductions) {
        const int64_t elements = (tile.row_threads + 1) * tile.columns();
        bytes += static_cast<int64_t>(bytes_for(gpu_.group.accumulator(*member), elements));
      }
    }
    return bytes;
  }

  Chunks chunks(const ColumnTile& tile) const {
    const auto rows = length_.known(), count = gpu_.extent_of(gpu_.axes.outer).known();
    if (!rows || !count) return {};
    const int64_t in_row = *columns().known();
    return column_chunks(tile, *count / in_row, in_row, *rows, input_.limits.sms);
  }

  EmittedGroup whole(const ColumnTile& tile) {
    ColumnKernel kernel(input_, tile, length_);
    for (const RowPass& pass : passes_) kernel.pass(pass, ColumnSource::members, scratch_);
    kernel.store_row_values();
    EmittedKernel emitted = kernel.finish();
    emitted.decisions.push_back(Decision::yes("threads over columns"));
    return {{std::move(emitted)}, {}};
  }

  EmittedGroup in_several_kernels(const ColumnTile& tile) {
    EmittedGroup result;
    const size_t last = last_reducing(passes_);
    for (size_t i = 0; i < passes_.size(); ++i) {
      result.kernels.push_back(along(i, tile));
      if (!passes_[i].reductions.empty()) {
        result.kernels.push_back(combined(i, tile.chunks.count, i == last));
      }
    }
    result.scratch_buffers = std::move(scratch_.buffers);
    result.kernels.front().decisions.push_back(
        Decision::yes(concat("threads over columns, rows in ", tile.chunks.count,
                             " chunks, whose results further kernels combine")));
    return result;
  }

  EmittedKernel along(size_t number, const ColumnTile& tile) {
    ColumnKernel kernel(input_, tile, length_);
    for (size_t i = 0; i < number; ++i) kernel.read_results(passes_[i], scratch_);
    for (const Member* member : passes_[number].reductions) {
      const bool is_read_later = number + 1 < passes_.size();
      scratch_.add(*member, kernel.accumulator(*member), {tile.chunks.count, kernel.count()},
                   is_read_later ? std::optional(Shape{kernel.count()}) : std::nullopt);
    }
    kernel.pass(passes_[number], ColumnSource::members, scratch_);
    return kernel.finish();
  }

  // Of partial results there are few, and they lie in the cache: what counts is that no thread waits
  // for one load after the other. Narrow tiles have more threads down the columns.
  EmittedKernel combined(size_t number, int64_t chunks, bool is_last) {
    constexpr int64_t kSector = 8;    // floats that the cache moves at least
    constexpr int64_t kMaxSteps = 8;  // of a thread, that count as few
    ColumnTile tile = column_tile(columns(), chunks, 1);
    if (chunks > kMaxSteps * tile.row_threads) tile = column_tile(columns(), chunks, 1, kSector);
    ColumnKernel kernel(input_, tile, chunks);
    for (size_t i = 0; is_last && i < number; ++i) kernel.read_results(passes_[i], scratch_);
    kernel.pass(passes_[number], ColumnSource::partials, scratch_);
    if (number + 1 < passes_.size()) kernel.store_results(passes_[number], scratch_);
    if (is_last) kernel.store_row_values();
    return kernel.finish();
  }

  const LoopInput& input_;
  GpuEmitter gpu_;
  std::vector<RowPass> passes_;
  PartialScratch scratch_;
  Size length_;
};

}  // namespace

std::optional<EmittedGroup> gpu_columns(const LoopInput& input) {
  if (!can_split(input)) return std::nullopt;
  return SplitColumns(input).run();
}

}  // namespace ridge::schedule
