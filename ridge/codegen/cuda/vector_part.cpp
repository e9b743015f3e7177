#include "ridge/codegen/cuda/vector_part.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <set>
#include <unordered_set>

#include "ridge/codegen/cuda/emission.h"

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
  const auto* const copy = as<loop::AsyncCopy>(statement);
  return (store != nullptr && can_overlap(emission, store->buffer, buffer)) ||
         (copy != nullptr && can_overlap(emission, copy->buffer, buffer));
}

bool loads_from(const Emission& emission, const loop::Statement& statement, int buffer) {
  const auto* const copy = as<loop::AsyncCopy>(statement);
  bool found = copy != nullptr && can_overlap(emission, copy->from, buffer);
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

bool can_run_lane_by_lane(const Emission& emission, const Part& part) {
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

namespace {

// Under which selects the loads of expressions stand.
class PredicatedLoadFinder {
 public:
  explicit PredicatedLoadFinder(const std::function<bool(const Expr&)>& is_uniform)
      : is_uniform_(is_uniform) {}

  // A null condition: always.
  void add(const Expr& e, const Expr& condition, bool is_shared) {
    const bool is_certain = !static_cast<bool>(condition);
    const uint64_t state = !is_certain ? condition->hash : is_shared ? 0 : 1;
    if (e->args.empty() || !seen_.emplace(e.get(), state).second) return;
    if (e->kind == Kind::load) add_load(e, condition, is_shared);
    const bool is_select = expr::is_call(e, expr::Function::select);
    for (size_t i = 0; i < e->args.size(); ++i) {
      if (!is_select || i == 0) {
        add(e->args[i], condition, is_shared);
      } else if (!is_shared || !is_uniform_(e->args[0])) {
        add(e->args[i], {}, false);
      } else {
        const Expr chooses = e->args[0], holds = i == 1 ? chooses : !chooses;
        add(e->args[i], is_certain ? holds : condition && holds, true);
      }
    }
  }

  std::vector<PredicatedLoad> found() const {
    std::vector<PredicatedLoad> result;
    for (const ConditionalLoad& known : loads_) {
      const bool is_certain = !static_cast<bool>(known.condition);
      if (known.is_shared && !is_certain) result.push_back({known.load, known.condition});
    }
    return result;
  }

 private:
  struct ConditionalLoad {
    Expr load, condition;
    bool is_shared;
  };
  void add_load(const Expr& load, const Expr& condition, bool is_shared) {
    for (ConditionalLoad& known : loads_) {
      if (!expr::same(known.load, load)) continue;
      known.is_shared &= is_shared;
      const bool is_certain = !static_cast<bool>(known.condition) || !static_cast<bool>(condition);
      known.condition = is_certain ? Expr() : known.condition || condition;
      return;
    }
    loads_.push_back({load, condition, is_shared});
  }

  const std::function<bool(const Expr&)>& is_uniform_;
  std::set<std::pair<const expr::Node*, uint64_t>> seen_;
  std::vector<ConditionalLoad> loads_;
};

}  // namespace

std::vector<PredicatedLoad> predicated_loads(const Part& part,
                                             const std::function<bool(const Expr&)>& is_uniform) {
  PredicatedLoadFinder finder(is_uniform);
  // What stands inside of others may choose for itself.
  const auto is_plain = [](const loop::Statement* statement) {
    return as<loop::Let>(*statement) != nullptr || as<loop::Reduce>(*statement) != nullptr ||
           as<loop::Store>(*statement) != nullptr;
  };
  if (!std::ranges::all_of(part, is_plain)) return {};
  for (const loop::Statement* statement : part) {
    for_each_expression(*statement, [&](const Expr& e) { finder.add(e, {}, true); });
  }
  return finder.found();
}

bool is_flat(const loop::Body& body) {
  return std::ranges::all_of(body, [](const loop::Statement& statement) {
    return as<loop::Let>(statement) != nullptr || as<loop::Reduce>(statement) != nullptr ||
           as<loop::Store>(statement) != nullptr || as<loop::AsyncCopy>(statement) != nullptr;
  });
}

}  // namespace ridge::codegen::cuda
