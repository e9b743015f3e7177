#include "ridge/aot/push_forward.h"
#include "ridge/graph/control.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/ops/creation.h"

namespace ridge::aot {

using graph::Body;
using graph::ControlParts;
using graph::Graph;
using graph::Node;
using graph::Recorder;
using graph::Type;
using graph::ValueId;
using graph::ValueIds;
using ops::Control;

namespace {

// Control flow with tangents, in the making.
class ControlTangents {
 public:
  ControlTangents(Recorder& recorder, const Node& node, const std::vector<Tensor>& tangents)
      : recorder_(recorder), parts_(control_parts(node)), body_(*parts_.bodies.back()) {
    // The condition of a cond is its first operand and no input of its bodies.
    const size_t skipped = parts_.kind == Control::cond ? 1 : 0;
    given_.assign(tangents.begin() + static_cast<int64_t>(skipped), tangents.end());
    for (size_t i = 0; i < given_.size(); ++i) {
      const bool is_carried = i < parts_.carry.size();  // any part of a carry may reach any other
      if (is_carried ? is_float(body_.inputs[i]) : given_[i].defined()) wrt_.push_back(i);
    }
    for (size_t i = 0; i < body_.outputs.size(); ++i) {
      if (is_float(body_.outputs[i])) moved_.push_back(i);
    }
  }

  std::vector<Tensor> run(Location where) {
    ControlParts now = parts_;
    now.bodies.clear();
    for (const Body& body : parts_.bodies) {
      const bool is_condition =
          parts_.kind == Control::while_loop && &body == &parts_.bodies.front();
      Graph moved = is_condition ? with_unread_tangents(*body) : push_forward(*body, wrt_, moved_);
      now.bodies.push_back(
          std::make_shared<const Graph>(in_order(std::move(moved), !is_condition)));
    }
    for (const size_t i : wrt_) section_of(now, i).push_back(recorder_.id(tangent(i)));
    return by_result(
        recorder_.add_node(ops::control_op(now.kind), now.arguments(), now.result_types(), where));
  }

 private:
  bool is_float(ValueId id) const { return is_floating(body_[id].type.dtype); }

  Tensor tangent(size_t input) {
    if (given_[input].defined()) return given_[input];
    const Type& type = body_[body_.inputs[input]].type;
    return zeros(type.shape, type.dtype, type.device);
  }

  ValueIds& section_of(ControlParts& parts, size_t input) const {
    if (input < parts_.carry.size()) return parts.carry;
    return input < parts_.carry.size() + parts_.xs.size() ? parts.xs : parts.inputs;
  }

  Graph with_unread_tangents(Graph body) const {
    for (const size_t i : wrt_) {
      Type type = body[body.inputs[i]].type;
      type.is_weak = false;
      body.add_input(type, "tangent");
    }
    return body;
  }

  // The tangents behind the part they belong to, in place of behind everything.
  Graph in_order(Graph body, bool with_outputs) const {
    const size_t xs = parts_.carry.size() + parts_.xs.size();
    body.inputs = sorted(body.inputs, given_.size(), wrt_, {parts_.carry.size(), xs});
    if (with_outputs) {
      body.outputs = sorted(body.outputs, body_.outputs.size(), moved_, {parts_.carry.size()});
    }
    return graph::eliminate_dead_code(std::move(body), {});
  }

  // `ends`: where a part ends, but for the last one.
  static ValueIds sorted(const ValueIds& ids, size_t own, const std::vector<size_t>& moved,
                         const std::vector<size_t>& ends) {
    ValueIds result;
    size_t next = 0;
    size_t from = 0;
    for (size_t part = 0; part <= ends.size(); ++part) {
      const size_t end = part < ends.size() ? ends[part] : own;
      for (; from < end; ++from) result.push_back(ids[from]);
      for (; next < moved.size() && moved[next] < end; ++next) result.push_back(ids[own + next]);
    }
    return result;
  }

  std::vector<Tensor> by_result(const std::vector<Tensor>& recorded) const {
    const size_t count = body_.outputs.size();
    std::vector<Tensor> results(2 * count);
    size_t at = 0;
    size_t next = 0;
    size_t from = 0;
    for (const size_t end : {parts_.carry.size(), count}) {
      for (; from < end; ++from) results[from] = recorded[at++];
      for (; next < moved_.size() && moved_[next] < end; ++next) {
        results[count + moved_[next]] = recorded[at++];
      }
    }
    return results;
  }

  Recorder& recorder_;
  const ControlParts parts_;
  const Graph& body_;
  std::vector<Tensor> given_;  // tangents by input of the body
  std::vector<size_t> wrt_;    // inputs of the body that move
  std::vector<size_t> moved_;  // its outputs that may
};

}  // namespace

std::vector<Tensor> control_tangents(Recorder& recorder, const Node& node,
                                     const std::vector<Tensor>& tangents) {
  return ControlTangents(recorder, node, tangents).run(node.where);
}

}  // namespace ridge::aot
