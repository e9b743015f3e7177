#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/expr/text.h"
#include "ridge/schedule/domain.h"
#include "ridge/schedule/fuse.h"
#include "ridge/schedule/loops.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

Shape concatenated(const Shape& a, const Shape& b) {
  Shape result = a;
  for (const Size& size : b) result.push_back(size);
  return result;
}

// A space for both, and the axes of each group in it.
struct Unified {
  Shape outer, inner;
  std::vector<Expr> first, second;
  bool first_is_row = false, second_is_row = false;  // a map group that runs once for each row
};

void append_shifted(std::vector<Expr>& axes, const std::vector<Expr>& more, size_t by) {
  for (const Expr& axis : more) axes.push_back(shift_axes(axis, static_cast<int>(by)));
}

std::optional<Unified> unify_rows(const Group& a, const Group& b) {
  const auto outer = refine(a.outer, b.outer);
  const auto inner = outer ? refine(a.inner, b.inner) : std::nullopt;
  if (!inner) return std::nullopt;
  Unified result{outer->axes, inner->axes, outer->first, outer->second};
  append_shifted(result.first, inner->first, outer->axes.size());
  append_shifted(result.second, inner->second, outer->axes.size());
  return result;
}

// `rows` has inner axes, `map` has not: it runs at every point, or once for each row.
std::optional<Unified> unify_with_map(const Group& rows, const Group& map, bool rows_come_first) {
  const auto in_order = [&](Unified u) {
    if (!rows_come_first) {
      std::swap(u.first, u.second);
      std::swap(u.first_is_row, u.second_is_row);
    }
    return u;
  };
  if (const auto outer = refine(rows.outer, map.outer)) {
    Unified result{outer->axes, rows.inner, outer->first, outer->second};
    for (size_t i = 0; i < rows.inner.size(); ++i) {
      result.first.push_back(expr::axis(static_cast<int>(outer->axes.size() + i)));
    }
    result.second_is_row = true;
    return in_order(std::move(result));
  }
  if (rows.kind == GroupKind::contraction) return std::nullopt;
  const Shape all = concatenated(rows.outer, rows.inner);
  const auto points = refine(all, map.outer);
  if (!points) return std::nullopt;
  // The refinement keeps the cut between rows and what is along them.
  const auto row_part = refine(rows.outer, rows.outer);
  size_t cut = 0;
  Size taken = 1;
  const Size row_count = numel(row_part->axes);
  while (cut < points->axes.size() && !taken.is_same(row_count)) {
    taken = taken * points->axes[cut++];
  }
  if (!taken.is_same(row_count)) return std::nullopt;
  Unified result{Shape(points->axes.begin(), points->axes.begin() + static_cast<ptrdiff_t>(cut)),
                 Shape(points->axes.begin() + static_cast<ptrdiff_t>(cut), points->axes.end()),
                 points->first, points->second};
  return in_order(std::move(result));
}

std::optional<Unified> unify(const Group& a, const Group& b) {
  if (a.kind == GroupKind::map && b.kind == GroupKind::map) {
    const auto outer = refine(a.outer, b.outer);
    if (!outer) return std::nullopt;
    return Unified{outer->axes, {}, outer->first, outer->second};
  }
  if (a.kind == GroupKind::map) return unify_with_map(b, a, false);
  if (b.kind == GroupKind::map) return unify_with_map(a, b, true);
  if (a.kind != GroupKind::reduction || b.kind != GroupKind::reduction) return std::nullopt;
  return unify_rows(a, b);
}

// The rows of `a` are what `b` reduces over.
std::optional<Unified> unify_columns(const Group& a, const Group& b) {
  const auto outer = refine(a.outer, b.inner);
  const auto inner = outer ? refine(a.inner, b.outer) : std::nullopt;
  if (!inner || inner->axes.empty() || outer->axes.empty()) return std::nullopt;
  Unified result{outer->axes, inner->axes, outer->first, {}};
  append_shifted(result.first, inner->first, outer->axes.size());
  append_shifted(result.second, inner->second, outer->axes.size());
  append_shifted(result.second, outer->second, 0);
  return result;
}

std::vector<Member> moved(const Group& group, const std::vector<Expr>& axes, bool becomes_row) {
  std::vector<Member> members = group.members;
  for (Member& member : members) {
    for (Expr& axis : member.axes) axis = expr::simplify(substitute_axes(axis, axes));
    member.is_per_row |= becomes_row;
  }
  return members;
}

// The index at which a member computes its value, over the axes of the group.
Expr own_position(const InlinedGraph& program, const Member& member, const Shape& extents) {
  const Shape& shape = program.graph()[program.result(member.node)].type.shape;
  return linear_position(program.node_definition(member.node).position(member.axes), shape,
                         extents);
}

const Member* find(const std::vector<Member>& members, int32_t node) {
  for (const Member& member : members) {
    if (member.node == node) return &member;
  }
  return nullptr;
}

// Does every read of a member's value happen where it is computed?
Decision can_match(const InlinedGraph& program, const std::vector<Member>& producers,
                   const Member& consumer, const Shape& extents) {
  for (const Read& read : program.reads(consumer.node)) {
    const int32_t node = program.graph()[read.value].node;
    const Member* producer = node < 0 ? nullptr : find(producers, node);
    if (producer == nullptr) continue;
    if (read.is_indirect) return Decision::no("its elements are looked up by an index");
    if (read.is_predicated) return Decision::no("it is read under a condition");
    const Shape& shape = program.graph()[read.value].type.shape;
    std::vector<Expr> position;
    for (const Expr& index : read.position) {
      position.push_back(substitute_axes(index, consumer.axes));
    }
    const Expr at = linear_position(position, shape, extents);
    if (!expr::same(at, own_position(program, *producer, extents))) {
      return Decision::no("it is read at " + expr::to_text(at) + " and computed at " +
                          expr::to_text(own_position(program, *producer, extents)));
    }
  }
  return Decision::yes("read where it is computed");
}

// Partial results of several blocks become one; what is found by its position, or where it is asked
// for only, does not.
Decision can_keep_partials(const InlinedGraph& program, const Group& group) {
  for (const Member& member : group.members) {
    if (gives_position(program.node_definition(member.node).definition.reducer)) {
      return Decision::no("a position is found by going along the whole row");
    }
    for (const Read& read : program.reads(member.node)) {
      if (read.is_predicated) return Decision::no("it is read under a condition");
    }
  }
  return Decision::yes("partial results can be combined");
}

// What is found for a column is there only when all rows are done.
Decision needs_no_column(const InlinedGraph& program, const std::vector<Member>& members,
                         const Member& at_points) {
  for (const Read& read : program.reads(at_points.node)) {
    const int32_t node = program.graph()[read.value].node;
    const Member* producer = node < 0 ? nullptr : find(members, node);
    const bool is_point =
        producer == nullptr || (program.node_definition(node).is_map() && !producer->is_per_column);
    if (!is_point) return Decision::no("column sums are read before all rows are done");
  }
  return Decision::yes("column sums are read at the end");
}

size_t buffer_count(const InlinedGraph& program, const Group& group) {
  std::vector<int32_t> values;
  for (const Member& member : group.members) {
    values.push_back(program.result(member.node).index);
    for (const Read& read : program.reads(member.node)) values.push_back(read.value.index);
  }
  std::sort(values.begin(), values.end());
  return static_cast<size_t>(std::unique(values.begin(), values.end()) - values.begin());
}

// Both in one space, if there is one and every value passes from one to the other at its own index.
Merged merge_in_order(const InlinedGraph& program, const Group& first, const Group& second) {
  const std::optional<Unified> space = unify(first, second);
  if (!space) {
    return {Decision::no(concat("their spaces differ: ", first.outer, " | ", first.inner, " and ",
                                second.outer, " | ", second.inner))};
  }
  Group group{std::max(first.kind, second.kind), space->outer, space->inner, {}};
  group.members = moved(first, space->first, space->first_is_row);
  std::vector<Member> more = moved(second, space->second, space->second_is_row);
  const Shape extents = group.extents();
  for (const Member& consumer : more) {
    Decision match = can_match(program, group.members, consumer, extents);
    if (!match) return {std::move(match)};
  }
  for (Member& member : more) group.members.push_back(std::move(member));
  return {Decision::yes("values pass in registers"), std::move(group)};
}

// The axes of a map come in the order of its result; a reduction over the first of them wants
// another one. Any order is right, so each is tried.
std::vector<Group> other_orders(const Group& map) {
  constexpr size_t kMaxAxes = 4;
  std::vector<Group> orders;
  const size_t rank = map.outer.size();
  if (map.kind != GroupKind::map || rank < 2 || rank > kMaxAxes) return orders;
  std::vector<size_t> order(rank);
  for (size_t i = 0; i < rank; ++i) order[i] = i;
  while (std::next_permutation(order.begin(), order.end())) {
    Group permuted{map.kind, {}, {}, map.members};
    std::vector<Expr> axes(rank);
    for (size_t i = 0; i < rank; ++i) {
      permuted.outer.push_back(map.outer[order[i]]);
      axes[order[i]] = expr::axis(static_cast<int>(i));
    }
    for (Member& member : permuted.members) {
      for (Expr& axis : member.axes) axis = substitute_axes(axis, axes);
    }
    orders.push_back(std::move(permuted));
  }
  return orders;
}

}  // namespace

Merged merge(const InlinedGraph& program, const Group& first, const Group& second) {
  const auto no = [](std::string reason) { return Merged{Decision::no(std::move(reason))}; };
  if (first.has_columns() || second.has_columns()) return no("one of them has persistent blocks");
  if (first.kind == GroupKind::scatter || second.kind == GroupKind::scatter) {
    return no("a scatter runs by itself");
  }
  if (second.kind == GroupKind::contraction) return no("a contraction reads its operands in tiles");
  if (first.members.size() + second.members.size() > kMaxMembers) return no("too many members");
  Merged merged = merge_in_order(program, first, second);
  const bool is_mixed = (first.kind == GroupKind::map) != (second.kind == GroupKind::map);
  if (!merged.decision && is_mixed) {
    const bool first_is_map = first.kind == GroupKind::map;
    for (const Group& map : other_orders(first_is_map ? first : second)) {
      Merged other =
          first_is_map ? merge_in_order(program, map, second) : merge_in_order(program, first, map);
      if (other.decision) {
        merged = std::move(other);
        break;
      }
    }
  }
  if (merged.decision && buffer_count(program, merged.group) > kMaxBuffers) {
    return no("too many buffers");
  }
  return merged;
}

std::optional<Merged> merge_columns(const InlinedGraph& program, const Group& rows,
                                    const Group& columns) {
  if (rows.kind != GroupKind::reduction || columns.kind != GroupKind::reduction)
    return std::nullopt;
  if (columns.has_columns()) return std::nullopt;
  const std::optional<Unified> space = unify_columns(rows, columns);
  if (!space) return std::nullopt;
  for (const Group* group : {&rows, &columns}) {
    if (Decision can = can_keep_partials(program, *group); !can) return Merged{std::move(can)};
  }
  Group group{GroupKind::reduction, space->outer, space->inner, {}};
  group.members = moved(rows, space->first, false);
  std::vector<Member> more = moved(columns, space->second, false);
  for (Member& member : more) {
    member.is_per_column = member.is_per_row || !program.node_definition(member.node).is_map();
    member.is_per_row = false;
  }
  for (const Member& member : more) {
    Decision match = can_match(program, group.members, member, group.extents());
    if (match && !(member.is_per_column && program.node_definition(member.node).is_map())) {
      match = needs_no_column(program, more, member);
    }
    if (!match) return Merged{std::move(match)};
  }
  for (Member& member : more) group.members.push_back(std::move(member));
  if (group.members.size() > kMaxMembers) return Merged{Decision::no("too many members")};
  if (buffer_count(program, group) > kMaxBuffers) return Merged{Decision::no("too many buffers")};
  return Merged{Decision::yes("persistent blocks keep column sums in registers"), std::move(group)};
}

}  // namespace ridge::schedule
