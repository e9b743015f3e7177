#include "tests/fuzz/coverage.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <set>
#include <unordered_map>
#include <utility>

#include "ridge/base/text.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/loop/statement_walk.h"
#include "ridge/ops/control.h"
#include "ridge/ops/registry.h"

namespace ridge::fuzz {
namespace {

// An in-place form counts as its op.
const std::string& base_name(const dispatch::Operator& op) {
  return op.record() != nullptr ? op.record()->op->name() : op.name();
}

const std::unordered_map<std::string, size_t>& op_numbers() {
  static const auto numbers = [] {
    std::unordered_map<std::string, size_t> made;
    for (const std::string& op : op_names()) made.emplace(op, made.size());
    return made;
  }();
  return numbers;
}

size_t dtype_number(DType dtype) {
  const auto all = complete_dtypes();
  return static_cast<size_t>(std::ranges::find(all, dtype) - all.begin());
}

// Numbers differ from kernel to kernel of one mapping.
std::string without_numbers(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!is_digit) result += c;
    if (is_digit && (result.empty() || result.back() != '#')) result += '#';
  }
  return result;
}

std::string_view name(schedule::GroupKind kind) {
  switch (kind) {
    case schedule::GroupKind::map: return "map";
    case schedule::GroupKind::reduction: return "reduction";
    case schedule::GroupKind::contraction: return "contraction";
    case schedule::GroupKind::scatter: return "scatter";
    case schedule::GroupKind::chain: return "chain";
  }
  return "";
}

// What the loops are made of, beside plain ones.
std::set<std::string> parts_of(const loop::Kernel& kernel) {
  std::set<std::string> parts;
  loop::for_each_statement(kernel.body, [&](const loop::Statement& statement) {
    using loop::Place;
    if (const auto* inner = loop::as<loop::Loop>(statement)) {
      const bool is_plain = inner->place == Place::serial || inner->place == Place::cpu_thread ||
                            inner->place == Place::gpu_block;
      if (!is_plain) parts.insert(std::string(loop::name(inner->place)));
    } else if (const auto* collective = loop::as<loop::CollectiveReduce>(statement)) {
      parts.insert(concat(loop::name(collective->scope), " reduction"));
    }
    if (loop::as<loop::Contract>(statement) != nullptr) parts.insert("contract");
    if (loop::as<loop::AsyncCopy>(statement) != nullptr) parts.insert("async_copy");
    if (loop::as<loop::BulkCopy>(statement) != nullptr) parts.insert("bulk_copy");
    if (loop::as<loop::Barrier>(statement) != nullptr) parts.insert("barrier");
  });
  return parts;
}

std::string mapping_name(const schedule::KernelCall& call, schedule::Target target) {
  std::string name =
      concat(target == schedule::Target::cpu ? "cpu " : "gpu ", fuzz::name(call.kind));
  std::string separator = ": ";
  for (const Decision& decision : call.decisions) {
    if (!decision.verdict || decision.reason.empty()) continue;
    name += std::exchange(separator, ", ") + without_numbers(decision.reason);
  }
  const std::set<std::string> parts = parts_of(call.kernel);
  return parts.empty() ? name : concat(name, " (", join(parts, ", "), ")");
}

}  // namespace

// What nothing reads is never compared.
void Coverage::add(const graph::Graph& given) {
  const graph::Graph graph = graph::eliminate_dead_code(given, {});
  for (const graph::Node& node : graph.nodes) {
    const auto op = op_numbers().find(base_name(*node.op));
    const graph::ValueIds operands = graph::operands(node);
    const graph::ValueId typed = operands.empty() ? node.results[0] : operands[0];
    const size_t dtype = dtype_number(graph[typed].type.dtype);
    if (op != op_numbers().end() && dtype < kDTypes) ++nodes[op->second][dtype];
    for (const graph::Argument& arg : node.args) {
      if (const auto* body = std::get_if<graph::Body>(&arg)) add(**body);
    }
  }
}

void Coverage::add(const schedule::Plan& plan, schedule::Target target) {
  for (const schedule::KernelCall& call : plan.calls) {
    add_kernels(mapping_name(call, target).c_str(), 1);
  }
}

void Coverage::add(const Coverage& other) {
  for (size_t op = 0; op < nodes.size(); ++op) {
    for (size_t dtype = 0; dtype < kDTypes; ++dtype) nodes[op][dtype] += other.nodes[op][dtype];
  }
  for (const Mapping& mapping : other.mappings) {
    if (mapping.kernels > 0) add_kernels(mapping.name, mapping.kernels);
  }
}

void Coverage::add_kernels(const char* name, int64_t kernels) {
  for (Mapping& mapping : mappings) {
    if (mapping.kernels == 0) std::snprintf(mapping.name, sizeof mapping.name, "%s", name);
    if (std::strncmp(mapping.name, name, sizeof mapping.name - 1) != 0) continue;
    mapping.kernels += kernels;
    return;
  }
}

const std::vector<const ops::OpRecord*>& records() {
  static const std::vector<const ops::OpRecord*> all = ops::registry().all();
  return all;
}

const std::vector<std::string>& op_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    for (const ops::OpRecord* record : records()) found.push_back(record->op->name());
    for (const ops::Control control :
         {ops::Control::cond, ops::Control::scan, ops::Control::while_loop}) {
      found.push_back(ops::control_op(control).name());
    }
    RIDGE_INTERNAL_CHECK(found.size() <= Coverage::kMostOps, "too many ops to count");
    return found;
  }();
  return names;
}

std::vector<std::string> missing_ops(const Coverage& coverage) {
  std::vector<std::string> missing;
  for (size_t op = 0; op < op_names().size(); ++op) {
    const auto& by_dtype = coverage.nodes[op];
    if (std::ranges::all_of(by_dtype, [](int64_t count) { return count == 0; })) {
      missing.push_back(op_names()[op]);
    }
  }
  return missing;
}

std::string summary(const Coverage& coverage) {
  size_t pairs = 0;
  for (const auto& by_dtype : coverage.nodes) {
    pairs += static_cast<size_t>(
        std::ranges::count_if(by_dtype, [](int64_t count) { return count > 0; }));
  }
  const auto mappings = std::ranges::count_if(
      coverage.mappings, [](const Coverage::Mapping& mapping) { return mapping.kernels > 0; });
  return concat("coverage: ", op_names().size() - missing_ops(coverage).size(), " of ",
                op_names().size(), " ops, ", pairs, " pairs of op and dtype, ", mappings,
                " mappings");
}

std::string to_text(const Coverage& coverage) {
  std::string text = "nodes by op and by dtype of the first operand\n";
  for (size_t op = 0; op < op_names().size(); ++op) {
    text += concat("  ", op_names()[op], ":");
    for (size_t dtype = 0; dtype < Coverage::kDTypes; ++dtype) {
      const int64_t count = coverage.nodes[op][dtype];
      if (count > 0) text += concat(" ", ridge::name(complete_dtypes()[dtype]), " ", count);
    }
    text += "\n";
  }
  text += "kernels by mapping\n";
  std::vector<std::string> lines;
  for (const Coverage::Mapping& mapping : coverage.mappings) {
    if (mapping.kernels > 0)
      lines.push_back(concat("  ", mapping.name, ": ", mapping.kernels, "\n"));
  }
  std::ranges::sort(lines);
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace ridge::fuzz
