#include "ridge/schedule/kernel_text.h"

#include <algorithm>

#include "ridge/base/hash.h"
#include "ridge/base/text.h"
#include "ridge/ops/record.h"

namespace ridge::schedule {
namespace {

// Applies f to every expression of a body.
template <class F>
void rewrite(loop::Body& body, const F& f) {
  const auto one = [&](Expr& e) {
    if (e.get() != nullptr) e = f(e);
  };
  const auto limits = [&](loop::TileLimits& within) {
    one(within.rows);
    one(within.columns);
  };
  for (loop::Statement& statement : body) {
    if (auto* loop = std::get_if<loop::Loop>(&statement.kind)) {
      one(loop->extent);
      rewrite(loop->body, f);
    } else if (auto* branch = std::get_if<loop::If>(&statement.kind)) {
      one(branch->condition);
      rewrite(branch->then, f);
    } else if (auto* let = std::get_if<loop::Let>(&statement.kind)) {
      one(let->expression);
    } else if (auto* var = std::get_if<loop::Var>(&statement.kind)) {
      one(var->initial);
    } else if (auto* assign = std::get_if<loop::Assign>(&statement.kind)) {
      one(assign->expression);
    } else if (auto* store = std::get_if<loop::Store>(&statement.kind)) {
      one(store->index);
    } else if (auto* copy = std::get_if<loop::AsyncCopy>(&statement.kind)) {
      one(copy->index);
      one(copy->from_index);
    } else if (auto* bulk = std::get_if<loop::BulkCopy>(&statement.kind)) {
      one(bulk->first);
      one(bulk->count);
    } else if (auto* contract = std::get_if<loop::Contract>(&statement.kind)) {
      one(contract->m_extent);
      one(contract->n_extent);
      one(contract->k_extent);
      one(contract->lhs);
      one(contract->rhs);
      rewrite(contract->body, f);
    } else if (auto* fill = std::get_if<loop::FillTile>(&statement.kind)) {
      one(fill->value);
    } else if (auto* load = std::get_if<loop::LoadTile>(&statement.kind)) {
      one(load->element);
      limits(load->limits);
    } else if (auto* each = std::get_if<loop::EachElement>(&statement.kind)) {
      limits(each->limits);
      rewrite(each->body, f);
    } else if (auto* fold = std::get_if<loop::FoldTile>(&statement.kind)) {
      limits(fold->limits);
    }
  }
}

std::string hex(uint64_t value) {
  std::string text(8, '0');
  for (size_t i = 8; i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15];
  return text;
}

}  // namespace

std::vector<Expr> bind_symbols(loop::Kernel& kernel) {
  std::vector<Expr> symbols;
  const auto bind = [&](const Expr& e) {
    return expr::transform(e, [&](const Expr& node) -> Expr {
      if (node->kind != expr::Kind::symbol) return node;
      size_t number = 0;
      while (number < symbols.size() && !expr::same(symbols[number], node)) ++number;
      if (number == symbols.size()) {
        symbols.push_back(node);
        kernel.sizes.push_back(concat("s", number));
      }
      return expr::param(static_cast<int>(number), expr::Type::integer);
    });
  };
  for (loop::Buffer& buffer : kernel.buffers) {
    if (buffer.elements.get() != nullptr) buffer.elements = bind(buffer.elements);
  }
  if (kernel.grain.get() != nullptr) kernel.grain = bind(kernel.grain);
  rewrite(kernel.body, bind);
  return symbols;
}

std::string canonical_text(const loop::Kernel& kernel) {
  loop::Kernel plain = kernel;
  plain.name = "k";
  plain.notes.clear();
  for (size_t i = 0; i < plain.buffers.size(); ++i) plain.buffers[i].name = concat("b", i);
  for (size_t i = 0; i < plain.views.size(); ++i) plain.views[i].name = concat("w", i);
  for (loop::ValueInfo& value : plain.values) value.name.clear();
  return to_text(plain);
}

std::string content_of(const loop::Kernel& kernel) {
  return hex(hash_bytes(canonical_text(kernel)));
}

std::string named_by_content(const std::string& stem, const loop::Kernel& kernel) {
  return stem + "_" + content_of(kernel);
}

std::vector<std::string> ops_of(const KernelCall& call, const Graph& graph) {
  std::vector<std::string> ops;
  for (const int32_t number : call.nodes) {
    const graph::Node& node = graph.nodes[static_cast<size_t>(number)];
    const ops::OpRecord* record = node.op->record();
    const bool is_view = record != nullptr && has(record->traits, ops::Trait::View);
    if (!is_view || call.nodes.size() == 1) ops.push_back(node.op->name());
  }
  return ops;
}

std::set<std::string> lines_of(const KernelCall& call, const Graph& graph) {
  std::set<std::string> lines;
  for (const int32_t number : call.nodes) {
    const graph::Node& node = graph.nodes[static_cast<size_t>(number)];
    if (node.where.line() > 0) lines.insert(to_text(node.where));  // none in a graph read from text
  }
  return lines;
}

void describe(KernelCall& call, const Graph& graph) {
  describe(call, graph, content_of(call.kernel));
}

void describe(KernelCall& call, const Graph& graph, const std::string& content) {
  const std::vector<std::string> ops = ops_of(call, graph);
  const std::set<std::string> lines = lines_of(call, graph);
  std::string name = ops.size() > 1 ? "fused" : "";
  std::set<std::string> named;
  for (const std::string& op : ops) {
    if (named.size() < 5 && named.insert(op).second) name += (name.empty() ? "" : "_") + op;
  }
  if (name.empty()) name = "copy";
  call.kernel.name = name + "_" + content;
  call.kernel.notes.push_back("ops: " + join(ops, ", "));
  if (!lines.empty()) call.kernel.notes.push_back("from: " + join(lines, ", "));
}

}  // namespace ridge::schedule
