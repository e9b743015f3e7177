#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_mappings.h"
#include "ridge/schedule/gpu_scatter_sums.h"
#include "ridge/schedule/gpu_split_reduction.h"
#include "ridge/schedule/scatter_loops.h"

namespace ridge::schedule {

namespace {

constexpr int64_t kScannedPoints = 8;  // of a thread between two barriers, at most

// Where the index leads at a point, as one number.
Expr slot_at(ScatterThreads& threads, const std::vector<Expr>& at) {
  const NodeDefinition& node_definition = threads.node_definition;
  Emitter& emitter = threads.emitter;
  Expr slot = 0;
  for (const int dim : threads.targets.slots) {
    const auto number = static_cast<size_t>(dim);
    const Expr index = emitter.lowered(threads.node, node_definition.definition.target[number], at);
    slot = slot * node_definition.shape[number].expression() + index;
  }
  return emitter.read(emitter.let("slot", i64, f32, emitter.simplified(slot)));
}

// Each thread goes through the index of its own columns.
void scan_alone(ScatterThreads& threads, ScatterSums& sums) {
  Emitter& emitter = threads.emitter;
  const int scanned = emitter.add_axis(threads.shape.points);
  threads.open_predicated(axis_mask({threads.thread}));
  emitter.open(scanned, loop::Place::serial);
  const std::vector<Expr> from = threads.point(expr::axis(scanned));
  const Expr slot = slot_at(threads, from);
  threads.open_predicated();
  sums.add_point(threads.position(slot), from);
  threads.close_predicated(threads.is_own(slot), inverse(BranchProbabilities(threads.shape).own()));
  emitter.close();
  threads.close_predicated(threads.has_points());
}

// The threads of a block read the index together, each a few neighbors at once.
class SharedScan {
 public:
  SharedScan(ScatterThreads& threads, ScatterSums& sums) : threads_(threads), sums_(sums) {}

  void run() {
    while (points_.known().value_or(1) % each_ != 0) each_ /= 2;
    const int64_t all = each_ * count_;
    slots_seen_ = threads_.shared.add("slots", i32, all);
    hits_ = threads_.shared.add("hits", boolean, count_);
    runs_ = threads_.shared.add("runs", boolean, count_ / kWarp);
    const int chunk = emitter_.add_axis(divided_up(points_, all));
    emitter_.open(chunk, emitter_.extent(chunk).expression(), loop::Place::serial, true);
    const Expr start = expr::axis(chunk) * all;
    mark_own(start);
    emitter_.add({loop::Barrier{}});
    add_own(start);
    emitter_.add({loop::Barrier{}});
    emitter_.close();
  }

 private:
  // Which points of a chunk are for this block: their slot among its own, or -1; whether a thread, and a
  // warp, has found any.
  void mark_own(const Expr& start) {
    const int hit = emitter_.new_value("hit", boolean);
    emitter_.add({loop::Var{hit, expr::constant(false)}});
    const Expr thread = expr::axis(threads_.thread), first = thread * each_;
    const int within = emitter_.add_axis(each_);
    threads_.open_predicated(axis_mask({threads_.thread}));
    emitter_.open(within, Expr(each_), each_ > 1 ? loop::Place::vector : loop::Place::serial, true);
    const Expr slot = slot_at(threads_, threads_.point(start + first + expr::axis(within)));
    const Expr number = expr::floor_div(slot, Expr(threads_.shape.owners));
    const Expr own = expr::select(threads_.is_own(slot), number, Expr(-1));
    const int mine = emitter_.let("mine", i64, f32, emitter_.simplified(own));
    const Expr place = emitter_.simplified(first + expr::axis(within));
    emitter_.add({loop::Store{slots_seen_, place, mine}});
    const int is_mine = emitter_.let("is_mine", boolean, f32, emitter_.read(mine) >= 0);
    emitter_.add({loop::Reduce{hit, loop::Combine::any, is_mine}});
    emitter_.close();
    threads_.close_predicated(start + first < points_.expression());
    emitter_.add({loop::Store{hits_, thread, hit}});
    emitter_.add({loop::CollectiveReduce{hit, loop::Combine::any, loop::Scope::warp}});
    threads_.open_predicated();
    const Expr run = expr::floor_div(thread, Expr(kWarp));
    emitter_.add({loop::Store{runs_, emitter_.simplified(run), hit}});
    threads_.close_predicated(expr::equal(expr::mod(thread, Expr(kWarp)), Expr(0)));
  }

  // Adds them, in their order, each thread in its own columns.
  void add_own(const Expr& start) {
    const int run = emitter_.add_axis(count_ / kWarp);
    const int member = emitter_.add_axis(kWarp), within = emitter_.add_axis(each_);
    const Expr finder = expr::axis(run) * kWarp + expr::axis(member);
    const auto is_set = [](int marks, const Expr& at) {
      return expr::load(marks, expr::Type::boolean, {at});
    };
    threads_.open_predicated(axis_mask({threads_.thread}));
    emitter_.open(run, loop::Place::serial);
    emitter_.open_body();
    emitter_.open(member, loop::Place::serial);
    emitter_.open_body();
    emitter_.open(within, Expr(each_), loop::Place::serial, false);
    const Expr place = finder * each_ + expr::axis(within);
    const Expr element = expr::load(slots_seen_, expr::Type::integer, {place});
    const Expr mine = emitter_.read(emitter_.let("mine", i64, f32, element));
    threads_.open_predicated(axis_mask({within}));
    sums_.add_own_point(mine, threads_.point(start + place));
    threads_.close_predicated(mine >= 0, inverse(probabilities_.own() / probabilities_.hit(each_)));
    emitter_.close();
    const double run_is_hit = probabilities_.hit(kWarp * each_);
    threads_.close_predicated(is_set(hits_, finder),
                              inverse(probabilities_.hit(each_) / run_is_hit));
    emitter_.close();
    threads_.close_predicated(is_set(runs_, expr::axis(run)), inverse(run_is_hit));
    emitter_.close();
    threads_.close_predicated(threads_.has_points());
  }

  ScatterThreads& threads_;
  ScatterSums& sums_;
  Emitter& emitter_ = threads_.emitter;
  const Size& points_ = threads_.shape.points;
  const BranchProbabilities probabilities_{threads_.shape};
  int64_t count_ = threads_.shape.threads, each_ = kScannedPoints;  // threads, points of each
  int slots_seen_ = -1, hits_ = -1, runs_ = -1;                     // shared: what was found
};

}  // namespace

// Goes through the index in the order of its points, and adds those that lead to elements of this block.
//
//   chunk of points    each thread reads a few, and writes to shared memory their slots among those of the
//                      block, or -1; and a flag for each warp that has found any
//   after a barrier    each thread adds what was found, in its own columns; warps and threads without a
//                      point are skipped
static void scan_index(ScatterThreads& threads, ScatterSums& sums) {
  threads.targets.is_uniform ? SharedScan(threads, sums).run() : scan_alone(threads, sums);
}

EmittedKernel gpu_scatter(const LoopInput& input) {
  ScatterThreads threads(input);
  ScatterSums sums(threads);
  sums.start();
  scan_index(threads, sums);
  sums.copy_out();
  return threads.finish();
}

namespace {

// A thread for each point of a space, given its axes.
template <class Emit>
EmittedKernel for_each_point(const LoopInput& input, const Shape& extents, Emit&& emit) {
  GpuEmitter gpu(input);
  Emitter& emitter = gpu.emitter;
  const Size count = numel(extents);
  const int64_t threads = GpuEmitter::block_size(count);
  const int block = emitter.add_axis(divided_up(count, threads));
  const int thread = emitter.add_axis(threads);
  const Expr flat = expr::axis(block) * threads + expr::axis(thread);
  std::vector<Expr> point(extents.size());
  Expr rest = flat;
  for (size_t i = extents.size(); i-- > 0;) {
    const Expr size = extents[i].expression();
    point[i] = emitter.simplified(i == 0 ? rest : expr::mod(rest, size));
    if (i > 0) rest = expr::floor_div(rest, size);
  }
  gpu.group.decisions.push_back(
      Decision::yes(concat("a thread for each point, ", threads, " a block")));
  emitter.open(block, emitter.extent(block).expression(), loop::Place::gpu_block, false);
  emitter.open(thread, Expr(threads), loop::Place::gpu_thread, false);
  emitter.open_body(axis_mask({block, thread}));
  emitter.stay_inside();
  emit(emitter, point);
  close_predicated(gpu, flat < count.expression());
  emitter.close();
  emitter.close();
  return gpu.group.finish();
}

}  // namespace

std::optional<EmittedGroup> gpu_writes(const LoopInput& input) {
  const int32_t node = input.group.members.front().node;
  const NodeDefinition& node_definition = input.program.node_definition(node);
  const ops::Definition& d = node_definition.definition;
  if (d.reducer != ops::Reducer::none) return std::nullopt;
  const ValueId result = input.program.result(node);
  EmittedGroup kernels;
  kernels.kernels.push_back(for_each_point(
      input, node_definition.shape, [&](Emitter& emitter, const std::vector<Expr>& at) {
        const int before = ScatterStep{emitter, input, node}.initial(at);
        const int buffer = emitter.buffer(result, loop::Access::out);
        emitter.add({loop::Store{buffer, emitter.address(result, at), before}});
      }));
  kernels.kernels.push_back(
      for_each_point(input, d.extents, [&](Emitter& emitter, const std::vector<Expr>& point) {
        const std::vector<Expr> target = scatter_target(emitter, node, d, point);
        const int buffer = emitter.buffer(result, loop::Access::out);
        const int value = ScatterStep{emitter, input, node}.value_at(point);
        emitter.add({loop::Store{buffer, emitter.address(result, target), value}});
      }));
  return kernels;
}

}  // namespace ridge::schedule
