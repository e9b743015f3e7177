// A program as data: what is launched, with which memory, in which order.
//
// Comes in: nothing of the compiler. Whoever compiles fills it in (linker/link.h), and what reads a
// saved program may do the same. Goes out: all that a run needs to know beside the kernels themselves,
// which a device's executor is given.
//
//   buffers: 0 = input x, 1 = output 0, 2 = 4096 bytes of the arena at 0
//   calls:   fused_add_gelu(0, 2)    sum(2, 1)
//
// Invariants: numbers of buffers are positions in `buffers`; the symbols of shapes and sizes are those
// of `symbols`; temporaries whose lives overlap do not overlap in the arena.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/core/arena.h"
#include "ridge/core/kernel_abi.h"
#include "ridge/core/tensor.h"
#include "ridge/expr/formula.h"

namespace ridge::execute {

struct ExecutableBuffer {
  BufferKind kind;
  int32_t index;  // which input or output
  DType dtype;
  Shape shape;
  // In the arena, for sizes as expected where they are symbolic; -1 outside of it.
  int64_t offset = -1;
  bool is_weak = false;  // of an output
  Tensor constant{};     // on any device; copied to where the program runs
};

// A product that a library may compute in the place of a kernel: matrices by their strides, which are
// numbers of elements over the sizes of the call.
struct LibraryProduct {
  struct Matrix {
    int buffer = -1;
    DType dtype = f32;
    expr::Expr first = 0;  // of its elements
    expr::Expr row_step = 0, column_step = 0;
    expr::Expr batch_step = 0, outer_step = 0;
  };
  expr::Expr m = 1, n = 1, k = 1;
  expr::Expr batch = 1;
  expr::Expr outer = 1;  // batches that no single step leads through: one launch for each
  Matrix lhs{}, rhs{}, out{};
};

// An op of the user's program that makes a kernel set this status, and its line.
struct OpCheck {
  KernelStatus status;
  std::string op;
  Location where;
};

struct ExecutableCall {
  std::string kernel;             // its name
  std::vector<int> buffers;       // by argument of the kernel; none of a batch
  std::vector<expr::Expr> sizes;  // by param of the kernel: symbols, or numbers
  Size bytes = 0;                 // that go to and from memory
  std::vector<OpCheck> checks{};
  // Of a batch: the kernel runs once for each of them, in any order, all in one launch. Its only param
  // is their count of elements.
  struct Entry {
    std::vector<int> buffers;  // by argument of the kernel
    int64_t count;
  };
  std::vector<Entry> entries{};
  // Of a batch, by argument: bytes from one element to the next; 0 where all elements read the same.
  std::vector<int64_t> step_bytes{};
  std::optional<LibraryProduct> product{};
};

struct ExecutablePlan {
  std::string name;  // of the program, for errors
  std::vector<ExecutableBuffer> buffers;
  std::vector<ExecutableCall> calls;  // in the order they run
  std::vector<int> outputs;           // buffer of each output
  std::vector<Shape> input_shapes;    // by input, whether or not a buffer holds it
  std::vector<int32_t> written_inputs;
  expr::Symbols symbols{};  // in the order in which values are given
  ArenaPlan arena{};        // lays it out for other sizes than expected
  int64_t arena_bytes = 0;  // for sizes as expected
};

}  // namespace ridge::execute
