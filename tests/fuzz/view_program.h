// Random programs of views and writes, for `ridge_fuzz --kind=views`.
//
//   memory 0: i64[12]
//   t0 = slice(memory 0, 0, 2, 9, 1)
//   t1 = transpose(reshape(memory 0, 3, 4), 0, 1)
//   t2 = select(t1, 0, 2)
//   t3 = add_(t2, t0)
//   return t3, t1        and t0 becomes t2
//
// Arguments are views of a few memories, so some share theirs. The same function runs eagerly and is
// captured: a program is data, not a graph, because what is tested begins before there is one. Some
// programs are called with memories of several sizes, which become symbols.
#pragma once

#include <string>
#include <vector>

#include "ridge/core/tensor.h"

namespace ridge::fuzz {

enum class ViewOp : uint8_t {
  slice,
  select,
  transpose,
  permute,
  reshape,
  unsqueeze,
  squeeze,
  expand,
  windows,
  strided,
  detach,
  contiguous,
  clone,
  add,
  mul,
  maximum,
  sum,
  add_,
  mul_,
  copy_,
  fill_,
  relu_,
};
inline constexpr int kViewOps = static_cast<int>(ViewOp::relu_) + 1;
bool writes(ViewOp op);
bool takes_two(ViewOp op);  // tensors

struct ViewStep {
  ViewOp op{};
  int target = 0;  // number of a tensor of the program
  int other = -1;  // of ops on two
  Ints numbers{};  // dims, sizes, bounds, or the one number
};

struct ViewProgram {
  struct Argument {
    int memory = 0;
    std::vector<ViewStep> steps{};  // each a view of what the one before shows
  };
  struct Replacement {
    int argument;
    int tensor;
  };

  DType dtype = i64;
  uint64_t data_seed = 0;
  std::vector<int64_t> memories{};  // elements of each
  // The same in further calls of the program.
  std::vector<std::vector<int64_t>> resized{};
  std::vector<Argument> arguments{};
  std::vector<ViewStep> steps{};
  std::vector<int> results{};  // numbers of tensors: the arguments, then one for each step
  std::vector<Replacement> replaced{};
};

std::string to_text(const ViewProgram& program);

// How many calls have sizes of their own, and the elements of each memory in one of them. Those beyond
// begin again, with other data.
uint64_t call_count(const ViewProgram& program);
const std::vector<int64_t>& sizes_in_call(const ViewProgram& program, uint64_t call);

Tensor apply(const ViewStep& step, const Tensor& target, const Tensor& other);

// Small whole numbers, so that every result is exact; each call has others.
std::vector<Tensor> make_memories(const ViewProgram& program, uint64_t call);
std::vector<Tensor> make_arguments(const ViewProgram& program, const std::vector<Tensor>& memories);

// The program on its arguments: what eager runs and capture records.
std::vector<Tensor> run_program(const ViewProgram& program, std::vector<Tensor>& arguments);

}  // namespace ridge::fuzz
