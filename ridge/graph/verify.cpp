#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/graph/control.h"
#include "ridge/graph/graph.h"
#include "ridge/graph/infer.h"
#include "ridge/ops/dispatch_layers.h"

namespace ridge::graph {

bool is_equal(const Size& a, const Size& b) {
  if (a.is_same(b)) return true;
  if (!a.is_symbolic() && !b.is_symbolic()) return false;
  if (expr::prove(equal(a.expression(), b.expression())) == true) return true;
  const int64_t hint = a.hint_or(-1);
  return hint >= 0 && hint == b.hint_or(-2);
}

bool is_equal(const Shape& a, const Shape& b) {
  return a.size() == b.size() &&
         std::ranges::equal(a, b, [](const Size& x, const Size& y) { return is_equal(x, y); });
}

bool is_equal(const Type& a, const Type& b) {
  return a.dtype == b.dtype && a.device == b.device && a.is_weak == b.is_weak &&
         is_equal(a.shape, b.shape);
}

namespace {

class Verifier {
 public:
  Verifier(const Graph& graph, const Origin& origin)
      : graph_(graph),
        origin_(origin),
        is_functional_(is_functional(graph)),
        is_defined_(graph.values.size()),
        meta_tensors_(graph.values.size()) {}

  void run() {
    for (const ValueId id : graph_.inputs) check_input(id);
    for (size_t i = 0; i < graph_.values.size(); ++i) check_constant({static_cast<int32_t>(i)});
    for (size_t i = 0; i < graph_.nodes.size(); ++i) check_node(i);
    for (size_t i = 0; i < is_defined_.size(); ++i) {
      if (!is_defined_[i])
        fail("every value to be an input, a constant or a result", concat("%", i));
    }
    for (const ValueId id : graph_.outputs) check_known(id, "an output");
    check_updates();
  }

 private:
  // Names the node that is being looked at.
  [[noreturn]] void fail(std::string expected, std::string given) const {
    Error::Parts parts{.code = origin_.code,
                       .op = concat("graph ", graph_.name),
                       .expected = std::move(expected),
                       .given = std::move(given)};
    if (node_ != nullptr) {
      parts.op = concat(parts.op, ", node ", position_, " ", node_->op->name());
      if (node_->where.line() > 0) parts.where = node_->where;
    }
    if (origin_.place) parts.op = concat(origin_.place(node_), ", ", parts.op);
    throw Error(std::move(parts));
  }

  size_t index(ValueId id) const {
    if (id.index < 0 || std::cmp_greater_equal(id.index, graph_.values.size())) {
      fail("a value of the graph", concat("%", id.index));
    }
    return static_cast<size_t>(id.index);
  }

  void check_known(ValueId id, std::string_view what) const {
    if (!is_defined_[index(id)]) {
      fail(concat(what, " that is computed before"), concat("%", id.index));
    }
  }

  void define(ValueId id, Tensor meta_tensor) {
    const size_t at = index(id);
    if (is_defined_[at]) fail("every value to be defined once", concat("%", at));
    is_defined_[at] = true;
    meta_tensors_[at] = std::move(meta_tensor);
  }

  void check_input(ValueId id) {
    const Value& value = graph_.values[index(id)];
    if (value.node != -1 || value.constant.defined() || value.alias) {
      fail("an input that nothing computes", concat("%", id.index));
    }
    const size_t rank = value.type.shape.size();
    if (value.strides && value.strides->size() != rank) {
      fail(concat(rank, " strides of %", id.index), concat(value.strides->size()));
    }
    define(id, meta_tensor_of(id));
  }

  Tensor meta_tensor_of(ValueId id) const {
    try {
      return make_meta_tensor(graph_[id]);
    } catch (const Error& error) {
      fail(concat("a type of %", id.index, " that a tensor can have"), error.what());
    }
  }

  void check_constant(ValueId id) {
    const Value& value = graph_[id];
    if (!value.constant.defined()) return;
    const Tensor& c = value.constant;
    const Type held{c.dtype(), c.shape(), c.device(), c.is_weak()};
    if (!is_equal(held, value.type) || !c.is_contiguous() || value.node != -1) {
      fail(concat("a contiguous constant of type ", to_text(value.type)), to_text(held));
    }
    define(id, meta_tensor_of(id));
  }

  void check_node(size_t position) {
    node_ = &graph_.nodes[position];
    position_ = position;
    if (node_->op == nullptr) {
      node_ = nullptr;
      fail("an op", concat("none at node ", position));
    }
    for (const ValueId id : operands(*node_)) check_known(id, "an operand");
    if (is_control(*node_)) return check_control(position);
    if (node_->results.size() != node_->op->schema().results.size()) {
      fail(concat(node_->op->schema().results.size(), " results"), concat(node_->results.size()));
    }
    check_token();
    const dispatch::Tensors meta_tensors = infer();
    const std::vector<Type> types = result_types(meta_tensors, device());
    for (size_t i = 0; i < meta_tensors.size(); ++i) {
      const ValueId id = node_->results[i];
      const Value& value = graph_.values[index(id)];
      if (std::cmp_not_equal(value.node, position) || std::cmp_not_equal(value.result, i) ||
          value.constant.defined()) {
        fail(concat("%", id.index, " to be result ", i, " of this node"),
             concat("result ", value.result, " of node ", value.node));
      }
      if (!is_equal(types[i], value.type)) {
        fail(concat("%", id.index, " of type ", to_text(types[i])), to_text(value.type));
      }
      check_alias(value, meta_tensors[i], id);
      define(id, meta_tensors[i]);
    }
    node_ = nullptr;
  }

  // What its bodies give is what it gives; they are held to the same rules.
  void check_control(size_t position) {
    std::vector<Type> types;
    try {
      types = verify_bodies(graph_, *node_);
    } catch (const Error& error) {
      fail("bodies that fit the node", error.what());
    }
    if (types.size() != node_->results.size()) {
      fail(concat(types.size(), " results"), concat(node_->results.size()));
    }
    for (size_t i = 0; i < types.size(); ++i) {
      const ValueId id = node_->results[i];
      const Value& value = graph_.values[index(id)];
      if (std::cmp_not_equal(value.node, position) || !is_equal(types[i], value.type)) {
        fail(concat("%", id.index, " of this node, of type ", to_text(types[i])),
             to_text(value.type));
      }
      define(id, meta_tensor_of(id));
    }
    node_ = nullptr;
  }

  dispatch::Tensors infer() const {
    const BoundArguments bound(*node_, [this](ValueId id) { return meta_tensors_[index(id)]; });
    try {
      dispatch::check_arguments(node_->op->schema(), bound.args());
      return call_on_meta(*node_->op, bound.args(), node_->where);
    } catch (const Error& error) {
      fail("a call that its op accepts", error.what());
    }
  }

  Device device() const {
    try {
      return result_device(graph_, *node_);
    } catch (const Error& error) {
      fail("operands on one device", error.given());
    }
  }

  void check_token() {
    const bool is_write = writes(*node_->op);
    if (is_write != (node_->token > 0)) {
      fail(is_write ? "a token, as it writes" : "no token, as it does not write",
           concat("token ", node_->token));
    }
    if (!is_write) return;
    if (node_->token <= last_token_) {
      fail(concat("a token above ", last_token_), concat("token ", node_->token));
    }
    last_token_ = node_->token;
  }

  void check_alias(const Value& value, const Tensor& meta_tensor, ValueId id) const {
    if (value.alias) {
      const ValueIds read = operands(*node_);
      const bool is_operand = std::ranges::find(read, *value.alias) != read.end();
      if (!is_operand || !meta_tensor.shares_storage_with(meta_tensors_[index(*value.alias)])) {
        fail(concat("%", id.index, " to share memory with no value"),
             concat("alias %", value.alias->index));
      }
      return;
    }
    if (is_functional_) return;  // where nothing writes, sharing is not seen
    for (const ValueId operand : operands(*node_)) {
      if (meta_tensor.shares_storage_with(meta_tensors_[index(operand)])) {
        fail(concat("%", id.index, " alias %", operand.index), "no alias");
      }
    }
  }

  void check_updates() const {
    std::vector<bool> is_updated(graph_.values.size());
    for (const Update& u : graph_.updates) {
      check_known(u.value, "the value of an update");
      if (std::ranges::find(graph_.inputs, u.input) == graph_.inputs.end()) {
        fail("an update of an input", concat("%", u.input.index));
      }
      if (is_updated[index(u.input)]) fail("one update of an input", concat("%", u.input.index));
      is_updated[index(u.input)] = true;
      const Type& input = graph_[u.input].type;
      const Type& value = graph_[u.value].type;
      if (input.dtype != value.dtype || !is_equal(input.shape, value.shape)) {
        fail(concat("an update of type ", to_text(input)), to_text(value));
      }
    }
  }

  const Graph& graph_;
  const Origin& origin_;
  const bool is_functional_;
  std::vector<bool> is_defined_;
  std::vector<Tensor> meta_tensors_;  // by value
  const Node* node_ = nullptr;
  size_t position_ = 0;
  int32_t last_token_ = 0;
};

}  // namespace

void verify(const Graph& graph, const Origin& origin) {
  ops::install_derived_layers();
  Verifier(graph, origin).run();
}

void verify(const Graph& graph) { verify(graph, Origin()); }

}  // namespace ridge::graph
