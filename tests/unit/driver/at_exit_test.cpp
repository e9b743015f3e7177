// Ops while the process ends: in handlers of atexit and destructors of static objects.
#include <gtest/gtest.h>

#include <cstdlib>

#include "ridge/aot/transforms.h"
#include "ridge/ridge.h"

namespace ridge::testing::at_exit_test {
namespace {

Tensor cubes(const Tensor& x) { return sum(x * x * x); }

auto& compiled_cubes() {
  static auto& compiled = *new auto(compile(cubes));
  return compiled;
}

// Eager ops and programs, known ones and new ones, and gradients.
bool all_works(int64_t size) {
  const Tensor x = ones({size}) + 1;
  const double expected = 8 * static_cast<double>(size);
  const Tensor w = ones({size});
  set_requires_grad(w);
  backward(cubes(w));
  return cubes(x).item<double>() == expected && compiled_cubes()(x).item<double>() == expected &&
         sum(matmul(ones({size, 2}), ones({2, size}))).item<double>() ==
             static_cast<double>(2 * size * size) &&
         sum(grad_of(w)).item<double>() == 3 * static_cast<double>(size) &&
         sum(grad(cubes)(x)).item<double>() == 12 * static_cast<double>(size);
}

// What was called before works; what is new works too, or an error says that it cannot be compiled.
void check_late() {
  if (!all_works(5)) std::_Exit(3);
  try {
    if (!all_works(6)) std::_Exit(5);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::state) std::_Exit(6);
  }
}
void at_exit() { check_late(); }

struct Late {
  ~Late() { check_late(); }
};

TEST(AtExit, OpsStillWork) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        // Registered before Ridge has made anything, so run after all of it is gone that goes.
        std::atexit(at_exit);
        static const Late late;
        if (!all_works(5)) std::_Exit(4);
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(AtExit, OpsThatAreTheFirstOnesWork) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        std::atexit(at_exit);
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ridge::testing::at_exit_test
