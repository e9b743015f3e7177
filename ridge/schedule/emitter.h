// From the members of a group to the statements of its kernel.
//
// The emitter is asked for values and stores; it writes whatever they need, each value once for each
// index it is needed at, in the outermost loop where that index is known. Mappings (cpu_loops.cpp,
// gpu_loops.cpp) decide on loops and open and close them here.
//
//   emitter.open(axis, extent, Place::cpu_thread);
//   const int v = emitter.member_value(member);     // loads, lets
//   emitter.store(member, v);
//   emitter.close();
//
// Axes: members speak of the axes of the group; the kernel's own axes may be merged or split, and
// `set_group_axes` says how the former are made of the latter.
//
// One class in two files: emitter.cpp has axes, loops, memory and the values of nodes and members,
// emitter_lower.cpp the way from expressions of a definition to those of the kernel.
#pragma once

#include <map>
#include <vector>

#include "ridge/core/dtype.h"
#include "ridge/expr/expr.h"
#include "ridge/loop/loop.h"
#include "ridge/schedule/fuse.h"
#include "ridge/schedule/open_scopes.h"

namespace ridge::schedule {

// Where a value lives: elements of a planned buffer, at these strides.
struct ValueLocation {
  int buffer = -1;
  Shape strides{};
};
// For each value of the graph; buffer -1 if it has no memory.
using ValueLocations = std::vector<ValueLocation>;

// What kernels call a planned buffer: after the value stored in it, and by its number, because names
// repeat in the user's program. Memory that is no value of the graph has only a number.
std::string buffer_name(const Graph& graph, ValueId value, int planned);
std::string scratch_name(int planned);

class Emitter {
 public:
  Emitter(const InlinedGraph& program, const Group& group, const ValueLocations& locations);

  // --- axes and loops ---
  int add_axis(const Size& extent);  // a new axis of the kernel
  const Size& extent(int axis) const { return extents_[static_cast<size_t>(axis)]; }
  int axis_count() const { return kernel_.axis_count; }
  void set_group_axes(std::vector<Expr> axes) { group_axes_ = std::move(axes); }
  const std::vector<Expr>& group_axes() const { return group_axes_; }
  // `defines_values`: may values that depend on the axis be made right inside? Not where a condition must
  // hold first; its body then defines them.
  void open(int axis, const Expr& extent, loop::Place place, bool defines_values = true);
  void open(int axis, loop::Place place) { open(axis, extent(axis).expression(), place); }
  void close() { scopes_.close(); }
  // A body to be filled and then taken: for conditions and contractions.
  void open_body(uint64_t axes = 0) { scopes_.open_body(axes); }
  loop::Body close_body() { return scopes_.close_body(); }
  // From now on nothing is made outside of the current body: what it computes is computed there, by
  // threads for which its condition holds.
  void stay_inside() { scopes_.stay_inside(); }
  loop::Body& body() { return scopes_.body(); }  // that is open
  void add(loop::Statement statement) { scopes_.add(std::move(statement)); }

  // --- values ---
  // The value of a map member, or the result of a reduction that was emitted, at its own index.
  int member_value(const Member& member);
  // What a reduction combines at one point.
  int reduced_value(const Member& member);
  // Of a reduction, once nothing more is combined into it.
  void set_result(const Member& member, int value);
  void store(const Member& member, int value);
  // An expression over a definition's axes with its loads made directly, no lets: for the operands
  // of contractions and for scatters.
  Expr raw(const Member& member, const Expr& e);
  // An expression of a node's definition over given axes of the kernel, its loads as lets.
  Expr lowered(int32_t node, const Expr& e, const std::vector<Expr>& axes) {
    return lower(e, node, axes, Predication::none);
  }
  // A value at a position over the axes of the kernel, wherever it comes from.
  Expr value_at(ValueId value, const std::vector<Expr>& position, DType dtype) {
    return fetch(value, position, dtype);
  }
  Expr address(ValueId value, const std::vector<Expr>& position);
  int buffer(ValueId value, loop::Access access);
  // Memory that is no value of the graph.
  int scratch(int planned, DType dtype, const Shape& shape);
  int new_value(std::string name, DType dtype);
  // The value of `e` over registers, as a let in the current scope.
  int let(std::string name, DType dtype, DType arithmetic, const Expr& e,
          std::optional<DType> rounds = {}, FunctionForms forms = {});
  Expr read(int value) const;
  DType arithmetic_of(int32_t node) const;
  Expr simplified(const Expr& e) const;
  // Over the axes of the kernel.
  std::vector<Expr> member_axes(const Member& member) const;

  loop::Kernel& kernel() { return kernel_; }
  // The planned buffers behind the kernel's global ones, in order.
  const std::vector<int>& buffers() const { return buffer_ids_; }
  loop::Kernel finish();

 private:
  // Where an expression may be evaluated. none: everywhere. select: where a select chooses it. outside: the point
  // itself may be outside of the node's shape, so no load of the expression may be hoisted.
  enum class Predication : uint8_t { none, select, outside };
  Expr lower(const Expr& e, int32_t node, const std::vector<Expr>& axes, Predication predication);
  Expr lower_load(const Expr& load, int32_t node, const std::vector<Expr>& axes,
                  Predication predication);
  Expr fetch(ValueId value, const std::vector<Expr>& position, DType compute);
  // The value that an inlined view shows, and the position there; and the one behind all of them.
  ValueId behind_view(int32_t node, std::vector<Expr>& position) const;
  ValueId behind_views(ValueId value, std::vector<Expr>& position) const;
  // Through no let: an element of memory, or what is inlined, computed where it stands.
  Expr made_in_place(ValueId value, const std::vector<Expr>& position);
  Expr converted(int value, DType from, DType to);
  std::optional<Expr> number(ValueId value, DType compute) const;
  int node_value(int32_t node, const std::vector<Expr>& axes);
  int load(ValueId value, const std::vector<Expr>& position);
  const Member* matching_member(ValueId value) const;

  const InlinedGraph& program_;
  const Group& group_;
  const ValueLocations& locations_;
  Shape extents_;
  std::vector<Expr> group_axes_;
  OpenScopes scopes_;
  std::map<int32_t, int> results_;  // of reductions, by node
  std::map<int, int> kernel_buffer_;
  std::vector<int> buffer_ids_;
  loop::Kernel kernel_;
};

// What a register holds of elements in memory: floats as f32 or f64, integers as i64, booleans as such.
// Narrower ones wrap or round when they are stored.
//
// The register type of elements of a dtype.
DType register_dtype(DType dtype);

// A value as an element of that dtype has it, in its register. By core/element_cast.h a real becomes
// the nearest integer that the dtype has, not only the nearest of 64 bits.
expr::Expr stored_as(const expr::Expr& e, DType dtype);

// Does a register of `from` hold the value that storing as `to` would give?
bool is_exact_as(DType from, DType to);

}  // namespace ridge::schedule
