// slice_scatter: what writing through a slice leaves behind, as a value.
#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/rearrange.h"
#include "ridge/ops/view.h"

namespace ridge {

Tensor slice_scatter(const At& x, const At& from, int64_t dim, const Size& start, const Size& end,
                     int64_t step) {
  static const auto& op = ops::find_op("slice_scatter");
  return dispatch::call_one(op, x.where(), x, from, dim, Shape{start, end}, step);
}

namespace ops {
namespace {

// An element is one of `from` where the adjoint of a slice of ones is one.
Tensors decompose_slice_scatter(const Call& call) {
  const Tensor& x = call.tensor("x");
  const Tensor& from = call.tensor("from");
  if (from.dtype() != x.dtype()) {
    call.fail(ErrorCode::dtype, "values of the dtype of x, " + std::string(name(x.dtype())),
              std::string(name(from.dtype())));
  }
  const Shape bounds = call.sizes("bounds");
  if (bounds.size() != 2) call.fail(ErrorCode::value, "bounds [start, end]", to_text(bounds));
  const auto in_place_of_slice = [&](const Tensor& values) {
    return slice_adjoint(values, x.shape(), call.integer("dim"), bounds[0], bounds[1],
                         call.integer("step"));
  };
  const Tensor is_covered = in_place_of_slice(ones(from.shape(), boolean, x.device()));
  return {where(is_covered, in_place_of_slice(from), x)};
}

void slice_scatter_samples(SampleMaker& m) {
  m.add(m.real({7}), m.real({3}), 0, Shape{1, 6}, 2);
  m.add(m.real({3, 7}), m.real({3, 4}), -1, Shape{kEnd, -kEnd}, -2);
  m.add(m.real({3, 5, 2}), m.real({1, 5, 2}), 0, Shape{1, 2}, 1);
  m.add(m.real({7}), m.real({0}), 0, Shape{5, 2}, 1);
}

}  // namespace

void register_slice_scatter(Registry& ops) {
  ops.add({.schema = "slice_scatter(Tensor x, Tensor from, Int dim, Size[] bounds, Int step=1) "
                     "-> Tensor",
           .doc = "x, but for the slice, which is `from`",
           .dtype = DTypeRule("as operand 0", {Accept::number}, rule::same().apply),
           .decompose = decompose_slice_scatter,
           .samples = slice_scatter_samples});
}

}  // namespace ops
}  // namespace ridge
