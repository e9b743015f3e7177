// What a value is made of, followed from node to node with the position at which it is read: the part of
// finding chains that knows definitions.
//
//   terms.operands_of({y, {i0, i1}}, Function::sub)     y = x - top     ->     {x, {i0, i1}}, {top, {i0, 0}}
#pragma once

#include <optional>
#include <vector>

#include "ridge/schedule/inlined_graph.h"

namespace ridge::schedule {

// An element of a value: the position is over the axes of some group.
struct Term {
  ValueId value{};
  std::vector<Expr> position{};
};

class ChainTerms {
 public:
  // `extents`: of the group's axes.
  ChainTerms(const InlinedGraph& program, Shape extents)
      : program_(program), extents_(std::move(extents)) {}

  int32_t node_of(const Term& term) const { return program_.graph()[term.value].node; }
  // The same element behind views, and behind casts between floats if those count as nothing.
  Term behind(Term term, bool skips_casts = false) const;
  // Operands of a node that is one function of elements; nothing if it is another.
  std::optional<std::vector<Term>> operands_of(const Term& term, expr::Function function) const;
  // What a reduction along one axis combines, if that is an element itself, at `along` on that axis.
  std::optional<Term> reduced(const Term& term, ops::Reducer reducer, const Expr& along) const;
  std::optional<double> number_of(const Term& term) const;
  bool is_number(const Term& term, double number) const { return number_of(term) == number; }
  bool is_same(const Term& a, const Term& b) const;
  // An expression over positions alone; nothing if anything is loaded.
  std::optional<Expr> as_index(const Term& term) const;
  // What a node reads, with its axes at these expressions.
  std::vector<Term> reads(int32_t node, const std::vector<Expr>& axes) const;

  Expr simplified(const Expr& e) const;
  const Shape& extents() const { return extents_; }

 private:
  std::optional<Term> element(int32_t node, const Expr& e, const std::vector<Expr>& axes) const;
  std::optional<Expr> as_index(int32_t node, const Expr& e, const std::vector<Expr>& axes) const;

  const InlinedGraph& program_;
  Shape extents_;
};

}  // namespace ridge::schedule
