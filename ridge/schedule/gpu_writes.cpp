#include "ridge/schedule/gpu_writes.h"

#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_split.h"
#include "ridge/schedule/scatter_loops.h"

namespace ridge::schedule {
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
  emitter.open(block, emitter.extent(block).expression(), loop::Place::grid, false);
  emitter.open(thread, Expr(threads), loop::Place::block, false);
  emitter.open_body(axis_mask({block, thread}));
  emitter.stay_inside();
  emit(emitter, point);
  close_guarded(gpu, flat < count.expression());
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
