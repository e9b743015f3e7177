#include <bit>
#include <map>
#include <unordered_map>
#include <utility>

#include "ridge/expr/evaluate.h"
#include "ridge/loop/bytecode.h"

namespace ridge::loop {
namespace {

using expr::Function;
using expr::Kind;
using expr::Node;
using expr::Type;

bool is_select(const Node& node) {
  return node.kind == Kind::call && node.function == Function::select;
}

Operation conversion(Type from, Type to) {
  const bool is_real = from == Type::real;
  switch (to) {
    case Type::boolean: return is_real ? Operation::real_to_boolean : Operation::integer_to_boolean;
    case Type::integer: return is_real ? Operation::real_to_integer : Operation::copy;
    case Type::real: return Operation::integer_to_real;
  }
  return Operation::copy;
}

class Compiler {
 public:
  Compiler(const Kernel& kernel, std::span<const int64_t> sizes, const Registers& registers,
           DType arithmetic, Bytecode& program)
      : kernel_(kernel),
        sizes_(sizes),
        registers_(registers),
        is_f32_(arithmetic == f32),
        program_(program) {}

  ExpressionCode run(const Expr& root) {
    walk(root, [&](const Expr& e) { number(*e); });
    const size_t result = numbers_.at(root.get());
    find_uses(result);
    const uint32_t begin = next();
    for (size_t id = 0; id < values_.size(); ++id) {
      if (values_[id].is_always_needed) emit(id);
    }
    const Range code{begin, next()};
    emit_shared();
    return {code, values_[result].slot};
  }

 private:
  struct Value {
    const Node* node;
    SmallVector<size_t, 3> args{};
    Slot slot{};
    bool needs_code = true;
    int uses = 0;
    bool is_always_needed = false;  // not only on some side of a select
    int once_number = -1;
    Range shared_code{};
  };

  // Structurally equal nodes are one value: what they hold, then the numbers of their arguments.
  void number(const Node& node) {
    std::vector<int64_t> identity = {static_cast<int64_t>(node.kind),
                                     static_cast<int64_t>(node.type),
                                     static_cast<int64_t>(node.function),
                                     node.index,
                                     node.integer,
                                     std::bit_cast<int64_t>(node.real)};
    Value value{.node = &node};
    for (const Expr& arg : node.args) {
      const size_t id = numbers_.at(arg.get());
      value.args.push_back(id);
      identity.push_back(static_cast<int64_t>(id));
    }
    const auto [at, is_new] = known_.emplace(std::move(identity), values_.size());
    numbers_.emplace(&node, at->second);
    if (!is_new) return;
    place(value);
    values_.push_back(std::move(value));
  }

  // Leaves lie in registers already; what is computed gets one of its own.
  void place(Value& value) {
    const Node& node = *value.node;
    const auto index = static_cast<size_t>(node.index);
    switch (node.kind) {
      case Kind::constant:
        value.slot = add_constant(program_, constant_word(node));
        value.needs_code = false;
        return;
      case Kind::param:
        value.slot = add_constant(program_, {.integer = sizes_[index]});
        value.needs_code = false;
        return;
      case Kind::axis:
        value.slot = registers_.axes[index];
        value.needs_code = false;
        return;
      case Kind::input:
        if (!is_f32_ || kernel_.values[index].dtype != f64) {
          value.slot = registers_.values[index];
          value.needs_code = false;
          return;
        }
        break;
      case Kind::symbol:
      case Kind::load:
      case Kind::call:
      case Kind::cast: break;
    }
    value.slot = add_register(program_, Spread::lane);
  }
  Word constant_word(const Node& node) const {
    if (node.type != Type::real) return {.integer = node.integer};
    return {.real = is_f32_ ? static_cast<double>(static_cast<float>(node.real)) : node.real};
  }

  // Users come after their arguments, so going backwards all uses of a value are known before it.
  void find_uses(size_t result) {
    values_[result].is_always_needed = true;
    for (size_t id = values_.size(); id-- > 0;) {
      for (size_t i = 0; i < values_[id].args.size(); ++i) {
        Value& arg = values_[values_[id].args[i]];
        const bool is_side = is_select(*values_[id].node) && i > 0;
        ++arg.uses;
        arg.is_always_needed |= values_[id].is_always_needed && !is_side;
      }
    }
  }

  // Makes the value available at this place of the code.
  void need(size_t id) {
    Value& value = values_[id];
    if (!value.needs_code || value.is_always_needed) return;  // it is already
    constexpr int kDeepest = 200;                             // levels of our own stack
    if (value.uses == 1 && depth_ < kDeepest) {
      ++depth_;
      emit(id);
      --depth_;
      return;
    }
    if (value.once_number < 0) {
      value.once_number = program_.once_count++;
      pending_.push_back(id);
    }
    add({.operation = Operation::once,
         .buffer = value.once_number,
         .range = {static_cast<uint32_t>(id), 0}});
  }

  void emit(size_t id) {
    const Value& value = values_[id];
    const Node& node = *value.node;
    if (!value.needs_code) return;
    if (is_select(node)) return emit_select(id);
    for (const size_t arg : value.args) need(arg);
    Instruction instruction{.operation = Operation::call,
                            .function = node.function,
                            .rounds_to_f32 = is_f32_ && node.type == Type::real,
                            .dest = value.slot};
    for (size_t i = 0; i < value.args.size(); ++i) {
      instruction.args[i] = values_[value.args[i]].slot;
    }
    if (node.kind == Kind::input) {
      instruction.operation = Operation::copy;
      instruction.args[0] = registers_.values[static_cast<size_t>(node.index)];
    } else if (node.kind == Kind::load) {
      instruction.operation = Operation::load;
      instruction.buffer = node.index;
    } else {
      const Type from = values_[value.args[0]].node->type;
      if (node.kind == Kind::cast) instruction.operation = conversion(from, node.type);
      instruction.is_real = from == Type::real;
    }
    add(instruction);
  }

  void emit_select(size_t id) {
    const Value& value = values_[id];
    need(value.args[0]);
    const size_t select =
        add({.operation = Operation::select, .args = {values_[value.args[0]].slot}});
    emit_side(id, 1);
    program_.code[select].range.begin = next();
    emit_side(id, 2);
    program_.code[select].range.end = next();
  }
  void emit_side(size_t id, size_t side) {
    const Value& value = values_[id];
    need(value.args[side]);
    add({.operation = Operation::copy,
         .dest = value.slot,
         .args = {values_[value.args[side]].slot}});
  }

  // Emitting one may ask for more. Places are filled in when all are known.
  void emit_shared() {
    const uint32_t first_once = first_instruction_;
    while (!pending_.empty()) {
      const size_t id = pending_.back();
      pending_.pop_back();
      const uint32_t begin = next();
      emit(id);
      values_[id].shared_code = {begin, next()};
    }
    for (uint32_t at = first_once; at < next(); ++at) {
      Instruction& instruction = program_.code[at];
      if (instruction.operation != Operation::once) continue;
      const Value& value = values_[instruction.range.begin];
      instruction.range = value.shared_code;
      instruction.dest = value.slot;
    }
  }

  uint32_t next() const { return static_cast<uint32_t>(program_.code.size()); }
  size_t add(const Instruction& instruction) {
    program_.code.push_back(instruction);
    return program_.code.size() - 1;
  }

  const Kernel& kernel_;
  std::span<const int64_t> sizes_;
  const Registers& registers_;
  bool is_f32_;
  Bytecode& program_;
  uint32_t first_instruction_ = next();
  std::vector<Value> values_;
  std::unordered_map<const Node*, size_t> numbers_;
  std::map<std::vector<int64_t>, size_t> known_;
  std::vector<size_t> pending_;  // needed by a `once`, not emitted yet
  int depth_ = 0;
};

}  // namespace

ExpressionCode compile_expression(const Kernel& kernel, std::span<const int64_t> sizes,
                                  const Registers& registers, const Expr& e, DType arithmetic,
                                  Bytecode& program) {
  return Compiler(kernel, sizes, registers, arithmetic, program).run(e);
}

Slot add_register(Bytecode& program, Spread spread) {
  Slot slot{static_cast<uint32_t>(program.words.size())};
  if (spread == Spread::lane) slot.shift = 0;
  if (spread == Spread::thread) slot.shift = program.thread_shift;
  const size_t words = slot.is_uniform() ? 1 : program.width >> slot.shift;
  program.words.resize(program.words.size() + words);
  return slot;
}

Slot add_constant(Bytecode& program, Word word) {
  const Slot slot = add_register(program, Spread::uniform);
  program.words[slot.offset] = word;
  return slot;
}

}  // namespace ridge::loop
