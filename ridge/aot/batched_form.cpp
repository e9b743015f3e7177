#include <algorithm>

#include "ridge/aot/batched_node.h"
#include "ridge/expr/simplify.h"
#include "ridge/graph/infer.h"
#include "ridge/ops/derived.h"
#include "ridge/ops/record.h"

namespace ridge::aot {

using dispatch::ArgKind;
using expr::Expr;
using expr::Kind;
using graph::Argument;
using graph::Graph;
using graph::Node;
using graph::Type;
using graph::ValueId;
using graph::ValueIds;
using ops::Definition;

namespace {

Shape with_batch(const Size& count, const Shape& shape, size_t ones = 0) {
  Shape batched{count};
  for (size_t i = 0; i < ones; ++i) batched.push_back(1);
  batched.insert(batched.end(), shape.begin(), shape.end());
  return batched;
}

// A call on meta tensors, with what the record says of it.
struct DefinedCall {
  graph::BoundArguments bound;
  ops::Call call;
  ops::Resolved resolved;
  Definition definition;

  DefinedCall(const Node& node, const std::function<Tensor(ValueId)>& tensor)
      : bound(node, tensor),
        call(node.op->schema(), bound.args()),
        resolved(ops::resolve(*node.op->record(), call)),
        definition(ops::definition_of(*node.op->record(), call, resolved)) {}
};

// The definition for one example, with an axis for the batch in front of it.
Definition lifted(Definition definition, const std::vector<BatchedOperand>& operands,
                  const std::vector<bool>& is_mapped, const Size& count) {
  const auto lift = [&](const Expr& e) {
    return expr::transform(e, [&](const Expr& node) {
      if (node->kind == Kind::axis) return expr::axis(node->index + 1);
      const auto operand = static_cast<size_t>(node->index);
      if (node->kind != Kind::load) return node;
      if (!is_mapped[operand] && !operands[operand].is_repeated) return node;
      std::vector<Expr> position{expr::axis(0)};
      position.insert(position.end(), operands[operand].ones, Expr(0));
      position.insert(position.end(), node->args.begin(), node->args.end());
      return expr::load(node->index, node->type, std::move(position));
    });
  };
  definition.extents = with_batch(count, definition.extents);
  definition.output_rank += 1;
  definition.value = lift(definition.value);
  if (definition.is_scatter()) {
    for (Expr& index : definition.target) index = lift(index);
    definition.target.insert(definition.target.begin(), expr::axis(0));
    definition.initial = lift(definition.initial);
  }
  return definition;
}

// Brings a definition to a form in which equal ones are equal trees: no reduced axis has size 1.
class Canonical {
 public:
  explicit Canonical(const Definition& definition) : definition_(definition) {
    for (size_t i = 0; i < definition.extents.size(); ++i) {
      const bool is_one = definition.extents[i].known() == 1;
      const bool is_dropped = is_one && i >= definition.output_rank && !definition.is_scatter();
      axes_.push_back(is_one ? Expr(0) : expr::axis(static_cast<int>(extents_.size())));
      if (!is_dropped) extents_.push_back(definition.extents[i]);
    }
  }

  Definition run() {
    Definition done = definition_;
    done.extents = extents_;
    done.value = simplified(done.value);
    for (Expr& index : done.target) index = simplified(index);
    // Over the axes of the result, of which the extents here say nothing.
    if (done.is_scatter()) done.initial = expr::simplify(done.initial);
    return done;
  }

 private:
  Expr simplified(const Expr& e) {
    const Expr renumbered = expr::transform(e, [&](const Expr& node) {
      return node->kind == Kind::axis ? axes_[static_cast<size_t>(node->index)] : node;
    });
    return expr::simplify(renumbered, [&](int axis) {
      const auto extent = extents_[static_cast<size_t>(axis)].known();
      return extent ? expr::Interval{0, std::max<int64_t>(*extent, 1) - 1}
                    : expr::Interval::at_least(0);
    });
  }

  const Definition& definition_;
  std::vector<Expr> axes_;  // by old axis
  Shape extents_;
};

bool is_equal(const Definition& a, const Definition& b) {
  const Definition x = Canonical(a).run(), y = Canonical(b).run();
  if (!is_same(x.extents, y.extents) || x.output_rank != y.output_rank) return false;
  if (x.reducer != y.reducer || !expr::same(x.value, y.value)) return false;
  if (x.target.size() != y.target.size()) return false;
  if (x.is_scatter() && !expr::same(x.initial, y.initial)) return false;
  return std::ranges::equal(x.target, y.target, expr::same);
}

enum class Operands { as_they_are, aligned, repeated, aligned_and_repeated };
enum class Dims { kept, moved, moved_behind_the_batch };

class FormSearch {
 public:
  FormSearch(const Graph& graph, const Node& node, const std::vector<bool>& is_mapped,
             const Size& count)
      : graph_(graph),
        node_(node),
        is_mapped_(is_mapped),
        count_(count),
        ids_(graph::operands(node)),
        one_(node, [&](ValueId id) { return graph::make_meta_tensor(plain(id)); }) {}

  std::optional<BatchedForm> run() {
    const auto& parameters = node_.op->schema().parameters;
    const bool has_dims = std::ranges::any_of(parameters, [](const auto& parameter) {
      return parameter.name == "dim" || parameter.name == "dims" || parameter.name == "shape";
    });
    std::vector<Dims> ways{Dims::kept};
    if (has_dims) ways = {Dims::moved, Dims::moved_behind_the_batch, Dims::kept};
    for (const Dims dims : ways) {
      for (const auto operands : {Operands::as_they_are, Operands::aligned, Operands::repeated,
                                  Operands::aligned_and_repeated}) {
        BatchedForm form = make(operands, dims);
        if (is_wanted(form)) return form;
      }
    }
    return std::nullopt;
  }

 private:
  graph::Value plain(ValueId id) const { return {.type = graph_[id].type}; }
  const Shape& shape(size_t operand) const { return graph_[ids_[operand]].type.shape; }

  BatchedForm make(Operands how, Dims dims) const {
    BatchedForm form{.operands = std::vector<BatchedOperand>(ids_.size()), .args = {}};
    // A reduction of a single number needs a dim to reduce.
    size_t rank = std::max<size_t>(1, graph_[node_.results[0]].type.shape.size());
    for (size_t i = 0; i < ids_.size(); ++i) rank = std::max(rank, shape(i).size());
    for (size_t i = 0; i < ids_.size(); ++i) {
      BatchedOperand& operand = form.operands[i];
      const bool repeats = how == Operands::repeated || how == Operands::aligned_and_repeated;
      const bool aligns = how == Operands::aligned || how == Operands::aligned_and_repeated;
      operand.is_repeated = repeats && !is_mapped_[i];
      if (aligns && is_mapped_[i]) operand.ones = rank - shape(i).size();
      const DType converted = one_.resolved.dtypes.inputs[i];
      const bool gave_way = is_mapped_[i] && shape(i).empty();
      if (gave_way && converted != graph_[ids_[i]].type.dtype) operand.dtype = converted;
    }
    const size_t first_rank = ids_.empty() ? 0 : shape(0).size() + form.operands[0].ones;
    const auto& parameters = node_.op->schema().parameters;
    for (size_t i = 0; i < node_.args.size(); ++i) {
      form.args.push_back(moved(parameters[i].name, node_.args[i], dims, first_rank));
    }
    return form;
  }

  Argument moved(std::string_view parameter, const Argument& arg, Dims how, size_t rank) const {
    if (how == Dims::kept) return arg;
    // Negative ones count from the end, where nothing changes.
    const auto behind = [](int64_t dim) { return dim < 0 ? dim : dim + 1; };
    if (const auto* dim = std::get_if<int64_t>(&arg); dim != nullptr && parameter == "dim") {
      return behind(*dim);
    }
    if (const auto* dims = std::get_if<Ints>(&arg); dims != nullptr && parameter == "dims") {
      Ints now;
      if (how == Dims::moved_behind_the_batch) now.push_back(0);
      for (const int64_t dim : *dims) now.push_back(behind(dim));
      const bool means_all = dims->empty() && how == Dims::moved;
      for (size_t dim = 0; means_all && dim < rank; ++dim) {
        now.push_back(static_cast<int64_t>(dim) + 1);
      }
      return now;
    }
    if (const auto* sizes = std::get_if<Shape>(&arg); sizes != nullptr && parameter == "shape") {
      return with_batch(count_, *sizes);
    }
    return arg;
  }

  Tensor operand_of(const BatchedForm& form, size_t i) const {
    graph::Value value = plain(ids_[i]);
    const BatchedOperand& operand = form.operands[i];
    if (is_mapped_[i] || operand.is_repeated) {
      value.type.shape = with_batch(count_, value.type.shape, operand.ones);
      value.type.is_weak = false;
    }
    value.type.dtype = operand.dtype.value_or(value.type.dtype);
    return graph::make_meta_tensor(value);
  }

  // A call that the op does not accept is none that could be meant.
  bool is_wanted(const BatchedForm& form) const {
    Node call = node_;
    call.args = form.args;
    size_t next = 0;
    replace_operands(call, [&](ValueId) { return ValueId{static_cast<int32_t>(next++)}; });
    try {
      const DefinedCall batched(
          call, [&](ValueId id) { return operand_of(form, static_cast<size_t>(id.index)); });
      const auto& dtypes = batched.resolved.dtypes;
      const Shape wanted = with_batch(count_, one_.resolved.shapes[0]);
      return is_same(batched.resolved.shapes[0], wanted) &&
             std::ranges::equal(dtypes.inputs, one_.resolved.dtypes.inputs) &&
             std::ranges::equal(dtypes.outputs, one_.resolved.dtypes.outputs) &&
             !reads_changed_argument(batched.definition, form) &&
             is_equal(batched.definition,
                      lifted(one_.definition, form.operands, is_mapped_, count_));
    } catch (const Error& error) {
      if (error.code() == ErrorCode::internal) throw;
      return false;
    }
  }

  // Definitions read numbers among the arguments when they run: equal trees would mean nothing.
  bool reads_changed_argument(const Definition& definition, const BatchedForm& form) const {
    bool reads = false;
    expr::walk(definition.value, [&](const Expr& e) {
      if (e->kind != Kind::param) return;
      const auto* now = std::get_if<int64_t>(&form.args[static_cast<size_t>(e->index)]);
      reads |=
          now != nullptr && *now != std::get<int64_t>(node_.args[static_cast<size_t>(e->index)]);
    });
    return reads;
  }

  const Graph& graph_;
  const Node& node_;
  const std::vector<bool>& is_mapped_;
  const Size& count_;
  const ValueIds ids_;
  const DefinedCall one_;
};

// Definitions number an optional operand that was left out too; graph::operands does not.
bool has_all_operands(const Node& node) {
  const auto& parameters = node.op->schema().parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const bool is_tensor = parameters[i].kind == ArgKind::tensor;
    if (is_tensor && std::holds_alternative<std::monostate>(node.args[i])) return false;
  }
  return true;
}

}  // namespace

std::optional<BatchedForm> batched_form(const Graph& graph, const Node& node,
                                        const std::vector<bool>& is_mapped, const Size& count) {
  const ops::OpRecord* record = node.op->record();
  if (record == nullptr || record->op != node.op || record->decompose) return std::nullopt;
  if (!has_all_operands(node)) return std::nullopt;
  return FormSearch(graph, node, is_mapped, count).run();
}

}  // namespace ridge::aot
