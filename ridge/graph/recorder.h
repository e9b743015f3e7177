// Records op calls into a graph: how capture, decomposition and differentiation all write one.
//
// While a Recorder is active on a thread, ops called there do not run. Each becomes a node, and the
// tensors it returns are fake: they have shape, dtype and device, and no elements. The meta backend says
// what an op returns, so composite ops are recorded whole.
//
//   Graph graph;
//   Recorder recorder(graph);
//   Tensor x = recorder.input({f32, {8, 4}}, "x");
//   {
//     Recorder::Scope scope(recorder);
//     y = relu(x) * 2;             // two nodes, one weak constant
//   }
//   graph.outputs = {recorder.id(y)};
//
// Error{state} at the call: a tensor with elements as operand, unless it is a plain number or was given
// to `constant`; reading a fake tensor, or using one whose recorder is gone. Recorders nest: the
// innermost one records, and a fake tensor of an enclosing one becomes a further input of its graph,
// listed in `captured`.
//
// A scope begins with grad mode on. Calls recorded while the user has it off read their operands through
// `detach`, so no gradient flows through them; their writes change values and leave gradients as they
// were.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/graph.h"

namespace ridge::graph {

class Recorder {
 public:
  explicit Recorder(Graph& graph);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // `strides`: where it is not row-major.
  Tensor input(const Type& type, std::string name = {}, std::optional<Shape> strides = {});
  Tensor constant(const Tensor& value);
  // A fake tensor for a value that the graph already has.
  Tensor fake(ValueId id);
  // The value a fake tensor of this recorder stands for. Error{state} at `where` for another tensor; a
  // plain number becomes a constant.
  ValueId id(const Tensor& tensor, Location where = Location::current());
  bool owns(const Tensor& tensor) const;

  // Line and layer of the nodes recorded from now on, in place of the caller's. Passes that replace a
  // node keep its line by this.
  void set_origin(std::optional<Location> where, std::string scope = {});
  // Only the layer, which `LayerScope` of the capture layer sets and restores.
  const std::string& scope() const { return scope_; }
  const std::optional<Location>& where() const { return where_; }
  void set_scope(std::string scope) { scope_ = std::move(scope); }
  // The phase of nodes recorded from now on.
  Phase phase() const { return phase_; }
  void set_phase(Phase phase) { phase_ = phase; }
  // The checkpoint region of nodes recorded from now on; 0 for none. `next_region` gives a number that
  // was not used before in this capture and enclosing ones; after 255 numbers repeat.
  uint8_t region() const { return region_; }
  void set_region(uint8_t region) { region_ = region; }
  uint8_t next_region();

  // Ops for which `expands` holds are recorded as their decomposition, recursively. Unless set, every op
  // is recorded whole.
  void set_expands(std::function<bool(const dispatch::Operator&)> expands);

  // Calls of this thread are recorded while it lives.
  class Scope {
   public:
    explicit Scope(Recorder& recorder);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Recorder& recorder_;
    void* outer_;
    Recorder* enclosing_;  // what the recorder itself had before
    bool had_key_;
    bool was_excluded_;
    dispatch::GradMode has_gradients_{true};
  };

  // Stand-ins of enclosing recorders that were used here, and the inputs they became.
  struct Capture {
    Tensor outer;
    ValueId input;
  };
  const std::vector<Capture>& captured() const { return captured_; }

  Graph& graph() { return graph_; }
  Recorder* enclosing() const { return enclosing_; }
  // Compiled functions being recorded, outermost first, by address. The capture layer keeps the list to
  // find a function that calls itself.
  std::vector<const void*>& functions() { return functions_; }
  static Recorder* active();  // of this thread; null if calls run

  void record(dispatch::Frame& frame);  // the kernel of Key::trace
  // Adds a node of control flow (control.h), over values of the graph; returns its results.
  std::vector<Tensor> add_node(const dispatch::Operator& op, std::vector<Argument> args,
                               std::vector<Type> results, Location where);

 private:
  struct Known {
    Tensor tensor;  // keeps the address from being used again
    ValueId id;
  };
  ValueId find(const Tensor& tensor);
  ValueId find_fake(const Tensor& tensor);
  ValueId capture(const Tensor& outer);
  ValueId number(const Tensor& value);
  std::vector<Argument> arguments(const dispatch::Frame& frame);
  // Of a value with a gradient, its detached view.
  ValueId cut(ValueId id);
  void check_writes(const dispatch::Frame& frame, const Node& node) const;
  void add_results(dispatch::Frame& frame, Node node, std::span<const Tensor> meta_tensors);
  // The tensor of the meta backend that has a value's shape and strides; views of it share storage.
  const Tensor& meta_tensor(ValueId id);
  // Of such a list, with room for all values there are.
  Tensor& of_value(std::vector<Tensor>& list, ValueId id) const;
  Tensor make_fake(const Tensor& meta_tensor, ValueId id, Device device, Ref<Storage> storage);

  Graph& graph_;
  Ref<FakeOwner> owner_;
  std::unordered_map<const TensorImpl*, Known> known_;
  // By value; undefined where there is none.
  std::vector<Tensor> fakes_, meta_tensors_;
  std::map<std::tuple<DTypeKind, uint8_t, uint64_t>, ValueId> numbers_;
  std::unordered_map<int32_t, ValueId> cuts_, uncut_;  // values and their detached views, and back
  std::vector<Capture> captured_;
  std::vector<const void*> functions_;
  std::function<bool(const dispatch::Operator&)> expands_;
  Recorder* enclosing_ = nullptr;
  std::optional<Location> where_;
  std::string scope_;
  int32_t next_token_ = 1;
  Phase phase_ = Phase::forward;
  uint8_t region_ = 0, region_count_ = 0;
};

// Sets the phase of nodes that this thread records while it lives, unless an outer scope has set one.
class PhaseScope {
 public:
  explicit PhaseScope(Phase phase) : recorder_(Recorder::active()) {
    if (recorder_ != nullptr && recorder_->phase() != Phase::forward) recorder_ = nullptr;
    if (recorder_ != nullptr) recorder_->set_phase(phase);
  }
  ~PhaseScope() {
    if (recorder_ != nullptr) recorder_->set_phase(Phase::forward);
  }
  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;

 private:
  Recorder* recorder_;
};

// Installs Recorder::record as the kernel of Key::trace for every op.
void install_recorder();

}  // namespace ridge::graph
