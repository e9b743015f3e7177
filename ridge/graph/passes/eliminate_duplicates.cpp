#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <set>
#include <unordered_map>

#include "ridge/base/hash.h"
#include "ridge/graph/constant_text.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/rewriter.h"

namespace ridge::graph {
namespace {

void hash_argument(Hasher& hasher, const Argument& arg) {
  hasher.combine(arg.index());
  std::visit(
      [&](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, ValueId>) {
          hasher.combine(held.index);
        } else if constexpr (std::is_same_v<Held, ValueIds>) {
          for (const ValueId id : held) hasher.combine(id.index);
        } else if constexpr (std::is_same_v<Held, DType>) {
          hasher.combine(held.kind).combine(held.bits);
        } else if constexpr (std::is_same_v<Held, Device>) {
          hasher.combine(held.kind).combine(held.index);
        } else if constexpr (std::is_same_v<Held, Shape>) {
          for (const Size& size : held) hasher.combine(size.hash());
        } else if constexpr (std::is_same_v<Held, Body>) {
          hasher.combine(hash(*held));
        } else if constexpr (!std::is_same_v<Held, std::monostate>) {
          hasher.combine(held);
        }
      },
      arg);
}

uint64_t hash_call(const Node& node) {
  Hasher hasher;
  hasher.combine(node.op->name());
  for (const Argument& arg : node.args) hash_argument(hasher, arg);
  return hasher.digest();
}

bool is_same(const Argument& a, const Argument& b) {
  if (a.index() != b.index()) return false;
  if (const auto* shape = std::get_if<Shape>(&a)) {
    return ridge::is_same(*shape, std::get<Shape>(b));
  }
  if (const auto* ints = std::get_if<Ints>(&a)) return std::ranges::equal(*ints, std::get<Ints>(b));
  if (const auto* real = std::get_if<double>(&a)) {
    return std::bit_cast<uint64_t>(*real) == std::bit_cast<uint64_t>(std::get<double>(b));
  }
  if (const auto* body = std::get_if<Body>(&a)) {
    return *body == std::get<Body>(b) || to_text(**body) == to_text(*std::get<Body>(b));
  }
  return std::visit(
      [&](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, Shape> || std::is_same_v<Held, Ints> ||
                      std::is_same_v<Held, std::monostate>) {
          return true;
        } else {
          return held == std::get<Held>(b);
        }
      },
      a);
}

// What is computed again is so on purpose: the first result is to be given up before.
bool is_same_call(const Node& a, const Node& b) {
  const bool are_both_kept = (a.phase == Phase::recomputed) == (b.phase == Phase::recomputed);
  return are_both_kept && a.op == b.op && a.args.size() == b.args.size() &&
         std::ranges::equal(a.args, b.args,
                            [](const Argument& x, const Argument& y) { return is_same(x, y); });
}

// Equal bytes of one type: what prints alike is alike.
void merge_constants(const Graph& graph, Rewriter& rewriter) {
  std::map<std::string, ValueId> known;
  for (size_t i = 0; i < graph.values.size(); ++i) {
    const Value& value = graph.values[i];
    if (!value.constant.defined()) continue;
    const ValueId id{static_cast<int32_t>(i)};
    const auto [found, is_new] =
        known.emplace(to_text(value.type) + constant_text(value.constant), id);
    if (!is_new) rewriter.map(id, rewriter[found->second]);
  }
}

// Is anything there twice? What is made of duplicates is found when those are gone.
bool has_duplicates(const Graph& graph) {
  std::set<std::string> constants;
  for (const Value& value : graph.values) {
    if (value.constant.defined() &&
        !constants.insert(to_text(value.type) + constant_text(value.constant)).second) {
      return true;
    }
  }
  std::vector<std::pair<uint64_t, int32_t>> calls;
  calls.reserve(graph.nodes.size());
  for (const Node& node : graph.nodes) {
    calls.emplace_back(hash_call(node), static_cast<int32_t>(calls.size()));
  }
  std::ranges::sort(calls);
  // Of one hash, each is compared with all before it.
  for (size_t i = 1; i < calls.size(); ++i) {
    for (size_t j = i; j-- > 0 && calls[j].first == calls[i].first;) {
      if (is_same_call(graph.nodes[static_cast<size_t>(calls[i].second)],
                       graph.nodes[static_cast<size_t>(calls[j].second)])) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

Graph eliminate_duplicates(Graph graph, const PassContext&) {
  if (!is_functional(graph) || !has_duplicates(graph)) return graph;
  Rewriter rewriter(graph);
  merge_constants(graph, rewriter);
  std::unordered_multimap<uint64_t, int32_t> known;  // nodes of the new graph, by hash
  for (Node& node : graph.nodes) {
    Node now = rewriter.taken(node);
    const uint64_t key = hash_call(now);
    const Node* same = nullptr;
    const auto [first, last] = known.equal_range(key);
    for (auto at = first; at != last && same == nullptr; ++at) {
      const Node& earlier = rewriter.graph().nodes[static_cast<size_t>(at->second)];
      if (is_same_call(earlier, now)) same = &earlier;
    }
    if (same == nullptr) {
      known.emplace(key, rewriter.add(std::move(now), node.results));
      continue;
    }
    for (size_t i = 0; i < node.results.size(); ++i) {
      rewriter.map(node.results[i], same->results[i]);
    }
  }
  return rewriter.finish();
}

}  // namespace ridge::graph
