#include "ridge/schedule/chain_terms.h"

#include "ridge/expr/simplify.h"
#include "ridge/schedule/domain.h"

namespace ridge::schedule {

using expr::Kind;

namespace {

// Without conversions between reals, which registers do not see.
const Expr& without_casts(const Expr& e) {
  const bool is_real =
      e->kind == Kind::cast && e->type == expr::Type::real && e->args[0]->type == expr::Type::real;
  return is_real ? without_casts(e->args[0]) : e;
}

}  // namespace

Expr ChainTerms::simplified(const Expr& e) const { return expr::simplify(e, ranges_of(extents_)); }

std::optional<Term> ChainTerms::element(int32_t node, const Expr& e,
                                        const std::vector<Expr>& axes) const {
  const Expr& load = without_casts(e);
  if (load->kind != Kind::load) return std::nullopt;
  Term term{program_.node_definition(node).operands[static_cast<size_t>(load->index)]};
  for (const Expr& index : load->args) {
    if (has_load(index)) return std::nullopt;
    term.position.push_back(simplified(substitute_axes(index, axes)));
  }
  return term;
}

Term ChainTerms::behind(Term term, bool skips_casts) const {
  while (true) {
    const int32_t node = node_of(term);
    if (node < 0) return term;
    const NodeDefinition& d = program_.node_definition(node);
    if (!d.is_map() || !d.written.empty()) return term;
    std::optional<Term> next = element(node, d.definition.value, term.position);
    if (!next) return term;
    const DType from = program_.graph()[next->value].type.dtype;
    const bool is_cast = skips_casts && is_floating(from) && is_floating(d.dtype);
    if (!program_.is_transparent(node) && !is_cast) return term;
    term = std::move(*next);
  }
}

std::optional<std::vector<Term>> ChainTerms::operands_of(const Term& term,
                                                         expr::Function function) const {
  const int32_t node = node_of(term);
  if (node < 0) return std::nullopt;
  const NodeDefinition& d = program_.node_definition(node);
  const Expr& value = without_casts(d.definition.value);
  if (!d.is_map() || !d.written.empty() || !is_call(value, function)) return std::nullopt;
  std::vector<Term> operands;
  for (const Expr& arg : value->args) {
    std::optional<Term> operand = element(node, arg, term.position);
    if (!operand) return std::nullopt;
    operands.push_back(std::move(*operand));
  }
  return operands;
}

std::optional<Term> ChainTerms::reduced(const Term& term, ops::Reducer reducer,
                                        const Expr& along) const {
  const int32_t node = node_of(term);
  if (node < 0) return std::nullopt;
  const ops::Definition& d = program_.node_definition(node).definition;
  const bool is_of_rows =
      d.reducer == reducer && !d.is_scatter() && d.extents.size() == d.output_rank + 1;
  if (!is_of_rows || along->kind != Kind::axis) return std::nullopt;
  if (!d.extents.back().is_same(extents_[static_cast<size_t>(along->index)])) return std::nullopt;
  std::vector<Expr> axes = term.position;
  axes.push_back(along);
  return element(node, d.value, axes);
}

std::optional<double> ChainTerms::number_of(const Term& term) const {
  const graph::Value& info = program_.graph()[behind(term).value];
  if (!info.constant.defined() || numel(info.type.shape).known() != 1) return std::nullopt;
  return load_element(info.type.dtype, info.constant.raw_data(), 0).as_real();
}

bool ChainTerms::is_same(const Term& a, const Term& b) const {
  if (a.value != b.value || a.position.size() != b.position.size()) return false;
  for (size_t i = 0; i < a.position.size(); ++i) {
    if (!expr::same(a.position[i], b.position[i])) return false;
  }
  return true;
}

std::optional<Expr> ChainTerms::as_index(int32_t node, const Expr& e,
                                         const std::vector<Expr>& axes) const {
  if (e->kind == Kind::axis) return axes[static_cast<size_t>(e->index)];
  if (e->kind == Kind::load) {
    std::optional<Term> term = element(node, e, axes);
    return term ? as_index(*term) : std::nullopt;
  }
  if (e->args.empty()) return e;
  std::vector<Expr> args;
  for (const Expr& arg : e->args) {
    std::optional<Expr> index = as_index(node, arg, axes);
    if (!index) return std::nullopt;
    args.push_back(std::move(*index));
  }
  return expr::with_args(e, std::move(args));
}

std::optional<Expr> ChainTerms::as_index(const Term& term) const {
  if (const auto number = number_of(term)) {
    const bool is_integer = !is_floating(program_.graph()[term.value].type.dtype);
    return is_integer ? Expr(static_cast<int64_t>(*number)) : Expr(*number);
  }
  const int32_t node = node_of(term);
  if (node < 0) return std::nullopt;
  const NodeDefinition& d = program_.node_definition(node);
  if (!d.is_map() || !d.written.empty()) return std::nullopt;
  std::optional<Expr> index = as_index(node, d.definition.value, term.position);
  return index ? std::optional(simplified(*index)) : std::nullopt;
}

std::vector<Term> ChainTerms::reads(int32_t node, const std::vector<Expr>& axes) const {
  const NodeDefinition& d = program_.node_definition(node);
  std::vector<Term> terms;
  for (const LoadSite& site : load_sites(program_.graph(), d)) {
    Term term{d.operands[static_cast<size_t>(site.operand)]};
    for (const Expr& index : site.position) {
      term.position.push_back(simplified(substitute_axes(index, axes)));
    }
    terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace ridge::schedule
