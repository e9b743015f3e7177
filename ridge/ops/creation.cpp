#include "ridge/ops/creation.h"

#include <cmath>

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/registry.h"

namespace ridge {

Tensor zeros(const Shape& shape, DType dtype, Device device, Location where) {
  static const auto& op = ops::find_op("zeros");
  return dispatch::call_one(op, where, shape, dtype, device);
}
Tensor ones(const Shape& shape, DType dtype, Device device, Location where) {
  static const auto& op = ops::find_op("ones");
  return dispatch::call_one(op, where, shape, dtype, device);
}
Tensor full(const Shape& shape, double value, DType dtype, Device device, Location where) {
  static const auto& op = ops::find_op("full");
  return dispatch::call_one(op, where, shape, value, dtype, device);
}

Tensor arange(const Size& count, DType dtype, Device device, Location where) {
  static const auto& op = ops::find_op("arange");
  return dispatch::call_one(op, where, Shape{count}, 0.0, 1.0, dtype, device);
}
Tensor arange(const Size& count, Device device, Location where) {
  return arange(count, i64, device, where);
}
Tensor arange(double start, double end, double step, DType dtype, Device device, Location where) {
  static const auto& op = ops::find_op("arange");
  const double count = std::ceil((end - start) / step);
  const bool leads_to_end = step != 0 && count >= 0 && std::isfinite(count);
  RIDGE_CHECK(leads_to_end, .code = ErrorCode::value, .op = "arange",
              .expected = "finite bounds, and a step that leads from start to end",
              .given = concat("start ", start, ", end ", end, ", step ", step), .where = where);
  const Shape shape = {static_cast<int64_t>(count)};
  return dispatch::call_one(op, where, shape, start, step, dtype, device);
}

Tensor linspace(double start, double end, const Size& count, DType dtype, Device device,
                Location where) {
  static const auto& op = ops::find_op("linspace");
  return dispatch::call_one(op, where, Shape{count}, start, end, dtype, device);
}

Tensor eye(const Size& rows, const Size& columns, DType dtype, Device device, Location where) {
  static const auto& op = ops::find_op("eye");
  return dispatch::call_one(op, where, Shape{rows, columns}, dtype, device);
}
Tensor eye(const Size& rows, DType dtype, Device device, Location where) {
  return eye(rows, rows, dtype, device, where);
}

Tensor zeros_like(const At& x) {
  static const auto& op = ops::find_op("zeros_like");
  return dispatch::call_one(op, x.where(), x);
}
Tensor ones_like(const At& x) {
  static const auto& op = ops::find_op("ones_like");
  return dispatch::call_one(op, x.where(), x);
}
Tensor full_like(const At& x, double value) {
  static const auto& op = ops::find_op("full_like");
  return dispatch::call_one(op, x.where(), x, value);
}

Tensor element_count(const Shape& shape, Device device, Location where) {
  if (const auto count = numel(shape).known()) return Tensor::number(*count);
  static const auto& op = ops::find_op("element_count");
  return dispatch::call_one(op, where, shape, device);
}

namespace ops {
namespace {

using expr::Expr;
using expr::Type;

// A Float argument of the call. A parameter rather than a constant: one kernel serves all values.
Expr number(const Call& call, std::string_view parameter) {
  return expr::param(static_cast<int>(call.schema().index_of(parameter)), Type::real);
}

// The same value everywhere.
Definition filled(const Call& call, Expr value) {
  const Shape shape = call.sizes("shape");
  return {.extents = shape, .output_rank = shape.size(), .value = std::move(value)};
}

std::vector<Shape> created_shape(const Call& call) {
  const Shape shape = call.sizes("shape");
  for (const Size& size : shape) {
    if (size < 0) call.fail(ErrorCode::shape, "sizes of at least 0", to_text(shape));
  }
  return {shape};
}

// A created shape of exactly so many dims: 1 for arange, 2 for eye.
template <size_t rank>
std::vector<Shape> created_shape_of_rank(const Call& call) {
  const std::vector<Shape> shapes = created_shape(call);
  if (shapes[0].size() != rank) {
    call.fail(ErrorCode::shape, concat("a shape of ", rank, " dims"), to_text(shapes[0]));
  }
  return shapes;
}

// Integers are counted in integers: a real would round beyond 2^24 in f32.
Definition define_arange(const Call& call) {
  const bool is_real = is_floating(call.dtype("dtype"));
  const double start = call.real("start"), step = call.real("step");
  if (!is_real && (start != std::trunc(start) || step != std::trunc(step))) {
    call.fail(ErrorCode::value, "a whole start and step for an integer dtype",
              concat("start ", start, ", step ", step));
  }
  const Type type = is_real ? Type::real : Type::integer;
  return filled(call, cast(number(call, "start"), type) +
                          cast(expr::axis(0), type) * cast(number(call, "step"), type));
}

std::vector<Shape> linspace_shape(const Call& call) {
  const DType dtype = call.dtype("dtype");
  if (!is_floating(dtype) || is_storage_only(dtype)) {
    call.fail(ErrorCode::dtype, "f64, f32, f16 or bf16", std::string(name(dtype)));
  }
  return created_shape_of_rank<1>(call);
}

// The upper half is counted from `end`, so that it is met exactly.
Definition define_linspace(const Call& call) {
  const Expr start = number(call, "start"), end = number(call, "end");
  const Expr last = call.sizes("shape")[0].expression() - 1, i = expr::axis(0);
  const Expr step = (end - start) / cast(max(last, 1), Type::real);
  return filled(call, select(i + i <= last, start + cast(i, Type::real) * step,
                             end - cast(last - i, Type::real) * step));
}

Definition define_element_count(const Call& call) {
  return {.value = numel(call.sizes("shape")).expression()};
}

DTypeRule count_dtype() {
  return {
      "i64", {Accept::number}, [](const Call&) { return DTypes{.inputs = {}, .outputs = {i64}}; }};
}

void register_fills(Registry& ops) {
  ops.add({.schema = "zeros(Size[] shape, DType dtype=f32, Device device=cpu) -> Tensor",
           .doc = "a tensor of zeros",
           .dtype = rule::given("dtype"),
           .shape = created_shape,
           .define = [](const Call& call) { return filled(call, 0); },
           .differentiable = false,
           .samples =
               [](SampleMaker& m) {
                 m.add(Shape{2, 3}, m.dtype(), kCpu);
                 m.add(Shape{}, m.dtype(), kCpu);
                 m.add(Shape{0, 2}, m.dtype(), kCpu);
               }});
  ops.add({.schema = "ones(Size[] shape, DType dtype=f32, Device device=cpu) -> Tensor",
           .doc = "a tensor of ones",
           .dtype = rule::given("dtype"),
           .shape = created_shape,
           .define = [](const Call& call) { return filled(call, 1); },
           .differentiable = false,
           .samples = [](SampleMaker& m) { m.add(Shape{2, 3}, m.dtype(), kCpu); }});
  ops.add(
      {.schema = "full(Size[] shape, Float value, DType dtype=f32, Device device=cpu) -> Tensor",
       .doc = "a tensor of one value; integers are exact up to 2^53",
       .dtype = rule::given("dtype"),
       .shape = created_shape,
       .define = [](const Call& call) { return filled(call, number(call, "value")); },
       .differentiable = false,
       .samples = [](SampleMaker& m) { m.add(Shape{2, 3}, 7.0, m.dtype(), kCpu); }});
  ops.add({.schema = "element_count(Size[] shape, Device device=cpu) -> Tensor",
           .doc = "the product of the sizes, as a 0-d tensor",
           .dtype = count_dtype,
           .shape = [](const Call&) { return std::vector<Shape>{Shape{}}; },
           .define = define_element_count,
           .differentiable = false,
           .samples = [](SampleMaker& m) { m.add(Shape{2, 3}, kCpu); }});
}

void register_patterns(Registry& ops) {
  ops.add({.schema = "arange(Size[] shape, Float start=0, Float step=1, DType dtype=i64, "
                     "Device device=cpu) -> Tensor",
           .doc = "start, start + step, ... in a tensor of one dim",
           .dtype = rule::given("dtype"),
           .shape = created_shape_of_rank<1>,
           .define = define_arange,
           .differentiable = false,
           .samples = [](SampleMaker& m) {
             m.add(Shape{7}, 0.0, 1.0, m.dtype(), kCpu);
             m.add(Shape{5}, 12.0, -2.0, m.dtype(), kCpu);
             m.add(Shape{0}, 0.0, 1.0, m.dtype(), kCpu);
           }});
  ops.add({.schema = "linspace(Size[] shape, Float start, Float end, DType dtype=f32, "
                     "Device device=cpu) -> Tensor",
           .doc = "numbers evenly from start to end, both included",
           .dtype = rule::given("dtype"),
           .shape = linspace_shape,
           .define = define_linspace,
           .differentiable = false,
           .samples = [](SampleMaker& m) {
             m.add(Shape{7}, -1.0, 2.0, m.dtype(), kCpu);
             m.add(Shape{4}, 5.0, 0.5, m.dtype(), kCpu);
             m.add(Shape{1}, 3.0, 4.0, m.dtype(), kCpu);
             m.add(Shape{0}, 0.0, 1.0, m.dtype(), kCpu);
           }});
  ops.add({.schema = "eye(Size[] shape, DType dtype=f32, Device device=cpu) -> Tensor",
           .doc = "ones on the diagonal, zeros elsewhere",
           .dtype = rule::given("dtype"),
           .shape = created_shape_of_rank<2>,
           .define =
               [](const Call& call) {
                 return filled(call, select(equal(expr::axis(0), expr::axis(1)), 1, 0));
               },
           .differentiable = false,
           .samples = [](SampleMaker& m) { m.add(Shape{3, 5}, m.dtype(), kCpu); }});
}

void register_likes(Registry& ops) {
  ops.add({.schema = "zeros_like(Tensor x) -> Tensor",
           .doc = "zeros in the shape and dtype of x",
           .dtype = rule::same,
           .decompose = [](const Call& call) -> Tensors {
             const Tensor& x = call.tensor("x");
             return {zeros(x.shape(), x.dtype(), x.device())};
           },
           .differentiable = false,
           .samples = domain(-2, 2)});
  ops.add({.schema = "ones_like(Tensor x) -> Tensor",
           .doc = "ones in the shape and dtype of x",
           .dtype = rule::same,
           .decompose = [](const Call& call) -> Tensors {
             const Tensor& x = call.tensor("x");
             return {ones(x.shape(), x.dtype(), x.device())};
           },
           .differentiable = false,
           .samples = domain(-2, 2)});
  ops.add({.schema = "full_like(Tensor x, Float value) -> Tensor",
           .doc = "one value in the shape and dtype of x",
           .dtype = rule::same,
           .decompose = [](const Call& call) -> Tensors {
             const Tensor& x = call.tensor("x");
             return {full(x.shape(), call.real("value"), x.dtype(), x.device())};
           },
           .differentiable = false,
           .samples = [](SampleMaker& m) { m.add(m.real({2, 3}), 7.0); }});
}

}  // namespace

void register_creation(Registry& ops) {
  register_fills(ops);
  register_patterns(ops);
  register_likes(ops);
}

}  // namespace ops
}  // namespace ridge
