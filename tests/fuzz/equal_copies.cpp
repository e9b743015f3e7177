// Where all copies of a value have equal bits, calls that keep bits see one value in all of its readers.
// So `x == max(x)` is decided by the order of the elements of x, however x was rounded; and where
// elements are too close for that, moving x itself, before the maximum and the comparison, shows it.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "ridge/schedule/node_definition.h"
#include "tests/fuzz/graph_oracle.h"

namespace ridge::fuzz {

using graph::Node;
using graph::ValueId;

namespace {

constexpr size_t kMostSources = 3;  // of which all combinations of signs are tried
constexpr int kMovedByChance = 12;
constexpr int64_t kMostMoved = 20000;  // beyond, moving takes too long

bool keeps_bits(expr::Function function) {
  using expr::Function;
  switch (function) {
    case Function::neg:
    case Function::min:
    case Function::max:
    case Function::abs:
    case Function::sign:
    case Function::floor:
    case Function::ceil:
    case Function::round:
    case Function::trunc:
    case Function::equal:
    case Function::not_equal:
    case Function::less:
    case Function::less_equal:
    case Function::logical_and:
    case Function::logical_or:
    case Function::logical_xor:
    case Function::logical_not:
    case Function::is_nan:
    case Function::select:
    case Function::checked_index:
    case Function::philox:
    case Function::shift_right:
    case Function::f16_value: return true;
    case Function::add:
    case Function::sub:
    case Function::mul:
    case Function::fma:
    case Function::div:
    case Function::floor_div:
    case Function::mod:
    case Function::pow:
    case Function::exp:
    case Function::log:
    case Function::sqrt:
    case Function::rsqrt:
    case Function::sin:
    case Function::cos:
    case Function::tanh:
    case Function::erf: return false;
  }
  return false;
}

bool keeps_bits(const expr::Expr& e) {
  bool result = true;
  if (!static_cast<bool>(e)) return true;
  expr::walk(e, [&](const expr::Expr& part) {
    const bool is_real_call = part->kind == expr::Kind::call && part->type == expr::Type::real;
    result &= !is_real_call || keeps_bits(part->function);
  });
  return result;
}

// Does the second dtype hold everything of the first?
bool holds(DType from, DType to) {
  if (from == to || !is_floating(to)) return true;
  if (!is_floating(from)) return is_boolean(from);
  return to.bits > from.bits;
}

// Where an element goes that may be off by up to `end`.
using Move = std::function<double(double x, double end, size_t source, size_t element)>;

Move by_sign(std::function<bool(size_t source, size_t element)> is_up) {
  return [is_up = std::move(is_up)](double x, double end, size_t source, size_t element) {
    return is_up(source, element) ? x + end : x - end;
  };
}

// Every two elements are moved apart and towards each other by some of these.
std::vector<Move> moves_apart(size_t sources, int64_t elements, SplitMix64& random) {
  std::vector<Move> result;
  for (size_t c = 0; c < size_t{1} << std::min(sources, kMostSources); ++c) {
    result.push_back(
        by_sign([c](size_t source, size_t) { return (c >> source % kMostSources & 1) != 0; }));
  }
  for (size_t bit = 0; elements >> bit > 0; ++bit) {
    result.push_back(by_sign([bit](size_t, size_t i) { return (i >> bit & 1) != 0; }));
    result.push_back(by_sign([bit](size_t, size_t i) { return (i >> bit & 1) == 0; }));
  }
  for (int i = 0; i < kMovedByChance; ++i) {
    result.push_back(by_sign([&random](size_t, size_t) { return random.integer(0, 1) == 0; }));
  }
  return result;
}

// Elements that are close enough become equal, as rounding to a narrow dtype may make them: multiples
// of a power of two of about the ends, by two grids lest a border come between two elements.
std::vector<Move> moves_together() {
  std::vector<Move> result;
  for (const double scale : {2.0, 4.0}) {
    for (const double offset : {0.0, 0.5}) {
      result.emplace_back([scale, offset](double x, double end, size_t, size_t) {
        if (end == 0) return x;
        const double step = std::exp2(std::ceil(std::log2(scale * end)));
        return (std::round(x / step + offset) - offset) * step;
      });
    }
  }
  return result;
}

Tensor moved_by(const Tracked& tracked, const std::vector<double>& ends, size_t source,
                const Move& move) {
  if (!is_floating(tracked.dtype)) return tracked.value;
  std::vector<double> values = tracked.value.to_vector<double>();
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) values[i] = move(values[i], ends[i], source, i);
  }
  return of_doubles(values, tracked.value.shape());
}

}  // namespace

bool GraphOracle::keeps_bits(const Node& node) const {
  const schedule::NodeDefinition node_definition = schedule::define_node(graph_, node);
  const ops::Definition& d = node_definition.definition;
  const bool adds_up = d.reducer == ops::Reducer::sum || d.reducer == ops::Reducer::prod;
  if (adds_up && is_floating(node_definition.dtype)) return false;
  if (!fuzz::keeps_bits(d.value) || !fuzz::keeps_bits(d.initial)) return false;
  for (size_t i = 0; i < node_definition.operands.size(); ++i) {
    const ValueId id = node_definition.operands[i];
    if (id.index < 0) continue;
    const DType own = graph_[id].type.dtype, read = node_definition.compute[i];
    // A constant that the dtype holds is read as it is.
    const bool is_read_exactly = holds(own, read) || (*this)[id].is_exact;
    if (!is_read_exactly || !holds(read, node_definition.dtype)) return false;
  }
  for (size_t i = 0; i < read_dtypes_.size(); ++i) {
    if (is_rounded((*this)[graph::operands(node)[i]], i)) return false;
  }
  return true;
}

const Tensor& GraphOracle::as_read(ValueId id, size_t run) {
  const Tracked& tracked = at(id);
  if (tracked.is_exact || is_derived_[static_cast<size_t>(id.index)]) return tracked.run(run);
  Tensor& read = as_read_[static_cast<size_t>(id.index)][run];
  if (!read.defined()) read = moved(tracked.run(run), tracked.dtype, random_);
  return read;
}

// The values that are not derived from others, and not exact.
std::vector<ValueId> GraphOracle::sources_of(ValueId id) const {
  if ((*this)[id].is_exact) return {};
  if (!is_derived_[static_cast<size_t>(id.index)]) return {id};
  std::set<ValueId> sources;
  const Node& node = graph_.nodes[static_cast<size_t>(graph_[id].node)];
  for (const ValueId operand : graph::operands(node)) {
    for (const ValueId source : sources_of(operand)) sources.insert(source);
  }
  return {sources.begin(), sources.end()};
}

bool GraphOracle::shares_sources(const Node& node) const {
  std::set<ValueId> seen;
  for (const ValueId operand : graph::operands(node)) {
    for (const ValueId source : sources_of(operand)) {
      if (!seen.insert(source).second) return true;
      if (elements_of((*this)[source].value.shape()) > kMostMoved) return false;
    }
  }
  return false;
}

void GraphOracle::take_outcomes_of_sources(const Node& node) {
  const std::vector<ValueId> sources = sources_of(node.results[0]);
  std::vector<std::vector<double>> ends;
  int64_t elements = 1;
  for (const ValueId id : sources) {
    ends.push_back(tolerances(at(id)));
    elements = std::max(elements, elements_of(at(id).value.shape()));
  }
  const auto outcome = [&](const Move& move, size_t run) {
    std::map<ValueId, Tensor> now;
    for (size_t i = 0; i < sources.size(); ++i) {
      now[sources[i]] = moved_by(at(sources[i]), ends[i], i, move);
    }
    const std::function<Tensor(ValueId)> value = [&](ValueId id) {
      const auto known = now.find(id);
      if (known != now.end()) return known->second;
      if (at(id).is_exact) return at(id).value;
      const Node& maker = graph_.nodes[static_cast<size_t>(graph_[id].node)];
      const auto results =
          call(maker, operands(maker, [&](ValueId o, size_t) { return value(o); }));
      for (size_t i = 0; i < results.size(); ++i) now[maker.results[i]] = results[i];
      return now[id];
    };
    take(call(node, operands(node, [&](ValueId id, size_t) { return value(id); })), node, run);
  };
  // What becomes equal has a run of its own: mixed with the others, it would not show in a count.
  constexpr size_t kTogether = kRuns / 2 - 1;
  const std::vector<Move> apart = moves_apart(sources.size(), elements, random_);
  for (size_t i = 0; i < apart.size(); ++i) outcome(apart[i], i % kTogether);
  for (const Move& move : moves_together()) outcome(move, kTogether);
}

}  // namespace ridge::fuzz
