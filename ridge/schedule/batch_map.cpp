#include "ridge/schedule/batch_map.h"

#include <algorithm>
#include <map>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {

namespace {

// Indices stay below 2^31, those of threads without an element too.
constexpr int64_t kMaxElements = (int64_t{1} << 31) - (int64_t{1} << 16);

Expr length() { return expr::param(0, expr::Type::integer); }

const loop::Loop& loop_over_elements(const loop::Kernel& point) {
  return std::get<loop::Loop>(point.body.front().kind);
}

// Sets the lengths of the arrays. No, if the body is more than lets and stores, or something is not
// read or written at the element, or at a single one.
bool set_lengths(loop::Kernel& point, int64_t count) {
  const loop::Loop& loop = loop_over_elements(point);
  std::vector<bool> moves(point.buffers.size());
  bool is_flat = point.body.size() == 1;
  const auto access = [&](int buffer, const Expr& index) {
    if (expr::is_constant(index, 0)) return;
    moves[static_cast<size_t>(buffer)] = true;
    is_flat &= index->kind == expr::Kind::axis && index->index == loop.axis;
  };
  for (const loop::Statement& statement : loop.body) {
    if (const auto* let = std::get_if<loop::Let>(&statement.kind)) {
      expr::walk(let->expression, [&](const Expr& e) {
        if (e->kind == expr::Kind::load) access(e->index, e->args[0]);
      });
    } else if (const auto* store = std::get_if<loop::Store>(&statement.kind)) {
      access(store->buffer, store->index);
    } else {
      return false;
    }
  }
  for (size_t i = 0; i < point.buffers.size(); ++i) {
    loop::Buffer& buffer = point.buffers[i];
    is_flat &= !moves[i] || expr::is_constant(buffer.elements, static_cast<double>(count));
    buffer.elements = moves[i] ? length() : Expr(1);
  }
  point.sizes = {"n"};
  return is_flat;
}

// The body at the element `index`, its values numbered from `first` on.
loop::Body body_at(const loop::Loop& loop, const Expr& index, int first) {
  const auto moved = [&](const Expr& e) {
    return expr::transform(e, [&](const Expr& node) -> Expr {
      if (node->kind == expr::Kind::axis && node->index == loop.axis) return index;
      if (node->kind == expr::Kind::input) return expr::input(first + node->index, node->type);
      return node;
    });
  };
  loop::Body body = loop.body;
  for (loop::Statement& statement : body) {
    if (auto* let = std::get_if<loop::Let>(&statement.kind)) {
      let->value += first;
      let->expression = moved(let->expression);
    } else if (auto* store = std::get_if<loop::Store>(&statement.kind)) {
      store->value += first;
      store->index = moved(store->index);
    }
  }
  return body;
}

int64_t lanes_of(const loop::Kernel& point) {
  int64_t widest = 1;
  for (const loop::Buffer& buffer : point.buffers) {
    if (!expr::is_constant(buffer.elements)) {
      widest = std::max<int64_t>(widest, buffer.dtype.bits / 8);
    }
  }
  return kWideBytes / widest;
}

loop::Body one(loop::Statement statement) {
  loop::Body body;
  body.push_back(std::move(statement));
  return body;
}

}  // namespace

std::optional<BatchMap> find_batch_map(const LoopInput& input) {
  if (input.group.kind != GroupKind::map) return std::nullopt;
  GpuEmitter gpu(input);
  if (gpu.axes.outer.size() != 1 || !gpu.axes.inner.empty()) return std::nullopt;
  const std::optional<int64_t> count = gpu.extent_of(gpu.axes.outer).known();
  if (!count || *count > kMaxElements) return std::nullopt;
  // As many elements as there may ever be, so that no index is simplified by the length.
  const int i = gpu.emitter.add_axis(kMaxElements);
  gpu.emitter.open(i, length(), loop::Place::gpu_block);
  gpu.emitter.stay_inside();
  gpu.flatten(gpu.axes.outer, expr::axis(i));
  gpu.group.store_members();
  gpu.emitter.close();
  EmittedKernel made = gpu.group.finish();
  if (!set_lengths(made.kernel, *count)) return std::nullopt;
  const std::string text = canonical_text(made.kernel);
  return BatchMap{std::move(made.kernel), text, std::move(made.buffers), *count};
}

loop::Kernel cpu_batch_kernel(const loop::Kernel& point) {
  const Expr n = length(), part = expr::axis(0), lane = expr::axis(1);
  const Expr first = part * kVectorChunk;
  loop::Kernel kernel = point;
  kernel.axis_count = 2;
  kernel.grain = expr::simplify(Expr(std::max<int64_t>(kPointsPerThread / kVectorChunk, 1)));
  kernel.body = one(
      {loop::Loop{0, expr::floor_div(n + (kVectorChunk - 1), kVectorChunk), loop::Place::cpu_thread,
                  one({loop::Loop{1, expr::min(Expr(kVectorChunk), n - first), loop::Place::vector,
                                  body_at(loop_over_elements(point), first + lane, 0)}})}});
  return kernel;
}

loop::Kernel gpu_batch_kernel(const loop::Kernel& point) {
  const loop::Loop& elements = loop_over_elements(point);
  const int64_t lanes = lanes_of(point), tile = kMaxBlockThreads * lanes;
  const Expr n = length(), b = expr::axis(0), t = expr::axis(1), lane = expr::axis(2);
  const Expr first = tile * b + lanes * t;
  const Expr rest = lanes * expr::floor_div(n, lanes) + t;
  const auto values = static_cast<int>(point.values.size());
  loop::Body thread = one({loop::If{
      first + (lanes - 1) < n,
      one({loop::Loop{2, lanes, loop::Place::vector, body_at(elements, first + lane, 0)}})}});
  thread.push_back(
      {loop::If{t < expr::mod(n, lanes) && n <= tile * b + tile, body_at(elements, rest, values)}});
  loop::Kernel kernel = point;
  kernel.values.insert(kernel.values.end(), point.values.begin(), point.values.end());
  kernel.axis_count = 3;
  kernel.body = one({loop::Loop{
      0, expr::floor_div(n + (tile - 1), tile), loop::Place::gpu_block,
      one({loop::Loop{1, kMaxBlockThreads, loop::Place::gpu_thread, std::move(thread)}})}});
  return kernel;
}

namespace {

// What equal kernels have in common for sure, and what is quick to find.
std::string outline_of(const InlinedGraph& program, const Group& group) {
  if (group.kind != GroupKind::map) return {};
  std::string text;
  for (const Member& member : group.members) {
    const graph::Node& node = program.graph().nodes[static_cast<size_t>(member.node)];
    const DType dtype = program.graph()[program.result(member.node)].type.dtype;
    text += concat(node.op->name(), " ", name(dtype), " ", program.reads(member.node).size(), ";");
  }
  return text;
}

// The buffer that became of one of the old plan: it has a new number where groups changed places.
int moved(int buffer, const MemoryPlan& before, const MemoryPlan& now) {
  const ValueId value = before.buffers[static_cast<size_t>(buffer)].value;
  return now.locations[static_cast<size_t>(value.index)].buffer;
}

// Does each value of the group lie in what became of its buffer, at its old strides?
bool lies_as_before(const InlinedGraph& program, const Group& group, const MemoryPlan& before,
                    const MemoryPlan& now) {
  const auto is_same_place = [&](ValueId value) {
    const ValueLocation& old = before.locations[static_cast<size_t>(value.index)];
    const ValueLocation& next = now.locations[static_cast<size_t>(value.index)];
    if (old.buffer < 0 || next.buffer < 0) return old.buffer == next.buffer;
    return moved(old.buffer, before, now) == next.buffer && is_same(old.strides, next.strides);
  };
  return std::ranges::all_of(group.members, [&](const Member& member) {
    const auto& reads = program.reads(member.node);
    return is_same_place(program.result(member.node)) &&
           std::ranges::all_of(reads, [&](const Read& read) { return is_same_place(read.value); });
  });
}

}  // namespace

BatchMaps find_batch_maps(const InlinedGraph& program, const Fusion& fusion,
                          const std::function<std::optional<LoopInput>(const Group&)>& input_of) {
  std::vector<std::string> outlines;
  std::map<std::string, int> times;
  for (const Group& group : fusion.groups) {
    outlines.push_back(outline_of(program, group));
    ++times[outlines.back()];
  }
  BatchMaps maps(fusion.groups.size());
  for (size_t g = 0; g < fusion.groups.size(); ++g) {
    if (outlines[g].empty() || times[outlines[g]] < 2) continue;
    if (const auto input = input_of(fusion.groups[g])) maps[g] = find_batch_map(*input);
  }
  return maps;
}

void move_buffers(const InlinedGraph& program, Fusion& fusion, BatchMaps& maps,
                  const MemoryPlan& before, const MemoryPlan& now) {
  for (size_t g = 0; g < fusion.groups.size(); ++g) {
    Group& group = fusion.groups[g];
    if (group.batch < 0) continue;
    if (!lies_as_before(program, group, before, now)) {
      group.batch = -1;
      continue;
    }
    for (int& buffer : maps[g]->buffers) buffer = moved(buffer, before, now);
  }
}

}  // namespace ridge::schedule
