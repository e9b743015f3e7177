// The captured program: a list of op calls over tensors, in single assignment form.
//
//   graph step(%0: f32[8, 4] "x", %1: f32[] "rate") {
//     %2 = mul(%0, %1) : f32[8, 4]                  // train.cpp:12
//     %3 = sum(%2, dims=[0], keepdim=false) : f32[4]
//     return %3
//     update %0 = %2
//   }
//
// Semantics
// - A value is an input, a constant or a result of a node; values and nodes are known by their
//   position in the graph's lists. Nodes stand in an order where definitions come before uses.
// - The record of its op defines what a node computes (ops/record.h). Shapes may be symbolic.
// - As captured, a graph may have views and ops that write (in-place forms, `assign_`). Then a value
//   names memory: the `alias` of a result is the value it shares memory with. Nodes that write have a
//   token; they run in the order of their tokens, and none of them is dead. After `functionalize` no
//   node writes, no value has an alias, and only data dependences order nodes.
// - Nodes of control flow (control.h) have bodies, graphs that they run, after all other arguments.
// - Nodes of a gradient have the phase `backward`. The forward values they read are saved, or recomputed
//   by copies of phase `recomputed` (aot/partition.h). A phase never changes what a node computes.
// - Nodes inside of a `checkpoint` have the number of its region. Values that only nodes of the region
//   read are not saved for gradients.
// - `updates` are the writes that outlive the program: input k holds value v afterwards.
// - Note [Bits]: a value that several kernels compute has the same bits in all of them, because the node
//   has all that decides its bits. An FMA is one op (passes/passes.h). `forms` says which forms of
//   functions are used (passes/passes.h). `rounds` says that a 16-bit value is rounded wherever it
//   is computed. Passes do not change a node whose forms are chosen, so graphs split from a larger one
//   keep its choices. A sum has the order of its mapping; aot/partition.h recomputes no sum that decides
//   something.
// - Numbers the user wrote beside tensors are weak constants: they give way in dtype promotion, as
//   they do eagerly.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ridge/core/function_forms.h"
#include "ridge/core/tensor.h"
#include "ridge/dispatch/operator.h"

namespace ridge::graph {

// Position of a value in Graph::values.
struct ValueId {
  int32_t index = -1;
  constexpr bool operator==(const ValueId&) const = default;
  constexpr auto operator<=>(const ValueId&) const = default;
};
using ValueIds = std::vector<ValueId>;

// A program that a node runs (control.h): functional, and closed but for its inputs.
struct Graph;
using Body = std::shared_ptr<const Graph>;

// An argument of a node: tensors as ids of values, anything else as the caller gave it.
using Argument = std::variant<std::monostate, ValueId, ValueIds, int64_t, double, bool, DType,
                              Device, Ints, Shape, Body>;

struct Type {
  DType dtype = f32;
  Shape shape{};
  Device device = kCpu;
  bool is_weak = false;
};

struct Value {
  Type type;
  std::string name{};              // of an input, for readers: "x", "model.head.weight"
  int32_t node = -1;               // what computes it; -1 for inputs and constants
  int32_t result = 0;              // which result of that node
  Tensor constant{};               // defined for constants, contiguous, on the CPU
  std::optional<ValueId> alias{};  // memory shared with, before functionalize
  // Of an input that is not row-major, before functionalize; they decide which views are possible.
  std::optional<Shape> strides{};
};

// Where a node of a program with gradients runs. `saved` ones are forward nodes whose values backward
// nodes read. What an `optimizer` computes goes with the gradients it reads.
enum class Phase : uint8_t { forward, saved, backward, recomputed, optimizer };

struct Node {
  const dispatch::Operator* op = nullptr;
  std::vector<Argument> args{};
  ValueIds results{};
  Location where{};     // the user's line
  std::string scope{};  // the layer it was called in, "block.3"
  int32_t token = 0;    // > 0 for nodes with an effect: they run in this order
  Phase phase = Phase::forward;
  uint8_t region = 0;  // of a checkpoint; 0: of none
  // What decides the bits of its value (Note [Bits]): the forms of its functions, once chosen, and
  // whether a 16-bit value is rounded even where it is kept in registers.
  std::optional<FunctionForms> forms{};
  bool rounds = false;
};

// Copies phase, region and what decides bits, between nodes that compute the same.
void copy_marks(Node& to, const Node& from);

// Is the node itself backward or recomputed, whatever it reads?
inline bool is_of_gradient(const Node& node) {
  return node.phase == Phase::backward || node.phase == Phase::recomputed;
}

struct Update {
  ValueId input;
  ValueId value;
};

struct Graph {
  std::string name = "graph";
  std::vector<Value> values{};
  std::vector<Node> nodes{};
  ValueIds inputs{};
  ValueIds outputs{};
  std::vector<Update> updates{};

  const Value& operator[](ValueId id) const { return values[static_cast<size_t>(id.index)]; }
  Value& operator[](ValueId id) { return values[static_cast<size_t>(id.index)]; }

  ValueId add_input(Type type, std::string name = {});
  ValueId add_constant(Tensor value);  // weak if the tensor is
  // Results get the given types; returns the node's position.
  int32_t add_node(const dispatch::Operator& op, std::vector<Argument> args,
                   std::vector<Type> results, Location where, std::string scope = {});
};

// Does the op write to an operand (in-place forms, assign_)? Its schema says so.
bool writes(const dispatch::Operator& op);
// Does no node write? Then aliases do not matter and only data dependences order nodes.
bool is_functional(const Graph& graph);
// Drops aliases and strides, which have no effect where no node writes.
void forget_memory(Graph& graph);

// Tensor operands in order, lists flattened, those left out skipped.
ValueIds operands(const Node& node);
// By number as gradient rules count them (ops/call.h): nothing for one that was left out.
std::vector<std::optional<ValueId>> numbered_operands(const Node& node);
// The node with each tensor operand replaced.
void replace_operands(Node& node, const std::function<ValueId(ValueId)>& replacement);
// For each value, the nodes that read it, in order, each once.
std::vector<std::vector<int32_t>> users(const Graph& graph);

// The arguments of a node for the dispatcher, with a tensor in place of each value.
class BoundArguments {
 public:
  BoundArguments(const Node& node, const std::function<Tensor(ValueId)>& tensor);
  std::span<const dispatch::Arg> args() const { return args_; }

 private:
  std::vector<dispatch::Value> values_;
  std::vector<dispatch::Arg> args_;
};

std::string to_text(const Type& type);  // "f32[2, 3]", "f64[] weak", "f32[2] cuda:0"
std::string to_text(const Graph& graph);
// Reads what to_text writes, source lines aside. Error{parse} with line and column.
Graph parse(std::string_view text);
// Error{internal} that names the node, unless the graph keeps the rules above and every result has
// the type that the record of its op gives.
void verify(const Graph& graph);
// Equal for graphs that print alike, source lines and names aside.
uint64_t hash(const Graph& graph);

// The same graph with every value on that device.
Graph on_device(Graph graph, Device device);

// For files, which anybody may have written: parses and verifies. Error{parse} with file and line:
//   step/graph.ir:2, graph f, node 0 neg: expected %1 of type f32[8], given f32[9] (parse error)
Graph read(std::string_view text, std::string_view file);

}  // namespace ridge::graph
