// Threads that build and differentiate graphs of their own over parameters they share.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "ridge/ridge.h"

namespace ridge::autograd_shared_leaves_test {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 25;

template <class Body>
void in_threads(Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&body, i] { body(i); });
  for (std::thread& thread : threads) thread.join();
}

Tensor leaf(std::vector<double> values, const Shape& shape) {
  const Tensor t = Tensor::of<double>(values, shape);
  set_requires_grad(t);
  return t;
}

TEST(SharedLeaves, CollectTheGradientsOfAllThreads) {
  const Tensor w = leaf({1, 2, 3, 4}, {2, 2});
  const Tensor b = leaf({1, 1}, {2});
  in_threads([&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      const Tensor x = full({1, 2}, thread + 1, f64);
      backward(sum(matmul(x, transpose(w, 0, 1)) + b));
    }
  });
  const double total = kRounds * (1 + 2 + 3 + 4);
  EXPECT_EQ(grad_of(w).to_vector<double>(), std::vector<double>(4, total));
  EXPECT_EQ(grad_of(b).to_vector<double>(), std::vector<double>(2, kThreads * kRounds));
}

TEST(SharedLeaves, MayBeReadAndClearedMeanwhile) {
  const Tensor w = leaf({1, 2}, {2});
  in_threads([&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      if (thread == 0) {
        clear_grad(w);
      } else if (const Tensor g = grad_of(w); g.defined()) {
        EXPECT_EQ(g.shape().size(), 1U);
      }
      backward(sum(exp(w)), {}, {.create_graph = thread == 1});
    }
  });
}

TEST(SharedLeaves, MayGetHooksMeanwhile) {
  const Tensor w = leaf({1, 2}, {2});
  std::atomic<int> calls{0};
  in_threads([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      HookHandle handle = add_hook(w, [&](const Tensor&) {
        ++calls;
        return Tensor();
      });
      backward(sum(w * w));
      handle.remove();
    }
  });
  EXPECT_GE(calls.load(), kThreads * kRounds);
}

TEST(SharedGraph, MayBeDifferentiatedByManyWhileRetained) {
  const Tensor w = leaf({0.5, 1.5}, {2});
  const Tensor h = tanh(w * w);
  in_threads([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      gradients({sum(h * 2)}, {w}, {}, {.retain_graph = true});
    }
  });
  // Without retention one thread wins and the others get an error, not garbage.
  std::atomic<int> succeeded{0};
  in_threads([&](int) {
    try {
      gradients({sum(h)}, {w});
      ++succeeded;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::gradient);
    }
  });
  EXPECT_GE(succeeded.load(), 1);
}

TEST(SharedBase, MayBeViewedByManyThreads) {
  const Tensor data = zeros({kThreads, 8}, f64);
  in_threads([&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      const Tensor row = select(data, 0, thread);
      const Tensor part = slice(row, 0, 2, 6);
      EXPECT_FALSE((part * 2).requires_grad());
    }
  });
  const Tensor w = leaf({1, 2, 3, 4, 5, 6, 7, 8}, {8});
  const Tensor row = select(data, 0, 1);
  copy_(select(data, 0, 1), w);
  in_threads([&](int) {  // all of them regenerate the history of `row`
    EXPECT_EQ(gradients({sum(row)}, {w}, {}, {.retain_graph = true})[0].to_vector<double>(),
              std::vector<double>(8, 1));
  });
}

TEST(GradMode, BelongsToAThread) {
  const Tensor w = leaf({1}, {1});
  in_threads([&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      const dispatch::GradMode mode(thread % 2 == 0);
      EXPECT_EQ((w * 2).requires_grad(), thread % 2 == 0);
    }
  });
}

}  // namespace
}  // namespace ridge::autograd_shared_leaves_test
