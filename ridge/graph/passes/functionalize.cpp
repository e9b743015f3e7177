#include <algorithm>
#include <utility>

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/graph/infer.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/recorder.h"
#include "ridge/graph/rewriter.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/registry.h"
#include "ridge/ops/view.h"

namespace ridge::graph {
namespace {

// What a value of the old graph names. Memory belongs to one value, its root; others see it through
// the view that a node makes of another name, or name just the same.
struct Name {
  int32_t root = -1;
  ValueId parent{};            // whose alias it is; -1 for a root
  const Node* view = nullptr;  // the view op that leads here from the parent; null: the same
  ValueId now{};               // in the new graph: what it held when last looked at,
  int64_t generation = 0;      // and which generation of the root that was
};

class Functionalizer {
 public:
  explicit Functionalizer(const Graph& graph)
      : old_(graph),
        rewriter_(graph),
        recorder_(rewriter_.graph()),
        names_(graph.values.size()),
        generations_(graph.values.size()),
        meta_tensors_(graph.values.size()) {
    for (size_t i = 0; i < names_.size(); ++i) {
      const ValueId id{static_cast<int32_t>(i)};
      names_[i].root = id.index;
      if (old_[id].constant.defined() || rewriter_.is_mapped(id)) names_[i].now = rewriter_[id];
    }
  }

  Graph run() {
    for (const Node& node : old_.nodes) {
      recorder_.set_origin(node.where, node.scope);
      recorder_.set_phase(node.phase);
      recorder_.set_region(node.region);
      writes(*node.op) ? write(node) : compute(node);
    }
    Graph& graph = rewriter_.graph();
    for (const ValueId id : old_.outputs) graph.outputs.push_back(read(id));
    for (const ValueId id : old_.inputs) add_update(id);
    forget_memory(graph);
    return std::move(graph);
  }

 private:
  Name& name(ValueId id) { return names_[static_cast<size_t>(id.index)]; }
  int64_t& generation(const Name& n) { return generations_[static_cast<size_t>(n.root)]; }
  Tensor tensor(ValueId now) { return recorder_.fake(now); }

  // The value a name holds at this point of the program.
  ValueId read(ValueId id) {
    Name& n = name(id);
    if (n.parent.index < 0 || n.generation == generation(n)) return n.now;
    n.now = n.view == nullptr ? read(n.parent) : look_through(n, n.view->results);
    n.generation = generation(n);
    return n.now;
  }

  ValueId look_through(const Name& n, const ValueIds& results) {
    Node now = *n.view;
    replace_operands(now, [this](ValueId id) { return read(id); });
    const int32_t position = rewriter_.add(std::move(now), results);
    return rewriter_.graph().nodes[static_cast<size_t>(position)].results[0];
  }

  // A node that does not write is taken over, on the values its operands hold now.
  void compute(const Node& node) {
    Node now = node;
    replace_operands(now, [this](ValueId id) { return read(id); });
    const int32_t position = rewriter_.add(std::move(now), node.results);
    const Node& added = rewriter_.graph().nodes[static_cast<size_t>(position)];
    for (size_t i = 0; i < node.results.size(); ++i) {
      Name& n = name(node.results[i]);
      n.now = added.results[i];
      const auto& alias = old_[node.results[i]].alias;
      if (!alias) continue;
      RIDGE_INTERNAL_CHECK(node.results.size() == 1, "a view with several results");
      n.root = name(*alias).root;
      n.parent = *alias;
      n.view = &node;
      n.generation = generation(n);
    }
  }

  void write(const Node& node) {
    const ValueId target = std::get<ValueId>(node.args[0]);
    const ValueId value = written(node, target);
    install(target, value);
    keep(name(target), value);
    for (const ValueId result : node.results) {
      Name& n = name(result);
      n.root = name(target).root;
      n.parent = target;
      n.now = value;
      n.generation = generation(n);
    }
  }

  // A number on the CPU goes beside tensors of any device; written alone it must be on the target's.
  // Choosing between it and itself keeps its bits, which arithmetic would not keep of -0.
  static Tensor number_on(Device device, const Tensor& number) {
    return where(ones({}, boolean, device), number, number);
  }

  // What the target of a write holds afterwards, in the type it has.
  ValueId written(const Node& node, ValueId target) {
    const Recorder::Scope scope(recorder_);
    static const dispatch::Operator* const copies = ops::find_op("copy").record()->in_place_op;
    const ops::OpRecord* record = node.op->record();
    const bool is_copy = record == nullptr || node.op == copies;  // assign_ has no record
    Tensor value;
    if (is_copy) {
      value = tensor(read(std::get<ValueId>(node.args[1])));
    } else {
      const BoundArguments bound(node, [this](ValueId id) { return tensor(read(id)); });
      value = dispatch::call_values(*record->op, bound.args(), node.where)[0];
    }
    const Type& type = old_[target].type;
    if (value.dtype() != type.dtype || value.is_weak()) value = cast(value, type.dtype);
    if (value.device() != type.device) value = number_on(type.device, value);
    if (!is_same(value.shape(), type.shape)) value = expand(value, type.shape);
    return recorder_.id(value);
  }

  void keep(Name& n, ValueId value) {
    n.now = value;
    n.generation = generation(n);
  }

  // Makes `value` what the memory behind a name holds. Names between it and the root are not told: who
  // reads one again looks at the root's new value, so that what was written in place is read from there.
  void install(ValueId target, ValueId value) {
    Name& n = name(target);
    if (n.parent.index < 0) {
      RIDGE_CHECK(
          !old_[target].constant.defined(), .code = ErrorCode::state,
          .expected = "a tensor to write to", .given = "a view of a constant of the capture",
          .hint = "pass it as an argument, or write to a clone of it", .where = recorder_.where());
      ++generation(n);
      keep(n, value);
    } else if (n.view == nullptr) {
      install(n.parent, value);
    } else if (overlaps(n.parent)) {
      install_through_overlap(target, value);
    } else {
      const ValueId base = read(n.parent);
      install(n.parent, inverted(*n.view, n.parent, base, value));
    }
  }

  // How a value lies in memory, which says what is seen twice. Asked of views only, so that a program
  // without them costs nothing.
  const Tensor& meta_tensor(ValueId id) {
    Tensor& known = meta_tensors_[static_cast<size_t>(id.index)];
    if (known.defined()) return known;
    const Name& n = name(id);
    Tensor made = make_meta_tensor(old_[id]);
    if (n.view != nullptr) made = seen_by(*n.view, [this](ValueId v) { return meta_tensor(v); });
    if (n.view == nullptr && n.parent.index >= 0) made = meta_tensor(n.parent);
    return meta_tensors_[static_cast<size_t>(id.index)] = made;
  }
  bool overlaps(ValueId id) { return meta_tensor(id).may_overlap_itself(); }

  static Tensor seen_by(const Node& view, const std::function<Tensor(ValueId)>& meta_tensor_of) {
    const BoundArguments bound(view, meta_tensor_of);
    return call_on_meta(*view.op, bound.args(), view.where)[0];
  }

  // A write to a part of what shows elements twice, such as one row of an expanded tensor: by where the
  // part lies in the last value on the way to the memory that shows each element once.
  void install_through_overlap(ValueId target, ValueId value) {
    std::vector<const Node*> way;  // from that value to the target, last first
    ValueId base = target;
    while (name(base).parent.index >= 0 && (base == target || overlaps(base))) {
      if (name(base).view != nullptr) way.push_back(name(base).view);
      base = name(base).parent;
    }
    Tensor seen = make_meta_tensor({.type = old_[base].type});
    const Tensor whole = seen;
    for (size_t i = way.size(); i-- > 0;) {
      seen = seen_by(
          *way[i], [&](ValueId id) { return id == operands(*way[i])[0] ? seen : meta_tensor(id); });
    }
    RIDGE_CHECK(seen.shares_storage_with(whole) && !whole.may_overlap_itself(),
                .code = ErrorCode::state, .expected = "a tensor to write to",
                .given = "a part of one that shows elements twice",
                .hint = "write to a clone of it", .where = recorder_.where());
    const ValueId before = read(base);
    ValueId after;
    {
      const Recorder::Scope scope(recorder_);
      const Tensor flat = reshape(tensor(before), {whole.numel()});
      const Tensor written = strided_scatter(flat, tensor(value), seen.strides(), seen.offset());
      after = recorder_.id(reshape(written, whole.shape()));
    }
    install(base, after);
  }

  ValueId inverted(const Node& view, ValueId parent, ValueId base, ValueId value) {
    const Recorder::Scope scope(recorder_);
    const BoundArguments bound(view,
                               [&](ValueId id) { return tensor(id == parent ? base : read(id)); });
    const ops::Call call(view.op->schema(), bound.args());
    return recorder_.id(invert_view(call, tensor(base), tensor(value)));
  }

  void add_update(ValueId input) {
    ValueId value = read(input);
    for (const Update& u : old_.updates) {
      if (u.input == input) value = read(u.value);
    }
    const ValueId before = rewriter_[input];
    if (value != before) rewriter_.graph().updates.push_back({before, value});
  }

  const Graph& old_;
  Rewriter rewriter_;
  Recorder recorder_;
  std::vector<Name> names_;           // by old value
  std::vector<int64_t> generations_;  // by old value that is a root
  std::vector<Tensor> meta_tensors_;  // by old value, of those that were asked
};

}  // namespace

Graph functionalize(Graph graph, const PassContext&) {
  if (is_functional(graph)) {
    forget_memory(graph);
    return graph;
  }
  install_recorder();
  // Composite views, such as a transpose, are inverted step by step.
  std::vector<bool> is_view;  // by value
  for (const Value& value : graph.values) is_view.push_back(value.alias.has_value());
  const auto is_composite_view = [&](const Node& node) {
    return is_composite(*node.op) && std::ranges::any_of(node.results, [&](ValueId id) {
             return is_view[static_cast<size_t>(id.index)];
           });
  };
  const Graph plain = expand_nodes(std::move(graph), is_composite_view, is_composite);
  return Functionalizer(plain).run();
}

}  // namespace ridge::graph
