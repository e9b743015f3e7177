// Random small programs of views and writes, against differences.
//
// A program keeps a handful of tensors that share memory in all ways there are: it makes views of
// them, writes to them (from constants, from inputs, from each other), reads them at odd moments,
// and in the end reads them all. Each program is a function of its seed.
#include <gtest/gtest.h>

#include "../../gradcheck.h"
#include "ridge/base/random.h"
#include "ridge/ridge.h"

namespace ridge::testing::write_programs_test {
namespace {

class RandomProgram {
 public:
  RandomProgram(uint64_t seed, const Tensors& inputs)
      : random_(seed), x_(inputs[0]), w_(inputs[1]) {
    const bool starts_plain = pick(3) == 0;
    live_.push_back(starts_plain ? full({2, 3, 2}, 0.7, f64) : x_ * 1.1);
    if (pick(2) == 0) live_.push_back(copy(x_, x_));
  }

  Tensors run() {
    const size_t steps = 4 + pick(6);
    for (size_t i = 0; i < steps; ++i) {
      switch (pick(5)) {
        case 0:
        case 1: live_.push_back(make_view(any())); break;
        case 2:
        case 3: write(any()); break;
        case 4: read_.push_back(any() * 1.5); break;  // saves nothing that a write could spoil
      }
    }
    Tensors results = read_;
    results.push_back(x_ * w_);  // there are programs that never touch an input
    for (const Tensor& t : live_) results.push_back(t * t);
    return results;
  }

 private:
  size_t pick(size_t count) { return static_cast<size_t>(random_.next() % count); }
  Tensor any() { return live_[pick(live_.size())]; }

  Tensor make_view(const Tensor& t) {
    switch (pick(4)) {
      case 0: return reshape(t, {-1});
      case 1: return t.rank() < 2 ? t : transpose(t, 0, -1);
      case 2: {
        if (t.rank() == 0) return t;
        const auto dim = static_cast<int64_t>(pick(t.shape().size()));
        const auto size = static_cast<size_t>(t.size(dim).value());
        const auto start = static_cast<int64_t>(pick(size));
        const auto end = start + 1 + static_cast<int64_t>(pick(size - static_cast<size_t>(start)));
        return slice(t, dim, start, end, 1 + static_cast<int64_t>(pick(2)));
      }
      default: {
        if (t.rank() == 0) return t;
        const auto dim = static_cast<int64_t>(pick(t.shape().size()));
        return select(t, dim, static_cast<int64_t>(pick(static_cast<size_t>(t.size(dim).value()))));
      }
    }
  }

  // Something of a shape that broadcasts to t's.
  Tensor value_for(const Tensor& t) {
    switch (pick(5)) {
      case 0: return Tensor::of<double>({0.8}, {});
      case 1: return w_;
      case 2: return tanh(t);
      case 3: return mean(any());
      default: {
        const Tensor other = any();
        return to_text(other.shape()) == to_text(t.shape()) ? other : sum(other) * w_ * 0.1;
      }
    }
  }

  void write(const Tensor& t) {
    const Tensor value = value_for(t);
    switch (pick(5)) {
      case 0: mul_(t, value); break;
      case 1: add_(t, value); break;
      case 2: copy_(t, value); break;
      case 3: in_place("tanh", t); break;
      default: in_place("silu", t); break;
    }
  }

  SplitMix64 random_;
  Tensor x_, w_;
  Tensors live_, read_;
};

TEST(WritePrograms, AgreeWithDifferences) {
  const Tensor x = Tensor::of<double>(
      {0.3, -0.6, 0.9, 1.1, -0.2, 0.5, 0.8, -1.0, 0.4, 0.7, -0.3, 0.6}, {2, 3, 2});
  const Tensor w = Tensor::of<double>({0.9}, {});
  size_t checked = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Program program = [seed](const Tensors& in) { return RandomProgram(seed, in).run(); };
    // A value that was saved and then written to is refused; the program is then another one.
    try {
      EXPECT_TRUE(gradcheck(program, {x, w}, {.tolerance = 1e-5})) << "seed " << seed;
      ++checked;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::gradient) << "seed " << seed << ": " << error.what();
    }
  }
  EXPECT_GT(checked, 150U);
}

}  // namespace
}  // namespace ridge::testing::write_programs_test
