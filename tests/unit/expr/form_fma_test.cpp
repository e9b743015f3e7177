#include <gtest/gtest.h>

#include "ridge/expr/simplify.h"
#include "ridge/expr/text.h"

namespace ridge::expr::form_fma_test {
namespace {

std::string formed(const Expr& e) { return to_text(form_fma(e)); }

TEST(FormFma, OfAProductThatOneSumReads) {
  const Expr a = input(0, Type::real), b = input(1, Type::real), c = input(2, Type::real);
  EXPECT_EQ(formed(a * b + c), "fma(x0, x1, x2)");
  EXPECT_EQ(formed(c + a * b), "fma(x0, x1, x2)");
  EXPECT_EQ(formed(a * b - c), "fma(x0, x1, -x2)");
  EXPECT_EQ(formed(c - a * b), "fma(-x0, x1, x2)");
  EXPECT_EQ(formed((a * b + c) * a + c), "fma(fma(x0, x1, x2), x0, x2)");
  EXPECT_EQ(formed(exp(a * b + c) * 2.0), "exp(fma(x0, x1, x2)) * 2.0");
}

TEST(FormFma, NotOfOneThatOthersRead) {
  const Expr a = input(0, Type::real), b = input(1, Type::real);
  const Expr product = a * b;
  EXPECT_EQ(formed(product + exp(product)), "x0 * x1 + exp(x0 * x1)");
  EXPECT_EQ(formed(a * b + exp(a * b)), "x0 * x1 + exp(x0 * x1)");
  const Expr n = input(2, Type::integer);
  EXPECT_EQ(formed(n * n + n), "x2 * x2 + x2");
}

}  // namespace
}  // namespace ridge::expr::form_fma_test
