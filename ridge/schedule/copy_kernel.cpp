#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/kernel_call.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

Expr address(const std::vector<Expr>& position, const Shape& strides) {
  Expr index = 0;
  for (size_t i = 0; i < strides.size(); ++i) {
    index = index + position[i] * strides[i].expression();
  }
  return expr::simplify(index);
}

Expr element_count(const Shape& shape, const Shape& strides) {
  Expr count = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    count = count + (shape[i].expression() - 1) * strides[i].expression();
  }
  return expr::simplify(count);
}

// One axis where both sides are row-major.
void flatten(Shape& shape, Shape& from, Shape& to) {
  const Shape dense = contiguous_strides(shape);
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!from[i].is_same(dense[i]) || !to[i].is_same(dense[i])) return;
  }
  shape = Shape{numel(shape)};
  from = to = Shape{Size(1)};
}

// What is copied: elements, or bytes where generated code cannot load the elements.
struct Copied {
  DType dtype;
  Shape shape, from, to;  // sizes, and strides on both sides
};

Copied copied(const MemoryPlan::Copy& copy, const PlannedBuffer& source) {
  Copied result{source.dtype, source.shape, copy.from_strides, copy.to_strides};
  if (!is_storage_only(source.dtype)) {
    flatten(result.shape, result.from, result.to);
    return result;
  }
  result.dtype = u8;
  if (source.dtype.bits < 8) {  // two elements to the byte
    flatten(result.shape, result.from, result.to);
    RIDGE_CHECK(result.shape.size() == 1 && result.from[0].known() == 1, .code = ErrorCode::dtype,
                .expected = concat("row-major elements of ", name(source.dtype), " to copy"),
                .given = "strides " + to_text(copy.from_strides));
    result.shape[0] = (result.shape[0] + 1) / 2;
    return result;
  }
  const int64_t bytes = source.dtype.bits / 8;
  for (size_t i = 0; i < result.shape.size(); ++i) {
    result.from[i] = result.from[i] * bytes;
    result.to[i] = result.to[i] * bytes;
  }
  result.shape.push_back(bytes);
  result.from.push_back(1);
  result.to.push_back(1);
  flatten(result.shape, result.from, result.to);
  return result;
}

// A loop around the element, and the number of its axis.
struct CopyLoop {
  int axis;
  Expr extent;
  loop::Place place;
};

// The loops of a copy, outermost first, and where they are among the elements.
struct CopyLoops {
  std::vector<CopyLoop> loops;
  std::vector<Expr> position;
};

CopyLoops loops_over(const Shape& shape, Target target) {
  CopyLoops result;
  for (size_t i = 0; i < shape.size(); ++i) {
    const int axis = static_cast<int>(i);
    const bool is_last = i + 1 == shape.size();
    loop::Place place = is_last ? loop::Place::vector : loop::Place::cpu_thread;
    if (target == Target::gpu) place = i == 0 ? loop::Place::gpu_block : loop::Place::serial;
    result.loops.push_back({axis, shape[i].expression(), place});
    result.position.push_back(expr::axis(axis));
  }
  const bool is_short =
      shape.empty() || (shape.back().known() && *shape.back().known() <= kVectorChunk);
  if (target == Target::gpu || is_short) return result;
  // The last axis is cut, so that threads share it.
  CopyLoop& part = result.loops.back();
  const Expr whole = part.extent, start = expr::axis(part.axis) * kVectorChunk;
  const int within = static_cast<int>(shape.size());
  part.place = loop::Place::cpu_thread;
  part.extent = divided_up(shape.back(), kVectorChunk).expression();
  result.position.back() = start + expr::axis(within);
  result.loops.push_back(
      {within, expr::simplify(expr::min(Expr(kVectorChunk), whole - start)), loop::Place::vector});
  return result;
}

// Tasks that are worth another thread, by the elements of one.
Expr grain_of(const Shape& shape) {
  const Size points = shape.empty() ? Size(1) : min(shape.back(), kVectorChunk);
  const Expr tasks = expr::floor_div(Expr(kPointsPerThread), expr::max(points.expression(), 1));
  return expr::simplify(expr::max(tasks, Expr(1)));
}

}  // namespace

KernelCall copy_kernel(const MemoryPlan::Copy& copy, const std::vector<PlannedBuffer>& buffers,
                       Target target) {
  const PlannedBuffer& source = buffers[static_cast<size_t>(copy.from)];
  const auto [element, shape, from, to] = copied(copy, source);
  KernelCall call;
  call.stored = {{copy.value, copy.to, copy.to_strides}};
  loop::Kernel& kernel = call.kernel;
  kernel.buffers = {
      {"from", element, loop::Access::in, loop::Space::global, element_count(shape, from)},
      {"to", element, loop::Access::out, loop::Space::global, element_count(shape, to)}};
  const bool is_real = is_floating(element);
  const DType dtype =
      is_real ? (element == f64 ? f64 : f32) : (is_boolean(element) ? boolean : i64);
  kernel.values = {{"element", dtype}};
  const CopyLoops around = loops_over(shape, target);
  kernel.axis_count = static_cast<int>(around.loops.size());
  kernel.grain = grain_of(shape);
  loop::Body body{
      {loop::Let{0, dtype == f64 ? f64 : f32,
                 expr::load(0, scalar_type(element), {address(around.position, from)})}},
      {loop::Store{1, address(around.position, to), 0}}};
  for (size_t i = around.loops.size(); i-- > 0;) {
    const CopyLoop& loop = around.loops[i];
    loop::Body outer;
    outer.push_back({loop::Loop{loop.axis, loop.extent, loop.place, std::move(body)}});
    body = std::move(outer);
  }
  kernel.body = std::move(body);
  call.buffers = {copy.from, copy.to};
  call.sizes = bind_symbols(kernel);
  call.bytes = numel(source.shape) * static_cast<int64_t>(2 * ((source.dtype.bits + 7) / 8));
  kernel.notes = {"a value kept in memory of its own"};
  kernel.name = named_by_content("copy_" + std::string(name(source.dtype)), kernel);
  return call;
}

}  // namespace ridge::schedule
