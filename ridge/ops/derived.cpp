#include "ridge/ops/derived.h"

#include "ridge/base/text.h"
#include "ridge/core/shape.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/expr/simplify.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/call.h"
#include "ridge/ops/registry.h"

namespace ridge::ops {

namespace {

void check_dtypes(const OpRecord& record, const Call& call) {
  const std::vector<Accept>& accepted = record.dtype.accepts;
  for (size_t i = 0; i < call.operands().size(); ++i) {
    const Tensor* tensor = call.operands()[i];
    if (tensor == nullptr) continue;
    const Accept accept = accepted[std::min(i, accepted.size() - 1)];
    const DType dtype = call.operand(i).dtype();
    if (accepts(accept, dtype)) continue;
    call.fail(ErrorCode::dtype, "operand " + std::to_string(i) + " of kind " + to_text(accept),
              describe(*tensor));
  }
}

std::vector<expr::Type> scalar_types(const DTypes& dtypes) {
  std::vector<expr::Type> types;
  for (const DType dtype : dtypes.inputs) types.push_back(scalar_type(dtype));
  return types;
}

// The operand read at a position of the broadcast shape: its dims are the last ones, and along a
// dim of size 1 it stands still.
expr::Expr broadcast_load(int operand, expr::Type type, const Shape& from, const Shape& to) {
  std::vector<expr::Expr> position;
  const size_t skipped = to.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i) {
    // As the shape rule decided: a symbol that is not the size of the result may be a 1, too.
    const bool is_same = from[i].is_same(to[skipped + i]);
    const bool stretches = from[i].known() == 1 || (!is_same && from[i] == 1);
    position.push_back(stretches ? expr::constant(int64_t{0})
                                 : expr::axis(static_cast<int>(skipped + i)));
  }
  return expr::load(operand, type, std::move(position));
}

// A definition has the dimensions of its result, and a few more that it reduces over.
void check_axes(const OpRecord& record, const Call& call, const std::vector<Shape>& shapes) {
  constexpr size_t kMostReduced = 8;
  if (!record.define || shapes.empty() || shapes[0].size() + kMostReduced <= kMostDimensions)
    return;
  const size_t axes = record.define(call).extents.size();
  RIDGE_CHECK(axes <= kMostDimensions, .code = ErrorCode::shape,
              .expected = concat("a result and what it reduces over, at most ", kMostDimensions,
                                 " dimensions together"),
              .given = concat(axes));
}

}  // namespace

Resolved resolve(const OpRecord& record, const Call& call) {
  for (size_t i = 0; i < call.schema().parameters.size(); ++i) {
    const auto& parameter = call.schema().parameters[i];
    if (call.args()[i].kind != parameter.kind && !parameter.is_optional) {
      dispatch::check_arguments(call.schema(), call.args());
    }
  }
  check_dtypes(record, call);
  Resolved resolved;
  resolved.dtypes = record.dtype.apply(call);
  resolved.shapes = record.shape(call);
  for (const Shape& shape : resolved.shapes) {
    RIDGE_CHECK(shape.size() <= kMostDimensions, .code = ErrorCode::shape,
                .expected = concat("a result of at most ", kMostDimensions, " dimensions"),
                .given = concat(shape.size()));
  }
  check_axes(record, call, resolved.shapes);
  resolved.device = common_device(call);
  // Results without a dtype of their own take the last one given.
  auto& outputs = resolved.dtypes.outputs;
  while (outputs.size() < resolved.shapes.size()) outputs.push_back(outputs[outputs.size() - 1]);
  return resolved;
}

Definition definition_of(const OpRecord& record, const Call& call, const Resolved& resolved) {
  if (record.define) return record.define(call);
  RIDGE_INTERNAL_CHECK(static_cast<bool>(record.body), "a composite op has no definition");
  const Shape& shape = resolved.shapes[0];
  const std::vector<expr::Type> types = scalar_types(resolved.dtypes);
  const expr::Expr body = record.body(Scalars(call.schema(), types));
  Definition definition{.extents = shape, .output_rank = shape.size()};
  definition.value = expr::transform(body, [&](const expr::Expr& e) {
    if (e->kind != expr::Kind::input) return e;
    const size_t operand = static_cast<size_t>(e->index);
    return broadcast_load(e->index, types[operand], call.shape(operand), shape);
  });
  return definition;
}

std::optional<ViewGeometry> view_geometry(const OpRecord& record, const Call& call) {
  if (record.view) return record.view(call);
  const Definition definition = record.define(call);
  if (definition.value->kind != expr::Kind::load || definition.is_scatter()) return std::nullopt;
  const Tensor& x = call.operand(0);
  const size_t rank = definition.extents.size();
  ViewGeometry geometry{definition.extents, Shape(rank, Size(0)), x.offset()};
  for (size_t dim = 0; dim < definition.value->args.size(); ++dim) {
    const auto affine = expr::as_affine(definition.value->args[dim], static_cast<int>(rank));
    if (!affine) return std::nullopt;
    geometry.offset = geometry.offset + Size(affine->constant) * x.strides()[dim];
    for (size_t axis = 0; axis < rank; ++axis) {
      const Size step(affine->coefficients[axis]);
      geometry.strides[axis] = geometry.strides[axis] + step * x.strides()[dim];
    }
  }
  for (size_t axis = 0; axis < rank; ++axis) {
    // Strides are never negative; such a view is made as a copy.
    if (is_below(geometry.strides[axis], 0)) return std::nullopt;
  }
  // An empty view may compute an offset behind the end of its storage.
  for (const Size& extent : geometry.shape) {
    if (extent.known() == 0) geometry.offset = x.offset();
  }
  return geometry;
}

bool is_in_place(const dispatch::Operator& op) {
  return op.record() != nullptr && op.record()->in_place_op == &op;
}

namespace {

using dispatch::Frame;
using dispatch::Key;
using dispatch::KeySet;

bool run_view(const OpRecord& record, Frame& frame) {
  const Call call(frame.op.schema(), frame.args);
  resolve(record, call);  // reports wrong arguments
  const std::optional<ViewGeometry> geometry = view_geometry(record, call);
  if (!geometry) return false;
  const Tensor& x = call.operand(0);
  frame.results[0] = Tensor::view_of(Ref<Storage>(&x.storage()), geometry->shape, geometry->strides,
                                     geometry->offset, x.dtype());
  return true;
}

void check_writable(const Call& call, const Tensor& x, const Tensor& result) {
  if (x.is_weak()) call.fail(ErrorCode::value, "a tensor to write to", "a plain number");
  if (x.may_overlap_itself()) {
    call.fail(ErrorCode::state, "a tensor whose elements are apart in memory",
              describe(x) + " with strides " + to_text(x.strides()));
  }
  if (!(result.shape() == x.shape())) {
    call.fail(ErrorCode::shape, "a result of the shape written to, " + to_text(x.shape()),
              to_text(result.shape()));
  }
  const bool loses_kind = (is_floating(result.dtype()) && !is_floating(x.dtype())) ||
                          (is_integer(result.dtype()) && is_boolean(x.dtype()));
  if (loses_kind) {
    call.fail(ErrorCode::dtype, "a result that fits into " + std::string(name(x.dtype())),
              std::string(name(result.dtype())));
  }
}

// name_(x, ...): the op itself, then its result written into x.
void run_in_place(const OpRecord& record, Frame& frame) {
  const Call call(frame.op.schema(), frame.args);
  const Tensor& x = call.operand(0);
  Tensor result;
  Frame functional{*record.op, frame.args, {&result, 1}, frame.where};
  dispatch::call(functional);
  check_writable(call, x, result);
  static const dispatch::Operator& assign = find_op("assign_");
  dispatch::call_one(assign, frame.where, x, result);
  x.storage().bump_version();
  frame.results[0] = x;
}

// The decomposition, with the rules a composite op states for its operands and results. Widening is
// a cast, which rounds nothing, so a backend may still multiply matrices of 16-bit operands as such.
Tensors decomposed(const OpRecord& record, const Call& call, Composition composition) {
  if (!record.dtype) return record.decompose(call);
  check_dtypes(record, call);
  const bool may_lower = composition == Composition::fastest && static_cast<bool>(record.lower.can);
  if (may_lower && record.lower.can(call)) return record.lower.make(call);
  if (!has(record.traits, Trait::Wide)) return record.decompose(call);
  const auto is_narrow = [](const Tensor& t) { return is_16_bit_float(t.dtype()); };
  const CastArguments widened(call.args(), f32, is_narrow);
  Tensors results = record.decompose(Call(call.schema(), widened.args()));
  const DTypes dtypes = record.dtype.apply(call);
  for (size_t i = 0; i < results.size(); ++i) {
    const DType dtype = dtypes.outputs[std::min(i, dtypes.outputs.size() - 1)];
    const bool rounds = is_floating(results[i].dtype()) && results[i].dtype() != dtype;
    if (rounds) results[i] = cast(results[i], dtype);
  }
  return results;
}

}  // namespace

bool run_derived(Frame& frame, Composition composition) {
  const OpRecord* record = frame.op.record();
  if (record == nullptr) return false;
  if (is_in_place(frame.op)) {
    run_in_place(*record, frame);
    return true;
  }
  if (record->decompose) {
    const Tensors results = decomposed(*record, Call(frame.op.schema(), frame.args), composition);
    RIDGE_INTERNAL_CHECK(results.size() == frame.results.size(),
                         "decomposition with another number of results: " + frame.op.name());
    std::copy(results.begin(), results.end(), frame.results.begin());
    return true;
  }
  return has(record->traits, Trait::View) && run_view(*record, frame);
}

}  // namespace ridge::ops
