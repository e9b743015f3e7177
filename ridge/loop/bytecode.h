// A kernel compiled for the interpreter: statements as a tree of actions, expressions as flat code.
//
//   let v1: f32 = x[i0] * 2.0    ->    r4 = load x at r0        r0: i0, r3: 2.0, set beforehand
//                                      r5 = mul r4, r3
//                                      v1 = copy r5
//
// Lanes are those of vector loops; on a GPU each thread of a block (of all blocks of a cluster) has
// as many as the widest vector loop of the kernel, or one, and runs in the first of them outside of
// vector loops. A register holds one word for each lane, for each thread, or for all of them: constants, params, and on a CPU
// whatever is defined outside of vector loops. Types and rounding are settled here, so running looks
// up nothing. Params are constants by now.
//
// `select` evaluates each side under the lanes that chose it. A value that several sides need has
// its code once, behind the rest, and a `once` where it is needed: each lane runs it the first time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "ridge/core/kernel_abi.h"
#include "ridge/loop/loop.h"

namespace ridge::loop {

union Word {
  int64_t integer = 0;  // and booleans
  double real;
};

enum class Spread : uint8_t { uniform, thread, lane };

using Lanes = std::span<const uint32_t>;  // the active ones, in increasing order

struct Slot {
  static constexpr uint32_t kUniform = 31;

  uint32_t offset = 0;
  uint32_t shift = kUniform;  // the word of a lane is number lane >> shift

  bool is_uniform() const { return shift == kUniform; }
};

struct Range {
  uint32_t begin = 0;
  uint32_t end = 0;
};

enum class Operation : uint8_t {
  call,
  copy,
  integer_to_real,
  real_to_integer,
  integer_to_boolean,
  real_to_boolean,
  round,   // through the dtype `rounds`
  load,    // element args[0] of `buffer`
  select,  // by args[0]: the code up to `range.begin`, or `range`
  once,    // `range`, for lanes that have not been there in this run; `buffer` is its number
};

struct Instruction {
  Operation operation;
  expr::Function function = expr::Function::neg;
  bool is_real = false;        // a call on reals
  bool rounds_to_f32 = false;  // the result, a real
  DType rounds = f32;
  int buffer = 0;
  Slot dest{};
  Range range{};
  std::array<Slot, 5> args{};
};

struct Action;
using Actions = std::vector<Action>;

// One partial for each lane, combined into the var when the vector loop ends.
struct Partial {
  Slot var, partial;
  Combine combine;
  DType dtype;
};

// Code, then one instruction that moves the result into its value. Apart, because code that only
// `once` reaches lies behind the rest.
struct Evaluate {
  Range code;
  Instruction move;
};
struct RunLoop {
  Range code;
  Slot extent, axis;
  bool is_vector;
  Actions body;
  std::vector<Partial> partials{};
};
struct RunIf {
  Range code;
  Slot condition;
  Actions body;
};
struct Accumulate {
  Slot into, operand;
  Combine combine;
  DType dtype;
  std::optional<Slot> factor{};
};
struct StoreElement {
  Range code;
  Slot index, value;
  int buffer;
  expr::Type type;  // of the value
};
struct CopyElement {
  Range code, from_code;
  Slot index, from_index;
  int buffer, from;
};
struct WaitForCopies {
  int pending;  // loop::WaitCopies
};
// All threads of a block agree on both.
struct BulkCopyElements {
  Range first_code, count_code;
  Slot first, count;
  int buffer, from;
};
struct Synchronize {};
// The values of each `threads` consecutive threads become one, then those of `blocks` such runs,
// and all of them get the result.
struct Exchange {
  Slot value;
  Combine combine;
  DType dtype;
  uint32_t threads;
  uint32_t blocks;
};

struct Action {
  std::variant<Evaluate, RunLoop, RunIf, Accumulate, StoreElement, CopyElement, WaitForCopies,
               BulkCopyElements, Synchronize, Exchange>
      kind;
};

// The loops around the body of one task or GPU thread, outermost first.
struct ParallelAxis {
  Place place;
  int64_t extent;
  Slot slot;
};

struct Bytecode {
  bool is_gpu = false;
  uint32_t width = 1;         // lanes of a register: of a vector loop, or of all threads of a block
  uint32_t thread_shift = 0;  // thread = lane >> thread_shift
  uint32_t blocks = 1;        // of a cluster: what runs in lock step
  std::vector<ParallelAxis> parallel;
  std::vector<Word> words;  // all registers, as they are at the start
  std::vector<Instruction> code;
  int once_count = 0;
  Actions body;
};

// `lanes` is the width of vector loops.
Bytecode compile(const Kernel& kernel, std::span<const int64_t> sizes, int lanes);

// Combining starts from here: the sum of nothing is 0.
Word identity(Combine combine, DType dtype);
Word combined(Combine combine, DType dtype, Word a, Word b);
Word fused(DType dtype, Word a, Word b, Word c);  // a * b + c, rounded once
// All of them, as a binary tree: Note [Collective order] in loop.h.
Word combined(Combine combine, DType dtype, std::span<Word> words);

// Where the leaves of an expression are found.
struct Registers {
  std::vector<Slot> axes;
  std::vector<Slot> values;
};

struct ExpressionCode {
  Range code;
  Slot result;
};

// Compiles one expression, reals in `arithmetic`. The result may be a register of the kernel, if the expression is a leaf.
ExpressionCode compile_expression(const Kernel& kernel, std::span<const int64_t> sizes,
                                  const Registers& registers, const Expr& e, DType arithmetic,
                                  Bytecode& program);

// A comparison must not round what it compares: f64 if any of it is.
DType condition_arithmetic(const Kernel& kernel, const Expr& condition);
// Moves what the code computes into a value, as Let and Assign say.
Evaluate assignment(const Kernel& kernel, const Registers& registers, const ExpressionCode& code,
                    int value, DType arithmetic, std::optional<DType> rounds);

// A new register with a word for each lane, for each thread, or one for all.
Slot add_register(Bytecode& program, Spread spread);
Slot add_constant(Bytecode& program, Word word);

// One instruction of the interpreter on all active lanes: functions, conversions and rounding.
//
// Not for load, select and once. What an expression would report as an error sets `status`, if that
// is ok still, and goes on with 0.
void calculate(const Instruction& instruction, Word* words, Lanes lanes, KernelStatus& status);

}  // namespace ridge::loop
