// Expressions to C++: one piece of text where it is short and used once, else named parts in front.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "ridge/base/error.h"
#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/lane_values.h"
#include "ridge/codegen/cuda/scalar_function.h"

namespace ridge::codegen::cuda {
namespace {

using expr::Function;
using expr::Kind;
using expr::Node;
using expr::Type;

constexpr size_t kLongest = 72;     // characters of a piece, before a part gets a name
constexpr size_t kMostInside = 24;  // nodes of a side of `? :`

bool is_select(const Node& node) {
  return node.kind == Kind::call && node.function == Function::select;
}

class ExpressionWriter {
 public:
  ExpressionWriter(Emission& emission, DType arithmetic)
      : emission_(emission), real_(arithmetic == f64 ? CppType::f64 : CppType::f32) {}

  Operand run(const Expr& e) {
    expr::walk(e, [&](const Expr& node) {
      if (same_as(node) != node.get()) return;  // counted where it came first
      for (const Expr& arg : node->args) ++uses_[same_as(arg)];
    });
    return write_node(e);
  }

 private:
  using Cache = std::unordered_map<const Node*, Operand>;

  // The first node met that is equal to this one.
  const Node* same_as(const Expr& e) {
    std::vector<Expr>& equals = known_[e->hash];
    for (const Expr& other : equals) {
      if (expr::same(other, e)) return other.get();
    }
    equals.push_back(e);
    return e.get();
  }

  const Operand* known(const Node* node) const {
    for (const Cache& scope : scopes_) {
      const auto found = scope.find(node);
      if (found != scope.end()) return &found->second;
    }
    return nullptr;
  }

  Operand write(const Expr& e) {
    const Node* const node = same_as(e);
    if (const Operand* const part = known(node)) return *part;
    Operand operand = write_node(e);
    const bool is_leaf = e->kind != Kind::call && e->kind != Kind::cast && e->kind != Kind::load;
    const bool is_shared = uses_[node] > 1;
    if (!is_leaf && may_name_ && (is_shared || operand.text.size() > kLongest)) {
      operand = named(std::move(operand));
      scopes_.back().emplace(node, operand);
    }
    return operand;
  }

  Operand named(Operand operand) {
    const std::string part = emission_.names.add("t");
    emission_.out.line("const ", name(operand.type), " ", part, " = ", operand.text, ";");
    return {part, operand.type};
  }

  Operand write_node(const Expr& e) {
    const auto index = static_cast<size_t>(e->index);
    switch (e->kind) {
      case Kind::constant: return constant(*e);
      case Kind::symbol:
        RIDGE_INTERNAL_CHECK(e->kind != Kind::symbol, "a kernel knows sizes as params only");
        return {};
      case Kind::axis: return {emission_.axes[index], emission_.axis_types[index]};
      case Kind::param:
        return {emission_.sizes[index],
                emission_.target.fits_32_bits ? CppType::int32 : CppType::int64};
      case Kind::input: return typed({emission_.values[index], emission_.value_types[index]}, *e);
      case Kind::load: return typed(load(e), *e);
      case Kind::cast: return cast(write(e->args[0]), e);
      case Kind::call: return is_select(*e) ? select(e) : call(e);
    }
    return {};
  }

  // Reals in the arithmetic of the statement; integers as wide as they are.
  Operand typed(Operand operand, const Node& node) {
    return node.type == Type::real ? converted(emission_, std::move(operand), real_) : operand;
  }
  Operand cast(Operand operand, const Expr& e) {
    const bool is_from_real = is_real(operand.type);
    switch (e->type) {
      case Type::boolean: return converted(emission_, std::move(operand), CppType::boolean);
      case Type::real: break;
      case Type::integer:
        if (is_from_real) return converted(emission_, std::move(operand), CppType::int64);
        if (operand.type != CppType::boolean) return operand;
        return converted(emission_, std::move(operand), CppType::int32);
    }
    // Conversions from 64 bits are slow.
    if (operand.type == CppType::int64 && fits_int32(emission_.ranges.of(e->args[0]).range)) {
      operand = converted(emission_, std::move(operand), CppType::int32);
    }
    return converted(emission_, std::move(operand), real_);
  }

  Operand constant(const Node& node) {
    if (node.type == Type::boolean) return {node.integer != 0 ? "true" : "false", CppType::boolean};
    if (node.type == Type::real) {
      return {literal(emission_, node.real, real_), real_, std::signbit(node.real) ? 1 : 0};
    }
    if (fits_int32(expr::Interval::point(node.integer)) && node.integer != INT32_MIN) {
      return {ridge::to_text(node.integer), CppType::int32, node.integer < 0 ? 1 : 0};
    }
    // The lowest one has no literal of its own.
    if (node.integer == INT64_MIN) return {"(-0x7fffffffffffffffLL - 1)", CppType::int64};
    return {concat(node.integer, "LL"), CppType::int64, node.integer < 0 ? 1 : 0};
  }

  Operand load(const Expr& e) {
    if (emission_.region != nullptr) {
      for (const WideLoad& wide : emission_.region->wide_loads) {
        if (!expr::same(wide.load, e)) continue;
        return {lane_of(emission_, wide.lanes), register_type(emission_.buffer(e->index).dtype)};
      }
    }
    const loop::Buffer& buffer = emission_.buffer(e->index);
    const std::string position = write(e->args[0]).text;
    const std::string& from = emission_.buffers[static_cast<size_t>(e->index)];
    const bool is_streaming =
        emission_.target.streaming_loads && buffer.space == loop::Space::global;
    std::string element = concat(from, "[", position, "]");
    if (is_streaming) {
      emission_.use("streaming");
      element = concat("ridge::load_streaming(&", element, ")");
    }
    const CppType type = register_type(buffer.dtype);
    const std::string_view stored = element_type(buffer.dtype);
    const bool is_plain = stored == name(type);
    return {is_plain ? element : concat(name(type), "(", element, ")"), type};
  }

  Operand call(const Expr& e) {
    const Expr* const term = one_plus(emission_, e, real_);
    if (term != nullptr && uses_[same_as(*term)] == 1) {
      return write_one_plus(emission_, *term, write((*term)->args[0]));
    }
    std::vector<Operand> args;
    for (const Expr& arg : e->args) args.push_back(write(arg));
    return write_function(emission_, e, std::move(args), real_);
  }

  // Only the chosen side may touch memory or report an error. `? :` sees to that, if nothing of a
  // side has to stand in front.
  Operand select(const Expr& e) {
    const Operand condition = write(e->args[0]);
    const CppType type = select_type(e);
    size_t room = kMostInside;
    const bool is_simple = is_plain(e->args[1], room) && is_plain(e->args[2], room);
    if (is_simple || !may_name_) {
      const bool could_name = std::exchange(may_name_, false);
      const Operand a = converted(emission_, write(e->args[1]), type);
      const Operand b = converted(emission_, write(e->args[2]), type);
      may_name_ = could_name;
      return {concat(parenthesized(condition, 11), " ? ", parenthesized(a, 11), " : ",
                     parenthesized(b, 12)),
              type, 12};
    }
    const std::string part = emission_.names.add("t");
    emission_.out.line(name(type), " ", part, ";");
    emission_.out.line("if (", condition.text, ") {");
    write_side(e->args[1], part, type);
    emission_.out.line("} else {");
    write_side(e->args[2], part, type);
    emission_.out.line("}");
    return {part, type};
  }
  void write_side(const Expr& side, const std::string& part, CppType type) {
    scopes_.emplace_back();
    {
      const auto indent = emission_.out.indent();
      const Operand value = converted(emission_, write(side), type);
      emission_.out.line(part, " = ", value.text, ";");
    }
    scopes_.pop_back();
  }
  CppType select_type(const Expr& e) {
    if (e->type == Type::real) return real_;
    if (e->type == Type::boolean) return CppType::boolean;
    return fits_int32(emission_.ranges.of(e).range) ? CppType::int32 : CppType::int64;
  }
  // Whether a side can be written as it is: short, and no part of it wants a name.
  bool is_plain(const Expr& side, size_t& room) {
    if (side->args.empty() || known(same_as(side)) != nullptr) return true;
    if (uses_[same_as(side)] > 1 || room == 0) return false;
    --room;
    return std::ranges::all_of(side->args, [&](const Expr& arg) { return is_plain(arg, room); });
  }

  Emission& emission_;
  CppType real_;
  std::unordered_map<uint64_t, std::vector<Expr>> known_;
  std::unordered_map<const Node*, int> uses_;
  // Named parts; a scope for each side of a select that we are on.
  std::vector<Cache> scopes_ = std::vector<Cache>(1);
  bool may_name_ = true;
};

}  // namespace

Operand write_expression(Emission& emission, const Expr& e, DType arithmetic) {
  return ExpressionWriter(emission, arithmetic).run(e);
}

std::string write_as(Emission& emission, const Expr& e, DType arithmetic, CppType type) {
  return converted(emission, write_expression(emission, e, arithmetic), type).text;
}

std::string write_index(Emission& emission, const Expr& index) {
  return write_expression(emission, index, f32).text;
}

}  // namespace ridge::codegen::cuda
