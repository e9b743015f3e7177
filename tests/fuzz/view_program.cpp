#include "tests/fuzz/view_program.h"

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/ops/activation.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/view.h"
#include "ridge/ops/window.h"

namespace ridge::fuzz {
namespace {

constexpr std::string_view kNames[kViewOps] = {
    "slice",     "select",     "transpose",
    "permute",   "reshape",  // matches: the callables of `apply`
    "unsqueeze", "squeeze",    "expand",
    "windows",   "strided",  // matches: as above
    "detach",    "contiguous", "clone",
    "add",       "mul",  // matches: as above
    "maximum",   "sum",        "add_",
    "mul_",      "copy_",  // matches: as above
    "fill_",     "relu_"};

Shape sizes_of(const Ints& numbers, size_t first, size_t count) {
  Shape sizes;
  for (size_t i = first; i < first + count; ++i) sizes.push_back(numbers[i]);
  return sizes;
}

// The second operand: a tensor, or the number of the step.
At second(const ViewStep& step, const Tensor& other) {
  return step.other >= 0 ? At(other) : At(step.numbers[0]);
}

std::string tensor_text(int number) { return concat("t", number); }

std::string step_text(const ViewStep& step, const std::string& target) {
  std::string text = concat(kNames[static_cast<size_t>(step.op)], "(", target);
  if (step.other >= 0) text += ", " + tensor_text(step.other);
  for (const int64_t number : step.numbers) text += number == kEnd ? ", end" : concat(", ", number);
  return text + ")";
}

}  // namespace

bool writes(ViewOp op) { return op >= ViewOp::add_; }

bool takes_two(ViewOp op) {
  return op == ViewOp::add || op == ViewOp::mul || op == ViewOp::maximum || op == ViewOp::add_ ||
         op == ViewOp::mul_ || op == ViewOp::copy_;
}

Tensor apply(const ViewStep& step, const Tensor& t, const Tensor& other) {
  const Ints& n = step.numbers;
  switch (step.op) {
    case ViewOp::slice: return slice(t, n[0], n[1], n[2], n[3]);
    case ViewOp::select: return select(t, n[0], n[1]);
    case ViewOp::transpose: return transpose(t, n[0], n[1]);
    case ViewOp::permute: return permute(t, n);
    case ViewOp::reshape: return reshape(t, sizes_of(n, 0, n.size()));
    case ViewOp::unsqueeze: return unsqueeze(t, n[0]);
    case ViewOp::squeeze: return squeeze(t);
    case ViewOp::expand: return expand(t, sizes_of(n, 0, n.size()));
    case ViewOp::windows: return windows(t, n[0], n[1], n[2], n[3]);
    case ViewOp::strided: {
      const size_t rank = n.size() / 2;
      return strided(t, sizes_of(n, 1, rank), sizes_of(n, 1 + rank, rank), n[0]);
    }
    case ViewOp::detach: return detach(t);
    case ViewOp::contiguous: return contiguous(t);
    case ViewOp::clone: return clone(t);
    case ViewOp::add: return add(t, second(step, other));
    case ViewOp::mul: return mul(t, second(step, other));
    case ViewOp::maximum: return maximum(t, second(step, other));
    case ViewOp::sum: return sum(t, {n[0]});
    case ViewOp::add_: return add_(t, second(step, other));
    case ViewOp::mul_: return mul_(t, second(step, other));
    case ViewOp::copy_: return copy_(t, second(step, other));
    case ViewOp::fill_: return fill_(t, n[0]);
    case ViewOp::relu_: return relu_(t);
  }
  return {};
}

std::string to_text(const ViewProgram& program) {
  std::string text;
  for (size_t i = 0; i < program.memories.size(); ++i) {
    text += concat("memory ", i, ": ", name(program.dtype), "[", program.memories[i], "]");
    for (const std::vector<int64_t>& sizes : program.resized) text += concat(", then ", sizes[i]);
    text += "\n";
  }
  int number = 0;
  for (const ViewProgram::Argument& argument : program.arguments) {
    std::string chain = concat("memory ", argument.memory);
    for (const ViewStep& step : argument.steps) chain = step_text(step, chain);
    text += concat("t", number++, " = ", chain, "\n");
  }
  for (const ViewStep& step : program.steps) {
    text += concat("t", number++, " = ", step_text(step, tensor_text(step.target)), "\n");
  }
  text += "return " + join(program.results, ", ", tensor_text) + "\n";
  for (const auto& [argument, tensor] : program.replaced) {
    text += concat("argument t", argument, " becomes t", tensor, "\n");
  }
  return text + concat("data seed ", program.data_seed, "\n");
}

uint64_t call_count(const ViewProgram& program) { return 1 + program.resized.size(); }

const std::vector<int64_t>& sizes_in_call(const ViewProgram& program, uint64_t call) {
  const uint64_t number = call % call_count(program);
  return number == 0 ? program.memories : program.resized[number - 1];
}

std::vector<Tensor> make_memories(const ViewProgram& program, uint64_t call) {
  SplitMix64 random(program.data_seed + 977 * call);
  std::vector<Tensor> memories;
  for (const int64_t elements : sizes_in_call(program, call)) {
    std::vector<int64_t> values(static_cast<size_t>(elements));
    for (int64_t& value : values) value = random.integer(-4, 4);
    memories.push_back(cast(Tensor::of<int64_t>(values, {elements}), program.dtype));
  }
  return memories;
}

std::vector<Tensor> make_arguments(const ViewProgram& program,
                                   const std::vector<Tensor>& memories) {
  std::vector<Tensor> arguments;
  for (const ViewProgram::Argument& argument : program.arguments) {
    Tensor tensor = memories[static_cast<size_t>(argument.memory)];
    for (const ViewStep& step : argument.steps) tensor = apply(step, tensor, {});
    arguments.push_back(tensor);
  }
  return arguments;
}

std::vector<Tensor> run_program(const ViewProgram& program, std::vector<Tensor>& arguments) {
  std::vector<Tensor> tensors = arguments;
  for (const ViewStep& step : program.steps) {
    const Tensor target = tensors[static_cast<size_t>(step.target)];
    const Tensor other = step.other < 0 ? Tensor() : tensors[static_cast<size_t>(step.other)];
    tensors.push_back(apply(step, target, other));
  }
  std::vector<Tensor> results;
  for (const int number : program.results) results.push_back(tensors[static_cast<size_t>(number)]);
  for (const auto& [argument, tensor] : program.replaced) {
    arguments[static_cast<size_t>(argument)] = tensors[static_cast<size_t>(tensor)];
  }
  return results;
}

}  // namespace ridge::fuzz
