#include "ridge/ops/scan.h"

#include "ridge/dispatch/call.h"
#include "ridge/ops/registry.h"

namespace ridge {

Tensor cumsum(const At& x, int64_t dim, bool reverse) {
  static const auto& op = ops::find_op("cumsum");
  return dispatch::call_one(op, x.where(), x, dim, reverse);
}

namespace ops {
namespace {

using expr::Expr;

// Each prefix as a sum of its own. That is quadratic, but it says what is meant without an order
// of evaluation; a backend that scans in one pass gives the same sums.
Definition define_cumsum(const Call& call) {
  const Tensor& x = call.tensor("x");
  const size_t rank = x.shape().size();
  const int64_t dim = wrap_dim(call.integer("dim"), x.rank());

  Shape extents = x.shape();
  extents.push_back(x.size(dim));
  std::vector<Expr> position = all_axes(rank);
  const Expr here = position[static_cast<size_t>(dim)];
  const Expr there = expr::axis(static_cast<int>(rank));
  position[static_cast<size_t>(dim)] = there;
  const Expr counts = call.flag("reverse") ? here <= there : there <= here;
  return {.extents = extents,
          .output_rank = rank,
          .reducer = Reducer::sum,
          .value = select(counts, expr::load(0, scalar_type(x.dtype()), position), 0)};
}

void cumsum_samples(SampleMaker& m) {
  m.add(m.real({7}), int64_t{0}, false);
  m.add(m.real({2, 5, 3}), int64_t{1}, true);
  m.add(m.strided(m.real({3, 5})), int64_t{-1}, false);
  m.add(m.real({1}), int64_t{0}, true);
  m.add(m.real({3, 0}), int64_t{1}, false);
  m.add(m.real({0, 3}), int64_t{1}, false);
}

}  // namespace

void register_scan(Registry& ops) {
  ops.add({.schema = "cumsum(Tensor x, Int dim, Bool reverse=false) -> Tensor",
           .doc = "sums of x up to and including each element along `dim`, or from it on",
           .dtype = rule::accumulate,
           .shape = rule::same_as_input,
           .autocast = Autocast::full,
           .define = define_cumsum,
           .grad = [](const Grads& g, const Saved& v) -> Tensors {
             return {cumsum(g[0], v.integer("dim"), !v.flag("reverse"))};
           },
           .samples = cumsum_samples});
}

}  // namespace ops
}  // namespace ridge
