#include "ridge/schedule/group_nest.h"

#include <algorithm>
#include <cmath>

#include "ridge/cost/tuning.h"
#include "ridge/schedule/gpu_tile_shape.h"
#include "ridge/schedule/group_blocks.h"
#include "ridge/schedule/loops.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

using cost::BasicBlock;
using cost::Nest;

// Of a row, in the registers of all blocks of a cluster: gpu_row_shape.h.
constexpr auto kMaxRowBytesOfCluster =
    static_cast<double>(kMaxClusterRowBytes * kClusterBlockThreads * kMaxClusterBlocks);

double block_threads(double work) {
  const double warps = std::ceil(std::max(1.0, work) / cost::tuning::kWarp);
  return std::min(static_cast<double>(kMaxBlockThreads), warps * cost::tuning::kWarp);
}

class GroupNest {
 public:
  GroupNest(const InlinedGraph& program, const Group& group, const Readers& readers, Target target,
            const GroupKernels& kernels)
      : program_(program),
        group_(group),
        extents_(group.extents()),
        is_gpu_(target == Target::gpu),
        kernels_(kernels),
        blocks_(program, group, readers) {}

  cost::KernelNest make() {
    // Nothing runs, and indices may have no value: 0 // 0.
    const auto is_empty = [](const Size& extent) { return number_of(extent) <= 0; };
    if (std::ranges::any_of(extents_, is_empty)) return {};
    if (const auto axes = product_axes_of(program_, group_)) {
      fill_product(*axes);
    } else if (group_.inner.empty()) {
      fill_map();
    } else {
      fill_rows();
    }
    return std::move(result_);
  }

 private:
  double extent(size_t axis) const { return number_of(extents_[axis]); }
  double points(size_t first, size_t end) const {
    double count = 1;
    for (size_t i = first; i < end; ++i) count *= extent(i);
    return count;
  }

  Nest* open(Nest* around, size_t axis, loop::Place place) {
    blocks_.around().push_back({static_cast<int>(axis), extent(axis), place});
    around->items.push_back(Nest{place, static_cast<int>(axis), extent(axis), {}});
    return &std::get<Nest>(around->items.back());
  }

  void set_tasks(double tasks, double pieces, double points_of_a_task) {
    result_.tasks = tasks * pieces;
    result_.grain =
        std::max(1.0, static_cast<double>(kPointsPerThread) * pieces / points_of_a_task);
  }

  // A thread of a GPU for each element; on a CPU lanes go along the last axis of the result.
  void fill_map() {
    const size_t outer = group_.outer.size(), threads = outer > 0 ? outer - 1 : 0;
    Nest* lanes = &result_.root;
    for (size_t i = 0; i < threads; ++i)
      lanes = open(lanes, i, is_gpu_ ? loop::Place::gpu_thread : loop::Place::cpu_thread);
    if (outer > 0)
      lanes = open(lanes, outer - 1, is_gpu_ ? loop::Place::gpu_thread : loop::Place::vector);
    if (is_gpu_) {
      result_.is_estimate = true;
      result_.block_threads = block_threads(points(0, outer));
      result_.tasks = std::ceil(points(0, outer) / result_.block_threads);
    } else {
      const double row = points(threads, outer);
      set_tasks(points(0, threads), std::max(1.0, row / static_cast<double>(kVectorChunk)), row);
    }
    BasicBlock block;
    blocks_.start_block();
    for (const Member& member : group_.members) {
      blocks_.add_member(block, member);
      const bool is_like_map = program_.is_scan(member.node) || program_.is_rank(member.node);
      if (is_like_map) blocks_.add_store(block, member);
    }
    BasicBlock staged = is_gpu_ ? take_staged(block) : BasicBlock();
    lanes->items.push_back(std::move(block));
    if (!staged.accesses.empty()) fill_staged(std::move(staged));
  }

  // Arrays that are strided along the last axis go through shared memory: gpu_tile_shape.h.
  static BasicBlock take_staged(BasicBlock& block) {
    BasicBlock staged;
    const auto is_strided = [](const cost::MemoryAccess& access) {
      if (access.steps.empty()) return false;
      const auto is_along = [](const cost::AxisStep& step) {
        return !step.is_random && step.stride == 1 && step.trips > 1;
      };
      return !access.steps.back().is_random && std::ranges::any_of(access.steps, is_along) &&
             is_transposed_access(access.steps.back().stride, 1, access.dtype);
    };
    const auto first = std::stable_partition(block.accesses.begin(), block.accesses.end(),
                                             [&](const auto& a) { return !is_strided(a); });
    staged.accesses.assign(first, block.accesses.end());
    block.accesses.erase(first, block.accesses.end());
    return staged;
  }
  // By threads along the axis that it lies along.
  void fill_staged(BasicBlock staged) {
    const auto lies_along = [](const cost::AxisStep& step) { return step.stride == 1; };
    for (cost::MemoryAccess& access : staged.accesses) {
      const auto along = std::ranges::find_if(access.steps, lies_along);
      std::rotate(along, along + 1, access.steps.end());
    }
    Nest nest;
    Nest* lanes = &nest;
    for (const cost::AxisStep& step : staged.accesses.front().steps) {
      lanes->items.push_back(Nest{loop::Place::gpu_thread, step.axis, step.trips, {}});
      lanes = &std::get<Nest>(lanes->items.back());
    }
    lanes->items.push_back(std::move(staged));
    result_.root.items.insert(result_.root.items.begin(), std::move(nest.items.front()));
  }

  // A pass over the row for each reduction that waits for another one.
  void fill_rows() {
    const size_t outer = group_.outer.size();
    Nest* row = &result_.root;
    for (size_t i = 0; i < outer; ++i) {
      const bool is_columns = kernels_.is_thread_per_column && i + 1 == outer;
      row = open(row, i,
                 is_columns ? loop::Place::gpu_thread
                 : is_gpu_  ? loop::Place::gpu_block
                            : loop::Place::cpu_thread);
    }
    const double length = points(outer, extents_.size());
    if (is_gpu_) {
      result_.is_estimate = true;
      result_.block_threads =
          block_threads(kernels_.is_thread_per_column ? points(0, outer) * length : length);
      result_.tasks = kernels_.blocks > 0 ? kernels_.blocks : points(0, outer);
      if (kernels_.threads > 0) result_.block_threads = kernels_.threads;
    } else {
      set_tasks(points(0, outer), 1, length);
    }
    const std::vector<int> passes = passes_of(program_, group_);
    const int count = 1 + *std::max_element(passes.begin(), passes.end());
    for (int pass = 0; pass < count; ++pass) fill_pass(*row, passes, pass);
    fill_row_values(*row);
  }

  void fill_pass(Nest& row, const std::vector<int>& passes, int pass) {
    std::vector<const Member*> along;
    for (size_t i = 0; i < passes.size(); ++i) {
      const Member& member = group_.members[i];
      if (passes[i] == pass && !is_once(member)) along.push_back(&member);
    }
    if (along.empty()) return;
    const size_t depth = blocks_.around().size();
    Nest* lanes = &row;
    for (size_t i = group_.outer.size(); i < extents_.size(); ++i) {
      const bool is_last = i + 1 == extents_.size();
      lanes = open(lanes, i,
                   !is_last || kernels_.is_thread_per_column ? loop::Place::serial
                   : is_gpu_                                 ? loop::Place::gpu_thread
                                                             : loop::Place::vector);
    }
    BasicBlock block;
    blocks_.start_block();
    for (const Member* member : along) blocks_.add_member(block, *member);
    blocks_.around().resize(depth);
    if (is_gpu_) drop_reloads(block);
    lanes->items.push_back(std::move(block));
  }

  // What an earlier pass loaded of a row is still in registers, if those of a cluster have room for it.
  void drop_reloads(BasicBlock& block) {
    const double length = points(group_.outer.size(), extents_.size());
    const auto is_known = [&](const cost::MemoryAccess& access) {
      const auto is_same = [&](const cost::MemoryAccess& other) {
        return other.buffer == access.buffer && other.origin == access.origin &&
               std::ranges::equal(other.steps, access.steps, {}, &cost::AxisStep::stride,
                                  &cost::AxisStep::stride);
      };
      return !access.is_store && std::ranges::any_of(register_resident_, is_same);
    };
    std::erase_if(block.accesses, is_known);
    for (const cost::MemoryAccess& access : block.accesses) {
      const double bytes = length * access.element_bytes;
      const bool fits =
          kernels_.keeps_rows_on_chip || register_bytes_ + bytes <= kMaxRowBytesOfCluster;
      if (access.is_store || !fits) continue;
      register_bytes_ += bytes;
      register_resident_.push_back(access);
    }
  }

  void fill_row_values(Nest& row) {
    BasicBlock once_per_row, collective;
    blocks_.start_block();
    for (const Member& member : group_.members) {
      // What is stored for columns is stored by a second kernel.
      if (member.is_per_column) continue;
      if (is_once(member)) blocks_.add_member(once_per_row, member);
      if (program_.node_definition(member.node).is_map()) continue;
      blocks_.add_store(once_per_row, member);
      if (is_gpu_ && !kernels_.is_thread_per_column)
        blocks_.add_collective(collective, member, row_threads());
    }
    row.items.push_back(std::move(once_per_row));
    // By each thread of the row, whatever loop makes it.
    if (is_gpu_ && !kernels_.is_thread_per_column)
      row.items.push_back(Nest{loop::Place::serial, -1, row_threads(), {collective}});
  }

  double row_threads() const {
    return kernels_.row_threads > 0 ? kernels_.row_threads : result_.block_threads;
  }

  // For a row or column, not at every point.
  bool is_once(const Member& member) const {
    return (member.is_per_row || member.is_per_column) &&
           program_.node_definition(member.node).is_map();
  }

  void fill_product(const GroupProductAxes& axes) {
    Nest* around = &result_.root;
    double tasks = 1;
    for (int axis = 0; axis < axes.k; ++axis) {
      if (axis == axes.m || axis == axes.n) continue;
      around = open(around, static_cast<size_t>(axis),
                    is_gpu_ ? loop::Place::gpu_block : loop::Place::cpu_thread);
      tasks *= extent(static_cast<size_t>(axis));
    }
    cost::Product product = group_product(program_, group_, axes, blocks_);
    const auto rows = static_cast<double>(is_gpu_ ? kProductTileSide : kTileRows);
    const auto columns = static_cast<double>(is_gpu_ ? kProductTileSide : kTileColumns);
    result_.tasks = tasks * std::ceil(product.m / rows) * std::ceil(product.n / columns);
    around->items.push_back(std::move(product));
  }

  const InlinedGraph& program_;
  const Group& group_;
  Shape extents_;
  bool is_gpu_;
  GroupKernels kernels_;
  GroupBlocks blocks_;
  cost::KernelNest result_;
  std::vector<cost::MemoryAccess> register_resident_;  // loads of a row that stays in registers
  double register_bytes_ = 0;
};

}  // namespace

Readers readers_of(const InlinedGraph& program) {
  Readers readers(program.graph().values.size());
  const auto count = static_cast<int32_t>(program.graph().nodes.size());
  for (int32_t node = 0; node < count; ++node) {
    if (program.is_inlined(node)) continue;
    for (const Read& read : program.reads(node)) {
      auto& list = readers[static_cast<size_t>(read.value.index)];
      if (list.empty() || list.back() != node) list.push_back(node);
    }
  }
  return readers;
}

cost::KernelNest group_nest(const InlinedGraph& program, const Group& group, const Readers& readers,
                            Target target, const GroupKernels& kernels) {
  return GroupNest(program, group, readers, target, kernels).make();
}

}  // namespace ridge::schedule
