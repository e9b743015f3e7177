// Memory that cannot be had, at every place that asks for some: a clear error, arguments as they were, and
// the same call succeeds afterwards.
#include <gtest/gtest.h>

#include <functional>

#include "tests/fault/demo_step.h"

namespace ridge::fault {
namespace {

// Lets the allocation with that number fail in `call`, which says so.
template <class Call>
void expect_no_memory(int64_t number, const Call& call) {
  const Fault fault(Request::allocation, number);
  try {
    call();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(name(error.code()), name(ErrorCode::memory)) << error.what();
    EXPECT_NE(std::string(error.what()).find(kNoMemory), std::string::npos) << error.what();
    EXPECT_TRUE(error.where().has_value()) << error.what();
  }
  EXPECT_TRUE(fault.has_failed());
}

template <class Call>
int64_t allocations_of(const Call& call) {
  return requests_in(Request::allocation, call);
}

// `make` gives the function to call, compiled or not, and is called again for each fault.
template <class Make>
void sweep_steps(const Make& make, bool leaves_arguments) {
  const Training start = Training::start();
  const std::string before = bytes_of(start);
  Training first = start.copy();
  const std::string expected = result_of(make(), first);
  Training counted = start.copy();
  const int64_t count = allocations_of([&] { result_of(make(), counted); });
  ASSERT_GT(count, 0);
  for (const int64_t number : numbers_to_fail(count)) {
    SCOPED_TRACE(concat("allocation ", number, " of ", count));
    const int64_t live = live_bytes();
    {
      const auto step = make();
      Training training = start.copy();
      const std::vector<uint32_t> versions = versions_of(training);
      expect_no_memory(number, [&] {
        step(training.model, training.optimizer, training.images, training.labels);
      });
      if (leaves_arguments) {
        EXPECT_TRUE(bytes_of(training) == before) << "arguments changed";
        EXPECT_TRUE(versions_of(training) == versions) << "versions changed";
      } else {
        training = start.copy();
      }
      EXPECT_TRUE(result_of(step, training) == expected) << "another result than without the fault";
    }
    EXPECT_EQ(live_bytes(), live) << "leaked";
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(FaultAllocation, FirstCallOfACompiledStep) {
  sweep_steps([] { return compiled_step(); }, true);
}

TEST(FaultAllocation, LaterCallsOfACompiledStep) {
  const auto step = compiled_step();
  Training training = Training::start();
  result_of(step, training);
  sweep_steps([&] { return step; }, true);
}

// A step of many calls: those before the one that fails have done their work.
TEST(FaultAllocation, EagerStep) {
  sweep_steps([] { return &command::eager_step<SmallTransformer>; }, false);
}

TEST(FaultAllocation, WritesInPlace) {
  Generator generator(1);
  const Tensor y = normal({4, 6}, generator), row = normal({6}, generator);
  const Tensor index = Tensor::of<int64_t>({0, 2, 2, 1}, {4});
  const std::vector<std::function<void(Tensor&)>> writes = {
      [&](Tensor& x) { add_(x, y); },
      [&](Tensor& x) { x *= row; },
      [&](Tensor& x) { copy_(x, row); },
      [&](Tensor& x) { add_(transpose(x, 0, 1), transpose(y, 0, 1)); },
      [&](Tensor& x) { copy_(slice(x, 1, 0, kEnd, 2), slice(y, 1, 3)); },
      [&](Tensor& x) { add_(x, transpose(reshape(x, {6, 4}), 0, 1)); },  // reads what it writes
      [&](Tensor& x) { mul_(select(x, 0, 1), cast(row, f64)); },
      [&](Tensor& x) { copy_(x, softmax(index_select(x, 0, index), 1)); }};
  for (size_t i = 0; i < writes.size(); ++i) {
    for (const bool has_gradient : {false, true}) {
      const auto make = [&] {
        Tensor leaf = clone(y);
        if (has_gradient) set_requires_grad(leaf);
        return leaf * 2;
      };
      Tensor counted = make();
      const int64_t count = allocations_of([&] { writes[i](counted); });
      for (const int64_t number : numbers_to_fail(count)) {
        SCOPED_TRACE(concat("write ", i, ", allocation ", number, " of ", count));
        const int64_t live = live_bytes();
        {
          Tensor x = make();
          const std::string before = bytes_of(x);
          const uint32_t version = x.version();
          expect_no_memory(number, [&] { writes[i](x); });
          EXPECT_TRUE(bytes_of(x) == before);
          EXPECT_EQ(x.version(), version);
          writes[i](x);
          EXPECT_TRUE(bytes_of(x) == bytes_of(counted));
        }
        EXPECT_EQ(live_bytes(), live) << "leaked";
      }
    }
  }
}

// All leaves have the gradients of before, or all have new ones.
TEST(FaultAllocation, Backward) {
  Generator generator(1);
  const Tensor x = normal({4, 6}, generator), w = normal({6, 3}, generator),
               bias = normal({3}, generator);
  struct Leaves {
    Tensor w, bias;
    Tensor loss(const Tensor& in) const { return sum(square(gelu(matmul(in, w) + bias))); }
  };
  // With gradients of an earlier call, which the next ones are added to.
  const auto make = [&] {
    Leaves leaves{clone(w), clone(bias)};
    set_requires_grad(leaves.w);
    set_requires_grad(leaves.bias);
    backward(leaves.loss(x));
    return leaves;
  };
  const auto grads = [](const Leaves& leaves) {
    return bytes_of(grad_of(leaves.w)) + bytes_of(grad_of(leaves.bias));
  };
  const Leaves counted = make();
  const Tensor loss = counted.loss(x);
  const int64_t count = allocations_of([&] { backward(loss); });
  ASSERT_GE(count, 4);
  for (const int64_t number : numbers_to_fail(count)) {
    SCOPED_TRACE(concat("allocation ", number, " of ", count));
    const int64_t live = live_bytes();
    {
      const Leaves leaves = make();
      const std::string before = grads(leaves);
      const Tensor value = leaves.loss(x);
      expect_no_memory(number, [&] { backward(value); });
      EXPECT_TRUE(grads(leaves) == before) << "gradients changed";
      backward(leaves.loss(x));
      EXPECT_TRUE(grads(leaves) == grads(counted));
    }
    EXPECT_EQ(live_bytes(), live) << "leaked";
  }
}

// Programs that the host runs part by part, and one for symbolic sizes.
TEST(FaultAllocation, ControlFlowAndSymbolicSizes) {
  Generator generator(1);
  const Tensor xs = normal({5, 4}, generator), start = normal({4}, generator);
  const auto loop = [](const Tensor& rows, Tensor& state) {
    const auto [last, all] = scan(
        [](const Tensor& carry, const Tensor& row) {
          const Tensor next = tanh(carry * row + 0.5);
          return std::pair(next, exp(next));
        },
        state, rows);
    copy_(state, last);
    return sum(all);
  };
  for (const Dynamic dynamic : {Dynamic::automatic, Dynamic::always}) {
    const CompileOptions options{.name = "loop", .dynamic = dynamic};
    Tensor state = clone(start);
    const std::string expected = bytes_of(compile(loop, options)(xs, state)) + bytes_of(state);
    state = clone(start);
    const int64_t count = allocations_of([&] { compile(loop, options)(xs, state); });
    for (const int64_t number : numbers_to_fail(count)) {
      SCOPED_TRACE(concat("allocation ", number, " of ", count));
      const int64_t live = live_bytes();
      {
        const auto f = compile(loop, options);
        Tensor own = clone(start);
        expect_no_memory(number, [&] { f(xs, own); });
        EXPECT_TRUE(bytes_of(own) == bytes_of(start)) << "arguments changed";
        EXPECT_TRUE(bytes_of(f(xs, own)) + bytes_of(own) == expected);
      }
      EXPECT_EQ(live_bytes(), live) << "leaked";
    }
  }
}

}  // namespace
}  // namespace ridge::fault
