#include "tests/fuzz/random_view_program.h"

#include <algorithm>

#include "ridge/base/random.h"
#include "ridge/ops/view.h"
#include "tests/fuzz/fuzz_case.h"
#include "tests/fuzz/view_paths.h"

namespace ridge::fuzz {
namespace {

constexpr int64_t kMostElements = 96;
constexpr double kLargestNumber = 1 << 16;  // whole numbers of f32 stay exact well beyond
constexpr int kAttempts = 12;               // for one step

class Maker {
 public:
  explicit Maker(uint64_t seed) : random_(seed) {}

  ViewProgram make() {
    program_.dtype = random_.integer(0, 2) == 0 ? f32 : i64;
    program_.data_seed = random_.next() % 1000000;
    is_resized_ = one_in(2);
    const int64_t memories = random_.integer(1, 2);
    for (int64_t i = 0; i < memories; ++i) {
      widths_.push_back(kWidths[pick(std::size(kWidths))]);
      program_.memories.push_back(is_resized_ ? kFirstRows * widths_.back()
                                              : random_.integer(4, 24));
    }
    memories_ = make_memories(program_, 0);
    // Arguments that share memory are never captured with symbols.
    const int64_t arguments = is_resized_ ? memories : random_.integer(1, 4);
    for (int64_t i = 0; i < arguments; ++i) add_argument();
    tensors_ = make_arguments(program_, memories_);
    const int64_t steps = random_.integer(1, 9);
    for (int64_t i = 0; i < steps; ++i) add_step();
    choose_results();
    if (is_resized_) choose_sizes();
    return std::move(program_);
  }

 private:
  static constexpr int64_t kWidths[] = {1, 2, 3, 4, 6};  // elements of a row
  static constexpr int64_t kFirstRows = 4;
  static constexpr int64_t kMostRows = 6;
  static constexpr int kMostSizes = 3;

  int pick(size_t count) {
    return static_cast<int>(random_.integer(0, static_cast<int64_t>(count) - 1));
  }
  bool one_in(int64_t count) { return random_.integer(1, count) == 1; }

  void add_argument() {
    ViewProgram::Argument argument;
    if (is_resized_) {
      argument.memory = static_cast<int>(program_.arguments.size());
      const int64_t width = widths_[program_.arguments.size()];
      if (!one_in(4)) argument.steps.push_back({.op = ViewOp::reshape, .numbers = {-1, width}});
    } else if (!program_.arguments.empty() && one_in(4)) {  // the same tensor again
      argument = program_.arguments[static_cast<size_t>(pick(program_.arguments.size()))];
    } else {
      argument.memory = pick(program_.memories.size());
    }
    Tensor tensor = make_arguments(with_one(argument), memories_)[0];
    const int64_t views = random_.integer(0, is_resized_ ? 1 : 3);
    for (int64_t i = 0; i < views; ++i) {
      ViewStep step = random_view(tensor);
      const std::optional<Tensor> seen = tried(step, tensor, {});
      const bool is_view = seen && seen->shares_storage_with(tensor);
      if (!is_view) continue;
      tensor = *seen;
      argument.steps.push_back(std::move(step));
    }
    program_.arguments.push_back(std::move(argument));
  }

  ViewProgram with_one(const ViewProgram::Argument& argument) const {
    ViewProgram one;
    one.arguments.push_back(argument);
    return one;
  }

  int64_t random_dim(const Tensor& t) {
    return t.rank() == 0 ? 0 : random_.integer(0, t.rank() - 1);
  }

  ViewStep random_view(const Tensor& t) {
    ViewStep step{.op = static_cast<ViewOp>(pick(static_cast<size_t>(ViewOp::contiguous)))};
    const int64_t dim = random_dim(t);
    const int64_t size = t.rank() == 0 ? 1 : known(t.size(dim));
    Ints& n = step.numbers;
    switch (step.op) {
      case ViewOp::slice: {
        const int64_t start = random_.integer(0, std::max<int64_t>(size - 1, 0));
        n = {dim, start, random_.integer(start, size), random_.integer(1, 3)};
        if (one_in(12)) n[3] = -1;  // a copy
        if (is_resized_ && n[3] > 0 && !one_in(3)) n[2] = kEnd;
        if (is_resized_ && one_in(2)) n[1] = 0;
        break;
      }
      case ViewOp::select: n = {dim, random_.integer(0, std::max<int64_t>(size - 1, 0))}; break;
      case ViewOp::transpose: n = {dim, random_dim(t)}; break;
      case ViewOp::permute: n = random_order(t.rank()); break;
      case ViewOp::reshape:
        n = random_sizes(elements_of(t.shape()));
        // The rows are what most likely changes.
        if (is_resized_ && !one_in(4)) n[one_in(3) ? static_cast<size_t>(pick(n.size())) : 0] = -1;
        break;
      case ViewOp::unsqueeze: n = {random_.integer(0, t.rank())}; break;
      case ViewOp::expand: {
        if (one_in(2)) n.push_back(random_.integer(1, 3));
        for (const Size& s : t.shape()) n.push_back(known(s) == 1 ? random_.integer(1, 3) : -1);
        break;
      }
      case ViewOp::windows:
        n = {dim, random_.integer(1, 3), random_.integer(1, 3), random_.integer(1, 2)};
        break;
      case ViewOp::strided: {  // of one dimension, such as the diagonal of a flat matrix
        const int64_t rank = random_.integer(1, 2);
        n = {random_.integer(0, 3)};
        for (int64_t i = 0; i < rank; ++i) n.push_back(random_.integer(1, 4));
        for (int64_t i = 0; i < rank; ++i) n.push_back(random_.integer(1, 5));
        break;
      }
      default: break;
    }
    return step;
  }

  Ints random_order(int64_t rank) {
    Ints order;
    for (int64_t i = 0; i < rank; ++i) order.push_back(i);
    for (size_t i = order.size(); i-- > 1;) {
      std::swap(order[i], order[static_cast<size_t>(pick(i + 1))]);
    }
    return order;
  }

  // Factors of the count, in random order.
  Ints random_sizes(int64_t count) {
    Ints sizes;
    for (int64_t factor = 2; count > 1 && factor <= count; ++factor) {
      if (count % factor != 0 || !one_in(2)) continue;
      sizes.push_back(factor);
      count /= factor;
    }
    if (count != 1 || sizes.empty()) sizes.push_back(count);
    if (sizes.size() > 1) std::swap(sizes[0], sizes[static_cast<size_t>(pick(sizes.size()))]);
    return sizes;
  }

  ViewStep random_step() {
    const int64_t kind = random_.integer(0, 9);
    const int target = pick(tensors_.size());
    const Tensor& t = tensors_[static_cast<size_t>(target)];
    ViewStep step;
    if (kind < 4) {
      step = random_view(t);
    } else {
      const auto first = static_cast<int64_t>(kind < 6 ? ViewOp::contiguous : ViewOp::add_);
      const auto last = static_cast<int64_t>(kind < 6 ? ViewOp::sum : ViewOp::relu_);
      step.op = static_cast<ViewOp>(random_.integer(first, last));
      if (step.op == ViewOp::sum) step.numbers = {random_dim(t)};
      if (step.op == ViewOp::fill_) step.numbers = {random_.integer(-3, 3)};
      if (takes_two(step.op)) {
        if (one_in(3) && step.op != ViewOp::copy_) {
          step.numbers = {random_.integer(-2, 3)};
        } else {
          step.other = pick(tensors_.size());
        }
      }
    }
    step.target = target;
    return step;
  }

  // What a step gives; nothing if its op refuses it or it grows too large.
  std::optional<Tensor> tried(const ViewStep& step, const Tensor& target, const Tensor& other) {
    try {
      const Tensor result = apply(step, target, other);
      if (elements_of(result.shape()) > kMostElements) return std::nullopt;
      return result;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  bool is_small(const Tensor& tensor) const {
    const std::vector<double> values = tensor.to_vector<double>();
    return std::ranges::all_of(values, [](double v) { return std::abs(v) <= kLargestNumber; });
  }

  void add_step() {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const ViewStep step = random_step();
      const Tensor other = step.other < 0 ? Tensor() : tensors_[static_cast<size_t>(step.other)];
      const auto result = tried(step, tensors_[static_cast<size_t>(step.target)], other);
      if (!result) continue;
      if (!is_small(*result)) {
        if (writes(step.op)) return;  // it is done, so later values would not be what they seem
        continue;
      }
      tensors_.push_back(*result);
      program_.steps.push_back(step);
      return;
    }
  }

  void choose_results() {
    const int64_t count = random_.integer(1, 4);
    for (int64_t i = 0; i < count; ++i) program_.results.push_back(pick(tensors_.size()));
    if (one_in(5)) {
      const int argument = pick(program_.arguments.size());
      program_.replaced.push_back({argument, pick(tensors_.size())});
    }
  }

  // Sizes for further calls, where the program can be called with them.
  void choose_sizes() {
    for (int attempt = 0; attempt < 2 * kMostSizes; ++attempt) {
      const int64_t rows = random_.integer(1, kMostRows);
      std::vector<int64_t> sizes;
      for (const int64_t width : widths_) sizes.push_back(rows * width);
      program_.resized.push_back(std::move(sizes));
      if (!is_runnable(program_)) program_.resized.pop_back();
      if (program_.resized.size() == kMostSizes) return;
    }
  }

  SplitMix64 random_;
  bool is_resized_ = false;
  std::vector<int64_t> widths_;  // by memory
  ViewProgram program_;
  std::vector<Tensor> memories_;
  std::vector<Tensor> tensors_;  // the arguments and what steps gave, as they are by now
};

}  // namespace

ViewProgram random_view_program(uint64_t seed, uint64_t number) {
  return Maker(seed * 1000003 + number).make();
}

}  // namespace ridge::fuzz
