#include "ridge/loop/bytecode.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/expr/evaluate.h"
#include "ridge/expr/integer.h"
#include "ridge/loop/statement_text.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::loop {
namespace {

using expr::Type;

class KernelCompiler {
 public:
  KernelCompiler(const Kernel& kernel, std::span<const int64_t> sizes, int lanes)
      : kernel_(kernel), sizes_(sizes) {
    registers_.axes.resize(static_cast<size_t>(kernel.axis_count));
    registers_.values.resize(kernel.values.size());
    program_.is_gpu = is_gpu_kernel(kernel);
    program_.width = static_cast<uint32_t>(program_.is_gpu ? widest_vector(kernel.body) : lanes);
    if (program_.is_gpu) {
      program_.blocks = static_cast<uint32_t>(cluster_blocks(kernel));
      program_.thread_shift = static_cast<uint32_t>(std::countr_zero(program_.width));
    }
  }

  Bytecode run() {
    const Body& body = parallel_loops();
    program_.body = actions(body);
    return std::move(program_);
  }

 private:
  // A power of two: 1 if there is no vector loop.
  static int64_t widest_vector(const Body& body) {
    int64_t widest = 1;
    for (const Statement& statement : body) {
      if (const auto* const branch = std::get_if<If>(&statement.kind)) {
        widest = std::max(widest, widest_vector(branch->then));
      }
      const auto* const loop = std::get_if<Loop>(&statement.kind);
      if (loop == nullptr) continue;
      widest = std::max(
          widest, loop->place == Place::vector ? loop->extent->integer : widest_vector(loop->body));
    }
    return widest;
  }

  // The number of lanes in a block must be known before any register is.
  const Body& parallel_loops() {
    std::vector<const Loop*> loops;
    const Body* body = &kernel_.body;
    while (body->size() == 1) {
      const auto* const loop = std::get_if<Loop>(&body->front().kind);
      if (loop == nullptr || !is_parallel(loop->place)) break;
      program_.parallel.push_back({loop->place, extent_of(*loop), {}});
      if (is_of_block(loop->place)) {
        program_.width *= static_cast<uint32_t>(program_.parallel.back().extent);
      }
      loops.push_back(loop);
      body = &loop->body;
    }
    for (size_t i = 0; i < loops.size(); ++i) {
      const Slot slot =
          add_register(program_, is_of_block(loops[i]->place) ? Spread::thread : Spread::uniform);
      program_.parallel[i].slot = registers_.axes[static_cast<size_t>(loops[i]->axis)] = slot;
    }
    return *body;
  }
  static bool is_of_block(Place place) {
    return place == Place::gpu_cluster_block || place == Place::gpu_thread;
  }
  int64_t extent_of(const Loop& loop) const {
    expr::Leaves leaves;
    leaves.param = [&](int index) { return expr::Number::of(sizes_[static_cast<size_t>(index)]); };
    return std::max<int64_t>(0, evaluate(loop.extent, leaves).integer);
  }

  Actions actions(const Body& body) {
    Actions list;
    for (const Statement& statement : body) {
      std::visit([&](const auto& kind) { add(kind, list); }, statement.kind);
    }
    return list;
  }

  void add(const Loop& loop, Actions& list) {
    const bool is_vector = loop.place == Place::vector;
    list.push_back({add_loop(loop.axis, loop.extent, is_vector,
                             [&](Actions& inner) { inner = actions(loop.body); })});
  }
  template <class FillBody>
  RunLoop add_loop(int axis, const Expr& extent, bool is_vector, FillBody fill_body) {
    const ExpressionCode code = compile(extent, f32);
    Slot& slot = registers_.axes[static_cast<size_t>(axis)];
    slot = add_register(program_, is_vector ? Spread::lane : Spread::uniform);
    RunLoop loop{
        .code = code.code, .extent = code.result, .axis = slot, .is_vector = is_vector, .body = {}};
    if (is_vector) is_in_vector_ = true;
    fill_body(loop.body);
    if (is_vector) {
      for (const auto& [value, partial] : partials_) loop.partials.push_back(partial);
      partials_.clear();
      is_in_vector_ = false;
    }
    return loop;
  }

  void add(const If& branch, Actions& list) {
    const ExpressionCode code =
        compile(branch.condition, condition_arithmetic(kernel_, branch.condition));
    list.push_back({RunIf{code.code, code.result, actions(branch.then)}});
  }
  void add(const Let& let, Actions& list) {
    const ExpressionCode code = compile(let.expression, let.arithmetic);
    define(let.value);
    list.push_back({assign(code, let.value, let.arithmetic, let.rounds)});
  }
  void add(const Var& var, Actions& list) {
    const DType arithmetic = usual_arithmetic(dtype_of(var.value));
    const ExpressionCode code = compile(var.initial, arithmetic);
    define(var.value);
    list.push_back({assign(code, var.value, arithmetic, {})});
  }
  void add(const Assign& statement, Actions& list) {
    const ExpressionCode code = compile(statement.expression, statement.arithmetic);
    list.push_back({assign(code, statement.value, statement.arithmetic, {})});
  }
  Evaluate assign(const ExpressionCode& code, int value, DType arithmetic,
                  std::optional<DType> rounds) {
    return assignment(kernel_, registers_, code, value, arithmetic, rounds);
  }

  void add(const Reduce& reduce, Actions& list) {
    const DType dtype = dtype_of(reduce.value);
    Slot into = registers_.values[static_cast<size_t>(reduce.value)];
    if (is_in_vector_ && into.shift != 0) {
      const auto [at, is_new] = partials_.try_emplace(reduce.value);
      if (is_new) at->second = {into, add_register(program_, Spread::lane), reduce.combine, dtype};
      into = at->second.partial;
    }
    const Slot operand = registers_.values[static_cast<size_t>(reduce.operand)];
    Accumulate accumulate{into, operand, reduce.combine, dtype};
    if (reduce.factor >= 0) {
      accumulate.factor = registers_.values[static_cast<size_t>(reduce.factor)];
    }
    list.push_back({accumulate});
  }

  void add(const Store& store, Actions& list) {
    const ExpressionCode code = compile(store.index, f32);
    list.push_back(
        {StoreElement{code.code, code.result, registers_.values[static_cast<size_t>(store.value)],
                      store.buffer, scalar_type(dtype_of(store.value))}});
  }

  // The obvious loops: every sum from the first k to the last.
  void add(const Contract& c, Actions& list) {
    const DType arithmetic = usual_arithmetic(c.accumulator);
    const auto over_k = [&](Actions& body) {
      const Expr sum = expr::input(c.value, c.lhs->type);
      const bool is_real = c.lhs->type == expr::Type::real;
      const ExpressionCode code =
          compile(is_real ? expr::fma(c.lhs, c.rhs, sum) : c.lhs * c.rhs + sum, arithmetic);
      body.push_back({Evaluate{code.code,
                               {.operation = Operation::copy,
                                .dest = registers_.values[static_cast<size_t>(c.value)],
                                .args = {code.result}}}});
    };
    const auto over_n = [&](Actions& body) {
      define(c.value);
      const Slot zero = add_constant(program_, identity(Combine::sum, c.accumulator));
      body.push_back({Evaluate{{},
                               {.operation = Operation::copy,
                                .dest = registers_.values[static_cast<size_t>(c.value)],
                                .args = {zero}}}});
      body.push_back({add_loop(c.k, c.k_extent, false, over_k)});
      for (Action& action : actions(c.body)) body.push_back(std::move(action));
    };
    const auto over_m = [&](Actions& body) {
      body.push_back({add_loop(c.n, c.n_extent, !program_.is_gpu, over_n)});
    };
    list.push_back({add_loop(c.m, c.m_extent, false, over_m)});
  }
  void add(const AsyncCopy& copy, Actions& list) {
    const ExpressionCode to = compile(copy.index, f32);
    const ExpressionCode from = compile(copy.from_index, f32);
    list.push_back(
        {CopyElement{to.code, from.code, to.result, from.result, copy.buffer, copy.from}});
  }
  void add(const WaitCopies& wait, Actions& list) { list.push_back({WaitForCopies{wait.pending}}); }
  void add(const BulkCopy& copy, Actions& list) {
    const ExpressionCode first = compile(copy.first, f32);
    const ExpressionCode count = compile(copy.count, f32);
    list.push_back({BulkCopyElements{first.code, count.code, first.result, count.result,
                                     copy.buffer, copy.from}});
  }
  void add(const TileStatement auto&, Actions&) {
    RIDGE_INTERNAL_CHECK(false, concat(kernel_.name, ": no bytecode for statements over tiles"));
  }
  void add(const Barrier&, Actions& list) { list.push_back({Synchronize{}}); }
  void add(const CollectiveReduce& reduce, Actions& list) {
    const uint32_t block = (program_.width >> program_.thread_shift) / program_.blocks;
    const uint32_t whole = reduce.scope == Scope::warp ? kWarpSize : block;
    const uint32_t threads = reduce.threads == 0 ? whole : static_cast<uint32_t>(reduce.threads);
    const uint32_t blocks = reduce.scope == Scope::cluster ? program_.blocks : 1;
    list.push_back({Exchange{registers_.values[static_cast<size_t>(reduce.value)], reduce.combine,
                             dtype_of(reduce.value), threads, blocks}});
  }

  ExpressionCode compile(const Expr& e, DType arithmetic) {
    return compile_expression(kernel_, sizes_, registers_, e, arithmetic, program_);
  }
  void define(int value) {
    const Spread outside = program_.is_gpu ? Spread::thread : Spread::uniform;
    registers_.values[static_cast<size_t>(value)] =
        add_register(program_, is_in_vector_ ? Spread::lane : outside);
  }
  DType dtype_of(int value) const { return kernel_.values[static_cast<size_t>(value)].dtype; }

  const Kernel& kernel_;
  std::span<const int64_t> sizes_;
  Registers registers_;
  Bytecode program_;
  bool is_in_vector_ = false;
  std::map<int, Partial> partials_;  // by var, of the vector loop around
};

double combined_reals(Combine combine, double a, double b) {
  switch (combine) {
    case Combine::sum: return a + b;
    case Combine::prod: return a * b;
    case Combine::max: return a != a || b < a ? a : b;
    case Combine::min: return a != a || a < b ? a : b;
    case Combine::any:
    case Combine::all: break;  // of booleans only
  }
  return a;
}

int64_t combined_integers(Combine combine, int64_t a, int64_t b) {
  switch (combine) {
    case Combine::sum: return expr::wrapping_add(a, b);
    case Combine::prod: return expr::wrapping_mul(a, b);
    case Combine::max: return std::max(a, b);
    case Combine::min: return std::min(a, b);
    case Combine::any: return a | b;
    case Combine::all: return a & b;
  }
  return a;
}

}  // namespace

Word identity(Combine combine, DType dtype) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool is_real = is_floating(dtype);
  const auto word = [&](double real, int64_t integer) {
    return is_real ? Word{.real = real} : Word{.integer = integer};
  };
  switch (combine) {
    case Combine::sum: return word(0, 0);
    case Combine::prod: return word(1, 1);
    case Combine::max: return word(-kInfinity, std::numeric_limits<int64_t>::min());
    case Combine::min: return word(kInfinity, std::numeric_limits<int64_t>::max());
    case Combine::any: return word(0, 0);
    case Combine::all: return word(1, 1);
  }
  return {};
}

Word combined(Combine combine, DType dtype, Word a, Word b) {
  if (!is_floating(dtype)) return {.integer = combined_integers(combine, a.integer, b.integer)};
  const double result = combined_reals(combine, a.real, b.real);
  return {.real = dtype == f32 ? static_cast<double>(static_cast<float>(result)) : result};
}

Word fused(DType dtype, Word a, Word b, Word c) {
  if (dtype != f32) return {.real = std::fma(a.real, b.real, c.real)};
  const auto f = [](Word word) { return static_cast<float>(word.real); };
  return {.real = static_cast<double>(std::fma(f(a), f(b), f(c)))};
}

Word combined(Combine combine, DType dtype, std::span<Word> words) {
  size_t count = words.size();
  while (count > 1) {
    const size_t half = (count + 1) / 2;
    for (size_t i = 0; i < count / 2; ++i) {
      words[i] = combined(combine, dtype, words[i], words[i + half]);
    }
    count = half;
  }
  return words[0];
}

DType condition_arithmetic(const Kernel& kernel, const Expr& condition) {
  DType arithmetic = f32;
  walk(condition, [&](const Expr& node) {
    const auto index = static_cast<size_t>(node->index);
    const bool is_f64 = (node->kind == expr::Kind::input && kernel.values[index].dtype == f64) ||
                        (node->kind == expr::Kind::load && kernel.buffers[index].dtype == f64);
    if (is_f64) arithmetic = f64;
  });
  return arithmetic;
}

Evaluate assignment(const Kernel& kernel, const Registers& registers, const ExpressionCode& code,
                    int value, DType arithmetic, std::optional<DType> rounds) {
  const DType dtype = kernel.values[static_cast<size_t>(value)].dtype;
  return {code.code,
          {.operation = rounds ? Operation::round : Operation::copy,
           .is_real = scalar_type(dtype) == Type::real,
           .rounds_to_f32 = dtype == f32 && arithmetic == f64,
           .rounds = rounds.value_or(f32),
           .dest = registers.values[static_cast<size_t>(value)],
           .args = {code.result}}};
}

Bytecode compile(const Kernel& kernel, std::span<const int64_t> sizes, int lanes) {
  return KernelCompiler(kernel, sizes, lanes).run();
}

}  // namespace ridge::loop
