#include "ridge/schedule/inlined_graph.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>

#include "ridge/base/hash.h"
#include "ridge/expr/simplify.h"
#include "ridge/ops/rank.h"
#include "ridge/schedule/contraction.h"
#include "ridge/schedule/rank_keys.h"

namespace ridge::schedule {

using expr::Kind;

namespace {

// Recomputing up to this much at each of several readers is cheaper than a trip through memory.
// A guess, until the cost model prices it.
constexpr int kCheapWork = 6;
// Neighbors that choose alike, at the least, for what they choose among to be loaded in wide steps: two that alternate
// are better joined by a kernel of their own.
constexpr int64_t kMinChosenRun = 8;
// A longer chain than this gets a value of its own, so that compile time stays linear.
constexpr int kLongestChain = 400;

// What an elementary function counts for, of such work. A guess.
constexpr int kElementaryWork = 10;

int function_count(const Expr& e) {
  int count = 0;
  expr::walk(e, [&](const Expr& node) {
    if (node->kind != Kind::call || node->type == expr::Type::integer) return;
    count += expr::info(node->function).is_elementary ? kElementaryWork : 1;
  });
  return count;
}

bool has_reducer(const NodeDefinition& node_definition) {
  return node_definition.definition.reducer != ops::Reducer::none;
}

// Reductions of as many results as a map has points that it is computed from, through other maps. Two
// are enough to know.
using RowResults = SmallVector<int32_t, 2>;

void add_row_result(RowResults& results, int32_t node) {
  if (results.size() < 2 && std::ranges::find(results, node) == results.end()) {
    results.push_back(node);
  }
}

std::vector<RowResults> row_results_of(const Graph& graph,
                                       const std::vector<NodeDefinition>& node_definitions) {
  std::vector<RowResults> found(node_definitions.size());
  for (size_t i = 0; i < node_definitions.size(); ++i) {
    if (!node_definitions[i].is_map()) continue;
    for (const ValueId operand : node_definitions[i].operands) {
      if (operand.index < 0 || graph[operand].node < 0) continue;
      const auto producer = static_cast<size_t>(graph[operand].node);
      if (!numel(node_definitions[producer].shape).is_same(node_definitions[i].points())) continue;
      if (has_reducer(node_definitions[producer])) add_row_result(found[i], graph[operand].node);
      for (const int32_t node : found[producer]) add_row_result(found[i], node);
    }
  }
  return found;
}

bool is_at_most(const Size& a, const Size& b) {
  if (a.is_same(b)) return true;
  const auto x = a.known(), y = b.known();
  return x && y && *x <= *y;
}

}  // namespace

InlinedGraph::InlinedGraph(const Graph& graph, bool inlines, std::span<const int32_t> unfused)
    : InlinedGraph(graph, define_nodes(graph), inlines, unfused) {}

InlinedGraph::InlinedGraph(const Graph& graph, std::vector<NodeDefinition> node_definitions,
                           bool inlines, std::span<const int32_t> unfused)
    : graph_(graph), node_definitions_(std::move(node_definitions)) {
  const size_t count = graph.nodes.size();
  is_live_out_.resize(graph.values.size());
  for (const ValueId id : graph.outputs) is_live_out_[static_cast<size_t>(id.index)] = true;
  for (const auto& update : graph.updates) {
    is_live_out_[static_cast<size_t>(update.value.index)] = true;
  }
  for (size_t i = 0; i < count; ++i) {
    const ValueId written = graph.nodes[i].results[0];
    if (!node_definitions_[i].written.empty())
      is_live_out_[static_cast<size_t>(written.index)] = true;
  }
  is_inlined_.resize(count);
  work_.resize(count);
  for (const NodeDefinition& node_definition : node_definitions_) {
    is_contraction_.push_back(can_contract(node_definition).verdict);
    is_scan_.push_back(scan_form(node_definition.definition).has_value());
    is_rank_.push_back(ops::rank_form(node_definition.definition).has_value());
  }
  is_unfused_.resize(count);
  for (const int32_t node : unfused) is_unfused_[static_cast<size_t>(node)] = true;
  const Sites sites = all_sites();
  find_index_only(sites);
  find_rounded();
  choose_inlined(sites, inlines);
  reads_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    if (is_inlined_[i]) continue;
    const auto node = static_cast<int32_t>(i);
    const size_t rank =
        std::max(node_definitions_[i].definition.extents.size(), node_definitions_[i].shape.size());
    collect(sites, node, ops::all_axes(rank), false, reads_[i]);
  }
  round_shared_roots();
}

// A view is read by its readers, not by itself.
void InlinedGraph::find_rounded() {
  std::vector<int> readers(graph_.values.size());  // nodes, and whoever reads it after the program
  const auto read = [&](const std::vector<ValueId>& values) {
    std::vector<int32_t> seen;
    for (ValueId id : values) {
      while (id.index >= 0) {
        seen.push_back(id.index);
        const int32_t maker = graph_[id].node;
        if (maker < 0 || !is_transparent(maker)) break;
        id = node_definition(maker)
                 .operands[static_cast<size_t>(node_definition(maker).definition.value->index)];
      }
    }
    std::ranges::sort(seen);
    const auto repeated = std::ranges::unique(seen);
    seen.erase(repeated.begin(), repeated.end());
    for (const int32_t value : seen) ++readers[static_cast<size_t>(value)];
  };
  for (size_t i = 0; i < is_live_out_.size(); ++i) {
    if (is_live_out_[i]) read({ValueId{static_cast<int32_t>(i)}});
  }
  for (size_t i = 0; i < node_definitions_.size(); ++i) {
    if (is_transparent(static_cast<int32_t>(i))) continue;
    read(node_definitions_[i].operands);
    // Keys have the bits of the dtype only (rank_keys.h), so what is ranked counts twice.
    if (is_rank_[i]) read(node_definitions_[i].operands);
  }
  for (size_t i = 0; i < node_definitions_.size(); ++i) {
    const Expr& value = node_definitions_[i].definition.value;
    const bool is_cast =
        node_definitions_[i].is_map() && (value->kind == Kind::load || value->kind == Kind::cast);
    const bool is_shared = readers[static_cast<size_t>(graph_.nodes[i].results[0].index)] > 1;
    rounds_.push_back(is_16_bit_float(node_definitions_[i].dtype) &&
                      (is_cast || is_shared || graph_.nodes[i].rounds));
  }
}

// Its only reader may be inlined into several kernels: one has the value in registers, the others
// load it.
void InlinedGraph::round_shared_roots() {
  std::vector<int> readers(graph_.values.size());
  for (const std::vector<Read>& reads : reads_) {
    std::vector<int32_t> seen;
    for (const Read& read : reads) seen.push_back(read.value.index);
    std::ranges::sort(seen);
    const auto repeated = std::ranges::unique(seen);
    seen.erase(repeated.begin(), repeated.end());
    for (const int32_t value : seen) ++readers[static_cast<size_t>(value)];
  }
  for (size_t i = 0; i < node_definitions_.size(); ++i) {
    const auto value = static_cast<size_t>(result(static_cast<int32_t>(i)).index);
    const bool is_shared = readers[value] > 1 || (readers[value] == 1 && is_live_out_[value]);
    if (!is_inlined_[i] && is_16_bit_float(node_definitions_[i].dtype) && is_shared)
      rounds_[i] = true;
  }
}

Size InlinedGraph::computed_points(int32_t node) const {
  return is_scan(node) || is_rank(node) ? numel(node_definition(node).shape)
                                        : node_definition(node).points();
}

bool InlinedGraph::is_transparent(int32_t node) const {
  const NodeDefinition& m = node_definition(node);
  if (m.is_view(graph_)) return true;
  if (!m.written.empty()) return false;
  const Expr& value = m.definition.value;
  if (!m.is_map() || value->kind != Kind::load) return false;
  for (const Expr& index : value->args) {
    if (has_load(index)) return false;
  }
  const DType from = graph_[m.operands[static_cast<size_t>(value->index)]].type.dtype;
  return is_floating(from) && is_floating(m.dtype) && from.bits < m.dtype.bits &&
         !is_storage_only(from);
}

// Those of equal definitions over operands of equal shapes are found once.
InlinedGraph::Sites InlinedGraph::all_sites() const {
  std::unordered_map<uint64_t, Sites::value_type> known;
  Sites sites;
  sites.reserve(node_definitions_.size());
  for (const NodeDefinition& node_definition : node_definitions_) {
    Hasher hasher;
    const auto add = [&](const Shape& shape) {
      hasher.combine(shape.size());
      for (const Size& size : shape) hasher.combine(size.hash());
    };
    hasher.combine(node_definition.definition.value->hash);
    if (node_definition.definition.initial)
      hasher.combine(node_definition.definition.initial->hash);
    for (const Expr& index : node_definition.definition.target) hasher.combine(index->hash);
    add(node_definition.definition.extents);
    add(node_definition.shape);
    for (const ValueId operand : node_definition.operands) {
      if (operand.index >= 0) add(graph_[operand].type.shape);
    }
    Sites::value_type& found = known[hasher.digest()];
    if (!found)
      found = std::make_shared<std::vector<LoadSite>>(load_sites(graph_, node_definition));
    sites.push_back(found);
  }
  return sites;
}

// x * x reads x once. Uses by one reader are neighbors.
bool InlinedGraph::reads_again(const std::vector<Use>& uses, const Use& another) {
  for (const Use& use : std::views::reverse(uses)) {
    if (use.reader != another.reader) return false;
    if (use.is_predicated != another.is_predicated) continue;
    if (std::equal(another.site->position.begin(), another.site->position.end(),
                   use.site->position.begin(), use.site->position.end(), expr::same)) {
      return true;
    }
  }
  return false;
}

// Numbers that depend on the position alone, and what maps make of such: a mask of what lies below the
// diagonal.
void InlinedGraph::find_index_only(const Sites& sites) {
  depends_on_index_only_.resize(graph_.nodes.size());
  for (size_t i = 0; i < graph_.nodes.size(); ++i) {
    const NodeDefinition& m = node_definitions_[i];
    depends_on_index_only_[i] = m.is_map() && m.written.empty() &&
                                std::ranges::all_of(*sites[i], [&](const LoadSite& site) {
                                  const int32_t node =
                                      graph_[m.operands[static_cast<size_t>(site.operand)]].node;
                                  return node >= 0 && !site.is_predicated && !site.is_indirect &&
                                         depends_on_index_only_[static_cast<size_t>(node)];
                                });
  }
}

// Readers come after what they read, so in reverse order it is known of every reader whether it is inlined.
void InlinedGraph::choose_inlined(const Sites& sites, bool inlines) {
  const size_t count = graph_.nodes.size();
  // It was decided to keep this value, not what it is computed from.
  const auto is_kept_for_gradient = [&](size_t i) {
    return graph_.nodes[i].phase == graph::Phase::saved;
  };
  for (size_t i = 0; i < count; ++i) {
    work_[i] = function_count(node_definitions_[i].definition.value);
    for (const ValueId operand : node_definitions_[i].operands) {
      if (operand.index < 0 || graph_[operand].node < 0) continue;
      const auto producer = static_cast<size_t>(graph_[operand].node);
      const bool is_loaded = is_kept_for_gradient(producer);
      if (node_definitions_[producer].is_map() && !is_loaded) work_[i] += work_[producer];
    }
    work_[i] = std::min(work_[i], 4 * kLongestChain);
  }
  const std::vector<RowResults> row_results = row_results_of(graph_, node_definitions_);
  // Uses by node: the readers whose own definitions load it (inlined ones pass on to theirs).
  std::vector<std::vector<Use>> uses(count);
  for (size_t i = count; i-- > 0;) {
    const auto node = static_cast<int32_t>(i);
    const ValueId value = result(node);
    is_inlined_[i] = !is_live_out(value) && node_definitions_[i].is_map() &&
                     (is_transparent(node) ||
                      (inlines && !is_unfused_[i] && !is_kept_for_gradient(i) &&
                       worth_inlining(node, *sites[i], uses[i], row_results[i].size() > 1)));
    // What is computed where it is chosen has all that it reads computed there.
    const bool is_chosen = is_inlined_[i] && std::ranges::any_of(uses[i], &Use::is_predicated);
    for (const LoadSite& site : *sites[i]) {
      const ValueId operand = node_definitions_[i].operands[static_cast<size_t>(site.operand)];
      const int32_t producer = graph_[operand].node;
      if (producer < 0) continue;
      auto& list = uses[static_cast<size_t>(producer)];
      if (is_transparent(node) && is_inlined_[i]) {
        // A view is read wherever its readers are, each counting as a reader of what is behind it.
        for (Use use : uses[i]) {
          use.is_predicated |= site.is_predicated;
          list.push_back(use);
        }
      } else if (const Use use{node, &site, is_chosen || site.is_predicated};
                 !reads_again(list, use)) {
        list.push_back(use);
      }
    }
  }
}

// A part of an expression has no type of its own to be rounded to, or to be computed in.
bool InlinedGraph::can_inline_into_select(int32_t node, const Use& use) const {
  const NodeDefinition &m = node_definition(node), &reader = node_definition(use.reader);
  const Shape& seen = graph_[reader.operands[static_cast<size_t>(use.site->operand)]].type.shape;
  const Kind kind = m.definition.value->kind;
  if (work_[static_cast<size_t>(node)] > kCheapWork) return false;
  if (seen.empty() || seen.back().hint_or(0) < kMinChosenRun) return false;
  if (!is_floating(m.dtype) || m.dtype != reader.dtype || kind == Kind::load || kind == Kind::cast)
    return false;
  const graph::Node& of = graph_.nodes[static_cast<size_t>(node)];
  if (of.forms != graph_.nodes[static_cast<size_t>(use.reader)].forms) return false;
  if (is_16_bit_float(m.dtype) && rounds(node)) return false;
  for (size_t i = 0; i < m.operands.size(); ++i) {
    if (m.operands[i].index < 0) continue;
    const DType from = graph_[m.operands[i]].type.dtype, to = m.compute[i];
    const bool is_exact = from == to || (is_16_bit_float(from) && to == f32);
    if (!is_floating(from) || !is_exact || (to == f64) != (m.dtype == f64)) return false;
  }
  return true;
}

bool InlinedGraph::decodes(int32_t node) const {
  const NodeDefinition& m = node_definition(node);
  if (!is_floating(m.dtype) || graph_[result(node)].type.device.kind != DeviceKind::cpu)
    return false;
  return std::ranges::all_of(m.operands, [&](ValueId operand) {
    return operand.index >= 0 && graph_[operand].type.dtype == u8;
  });
}

bool InlinedGraph::worth_inlining(int32_t node, const std::vector<LoadSite>& sites,
                                  const std::vector<Use>& uses, bool joins_reductions) const {
  const NodeDefinition& m = node_definition(node);
  const int work = work_[static_cast<size_t>(node)];
  if (work > kLongestChain) return false;
  // Cheaper than any load, however often it is read.
  if (depends_on_index_only_[static_cast<size_t>(node)] && work <= kCheapWork) {
    for (const Use& use : uses) {
      if (use.is_predicated || is_contraction(use.reader)) return false;
    }
    return true;
  }
  for (const Use& use : uses) {
    const NodeDefinition& other = node_definition(use.reader);
    if (use.site->is_indirect) return false;
    if (is_contraction(use.reader)) {
      // A product computes an operand once for all rows of a tile.
      if (decodes(node)) continue;
      return false;
    }
    if (other.definition.is_scatter()) return false;
    // Where a select chooses it, it is read at some points only, and computed inside of the reader's expression.
    if (use.is_predicated ? !can_inline_into_select(node, use)
                          : !is_at_most(other.points(), m.points())) {
      return false;
    }
  }
  if (uses.size() == 1) return !(joins_reductions && has_reducer(node_definition(uses[0].reader)));
  // Several readers: each would read the operands again instead of the result.
  int large_operands = 0;
  for (const LoadSite& site : sites) {
    const auto& type = graph_[m.operands[static_cast<size_t>(site.operand)]].type;
    if (!is_at_most(numel(type.shape) * 2, m.points())) ++large_operands;
  }
  return large_operands <= 1 && work <= kCheapWork;
}

void InlinedGraph::collect(const Sites& sites, int32_t node, const std::vector<Expr>& axes,
                           bool is_predicated, std::vector<Read>& reads) const {
  const NodeDefinition& m = node_definition(node);
  RIDGE_INTERNAL_CHECK(!m.definition.is_scatter() || !is_inlined(node), "an inlined scatter");
  for (const LoadSite& site : *sites[static_cast<size_t>(node)]) {
    std::vector<Expr> position;
    for (const Expr& index : site.position) {
      position.push_back(expr::simplify(substitute_axes(index, axes)));
    }
    const ValueId value = m.operands[static_cast<size_t>(site.operand)];
    const int32_t producer = graph_[value].node;
    const bool predicated = is_predicated || site.is_predicated;
    if (producer >= 0 && is_inlined(producer)) {
      collect(sites, producer, position, predicated, reads);
    } else {
      reads.push_back({value, std::move(position), predicated, site.is_indirect});
    }
  }
}

}  // namespace ridge::schedule
