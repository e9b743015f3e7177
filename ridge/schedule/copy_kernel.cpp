#include "ridge/schedule/copy_kernel.h"

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/kernel_text.h"

namespace ridge::schedule {
namespace {

Expr address(const Shape& strides) {
  Expr index = 0;
  for (size_t i = 0; i < strides.size(); ++i) {
    index = index + expr::axis(static_cast<int>(i)) * strides[i].expression();
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

}  // namespace

KernelCall copy_kernel(const Memory::Copy& copy, const std::vector<PlannedBuffer>& buffers,
                       Target target) {
  const PlannedBuffer& source = buffers[static_cast<size_t>(copy.from)];
  Shape shape = source.shape, from = copy.from_strides, to = copy.to_strides;
  flatten(shape, from, to);
  KernelCall call;
  loop::Kernel& kernel = call.kernel;
  kernel.buffers = {
      {"from", source.dtype, loop::Access::in, loop::Space::global, element_count(shape, from)},
      {"to", source.dtype, loop::Access::out, loop::Space::global, element_count(shape, to)}};
  const bool is_real = is_floating(source.dtype);
  const DType dtype =
      is_real ? (source.dtype == f64 ? f64 : f32) : (is_boolean(source.dtype) ? boolean : i64);
  kernel.values = {{"element", dtype}};
  kernel.axis_count = static_cast<int>(shape.size());
  kernel.grain = expr::constant(int64_t{64});
  loop::Body body{{loop::Let{0, dtype == f64 ? f64 : f32,
                             expr::load(0, scalar_type(source.dtype), {address(from)})}},
                  {loop::Store{1, address(to), 0}}};
  for (size_t i = shape.size(); i-- > 0;) {
    const bool is_last = i + 1 == shape.size();
    loop::Place place = is_last ? loop::Place::vector : loop::Place::thread;
    if (target == Target::gpu) place = i == 0 ? loop::Place::grid : loop::Place::serial;
    loop::Body outer;
    outer.push_back(
        {loop::Loop{static_cast<int>(i), shape[i].expression(), place, std::move(body)}});
    body = std::move(outer);
  }
  kernel.body = std::move(body);
  call.buffers = {copy.from, copy.to};
  call.sizes = bind_symbols(kernel);
  call.bytes = numel(source.shape) * static_cast<int64_t>(2 * ((source.dtype.bits + 7) / 8));
  kernel.notes = {"a value kept in memory of its own"};
  kernel.name = "copy_" + std::string(name(source.dtype));
  return call;
}

}  // namespace ridge::schedule
