// Statements in order, one line each where they have no body.
#include <algorithm>
#include <utility>

#include "ridge/base/error.h"
#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/scalar_function.h"
#include "ridge/codegen/cuda/tiles_emission.h"
#include "ridge/loop/statement_text.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::codegen::cuda {
namespace {

constexpr int64_t kUnrolled = 16;  // iterations that become straight code

bool indexes_local(const Emission& emission, const loop::Body& body, int axis) {
  bool found = false;
  const auto is_local = [&](int buffer) {
    return emission.buffer(buffer).space == loop::Space::local;
  };
  const auto holds_axis = [&](const Expr& e) {
    bool holds = false;
    expr::walk(e, [&](const Expr& node) {
      holds |= node->kind == expr::Kind::axis && node->index == axis;
    });
    return holds;
  };
  // Of a tile in registers.
  const auto is_part = [&](const loop::TilePart& part) {
    if (!loop::is_in_registers(emission.kernel.tiles[static_cast<size_t>(part.tile)].layout)) {
      return false;
    }
    return (part.row.get() != nullptr && holds_axis(part.row)) ||
           (part.column.get() != nullptr && holds_axis(part.column));
  };
  for_each_statement(body, [&](const loop::Statement& statement) {
    if (const auto* const move = as<loop::MoveTile>(statement)) found |= is_part(move->from);
    if (const auto* const dot = as<loop::Dot>(statement)) found |= is_part(dot->lhs);
    const auto* const store = std::get_if<loop::Store>(&statement.kind);
    if (store != nullptr && is_local(store->buffer)) found |= holds_axis(store->index);
    for_each_expression(statement, [&](const Expr& e) {
      expr::walk(e, [&](const Expr& node) {
        if (node->kind == expr::Kind::load && is_local(node->index)) {
          found |= holds_axis(node->args[0]);
        }
      });
    });
  });
  return found;
}

// Barriers in every iteration of a loop; adjacent reductions share one.
Emission::Barriers barriers_in(const Emission& emission, const loop::Body& body) {
  const int64_t block = loop::block_threads(emission.kernel).value_or(1);
  Emission::Barriers count;
  Emission::Barriers run;  // of the values around, 1 or 0
  for (const loop::Statement& statement : body) {
    const auto* const collective = std::get_if<loop::CollectiveReduce>(&statement.kind);
    const bool is_of_cluster = collective != nullptr && collective->scope == loop::Scope::cluster;
    const bool is_of_block = collective != nullptr && collective->scope == loop::Scope::block &&
                             (collective->threads == 0 ? block : collective->threads) > kWarp;
    const bool is_barrier = std::holds_alternative<loop::Barrier>(statement.kind);
    if (collective == nullptr) run = {};
    if (is_barrier || ((is_of_block || is_of_cluster) && run.of_block == 0)) ++count.of_block;
    if (is_of_cluster && run.of_cluster == 0) ++count.of_cluster;
    if (is_of_block || is_of_cluster) run.of_block = 1;
    if (is_of_cluster) run.of_cluster = 1;
  }
  return count;
}

class StatementWriter {
 public:
  explicit StatementWriter(Emission& emission) : emission_(emission) {}

  void operator()(const loop::Loop& loop) {
    if (loop.place == loop::Place::vector) return write_vector_loop(emission_, loop);
    const TensorStep* const tensor_step = emission_.tensor_step;
    if (tensor_step != nullptr && tensor_step->axis == loop.axis) {
      return write_tensor_step(emission_, *tensor_step);
    }
    if (emission_.pipeline != nullptr && emission_.pipeline->loop == &loop) {
      return write_pipeline_loop(emission_, loop);
    }
    open_loop(emission_, loop);
    {
      const auto indent = emission_.out.indent();
      const auto around = std::exchange(emission_.barriers, barriers_in(emission_, loop.body));
      write_body(emission_, loop.body);
      emission_.barriers = around;
    }
    close_loop(emission_);
  }

  void operator()(const loop::If& branch) {
    if (expr::is_constant(branch.condition, 1)) return write_body(emission_, branch.then);
    emission_.out.line("if (", condition_text(emission_, branch.condition), ") {");
    ++emission_.branch_depth;
    {
      const auto indent = emission_.out.indent();
      const auto around = std::exchange(emission_.barriers, {});
      write_body(emission_, branch.then);
      emission_.barriers = around;
    }
    --emission_.branch_depth;
    emission_.out.line("}");
  }

  void operator()(const loop::Let& let) {
    const ValueFact fact = emission_.ranges.of(let.expression);
    emission_.forms = let.forms;
    emission_.sign_free_call =
        emission_.sign_free_values.contains(let.value) ? &*let.expression : nullptr;
    const Operand computed = write_expression(emission_, let.expression, let.arithmetic);
    emission_.forms = {};
    emission_.sign_free_call = nullptr;
    CppType type = register_type(emission_.dtype_of(let.value));
    // Lanes' arrays are as wide as the dtype.
    const bool can_narrow = !let.rounds && emission_.text_of(let.value).empty();
    if (type == CppType::int64 && can_narrow && fits_int32(fact.range)) type = CppType::int32;
    const bool rounds = let.rounds && !emission_.is_rounded_later[static_cast<size_t>(let.value)];
    std::string text =
        rounds ? rounded(computed, *let.rounds, type) : converted(emission_, computed, type).text;
    const bool is_scalar = emission_.text_of(let.value).empty();  // and no element of an array
    // Its reduced argument may be all that is used of it.
    const bool is_angle = emission_.angles.contains(let.value);
    define(let.value, type, text, is_angle ? "[[maybe_unused]] const " : "const ");
    if (!let.rounds) emission_.ranges.set_value(let.value, fact);
    if (type == CppType::f32 && is_scalar) define_angle(let.value, fact);
  }

  void operator()(const loop::Var& var) {
    const DType dtype = emission_.dtype_of(var.value);
    const CppType type = register_type(dtype);
    const std::string text = write_as(emission_, var.initial, loop::usual_arithmetic(dtype), type);
    define(var.value, type, text, "");
    emission_.ranges.set_value(var.value, {});
  }

  void operator()(const loop::Assign& assign) {
    const CppType type = type_of(assign.value);
    const std::string text = write_as(emission_, assign.expression, assign.arithmetic, type);
    emission_.out.line(emission_.text_of(assign.value), " = ", text, ";");
  }

  void operator()(const loop::Reduce& reduce) {
    RIDGE_INTERNAL_CHECK(reduce.factor < 0, "sums of products on a GPU are `contract`");
    const CppType type = type_of(reduce.value);
    const Operand operand{emission_.text_of(reduce.operand), type_of(reduce.operand)};
    const std::string& into = emission_.text_of(reduce.value);
    const std::string text = converted(emission_, operand, type).text;
    const bool is_single =
        emission_.region != nullptr && emission_.region->single.contains(reduce.value);
    emission_.out.line(is_single ? concat(into, " = ", text, ";")
                                 : combine_text(emission_, reduce.combine, into, text, type));
  }

  void operator()(const loop::Store& store) {
    const loop::Buffer& buffer = emission_.buffer(store.buffer);
    const std::string index = write_index(emission_, store.index);
    const Operand value{emission_.text_of(store.value), type_of(store.value)};
    const std::string element = narrowed(emission_, value, buffer.dtype);
    const std::string place =
        concat(emission_.buffers[static_cast<size_t>(store.buffer)], "[", index, "]");
    if (!emission_.target.streaming_loads || buffer.space != loop::Space::global) {
      return emission_.out.line(place, " = ", element, ";");
    }
    emission_.use("streaming");
    emission_.out.line("ridge::store_streaming(&", place, ", ", element, ");");
  }

  // The obvious loops: every sum from the first k to the last.
  void operator()(const loop::Contract& c) {
    const DType arithmetic = loop::usual_arithmetic(c.accumulator);
    const CppType type = register_type(c.accumulator);
    open_loop(emission_, {.axis = c.m, .extent = c.m_extent, .body = {}});
    const auto in_m = emission_.out.indent();
    open_loop(emission_, {.axis = c.n, .extent = c.n_extent, .body = {}});
    const auto in_n = emission_.out.indent();
    define(c.value, type, type == CppType::int64 ? "0" : literal(emission_, 0, type), "");
    emission_.ranges.set_value(c.value, {});
    open_loop(emission_, {.axis = c.k, .extent = c.k_extent, .body = {}});
    {
      const auto in_k = emission_.out.indent();
      const Expr sum = expr::input(c.value, c.lhs->type);
      const bool is_real = c.lhs->type == expr::Type::real;
      const Expr next = is_real ? expr::fma(c.lhs, c.rhs, sum) : c.lhs * c.rhs + sum;
      emission_.out.line(emission_.text_of(c.value), " = ",
                         write_as(emission_, next, arithmetic, type), ";");
    }
    close_loop(emission_);
    write_body(emission_, c.body);
    close_both();
  }

  void operator()(const loop::Barrier&) { emission_.out.line("__syncthreads();"); }
  void operator()(const loop::CollectiveReduce& collective) {
    write_reductions(emission_, {collective});
  }
  void operator()(const loop::AsyncCopy& copy) { write_async_copy(emission_, copy, {}); }
  void operator()(const loop::WaitCopies& wait) {
    const bool is_all = wait.pending == 0;
    const std::string_view function = is_all ? "wait_async_copies" : "wait_async_copies_but";
    emission_.use(function);
    emission_.out.line("ridge::", function, is_all ? "" : concat("<", wait.pending, ">"), "();");
  }
  void operator()(const loop::BulkCopy& copy) { write_bulk_copy(emission_, copy); }
  void operator()(const loop::TileStatement auto& statement) {
    write_tile_statement(emission_, statement);
  }

 private:
  CppType type_of(int value) const { return emission_.value_types[static_cast<size_t>(value)]; }
  void close_both() {
    close_loop(emission_);
    close_loop(emission_);
  }

  std::string rounded(const Operand& value, DType through, CppType type) {
    const std::string element = narrowed(emission_, value, through);
    Operand back{concat(name(register_type(through)), "(", element, ")"), register_type(through)};
    use_element(emission_, through);
    return converted(emission_, std::move(back), type).text;
  }

  // A lane's value in an array was declared in front of the lanes' loop.
  // Where it stands, the value does too.
  void define_angle(int value, const ValueFact& fact) {
    if (!emission_.sincos_values.contains(value) || emission_.angles.contains(value)) return;
    const std::string& own = emission_.text_of(value);
    const std::string angle = emission_.names.add(concat(own, "_angle"));
    const std::string text =
        angle_text(emission_, emission_.small_angles.contains(value) ? small_angle() : fact, own,
                   emission_.sincos_values.at(value));
    emission_.out.line("const ridge::Angle ", angle, " = ", text, ";");
    emission_.angles[value] = angle;
  }
  void define(int value, CppType type, const std::string& text, std::string_view qualifier) {
    emission_.value_types[static_cast<size_t>(value)] = type;
    std::string& own = emission_.text_of(value);
    if (own.empty()) {
      own = emission_.names.add(value_name(emission_, value));
      emission_.out.line(qualifier, name(type), " ", own, " = ", text, ";");
    } else {
      emission_.out.line(own, " = ", text, ";");
    }
  }

  Emission& emission_;
};

// How far a loop is unrolled: all of it where registers are indexed, so that they are registers.
std::string unrolling(const Emission& emission, const loop::Loop& loop) {
  bool is_innermost = true, waits = false, loads = false;
  for_each_statement(loop.body, [&](const loop::Statement& statement) {
    const auto* const inner = std::get_if<loop::Loop>(&statement.kind);
    is_innermost &= inner == nullptr || inner->place == loop::Place::vector;
    waits |= std::holds_alternative<loop::Barrier>(statement.kind) ||
             std::holds_alternative<loop::CollectiveReduce>(statement.kind);
    for_each_expression(statement, [&](const Expr& e) {
      expr::walk(e, [&](const Expr& node) { loads |= node->kind == expr::Kind::load; });
    });
  });
  if (indexes_local(emission, loop.body, loop.axis)) return "#pragma unroll";
  if (!is_innermost || waits || !loads) return "";
  const bool is_short = expr::is_constant(loop.extent) && loop.extent->integer <= kUnrolled;
  return is_short ? "#pragma unroll" : "#pragma unroll 4";
}

}  // namespace

void open_loop(Emission& emission, const loop::Loop& loop) {
  if (emission.tiles != nullptr) may_hold_slots(emission);
  emission.ranges.set_axis(loop.axis, loop.extent);
  const bool is_narrow = fits_int32(emission.ranges.of(loop.extent).range);
  const CppType type = is_narrow ? CppType::int32 : CppType::int64;
  const auto axis = static_cast<size_t>(loop.axis);
  emission.axis_types[axis] = type;
  const std::string& i = emission.axes[axis];
  std::string end = write_as(emission, loop.extent, f32, type);
  // Hoists calls out of the loop condition.
  if (end.find("ridge::") != std::string::npos) {
    const std::string hoisted = emission.names.add(concat(i, "_end"));
    emission.out.line("const ", name(type), " ", hoisted, " = ", end, ";");
    end = hoisted;
  }
  if (const std::string pragma = unrolling(emission, loop); !pragma.empty()) {
    emission.out.line(pragma);
  }
  emission.out.line("for (", name(type), " ", i, " = 0; ", i, " < ", end, "; ++", i, ") {");
  ++emission.loop_depth;
}

void close_loop(Emission& emission) {
  emission.out.line("}");
  --emission.loop_depth;
}

std::string condition_text(Emission& emission, const Expr& condition) {
  // A comparison must not round what it compares.
  DType arithmetic = f32;
  expr::walk(condition, [&](const Expr& node) {
    const auto index = static_cast<size_t>(node->index);
    const bool is_f64 =
        (node->kind == expr::Kind::input && emission.kernel.values[index].dtype == f64) ||
        (node->kind == expr::Kind::load && emission.kernel.buffers[index].dtype == f64);
    if (is_f64) arithmetic = f64;
  });
  return write_as(emission, condition, arithmetic, CppType::boolean);
}

std::string value_name(const Emission& emission, int value) {
  const std::string& given = emission.kernel.values[static_cast<size_t>(value)].name;
  return given.empty() ? concat("v", value) : given;
}

void use_element(Emission& emission, DType dtype) {
  if (dtype == bf16) emission.use("bf16");
  if (dtype == f16) emission.use("f16");
  if (dtype == boolean) emission.use("bool8");
}

void write_statement(Emission& emission, const loop::Statement& statement) {
  std::visit(StatementWriter(emission), statement.kind);
}

// Adjacent reductions share a barrier.
void write_body(Emission& emission, const loop::Body& body) {
  std::vector<loop::CollectiveReduce> adjacent;
  for (const loop::Statement& statement : body) {
    const auto* const collective = std::get_if<loop::CollectiveReduce>(&statement.kind);
    const auto is_same = [&](const loop::CollectiveReduce& other) {
      return other.value == collective->value;
    };
    const bool joins = collective != nullptr && std::ranges::none_of(adjacent, is_same);
    if (!joins && !adjacent.empty()) write_reductions(emission, std::exchange(adjacent, {}));
    if (collective != nullptr) {
      adjacent.push_back(*collective);
    } else {
      write_statement(emission, statement);
    }
  }
  if (!adjacent.empty()) write_reductions(emission, adjacent);
}

}  // namespace ridge::codegen::cuda
