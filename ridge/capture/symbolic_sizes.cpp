#include "ridge/capture/symbolic_sizes.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "ridge/base/text.h"
#include "ridge/expr/text.h"

namespace ridge::capture {
namespace {

using expr::Expr;
using Kind = SizeSlot::Kind;

// "model.head.weight" as a word: "model_head_weight_0".
std::string symbol_name(const SizeSlot& slot, const SizeNames& names) {
  const auto& list = slot.kind == Kind::argument ? names.arguments : names.tensors;
  std::string name = list[slot.item];
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = "_" + name;
  if (slot.kind == Kind::argument) return name;
  return concat(name, slot.kind == Kind::stride ? "_stride_" : "_", slot.dim);
}

std::set<uint64_t> symbols_in(const Expr& e) {
  std::set<uint64_t> ids;
  expr::walk(e, [&](const Expr& node) {
    if (node->kind == expr::Kind::symbol) ids.insert(node->symbol->id());
  });
  return ids;
}

// Sums and products alone: an equation of them over one symbol has few solutions, one with a
// remainder has many.
bool is_polynomial(const Expr& e) {
  bool result = true;
  expr::walk(e, [&](const Expr& node) {
    if (node->kind == expr::Kind::constant || node->kind == expr::Kind::symbol) return;
    result &= is_call(node, expr::Function::add) || is_call(node, expr::Function::sub) ||
              is_call(node, expr::Function::mul) || is_call(node, expr::Function::neg);
  });
  return result;
}

bool is_equation(const Expr& e) {
  return is_call(e, expr::Function::equal) && is_polynomial(e->args[0]) &&
         is_polynomial(e->args[1]);
}

}  // namespace

SymbolicSizes::SymbolicSizes(const CallSizes& call, std::span<const SlotPlan> plan,
                             const SizeNames& names)
    : skeleton_(call.skeleton),
      slots_(call.slots),
      fixed_(call.values),
      symbol_of_slot_(call.slots.size(), -1),
      log_(std::make_shared<expr::GuardLog>()) {
  std::vector<std::string> dims;  // names of the declared ones, by symbol
  for (size_t i = 0; i < slots_.size(); ++i) {
    slot_names_.push_back(symbol_name(slots_[i], names));
    if (!plan[i].is_symbolic) continue;
    const Dim* declared = plan[i].declared;
    // Declared sizes of one name are one symbol.
    const auto known = declared == nullptr ? dims.end() : std::ranges::find(dims, declared->name);
    if (known != dims.end()) {
      symbol_of_slot_[i] = static_cast<int>(known - dims.begin());
      continue;
    }
    symbol_of_slot_[i] = static_cast<int>(symbols_.size());
    slot_of_symbol_.push_back(i);
    dims.push_back(declared == nullptr ? "" : declared->name);
    is_declared_.push_back(declared != nullptr);
    // Divisions by sizes are everywhere in index arithmetic, and with 0 among them none could be
    // simplified: what is empty has a program of its own.
    const expr::Interval range =
        declared == nullptr ? expr::Interval{1, Dim::kLargest}
                            : expr::Interval{std::max<int64_t>(declared->low, 1), declared->high};
    symbols_.push_back(make_ref<const expr::Symbol>(
        declared == nullptr ? slot_names_[i] : declared->name, range,
        std::clamp(plan[i].hint, range.low, range.high), log_, expr::SpeedHint(plan[i].expected)));
    sizes_.emplace_back(expr::symbol(symbols_.back()));
  }
}

bool SymbolicSizes::covers(const CallSizes& call, std::span<const SlotPlan> plan) const {
  if (call.skeleton != skeleton_) return false;
  for (size_t i = 0; i < plan.size(); ++i) {
    const bool is_symbol = symbol_of_slot_[i] >= 0;
    if (plan[i].is_symbolic && !is_symbol) return false;
    if (!plan[i].is_symbolic && is_symbol && call.values[i] <= 1) return false;
  }
  return true;
}

Size SymbolicSizes::size_at(Kind kind, size_t item, size_t dim, const Size& otherwise) const {
  const SizeSlot wanted{kind, static_cast<uint32_t>(item), static_cast<uint32_t>(dim)};
  const auto found = std::ranges::find(slots_, wanted);
  if (found == slots_.end()) return otherwise;
  const int symbol = symbol_of_slot_[static_cast<size_t>(found - slots_.begin())];
  return symbol < 0 ? otherwise : sizes_[static_cast<size_t>(symbol)];
}

Shape SymbolicSizes::shape_of(size_t tensor, const Tensor& given) const {
  Shape shape = given.shape();
  for (size_t i = 0; i < shape.size(); ++i) shape[i] = size_at(Kind::size, tensor, i, shape[i]);
  return shape;
}

Size SymbolicSizes::argument(size_t number, const Size& given) const {
  return size_at(Kind::argument, number, 0, given);
}

std::optional<Shape> SymbolicSizes::strides_of(size_t tensor, const Tensor& given) const {
  if (given.is_contiguous()) return std::nullopt;
  Shape strides = given.strides();
  if (const auto order = dense_order(given)) {
    const Shape shape = shape_of(tensor, given);
    Size stride = 1;
    for (size_t i = order->size(); i-- > 0;) {
      strides[(*order)[i]] = stride;
      stride = stride * shape[(*order)[i]];
    }
    return strides;
  }
  for (size_t i = 0; i < strides.size(); ++i) {
    strides[i] = size_at(Kind::stride, tensor, i, strides[i]);
  }
  return strides;
}

size_t SymbolicSizes::number_of(uint64_t symbol_id) const {
  const auto id = [](const Ref<const expr::Symbol>& symbol) { return symbol->id(); };
  return static_cast<size_t>(std::ranges::find(symbols_, symbol_id, id) - symbols_.begin());
}

std::optional<SymbolicSizes::Equality> SymbolicSizes::equality_in(
    const expr::Guard& guard, const graph::SymbolSizes& known) const {
  if (!is_equation(guard.condition)) return std::nullopt;
  const Size difference = graph::substitute(Size(guard.condition->args[0]), known) -
                          graph::substitute(Size(guard.condition->args[1]), known);
  const std::set<uint64_t> ids = symbols_in(difference.expression());
  if (ids.empty() || ids.size() > 2) return std::nullopt;
  size_t first = number_of(*ids.begin()), second = number_of(*ids.rbegin());
  if (ids.size() == 1) return Equality{first, symbols_[first]->hint()->value};
  if (is_declared_[second]) std::swap(first, second);
  // Is it nothing but that the two are equal?
  const graph::SymbolSizes one{{symbols_[second]->id(), sizes_[first]}};
  if (graph::substitute(difference, one).known() != 0) return std::nullopt;
  return Equality{second, sizes_[first]};
}

void SymbolicSizes::check_undeclared(const Equality& equality, Location where) const {
  if (!is_declared_[equality.symbol]) return;
  const std::string& name = symbols_[equality.symbol]->name();
  throw Error({.code = ErrorCode::shape,
               .op = "Dim",
               .expected = concat("a function for every ", name, " in ",
                                  expr::to_text(symbols_[equality.symbol]->range())),
               .given = concat("one that needs ", name, " = ", equality.size),
               .hint = equality.size.is_symbolic()
                           ? "give sizes that must be equal one name"
                           : "the size is read as a number here (value(), or a comparison): leave "
                             "it a Size, or do not declare it",
               .where = where});
}

graph::Graph SymbolicSizes::settled(graph::Graph graph) const {
  graph::SymbolSizes sizes;
  if (symbols_.empty()) return graph;
  for (const expr::Guard& guard : log_->guards()) {
    const auto equality = equality_in(guard, sizes);
    if (!equality) continue;
    check_undeclared(*equality, guard.where);
    const uint64_t id = symbols_[equality->symbol]->id();
    const graph::SymbolSizes now{{id, equality->size}};
    for (auto& [other, size] : sizes) size = graph::substitute(size, now);
    sizes.emplace(id, equality->size);
    log_->add({expr::equal(sizes_[equality->symbol].expression(), equality->size.expression()),
               guard.where});
  }
  return sizes.empty() ? std::move(graph) : graph::substitute(std::move(graph), sizes);
}

void SymbolicSizes::take_guards() {
  guards_.clear();
  if (symbols_.empty()) return;
  for (const expr::Guard& guard : log_->guards()) {
    guards_.push_back({guard, expr::Formula(guard.condition, symbols_)});
  }
}

std::vector<expr::Guard> SymbolicSizes::guards() const {
  return log_ == nullptr ? std::vector<expr::Guard>() : log_->guards();
}

std::vector<int64_t> SymbolicSizes::values_in(const CallSizes& call) const {
  std::vector<int64_t> values;
  for (const size_t slot : slot_of_symbol_) values.push_back(call.values[slot]);
  return values;
}

std::optional<Refusal> SymbolicSizes::refusal(const CallSizes& call) const {
  if (call.skeleton != skeleton_) return Refusal{};
  const auto given = [&](size_t slot) { return concat(call.values[slot]); };
  for (size_t i = 0; i < slots_.size(); ++i) {
    const int symbol = symbol_of_slot_[i];
    const int64_t expected =
        symbol < 0 ? fixed_[i] : call.values[slot_of_symbol_[static_cast<size_t>(symbol)]];
    if (call.values[i] == expected) continue;
    return Refusal{concat(slot_names_[i], " = ", expected), given(i), {}};
  }
  for (size_t i = 0; i < symbols_.size(); ++i) {
    const size_t slot = slot_of_symbol_[i];
    if (symbols_[i]->range().contains(call.values[slot])) continue;
    return Refusal{
        concat(symbols_[i]->name(), " in ", expr::to_text(symbols_[i]->range())), given(slot), {}};
  }
  const std::vector<int64_t> values = values_in(call);
  for (const Guarded& one : guards_) {
    if (one.holds(values) != 0) continue;
    std::string sizes;
    for (const uint64_t id : symbols_in(one.guard.condition)) {
      const size_t symbol = number_of(id);
      sizes += concat(sizes.empty() ? "" : ", ", symbols_[symbol]->name(), " = ", values[symbol]);
    }
    return Refusal{expr::to_text(one.guard.condition), std::move(sizes), one.guard.where};
  }
  return std::nullopt;
}

std::string SymbolicSizes::to_text() const {
  if (symbols_.empty()) return {};
  std::string text = join(symbols_, ", ", [](const Ref<const expr::Symbol>& symbol) {
    return concat(symbol->name(), " in ", expr::to_text(symbol->range()), " = ",
                  symbol->expected()->value);
  });
  if (guards_.empty()) return text;
  return concat(text, "; guards ", join(guards_, ", ", [](const Guarded& one) {
                  return expr::to_text(one.guard.condition);
                }));
}

}  // namespace ridge::capture
