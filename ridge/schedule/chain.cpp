#include "ridge/schedule/chain.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/chain_terms.h"
#include "ridge/schedule/contraction.h"
#include "ridge/schedule/fuse.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

using expr::Function;
using expr::Kind;

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

bool has_axis(const Expr& e, int axis) { return ((axes_in(e) >> axis) & 1) != 0; }
bool has_axis(const std::vector<Expr>& position, int axis) {
  return std::ranges::any_of(position, [&](const Expr& e) { return has_axis(e, axis); });
}

class ChainFinder {
 public:
  ChainFinder(const InlinedGraph& program, const Group& product)
      : program_(program), product_(product), terms_(program, product.extents()) {}

  std::optional<FoundChain> run() {
    const Member& second = product_.members.front();
    const auto weights = read_second(second);
    if (!weights || !find_softmax(*weights)) return std::nullopt;
    if (!find_first(chain_x())) return no("its rows are of no product");
    if (collect()) {
      find_last_key(chain_x());
      return FoundChain{Decision::yes("scores stay in tiles"),
                        std::make_shared<const Chain>(chain_),
                        std::make_shared<const Group>(group())};
    }
    return no(refusal_);
  }

 private:
  static FoundChain no(std::string reason) { return {Decision::no(std::move(reason))}; }
  bool refuse(std::string reason) {
    if (refusal_.empty()) refusal_ = std::move(reason);
    return false;
  }
  Term chain_x() const { return {chain_.x, chain_.position}; }
  const Expr& factor(const Factors& factors, bool is_lhs) const {
    return is_lhs ? factors.lhs : factors.rhs;
  }

  // The operand that is read at [..., m, n]; the other one is at [..., n, d].
  std::optional<Term> read_second(const Member& member) {
    chain_.second = member.node;
    if (product_.inner.size() != 1 || !program_.is_contraction(member.node)) return std::nullopt;
    const NodeDefinition& d = program_.node_definition(member.node);
    const auto factors = factors_of(d.definition.value);
    if (!factors) return std::nullopt;
    chain_.n = static_cast<int>(product_.outer.size());
    chain_.k = chain_.n + 1;
    for (const bool is_lhs : {true, false}) {
      const Expr weights = substitute_axes(factor(*factors, is_lhs), member.axes);
      const Expr values = substitute_axes(factor(*factors, !is_lhs), member.axes);
      if (!has_own_axes(weights, values)) continue;
      Expr load = factor(*factors, is_lhs);
      while (load->kind == Kind::cast) load = load->args[0];
      Term term{d.operands[static_cast<size_t>(load->index)]};
      for (const Expr& index : load->args) {
        term.position.push_back(terms_.simplified(substitute_axes(index, member.axes)));
      }
      operand_ = term;
      term = terms_.behind(std::move(term), true);
      if (terms_.node_of(term) >= 0 && is_divided(term)) return term;
    }
    return std::nullopt;
  }
  // The last axis of the result that only the weights have (heads that share keys are another one), and the
  // one that only the values have.
  bool has_own_axes(const Expr& weights, const Expr& values) {
    chain_.m = chain_.d = -1;
    int of_values = 0;
    for (int axis = 0; axis < chain_.n; ++axis) {
      if (has_axis(weights, axis) == has_axis(values, axis)) continue;
      const bool is_row = has_axis(weights, axis);
      (is_row ? chain_.m : chain_.d) = axis;
      of_values += is_row ? 0 : 1;
    }
    return chain_.m >= 0 && of_values == 1;
  }
  bool is_divided(const Term& term) const {
    return terms_.operands_of(term, Function::select) || terms_.operands_of(term, Function::mul) ||
           terms_.operands_of(term, Function::div);
  }

  // From the weights down to x.
  bool find_softmax(Term weights) {
    std::optional<Term> visible;
    if (const auto chosen = terms_.operands_of(weights, Function::select)) {
      if (!terms_.is_number((*chosen)[2], 0)) return false;
      visible = terms_.behind((*chosen)[0]);
      weights = terms_.behind((*chosen)[1], true);
    }
    const auto quotient = find_quotient(weights);
    if (!quotient) return false;
    const Term exponential = terms_.behind(quotient->first), total = quotient->second;
    const Expr along = expr::axis(chain_.n);
    const auto summed = terms_.reduced(total, ops::Reducer::sum, along);
    if (!summed || !terms_.is_same(terms_.behind(*summed), exponential)) return false;
    const auto shifted = terms_.operands_of(exponential, Function::exp);
    if (!shifted) return false;
    const auto difference = terms_.operands_of(terms_.behind((*shifted)[0]), Function::sub);
    if (!difference) return false;
    const Term logits = terms_.behind((*difference)[0]), top = terms_.behind((*difference)[1]);
    const auto largest = terms_.reduced(top, ops::Reducer::max, along);
    if (!largest || !terms_.is_same(terms_.behind(*largest), logits)) return false;
    chain_.exponential = terms_.node_of(exponential);
    chain_.total = terms_.node_of(total);
    chain_.top = terms_.node_of(top);
    const auto x = visible ? visible_logits(*visible, logits) : logits;
    if (!x) return false;
    chain_.x = x->value;
    chain_.position = x->position;
    return true;
  }

  // e / total, or e * (1 / total).
  std::optional<std::pair<Term, Term>> find_quotient(const Term& weights) const {
    if (const auto parts = terms_.operands_of(weights, Function::div)) {
      return std::pair((*parts)[0], terms_.behind((*parts)[1]));
    }
    const auto parts = terms_.operands_of(weights, Function::mul);
    if (!parts) return std::nullopt;
    for (const size_t side : {1, 0}) {
      const Term factor = terms_.behind((*parts)[side]);
      const auto inverse = terms_.operands_of(factor, Function::div);
      if (!inverse || !terms_.is_number((*inverse)[0], 1)) continue;
      return std::pair((*parts)[1 - side], terms_.behind((*inverse)[1]));
    }
    return std::nullopt;
  }

  // where(visible, x, 0), and visible = any(x != -inf).
  std::optional<Term> visible_logits(const Term& visible, const Term& logits) {
    const auto any = terms_.reduced(visible, ops::Reducer::any, expr::axis(chain_.n));
    const auto chosen = terms_.operands_of(logits, Function::select);
    if (!any || !chosen) return std::nullopt;
    const auto compared = terms_.operands_of(terms_.behind(*any), Function::not_equal);
    if (!compared || !terms_.is_number((*compared)[1], kMinusInfinity)) return std::nullopt;
    const Term x = terms_.behind((*chosen)[1]);
    const bool fits = terms_.is_same(terms_.behind((*chosen)[0]), visible) &&
                      terms_.is_number((*chosen)[2], 0) &&
                      terms_.is_same(terms_.behind((*compared)[0]), x);
    if (!fits) return std::nullopt;
    chain_.visible = terms_.node_of(visible);
    return x;
  }

  // The nearest product that x is computed from, point by point.
  bool find_first(const Term& term) {
    if (!seen_.insert(term.value.index).second) return false;
    const int32_t node = terms_.node_of(term);
    if (node < 0) return false;
    if (program_.is_contraction(node)) return can_be_first(node, term.position);
    if (!program_.node_definition(node).is_map()) return false;
    return std::ranges::any_of(terms_.reads(node, term.position),
                               [&](const Term& read) { return find_first(read); });
  }
  bool can_be_first(int32_t node, const std::vector<Expr>& position) {
    const ops::Definition& d = program_.node_definition(node).definition;
    if (d.extents.size() != d.output_rank + 1) return false;
    if (!has_axis(position, chain_.m) || !has_axis(position, chain_.n)) return false;
    if (has_axis(position, chain_.d)) return false;
    first_axes_ = position;
    first_axes_.push_back(expr::axis(chain_.k));
    const auto factors = factors_of(d.value);
    if (!factors) return false;
    const Expr lhs = substitute_axes(factors->lhs, first_axes_);
    const Expr rhs = substitute_axes(factors->rhs, first_axes_);
    const auto fits = [&](const Expr& queries, const Expr& keys) {
      return has_axis(queries, chain_.m) && !has_axis(queries, chain_.n) &&
             has_axis(keys, chain_.n) && !has_axis(keys, chain_.m);
    };
    if (!fits(lhs, rhs) && !fits(rhs, lhs)) return false;
    chain_.first = node;
    return true;
  }

  // What depends on the first product, from what the second one reads on; all of it at one position each.
  bool collect() {
    find_dependent();
    axes_[chain_.first] = first_axes_;
    return add(operand_) && check_kernel();
  }
  void find_dependent() {
    depends_.assign(static_cast<size_t>(chain_.second) + 1, false);
    depends_[static_cast<size_t>(chain_.first)] = true;
    for (int32_t node = chain_.first + 1; node < chain_.second; ++node) {
      for (const ValueId operand : program_.node_definition(node).operands) {
        const int32_t maker = operand.index < 0 ? -1 : program_.graph()[operand].node;
        if (maker >= 0 && depends_[static_cast<size_t>(maker)])
          depends_[static_cast<size_t>(node)] = true;
      }
    }
  }
  bool add(const Term& term) {
    const int32_t node = terms_.node_of(term);
    if (node < 0 || !depends_[static_cast<size_t>(node)]) return true;
    const NodeDefinition& d = program_.node_definition(node);
    std::vector<Expr> axes = term.position;
    if (node == chain_.first) {
      axes.push_back(expr::axis(chain_.k));
    } else if (!d.is_map()) {
      if (node != chain_.top && node != chain_.total && node != chain_.visible)
        return refuse("its rows are reduced in another way, too");
      axes.push_back(expr::axis(chain_.n));
    }
    const auto [known, is_new] = axes_.try_emplace(node, axes);
    const bool is_same_point = std::ranges::equal(known->second, axes, expr::same);
    if (!is_same_point) return refuse("a value between the products is read at two positions");
    if (!is_new) return true;
    if (!d.written.empty()) return refuse("it writes a part of an input");
    for (const LoadSite& site : load_sites(program_.graph(), d)) {
      const int32_t maker = program_.graph()[d.operands[static_cast<size_t>(site.operand)]].node;
      const bool is_of_chain = maker >= 0 && depends_[static_cast<size_t>(maker)];
      if (is_of_chain && (site.is_indirect || site.is_predicated))
        return refuse("its elements are looked up, or read under a condition");
    }
    return std::ranges::all_of(terms_.reads(node, axes),
                               [&](const Term& read) { return add(read); });
  }

  DType sum_dtype(int32_t node) const {
    const NodeDefinition& d = program_.node_definition(node);
    bool is_double = d.dtype == f64;
    for (size_t i = 0; i < d.operands.size(); ++i) is_double |= d.compute[i] == f64;
    return is_double ? f64 : f32;
  }
  bool check_kernel() {
    bool is_unfused = program_.is_unfused(chain_.second);
    for (const auto& [node, axes] : axes_) is_unfused |= program_.is_unfused(node);
    if (is_unfused) return refuse("a kernel of these did not compile");
    chain_.dtype = sum_dtype(chain_.second);
    for (const int32_t node : {chain_.first, chain_.second, chain_.total, chain_.top}) {
      const bool is_float = is_floating(program_.node_definition(node).dtype);
      if (!is_float || sum_dtype(node) != chain_.dtype) return refuse("its sums differ in type");
    }
    const Shape& extents = terms_.extents();
    for (const int axis : {chain_.m, chain_.n, chain_.d}) {
      const auto known = extents[static_cast<size_t>(axis)].known();
      if (known && *known < 2) return refuse("it has a single query, key or column");
    }
    const Size depth = program_.node_definition(chain_.first).definition.extents.back();
    for (const Size& size : {depth, extents[static_cast<size_t>(chain_.d)]}) {
      const auto known = size.known();
      if (!known || *known < 2 || *known * chain_.dtype.bits > 8 * kMostChainRowBytes)
        return refuse("its heads are of a size that tiles do not have");
    }
    return true;
  }

  // where(key <= a * query + b, ..., -inf), if x is that.
  void find_last_key(const Term& x) {
    const auto chosen = terms_.operands_of(x, Function::select);
    if (!chosen || !terms_.is_number((*chosen)[2], kMinusInfinity)) return;
    const auto condition = terms_.as_index(terms_.behind((*chosen)[0]));
    if (!condition || (*condition)->kind != Kind::call) return;
    Expr above;  // of which the condition says that it is at least 0
    const auto args = [&](size_t i) { return (*condition)->args[i]; };
    const bool is_integer = std::ranges::all_of(
        (*condition)->args, [](const Expr& e) { return e->type == expr::Type::integer; });
    if (!is_integer) return;
    if (is_call(*condition, Function::less_equal)) above = args(1) - args(0);
    if (is_call(*condition, Function::less)) above = args(1) - args(0) - 1;
    if (above.get() == nullptr) return;
    const Expr n = expr::axis(chain_.n);
    const Expr last = terms_.simplified(above + n);
    const auto affine = expr::as_affine(last, static_cast<int>(terms_.extents().size()));
    if (has_axis(last, chain_.n) || !affine) return;
    const Expr& slope = affine->coefficients[static_cast<size_t>(chain_.m)];
    if (expr::is_constant(slope) && slope->integer >= 0) chain_.last_key = last;
  }

  Group group() const {
    Group result{GroupKind::chain, product_.outer, product_.inner, {}};
    result.inner.push_back(program_.node_definition(chain_.first).definition.extents.back());
    for (const auto& [node, axes] : axes_) {
      if (!program_.is_inlined(node)) result.members.push_back({node, axes, false});
    }
    for (const Member& member : product_.members) result.members.push_back(member);
    result.chain = std::make_shared<const Chain>(chain_);
    return result;
  }

  const InlinedGraph& program_;
  const Group& product_;
  ChainTerms terms_;
  Chain chain_;
  Term operand_;  // that the second product reads
  std::string refusal_;
  std::set<int32_t> seen_;
  std::vector<Expr> first_axes_;
  std::vector<bool> depends_;
  std::map<int32_t, std::vector<Expr>> axes_;  // by node, in order
};

}  // namespace

std::optional<FoundChain> find_chain(const InlinedGraph& program, const Group& product) {
  if (product.kind != GroupKind::contraction) return std::nullopt;
  return ChainFinder(program, product).run();
}

}  // namespace ridge::schedule
