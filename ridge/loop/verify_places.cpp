// Where loops of each place may stand, and what the lanes of a vector loop may share.
#include <algorithm>
#include <map>
#include <utility>

#include "ridge/base/text.h"
#include "ridge/loop/device_limits.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::loop {
namespace {

constexpr auto kMaxThreads = static_cast<int>(kCudaLimits.max_threads_per_block);

class PlaceVerifier {
 public:
  explicit PlaceVerifier(const Kernel& kernel)
      : kernel_(kernel),
        region_of_(kernel.values.size(), 0),
        is_unrolled_(static_cast<size_t>(kernel.axis_count)) {}

  void run() {
    const Body& program = threads(kernel_.body);
    block_threads_ = block_threads(kernel_);
    body(program);
  }

 private:
  // What the lanes of the vector loop around have in common.
  struct Region {
    int axis;
    std::map<int, Combine> reduced;  // vars from outside
    std::map<int, const Statement*> read;
  };

  // Follows the nest of parallel loops to the body of one task or GPU thread.
  const Body& threads(const Body& body) const {
    const auto* loop = body.size() == 1 ? std::get_if<Loop>(&body[0].kind) : nullptr;
    if (loop == nullptr || !is_parallel(loop->place)) return body;
    const Statement& statement = body[0];
    if (mentions(loop->extent, expr::Kind::axis)) {
      refuse(kernel_, statement, "an extent over params, so that threads can be counted");
    }
    if (loop->place == Place::gpu_cluster_block) check_cluster(*loop, statement);
    if (loop->body.size() == 1) {
      const auto* const inner = std::get_if<Loop>(&loop->body[0].kind);
      if (inner != nullptr && is_parallel(inner->place)) check_order(*loop, loop->body[0]);
    }
    return threads(loop->body);
  }
  void check_order(const Loop& outer, const Statement& inner) const {
    const Place place = std::get<Loop>(inner.kind).place;
    const bool is_in_order =
        (outer.place == Place::cpu_thread) == (place == Place::cpu_thread) && outer.place <= place;
    if (!is_in_order) refuse(kernel_, inner, "loops in the order grid, cluster, block, or threads");
    const bool is_second =
        outer.place == Place::gpu_cluster_block && place == Place::gpu_cluster_block;
    if (is_second) refuse(kernel_, inner, "one cluster loop");
  }
  void check_cluster(const Loop& loop, const Statement& statement) const {
    if (!is_vector_extent(loop.extent)) {
      refuse(kernel_, statement, "a cluster loop of extent 2, 4, 8 or 16");
    }
    const std::optional<int64_t> threads = block_threads(kernel_);
    if (!threads || *threads % kWarpSize != 0) {
      refuse(kernel_, statement,
             "a cluster of blocks of a constant number of threads, a multiple of 32");
    }
  }

  void body(const Body& statements) {
    for (const Statement& statement : statements) {
      const Statement* const outer = std::exchange(current_, &statement);
      std::visit([&](const auto& kind) { verify_kind(kind); }, statement.kind);
      current_ = outer;
    }
  }
  void check(bool condition, const char* expected) const {
    if (!condition) refuse(kernel_, *current_, expected);
  }

  void verify_kind(const Loop& loop) {
    check(!is_parallel(loop.place),
          "thread, grid, cluster and block loops outermost, one in another");
    check_uniform(loop.extent);
    is_unrolled_[static_cast<size_t>(loop.axis)] = is_constant(loop.extent);
    if (loop.place == Place::serial) return body(loop.body);
    check(!is_gpu_kernel(kernel_) || is_vector_extent(loop.extent),
          "vector loops of extent 2, 4, 8 or 16 in a GPU kernel");
    vector_region(loop.axis, loop.body);
  }
  void verify_kind(const If& branch) {
    reads(branch.condition);
    body(branch.then);
  }
  void verify_kind(const Let& let) {
    reads(let.expression);
    define(let.value);
  }
  void verify_kind(const Var& var) {
    reads(var.initial);
    define(var.value);
  }
  void verify_kind(const Assign& assign) {
    reads(assign.expression);
    check(is_inside(assign.value), "no assign in a vector loop to a var from outside");
  }
  void verify_kind(const Reduce& reduce) {
    read(reduce.operand);
    if (reduce.factor >= 0) read(reduce.factor);
    if (is_inside(reduce.value)) return;
    const auto [at, is_new] = region_->reduced.emplace(reduce.value, reduce.combine);
    check(is_new || at->second == reduce.combine, "one way to combine into a var");
  }
  void verify_kind(const Store& store) {
    reads(store.index);
    read(store.value);
    check_position(store.buffer, store.index);
  }
  void verify_kind(const Contract& contract) {
    for (const Expr* extent : {&contract.m_extent, &contract.n_extent, &contract.k_extent}) {
      check_uniform(*extent);
    }
    reads(contract.lhs);
    reads(contract.rhs);
    vector_region(contract.n, contract.body, contract.value);
  }
  void verify_kind(const Barrier&) const {
    check(region_ == nullptr, "barriers outside of vector loops");
  }
  void verify_kind(const CollectiveReduce& reduce) const {
    check(region_ == nullptr, "collective reductions outside of vector loops");
    check(
        block_threads_ && *block_threads_ % kWarpSize == 0 && *block_threads_ <= kMaxThreads,
        "a collective reduction in blocks of a constant number of threads, a multiple of 32 up to "
        "1024");
    const int n = reduce.threads;
    if (reduce.scope == Scope::cluster) {
      check(n == 0 && cluster_blocks(kernel_) > 1,
            "a reduction of a whole cluster, where there is one");
    } else if (reduce.scope == Scope::warp) {
      check(n == 0 || (n >= 2 && n <= kWarpSize && (n & (n - 1)) == 0),
            "a warp reduction of width 2, 4, 8, 16 or 32");
    } else {
      check(n == 0 || (n > 0 && n % kWarpSize == 0 && *block_threads_ % n == 0),
            "a block reduction whose width is whole warps and divides the block");
    }
  }
  void verify_kind(const AsyncCopy& copy) {
    reads(copy.index);
    reads(copy.from_index);
  }
  void verify_kind(const WaitCopies&) const {
    check(region_ == nullptr, "wait_copies outside of vector loops");
  }
  void verify_kind(const BulkCopy& copy) {
    check(region_ == nullptr, "bulk_copy outside of vector loops");
    reads(copy.first);
    reads(copy.count);
  }

  void verify_kind(const ReadElement& read) { define(read.value); }
  void verify_kind(const TileStatement auto& kind) {
    check(region_ == nullptr, "statements over tiles outside of vector loops");
    if constexpr (requires { kind.body; }) body(kind.body);
  }

  static bool is_vector_extent(const Expr& extent) {
    const int64_t n = is_constant(extent) ? extent->integer : 0;
    return n == 2 || n == 4 || n == 8 || n == 16;
  }
  // A register is known when code is generated, so the index into a local buffer must be.
  void check_position(int buffer, const Expr& index) const {
    if (kernel_.buffers[static_cast<size_t>(buffer)].space != Space::local) return;
    walk(index, [&](const Expr& node) {
      const bool is_axis = node->kind == expr::Kind::axis;
      const bool is_known = node->kind == expr::Kind::constant || node->kind == expr::Kind::call ||
                            (is_axis && is_unrolled_[static_cast<size_t>(node->index)]);
      check(is_known, "local buffers at constants and axes of loops of constant extent");
    });
  }

  void vector_region(int axis, const Body& statements, std::optional<int> own_value = {}) {
    check(region_ == nullptr, "no vector loop inside another");
    Region region{axis, {}, {}};
    region_ = &region;
    ++region_count_;
    if (own_value) define(*own_value);
    body(statements);
    region_ = nullptr;
    for (const auto& [value, statement] : region.read) {
      if (!region.reduced.contains(value)) continue;
      refuse(kernel_, *statement,
             concat("no read of v", value, " in the vector loop that reduces into it"));
    }
  }
  void check_uniform(const Expr& extent) const {
    check(region_ == nullptr || !mentions_axis(extent, region_->axis),
          "loops inside a vector loop that are uniform over its lanes");
  }

  int here() const { return region_ == nullptr ? 0 : region_count_; }
  void define(int value) { region_of_[static_cast<size_t>(value)] = here(); }
  bool is_inside(int value) const { return region_of_[static_cast<size_t>(value)] == here(); }
  void read(int value) {
    if (region_ != nullptr) region_->read.emplace(value, current_);
  }
  void reads(const Expr& e) {
    walk(e, [&](const Expr& node) {
      if (node->kind == expr::Kind::input) read(node->index);
      if (node->kind == expr::Kind::load) check_position(node->index, node->args[0]);
    });
  }

  const Kernel& kernel_;
  const Statement* current_ = nullptr;
  Region* region_ = nullptr;       // of the vector loop around
  int region_count_ = 0;           // vector loops so far
  std::vector<int> region_of_;     // of each value: the vector loop that defines it, from 1
  std::vector<bool> is_unrolled_;  // axes of serial and vector loops around of constant extent
  std::optional<int64_t> block_threads_;
};

}  // namespace

void verify_places(const Kernel& kernel) { PlaceVerifier(kernel).run(); }

std::vector<const Loop*> parallel_loops(const Kernel& kernel) {
  std::vector<const Loop*> loops;
  const Body* body = &kernel.body;
  while (body->size() == 1) {
    const auto* const loop = std::get_if<Loop>(&body->front().kind);
    if (loop == nullptr || !is_parallel(loop->place)) break;
    loops.push_back(loop);
    body = &loop->body;
  }
  return loops;
}

std::optional<int64_t> block_threads(const Kernel& kernel) {
  if (kernel.threads > 0) return kernel.threads;
  int64_t threads = 1;
  for (const Loop* loop : parallel_loops(kernel)) {
    if (loop->place != Place::gpu_thread) continue;
    if (!is_constant(loop->extent)) return std::nullopt;
    const int64_t extent = std::clamp<int64_t>(loop->extent->integer, 0, kMaxThreads + 1);
    threads = std::min<int64_t>(threads * extent, kMaxThreads + 1);
  }
  return threads;
}

int64_t cluster_blocks(const Kernel& kernel) {
  int64_t blocks = 1;
  for (const Loop* loop : parallel_loops(kernel)) {
    if (loop->place == Place::gpu_cluster_block) blocks *= loop->extent->integer;
  }
  return blocks;
}

}  // namespace ridge::loop
