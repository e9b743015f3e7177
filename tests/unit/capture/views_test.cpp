// What views and shared memory look like to the caller of a compiled function: as after an eager call.
#include <gtest/gtest.h>

#include "ridge/driver/entry.h"
#include "ridge/execute/launch_counts.h"
#include "ridge/ridge.h"
#include "tests/unit/capture/compiled.h"

namespace ridge::views_test {
namespace {

using testing::random;

template <class T>
std::vector<T> elements(const Tensor& tensor) {
  return tensor.to_vector<T>();
}

bool is_same_view(const Tensor& a, const Tensor& b) {
  return a.shares_storage_with(b) && a.offset().is_same(b.offset()) &&
         is_same(a.shape(), b.shape()) && is_same(a.strides(), b.strides());
}

TEST(CompiledViews, AViewOfAnArgumentIsAViewOfTheCallersTensor) {
  const auto f = compile([](const Tensor& x) {
    return std::pair(transpose(slice(x, 0, 1, 3), 0, 1), select(x, 1, 2) * 2);
  });
  const Tensor x = random({4, 5}, 1);
  for (int call = 0; call < 2; ++call) {
    const auto [view, twice] = f(x);
    EXPECT_TRUE(is_same_view(view, transpose(slice(x, 0, 1, 3), 0, 1)));
    EXPECT_FALSE(twice.shares_storage_with(x));
  }
  // Offsets count from where the argument begins.
  const Tensor part = slice(random({9, 5}, 2), 0, 3, 7);
  EXPECT_TRUE(is_same_view(f(part).first, transpose(slice(part, 0, 1, 3), 0, 1)));
  // Nothing is computed for the view.
  EXPECT_EQ(f.programs()[0]->captured.graph.outputs.size(), 1U);
}

TEST(CompiledViews, AViewShowsWhatWasWrittenLater) {
  const auto f = compile([](const Tensor& x) {
    const Tensor row = select(x, 0, 1);
    mul_(x, 3);
    return row;
  });
  const Tensor x = random({2, 3}, 3), before = clone(x);
  const Tensor row = f(x);
  EXPECT_TRUE(is_same_view(row, select(x, 0, 1)));
  EXPECT_EQ(elements<float>(row), elements<float>(select(before * 3, 0, 1)));
}

TEST(CompiledViews, ResultsThatViewOneMemoryShareIt) {
  const auto f = compile([](const Tensor& x) {
    const Tensor y = x * 2;
    return std::tuple(y, transpose(y, 0, 1), select(y, 0, 1), y + 1);
  });
  const Tensor x = random({2, 3}, 4);
  const auto [y, across, row, other] = f(x);
  EXPECT_TRUE(is_same_view(across, transpose(y, 0, 1)));
  EXPECT_TRUE(is_same_view(row, select(y, 0, 1)));
  EXPECT_FALSE(other.shares_storage_with(y));
  fill_(row, 7);
  EXPECT_EQ(elements<float>(select(across, 1, 1)), std::vector<float>(3, 7));
  EXPECT_EQ(elements<float>(other), elements<float>(x * 2 + 1));
}

// The rest of the memory would be computed for nobody.
TEST(CompiledViews, ASingleViewOfWhatWasComputedIsATensorOfItsOwn) {
  const auto f = compile([](const Tensor& x) { return select(x * 2, 0, 1); });
  const Tensor x = random({2, 3}, 5);
  const Tensor row = f(x);
  EXPECT_EQ(row.storage().bytes(), 3 * sizeof(float));
  EXPECT_EQ(elements<float>(row), elements<float>(select(x * 2, 0, 1)));
}

TEST(CompiledViews, AnArgumentMayBecomeAViewOfAnother) {
  const auto f = compile([](std::vector<Tensor>& t) { t[0] = transpose(t[1], 0, 1); });
  std::vector<Tensor> t = {random({2, 2}, 6), random({2, 3}, 7)};
  const Tensor kept = t[1];
  f(t);
  EXPECT_TRUE(is_same_view(t[0], transpose(kept, 0, 1)));
}

// Eagerly and compiled on memories of the same elements; all of both afterwards must be equal.
template <class F, class MakeArguments>
void expect_as_eager(const F& f, const MakeArguments& arguments_of, int64_t size) {
  const Tensor eager = random({size}, 8), compiled = clone(eager);
  const auto program = compile(f);
  for (int call = 0; call < 2; ++call) {
    auto expected_arguments = arguments_of(eager);
    auto arguments = arguments_of(compiled);
    const Tensor expected = f(expected_arguments);
    const Tensor result = program(arguments);
    EXPECT_EQ(elements<float>(result), elements<float>(expected));
    EXPECT_EQ(elements<float>(compiled), elements<float>(eager));
  }
  EXPECT_EQ(program.programs().size(), 1U);
}

TEST(SharedArguments, TheSameTensorTwice) {
  expect_as_eager(
      [](std::vector<Tensor>& t) {
        add_(t[0], 1);
        mul_(t[1], t[0]);
        return t[0] + t[1];
      },
      [](const Tensor& memory) {
        const Tensor x = reshape(memory, {3, 4});
        return std::vector<Tensor>{x, x};
      },
      12);
}

TEST(SharedArguments, SlicesThatOverlap) {
  expect_as_eager(
      [](std::vector<Tensor>& t) {
        mul_(t[0], 2);
        const Tensor seen = t[1] * 1;
        add_(t[1], t[0]);
        return seen - t[0];
      },
      [](const Tensor& memory) {
        return std::vector<Tensor>{slice(memory, 0, 0, 6), slice(memory, 0, 3, 9)};
      },
      11);
}

TEST(SharedArguments, ATensorAndItsTranspose) {
  expect_as_eager(
      [](std::vector<Tensor>& t) {
        add_(t[0], t[1]);
        return t[1] * 2;
      },
      [](const Tensor& memory) {
        const Tensor x = reshape(memory, {3, 3});
        return std::vector<Tensor>{x, transpose(x, 0, 1)};
      },
      9);
}

TEST(SharedArguments, ARowOfAnExpandedTensor) {
  expect_as_eager(
      [](std::vector<Tensor>& t) {
        mul_(select(t[0], 0, 1), 3);
        return t[0] + 1;
      },
      [](const Tensor& memory) { return std::vector<Tensor>{expand(memory, {2, 4})}; }, 4);
}

TEST(SharedArguments, WhereTheyLieIsPartOfWhatAProgramIsFor) {
  const auto f = compile([](const Tensor& a, const Tensor& b) {
    fill_(a, 0);
    return b * 2;
  });
  const Tensor memory = random({8}, 9), before = clone(memory);
  const Tensor a = slice(memory, 0, 0, 4);
  EXPECT_EQ(elements<float>(f(a, slice(memory, 0, 2, 6)))[0], 0);
  const Tensor apart = f(a, slice(memory, 0, 4, 8));
  EXPECT_EQ(elements<float>(apart), elements<float>(slice(before, 0, 4, 8) * 2));
  EXPECT_EQ(f.programs().size(), 2U);
}

TEST(SharedArguments, MemoryUnderTwoDtypesIsALocatedError) {
  const auto f = compile([](const Tensor& a, const Tensor& b) {
    fill_(a, 0);
    return b * 2;
  });
  const Tensor a = random({4}, 10);
  const Tensor b = Tensor::view_of(Ref<Storage>(&a.storage()), {4}, {Size(1)}, 0, i32);
  try {
    f(a, b);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::state);
    EXPECT_EQ(error.op(), "copy_");  // what fill_ is made of
  }
  EXPECT_EQ(elements<float>(f(a, random({4}, 11))).size(), 4U);  // it can be called again
}

// A strided argument is seen with its strides: a reshape of it is a copy, as it is eagerly.
TEST(CompiledViews, WhatIsACopyEagerlyIsOneWhenCaptured) {
  const auto f = compile([](const Tensor& x) {
    const Tensor flat = reshape(x, {6});
    zero_(flat);
    return flat;
  });
  const Tensor x = transpose(random({2, 3}, 12), 0, 1), before = clone(x);
  EXPECT_FALSE(f(x).shares_storage_with(x));
  EXPECT_EQ(elements<float>(x), elements<float>(before));
  const Tensor row_major = random({3, 2}, 13);
  EXPECT_TRUE(f(row_major).shares_storage_with(row_major));
  EXPECT_EQ(elements<float>(row_major), std::vector<float>(6, 0));
}

int64_t bytes_of(const auto& compiled) {
  return compiled.programs()[0]->compiled->program()->bytes();
}

TEST(PartialWrites, TouchOnlyThePart) {
  const auto update =
      compile([](const Tensor& cache, const Tensor& x) { copy_(slice(cache, 1, 40, 42), x); });
  const Tensor cache = random({4, 1000, 8}, 14), x = random({4, 2, 8}, 15);
  const Tensor expected = clone(cache);
  copy_(slice(expected, 1, 40, 42), x);
  update(cache, x);
  EXPECT_EQ(elements<float>(cache), elements<float>(expected));
  if (update.programs()[0]->compiled->program() == nullptr) GTEST_SKIP() << "no programs";
  EXPECT_EQ(bytes_of(update), 2 * 4 * 2 * 8 * 4);  // x is read, the slice is written
}

TEST(PartialWrites, ThroughViewsOfViewsAndBeforeReads) {
  const auto f = [](const Tensor& cache, const Tensor& x) {
    const Tensor layer = transpose(select(cache, 0, 2), 0, 1);
    const Tensor place = select(layer, 0, 7);
    copy_(place, x);
    add_(select(layer, 0, 8), x);
    return sum(layer, {0});
  };
  const auto step = compile(f);
  const Tensor cache = random({3, 4, 50, 8}, 16), x = random({4, 8}, 17);
  const Tensor expected_cache = clone(cache);
  for (int call = 0; call < 2; ++call) {
    const Tensor expected = f(expected_cache, x);
    const Tensor result = step(cache, x);
    EXPECT_EQ(elements<float>(cache), elements<float>(expected_cache));
    const auto a = elements<float>(result), b = elements<float>(expected);
    for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 50 * 4e-7 * 2);
  }
  if (step.programs()[0]->compiled->program() == nullptr) GTEST_SKIP() << "no programs";
  const int64_t row = 4 * 8 * 4;  // bytes
  EXPECT_EQ(bytes_of(step), 2 * row + 3 * row + 50 * row + row);
}

TEST(PartialWrites, OfNothingLeaveEverything) {
  const auto f = compile([](const Tensor& x) { fill_(slice(x, 0, 2, 2), 7); });
  const Tensor x = random({5}, 19), before = clone(x);
  f(x);
  EXPECT_EQ(elements<float>(x), elements<float>(before));
}

// Somebody reads what was there before: then it must not be gone.
TEST(PartialWrites, WaitForReadersOfWhatWasThere) {
  const auto f = [](const Tensor& x) {
    const Tensor total = sum(x, {0});
    const Tensor row = select(x, 0, 3);
    const Tensor before = clone(x);
    copy_(row, total);
    return before;
  };
  const auto step = compile(f);
  const Tensor x = random({10, 4}, 18), expected_x = clone(x);
  const Tensor expected = f(expected_x);
  EXPECT_EQ(elements<float>(step(x)), elements<float>(expected));
  const auto a = elements<float>(x), b = elements<float>(expected_x);
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 10 * 4e-7 * 2);
}

}  // namespace
}  // namespace ridge::views_test
