#include "ridge/codegen/llvm/block_scales.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "ridge/base/error.h"
#include "ridge/codegen/llvm/memory.h"
#include "ridge/expr/simplify.h"

namespace ridge::codegen {
namespace {

using expr::Function;
using expr::Kind;
using expr::Node;

constexpr int64_t kAll = std::numeric_limits<int64_t>::max();  // the whole axis

std::optional<int64_t> distance(const Expr& from, const Expr& to) {
  const Expr result = expr::simplify(to - from);
  return expr::is_constant(result) ? std::optional(result->integer) : std::nullopt;
}

bool is_power_of_two(const Expr& e) {
  return expr::is_constant(e) && e->integer > 0 &&
         std::has_single_bit(static_cast<uint64_t>(e->integer));
}

}  // namespace

class BlockScales::Finder {
 public:
  Finder(const loop::Loop& loop, const loop::Kernel& kernel, unsigned lanes)
      : axis_(loop.axis), kernel_(kernel), lanes_(lanes) {
    for (const loop::Statement& statement : loop.body) {
      if (const auto* let = std::get_if<loop::Let>(&statement.kind)) {
        lets_[let->value] = let;
      } else if (const auto* reduce = std::get_if<loop::Reduce>(&statement.kind)) {
        changing_.insert(reduce->value);
      } else if (const auto* assign = std::get_if<loop::Assign>(&statement.kind)) {
        changing_.insert(assign->value);
      } else if (const auto* var = std::get_if<loop::Var>(&statement.kind)) {
        changing_.insert(var->value);
      }
    }
  }

  // Leaves out the sides of a select: blocks may not be there.
  void find(const Expr& e, std::vector<Group>& groups) {
    if (!seen_.insert(e.get()).second) return;
    if (is_call(e, Function::select)) return find(e->args[0], groups);
    if (!is_call(e, Function::f16_value)) {
      for (const Expr& arg : e->args) find(arg, groups);
      return;
    }
    const auto bytes = little_endian(e->args[0]);
    if (!bytes) return;
    const int64_t run = run_of(bytes->index);
    if (run == kAll || run == 0 || run % lanes_ != 0) return;
    if (!groups.empty()) {
      Group& last = groups.back();
      const auto size = static_cast<int64_t>(2 * last.calls.size());
      const bool goes_on = last.buffer == bytes->buffer && last.run == run;
      if (goes_on && distance(last.index, bytes->index) == size) {
        return last.calls.push_back(e.get());
      }
    }
    groups.push_back({bytes->buffer, bytes->index, run, {e.get()}});
  }

  // The lets below an expression.
  void add_lets(const Expr& e, std::unordered_set<int>& values) const {
    expr::walk(e, [&](const Expr& node) {
      if (node->kind != Kind::input) return;
      const auto let = lets_.find(node->index);
      if (let == lets_.end() || !values.insert(node->index).second) return;
      add_lets(let->second->expression, values);
    });
  }

 private:
  struct Bytes {
    int buffer;
    Expr index;  // of the first
  };

  std::optional<Bytes> byte(Expr e) const {
    if (e->kind == Kind::input) {
      const auto let = lets_.find(e->index);
      if (let == lets_.end()) return std::nullopt;
      e = let->second->expression;
    }
    if (e->kind != Kind::load) return std::nullopt;
    if (kernel_.buffers[static_cast<size_t>(e->index)].dtype != u8) return std::nullopt;
    return Bytes{e->index, e->args[0]};
  }

  // low + 256 * high, bytes beside each other.
  std::optional<Bytes> little_endian(const Expr& e) const {
    if (!is_call(e, Function::add)) return std::nullopt;
    for (const size_t high : {size_t{0}, size_t{1}}) {
      const Expr& product = e->args[high];
      if (!is_call(product, Function::mul)) continue;
      for (const size_t factor : {size_t{0}, size_t{1}}) {
        if (!expr::is_constant(product->args[factor], 256)) continue;
        const auto first = byte(e->args[1 - high]), second = byte(product->args[1 - factor]);
        const bool are_there = first && second && first->buffer == second->buffer;
        if (are_there && distance(first->index, second->index) == 1) return first;
      }
    }
    return std::nullopt;
  }

  // How many neighbors along the axis, from a multiple of so many on, have the same value; 0 if not even two.
  int64_t run_of(const Expr& e) {
    if (const auto known = runs_.find(e.get()); known != runs_.end()) return known->second;
    return runs_[e.get()] = compute_run(*e);
  }

  int64_t compute_run(const Node& e) {
    if (e.kind == Kind::axis) return e.index == axis_ ? 0 : kAll;
    if (e.kind == Kind::input) {
      if (changing_.contains(e.index)) return 0;
      const auto let = lets_.find(e.index);
      return let == lets_.end() ? kAll : run_of(let->second->expression);
    }
    if (e.has_index_check != 0) return 0;  // which is reported where it is read
    if (e.kind == Kind::call && e.function == Function::philox) return 0;
    if (e.kind == Kind::call && e.function == Function::floor_div) {
      const Expr& axis = e.args[0];
      const bool is_block = axis->kind == Kind::axis && axis->index == axis_;
      if (is_block && is_power_of_two(e.args[1])) return e.args[1]->integer;
    }
    int64_t run = kAll;
    for (const Expr& arg : e.args) run = std::min(run, run_of(arg));
    return run;
  }

  int axis_;
  const loop::Kernel& kernel_;
  unsigned lanes_;
  std::unordered_map<int, const loop::Let*> lets_;
  std::unordered_set<int> changing_;
  std::unordered_set<const Node*> seen_;
  std::unordered_map<const Node*, int64_t> runs_;
};

BlockScales::BlockScales(const loop::Loop& loop, const loop::Kernel& kernel, unsigned lanes,
                         int64_t size)
    : loop_(loop), size_(size) {
  Finder finder(loop, kernel, lanes);
  for (const loop::Statement& statement : loop.body) {
    const auto* let = std::get_if<loop::Let>(&statement.kind);
    if (let != nullptr) finder.find(let->expression, groups_);
  }
  std::unordered_set<int> values;
  for (const Group& group : groups_) finder.add_lets(group.index, values);
  for (const loop::Statement& statement : loop.body) {
    const auto* let = std::get_if<loop::Let>(&statement.kind);
    if (let != nullptr && values.contains(let->value)) lets_.push_back(statement);
  }
}

template <class Visit>
void BlockScales::for_each_slot(Visit&& visit) const {
  unsigned position = 0;
  for (const Group& group : groups_) {
    for (int64_t offset = 0; offset < size_; offset += group.run) {
      visit(group, offset, position);
      position += static_cast<unsigned>(group.calls.size());
      if (group.run >= size_) break;
    }
  }
}

unsigned BlockScales::count() const {
  unsigned count = 0;
  for_each_slot([&](const Group& group, int64_t, unsigned position) {
    count = position + static_cast<unsigned>(group.calls.size());
  });
  return count;
}

void BlockScales::convert(Emission& emission, Value* round, Value* memory) const {
  Builder& b = emission.builder();
  Frame& frame = emission.frame;
  Value* first = b.CreateMul(round, b.getInt64(static_cast<uint64_t>(size_)));
  Value* all = llvm::PoisonValue::get(with_lanes(b.getInt16Ty(), count()));
  for_each_slot([&](const Group& group, int64_t offset, unsigned position) {
    frame.round = {.number = round, .size = size_, .offset = offset};
    frame.axes[static_cast<size_t>(loop_.axis)] =
        b.CreateAdd(first, b.getInt64(static_cast<uint64_t>(offset)));
    emit_body(emission, lets_);
    Value* index = emit_expression(emission, group.index, f64);
    RIDGE_INTERNAL_CHECK(lanes_of(index) == 1, "scales that differ from lane to lane");
    Value* bytes = frame.buffers[static_cast<size_t>(group.buffer)];
    llvm::Type* halves = with_lanes(b.getInt16Ty(), static_cast<unsigned>(group.calls.size()));
    Value* bits =
        b.CreateAlignedLoad(halves, b.CreateGEP(b.getInt8Ty(), bytes, index), llvm::Align(1));
    for (unsigned i = 0; i < group.calls.size(); ++i) {
      Value* one = group.calls.size() == 1 ? bits : b.CreateExtractElement(bits, i);
      all = count() == 1 ? one : b.CreateInsertElement(all, one, position + i);
    }
  });
  b.CreateAlignedStore(widen(emission.code, all, f16), memory, llvm::Align(4));
}

void BlockScales::use(Emission& emission, int64_t offset, Value* memory) const {
  Builder& b = emission.builder();
  emission.frame.scales.clear();
  for_each_slot([&](const Group& group, int64_t begin, unsigned position) {
    if (offset < begin || offset - begin >= group.run) return;
    for (const expr::Node* call : group.calls) {
      emission.frame.scales.push_back(
          {call, b.CreateConstInBoundsGEP1_64(b.getFloatTy(), memory, position++)});
    }
  });
}

}  // namespace ridge::codegen
