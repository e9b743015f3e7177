// as_affine: an index expression as constant + sum of coefficient * axis.
#include "ridge/base/per_thread.h"
#include "ridge/expr/recent_answers.h"
#include "ridge/expr/simplifier.h"
#include "ridge/expr/simplify.h"

namespace ridge::expr {
namespace {

std::optional<Affine> affine_parts(const Expr& e, int axis_count) {
  Simplifier s({});
  const Polynomial sum = s.polynomial(s.simplify(e));
  std::vector<Term> rest;
  std::vector<std::vector<Term>> by_axis(static_cast<size_t>(axis_count));
  for (const Term& term : sum.terms()) {
    std::vector<Term>* place = &rest;
    Atoms others;
    for (const Expr& atom : term.atoms) {
      if (atom->kind == Kind::axis && place == &rest && atom->index < axis_count) {
        place = &by_axis[static_cast<size_t>(atom->index)];
      } else if (atom->axes != 0) {
        return std::nullopt;
      } else {
        others.push_back(atom);
      }
    }
    place->push_back({term.coefficient, std::move(others)});
  }
  // The terms come from one sum, so they are few enough, and distinct: they make a sum again.
  Affine result;
  result.constant = s.expression(*Polynomial::from_terms(std::move(rest)));
  for (auto& terms : by_axis) {
    result.coefficients.push_back(s.expression(*Polynomial::from_terms(std::move(terms))));
  }
  return result;
}

}  // namespace

std::optional<Affine> as_affine(const Expr& e, int axis_count) {
  if (e->type != Type::integer) return std::nullopt;
  using Answers = RecentAnswers<std::optional<Affine>>;
  if (!Answers::can_hold(e)) return affine_parts(e, axis_count);
  Answers& recent = per_thread<Answers>();
  const Answers::Context context{Interval::point(axis_count)};
  if (const std::optional<Affine>* known = recent.find(e, context)) return *known;
  std::optional<Affine> result = affine_parts(e, axis_count);
  recent.add(e, context, result);
  return result;
}

}  // namespace ridge::expr
