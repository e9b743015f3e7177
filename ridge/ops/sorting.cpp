#include "ridge/ops/sorting.h"

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/indexing.h"
#include "ridge/ops/rank.h"
#include "ridge/ops/registry.h"
#include "ridge/ops/view.h"

namespace ridge {

namespace {

template <class... Args>
SortResult call_sort(const dispatch::Operator& op, Location where, const Args&... args) {
  const dispatch::Arg list[] = {dispatch::Arg(args)...};
  Tensor results[2];
  dispatch::Frame frame{op, list, results, where};
  dispatch::call(frame);
  return {results[0], results[1]};
}

}  // namespace

SortResult sort(const At& x, int64_t dim, bool descending) {
  static const auto& op = ops::find_op("sort");
  return call_sort(op, x.where(), x, dim, descending);
}

Tensor argsort(const At& x, int64_t dim, bool descending) {
  static const auto& op = ops::find_op("argsort");
  return dispatch::call_one(op, x.where(), x, dim, descending);
}

SortResult topk(const At& x, int64_t k, int64_t dim, bool largest) {
  static const auto& op = ops::find_op("topk");
  return call_sort(op, x.where(), x, k, dim, largest);
}

Tensor rank_of(const At& x, int64_t dim, bool descending) {
  static const auto& op = ops::find_op("rank_of");
  return dispatch::call_one(op, x.where(), x, dim, descending);
}

namespace ops {
namespace {

Definition define_rank(const Call& call) {
  const Tensor& x = call.tensor("x");
  const int64_t dim = wrap_dim(call.integer("dim"), x.rank());
  return rank_definition(x.shape(), static_cast<size_t>(dim), scalar_type(x.dtype()),
                         call.flag("descending"));
}

// Writes each position where its rank says: the inverse of the permutation `ranks`.
Tensor sorted_positions(const Tensor& ranks, int64_t dim) {
  Shape along_dim(ranks.shape().size(), 1);
  along_dim[static_cast<size_t>(dim)] = ranks.size(dim);
  const Tensor position = reshape(arange(ranks.size(dim), i64, ranks.device()), along_dim);
  const Tensor nothing = zeros(ranks.shape(), i64, ranks.device());
  return scatter(nothing, dim, ranks, expand(position, ranks.shape()));
}

Tensors decompose_sort(const Call& call) {
  const Tensor& x = call.tensor("x");
  const int64_t dim = wrap_dim(call.integer("dim"), x.rank());
  const Tensor indices = sorted_positions(rank_of(x, dim, call.flag("descending")), dim);
  return {gather(x, dim, indices), indices};
}

Tensors decompose_argsort(const Call& call) {
  const Tensor& x = call.tensor("x");
  const int64_t dim = wrap_dim(call.integer("dim"), x.rank());
  return {sorted_positions(rank_of(x, dim, call.flag("descending")), dim)};
}

void check_count(const Call& call, const Tensor& x, int64_t dim) {
  const int64_t k = call.integer("k");
  if (k >= 0 && x.size(dim) >= k) return;
  call.fail(ErrorCode::shape, concat("k between 0 and the size of dim ", dim, " in ", x.shape()),
            std::to_string(k));
}

Tensors decompose_topk(const Call& call) {
  const Tensor& x = call.tensor("x");
  const int64_t dim = wrap_dim(call.integer("dim"), x.rank());
  check_count(call, x, dim);
  const Tensor order = argsort(x, dim, call.flag("largest"));
  const Tensor indices = slice(order, dim, 0, call.integer("k"), 1);
  return {gather(x, dim, indices), indices};
}

Decision can_take_groups(const Call& call) {
  const Tensor& x = call.tensor("x");
  const int64_t dim = wrap_dim(call.integer("dim"), x.rank());
  check_count(call, x, dim);
  return can_find_top_groups(x, call.integer("k"), dim);
}

Tensors topk_of_groups(const Call& call) {
  const Tensor& x = call.tensor("x");
  const int64_t dim = wrap_dim(call.integer("dim"), x.rank());
  const int64_t k = call.integer("k");
  const bool is_largest = call.flag("largest");
  const Tensor positions = top_group_positions(x, k, dim, is_largest);
  const Tensor order = argsort(gather(x, dim, positions), dim, is_largest);
  const Tensor indices = gather(positions, dim, slice(order, dim, 0, k, 1));
  return {gather(x, dim, indices), indices};
}

// Each value came from one place, so its gradient goes back to that place alone.
Tensors order_gradient(const Grads& g, const Saved& v) {
  const Tensor nothing = zeros(v.shape(0), g[0].dtype(), g[0].device());
  const int64_t dim = wrap_dim(v.integer("dim"), v.operand(0).rank());
  return {scatter(nothing, dim, v.output(1), g[0])};
}

// Values stay what they are, and indices are i64.
DTypeRule value_and_position() {
  return {"as given, and i64", {Accept::number}, [](const Call& call) {
            const DType dtype = call.operand(0).dtype();
            return DTypes{.inputs = {dtype}, .outputs = {dtype, i64}};
          }};
}

void order_samples(SampleMaker& m) {
  m.add(m.distinct({7}), int64_t{0}, false);
  m.add(m.distinct({2, 5, 3}), int64_t{1}, true);
  m.add(m.strided(m.distinct({3, 5})), int64_t{-1}, false);
  m.add(m.distinct({1}), int64_t{0}, false);
  m.add(m.distinct({3, 0}), int64_t{1}, true);
  if (!is_floating(m.dtype())) m.add(m.real({11}), int64_t{0}, true);  // many equal values
}

void topk_samples(SampleMaker& m) {
  m.add(m.distinct({7}), int64_t{3}, int64_t{0}, true);
  m.add(m.distinct({2, 5, 3}), int64_t{5}, int64_t{1}, false);
  m.add(m.strided(m.distinct({3, 5})), int64_t{1}, int64_t{-1}, true);
  m.add(m.distinct({3, 5}), int64_t{0}, int64_t{-1}, true);
}

}  // namespace

void register_sorting(Registry& ops) {
  ops.add({.schema = "rank_of(Tensor x, Int dim=-1, Bool descending=false) -> Tensor",
           .doc = "the position each element has in a stable sort along `dim`",
           .dtype = rule::position,
           .shape = rule::same_as_input,
           .define = define_rank,
           .differentiable = false,
           .samples = order_samples});

  ops.add({.schema = "sort(Tensor x, Int dim=-1, Bool descending=false) "
                     "-> (Tensor values, Tensor indices)",
           .doc = "values in a stable order along `dim`, and where they came from",
           .dtype = value_and_position,
           .decompose = decompose_sort,
           .saves = "indices",
           .grad = order_gradient,
           .samples = order_samples});

  ops.add({.schema = "argsort(Tensor x, Int dim=-1, Bool descending=false) -> Tensor",
           .doc = "the positions that put x in a stable order along `dim`",
           .dtype = rule::position,
           .decompose = decompose_argsort,
           .differentiable = false,
           .samples = order_samples});

  ops.add({.schema = "topk(Tensor x, Int k, Int dim=-1, Bool largest=true) "
                     "-> (Tensor values, Tensor indices)",
           .doc = "the k largest (or smallest) values along `dim` in order, and their positions",
           .dtype = value_and_position,
           .decompose = decompose_topk,
           .lower = {can_take_groups, topk_of_groups},
           .saves = "indices",
           .grad = order_gradient,
           .samples = topk_samples});
}

}  // namespace ops
}  // namespace ridge
