#include "ridge/codegen/cuda/vector_part.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <unordered_set>

#include "ridge/codegen/cuda/statement.h"

namespace ridge::codegen::cuda {
namespace {

using expr::Kind;

void count_reads(const loop::Statement& statement, std::vector<int>& reads) {
  const auto read = [&](int value) { ++reads[static_cast<size_t>(value)]; };
  for_each_expression(statement, [&](const Expr& e) {
    expr::walk(e, [&](const Expr& node) {
      if (node->kind == Kind::input) read(node->index);
    });
  });
  if (const auto* const reduce = as<loop::Reduce>(statement)) {
    read(reduce->operand);
    read(reduce->value);
  }
  if (const auto* const assign = as<loop::Assign>(statement)) read(assign->value);
  if (const auto* const store = as<loop::Store>(statement)) read(store->value);
}

bool can_overlap(const Emission& emission, int a, int b) {
  if (a == b) return true;
  const auto is_global = [&](int buffer) {
    return emission.buffer(buffer).space == loop::Space::global;
  };
  return emission.may_overlap && is_global(a) && is_global(b);
}

bool stores_to(const Emission& emission, const loop::Statement& statement, int buffer) {
  const auto* const store = as<loop::Store>(statement);
  const auto* const stage = as<loop::Stage>(statement);
  return (store != nullptr && can_overlap(emission, store->buffer, buffer)) ||
         (stage != nullptr && can_overlap(emission, stage->buffer, buffer));
}

bool loads_from(const Emission& emission, const loop::Statement& statement, int buffer) {
  const auto* const stage = as<loop::Stage>(statement);
  bool found = stage != nullptr && can_overlap(emission, stage->from, buffer);
  for_each_expression(statement, [&](const Expr& e) {
    expr::walk(e, [&](const Expr& node) {
      found |= node->kind == Kind::load && can_overlap(emission, node->index, buffer);
    });
  });
  return found;
}

}  // namespace

std::vector<int> reads_of(const loop::Body& body, size_t values) {
  std::vector<int> reads(values);
  for_each_statement(body, [&](const loop::Statement& s) { count_reads(s, reads); });
  return reads;
}

std::vector<int> reads_of(const Part& part, size_t values) {
  std::vector<int> reads(values);
  for (const loop::Statement* statement : part) {
    for_each_statement(*statement, [&](const loop::Statement& s) { count_reads(s, reads); });
  }
  return reads;
}

std::vector<bool> rounded_by_stores(const loop::Kernel& kernel) {
  std::vector<int> reads = reads_of(kernel.body, kernel.values.size());
  std::vector<std::optional<DType>> rounds(kernel.values.size());
  for_each_statement(kernel.body, [&](const loop::Statement& statement) {
    const auto* const let = as<loop::Let>(statement);
    if (let != nullptr) rounds[static_cast<size_t>(let->value)] = let->rounds;
  });
  for_each_statement(kernel.body, [&](const loop::Statement& statement) {
    const auto* const store = as<loop::Store>(statement);
    if (store == nullptr) return;
    const auto value = static_cast<size_t>(store->value);
    const DType dtype = kernel.buffers[static_cast<size_t>(store->buffer)].dtype;
    if (rounds[value] && *rounds[value] == dtype && is_16_bit_float(dtype)) --reads[value];
  });
  std::vector<bool> result;
  for (size_t i = 0; i < rounds.size(); ++i) result.push_back(rounds[i] && reads[i] == 0);
  return result;
}

bool stores_before(const Emission& emission, const Part& part, size_t count, int buffer) {
  bool found = false;
  for (size_t i = 0; i < count; ++i) {
    for_each_statement(*part[i],
                       [&](const loop::Statement& s) { found |= stores_to(emission, s, buffer); });
  }
  return found;
}

bool touches_after(const Emission& emission, const Part& part, size_t at, int buffer) {
  bool found = false;
  for (size_t i = at + 1; i < part.size(); ++i) {
    for_each_statement(*part[i], [&](const loop::Statement& s) {
      found |= stores_to(emission, s, buffer) || loads_from(emission, s, buffer);
    });
  }
  return found;
}

bool can_be_alone(const Emission& emission, const Part& part) {
  const std::vector<int> reads = reads_of(part, emission.kernel.values.size());
  std::unordered_set<int> own;
  bool can = true;
  const auto use = [&](int buffer) { can &= emission.buffer(buffer).space != loop::Space::local; };
  for (const loop::Statement* statement : part) {
    can &= as<loop::Let>(*statement) != nullptr || as<loop::Store>(*statement) != nullptr;
    if (const auto* const let = as<loop::Let>(*statement)) own.insert(let->value);
    if (const auto* const store = as<loop::Store>(*statement)) use(store->buffer);
    for_each_expression(*statement, [&](const Expr& e) {
      expr::walk(e, [&](const Expr& node) {
        if (node->kind == Kind::load) use(node->index);
      });
    });
  }
  for (const int value : emission.region->lane_values) {
    can &= own.contains(value) || reads[static_cast<size_t>(value)] == 0;
  }
  return can;
}

std::vector<Expr> certain_loads(const Expr& root) {
  std::vector<Expr> order, loads;
  expr::walk(root, [&](const Expr& e) { order.push_back(e); });
  std::unordered_set<const expr::Node*> certain = {root.get()};
  // Users come after their arguments, so going backwards a node is known before its arguments are.
  for (const Expr& e : std::views::reverse(order)) {
    if (!certain.contains(e.get())) continue;
    if (e->kind == Kind::load) loads.push_back(e);
    const bool is_select = e->kind == Kind::call && e->function == expr::Function::select;
    const size_t count = is_select ? 1 : e->args.size();
    for (size_t i = 0; i < count; ++i) certain.insert(e->args[i].get());
  }
  return loads;
}

bool is_flat(const loop::Body& body) {
  return std::ranges::all_of(body, [](const loop::Statement& statement) {
    return as<loop::Let>(statement) != nullptr || as<loop::Reduce>(statement) != nullptr ||
           as<loop::Store>(statement) != nullptr || as<loop::Stage>(statement) != nullptr;
  });
}

}  // namespace ridge::codegen::cuda
