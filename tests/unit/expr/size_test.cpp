#include "ridge/expr/size.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>
#include <type_traits>
#include <vector>

#include "ridge/expr/text.h"

namespace ridge::size_test {
namespace {

using expr::Interval;

static_assert(sizeof(Size) == 8);
static_assert(std::is_convertible_v<int, Size>);
static_assert(!std::is_convertible_v<Size, int64_t>);
static_assert(!std::is_convertible_v<expr::Expr, Size>);
static_assert(std::is_nothrow_move_constructible_v<Size>);

constexpr int64_t kLargest = (int64_t{1} << 62) - 1;

template <class Operation>
std::string error_of(Operation operation) {
  try {
    operation();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::value);
    return error.what();
  }
  return "no error";
}

TEST(Size, PlainArithmetic) {
  const Size a = 7;
  const Size b = -2;
  EXPECT_EQ((a + b).known(), 5);
  EXPECT_EQ((a - b).known(), 9);
  EXPECT_EQ((a * b).known(), -14);
  EXPECT_EQ((a / b).known(), -4) << "rounds down";
  EXPECT_EQ((a % b).known(), -1);
  EXPECT_EQ((-a).known(), -7);
  EXPECT_EQ(min(a, b).known(), -2);
  EXPECT_EQ(max(a, 9).known(), 9);
  EXPECT_EQ((2 * a + 1).value(), 15);
  EXPECT_FALSE(a.is_symbolic());
  EXPECT_EQ(a.to_text(), "7");
  EXPECT_EQ(Size().known(), 0);
}

TEST(Size, PlainComparisons) {
  const Size a = 3;
  EXPECT_TRUE(a == 3);
  EXPECT_TRUE(3 == a);
  EXPECT_TRUE(a != 4);
  EXPECT_TRUE(a < 4 && a <= 3 && a > 2 && a >= 3);
  EXPECT_FALSE(a < 3 || a > 3);
  EXPECT_TRUE(a == size_t{3});
}

TEST(Size, HoldsTheWholeRange) {
  for (const int64_t value : {kLargest, -kLargest, kLargest - 1, int64_t{0}}) {
    const Size size = value;
    EXPECT_FALSE(size.is_symbolic());
    EXPECT_EQ(size.value(), value);
  }
}

TEST(Size, RefusesWhatIsTooLarge) {
  EXPECT_EQ(error_of([] { Size(kLargest + 1); }),
            "expected a size below 2^62, given 4611686018427387904 (value error)");
  EXPECT_NE(error_of([] { Size(-kLargest - 1); }).find("below 2^62"), std::string::npos);
  EXPECT_NE(error_of([] { Size(std::numeric_limits<int64_t>::min()); }).find("2^62"),
            std::string::npos);
  EXPECT_NE(error_of([] { Size(~uint64_t{0}); }).find("18446744073709551615"), std::string::npos);
  EXPECT_NE(error_of([] { Size(uint64_t{1} << 63); }).find("2^62"), std::string::npos);
  const Size largest = kLargest;
  EXPECT_NE(error_of([&] { largest + 1; }).find("below 2^62"), std::string::npos);
  EXPECT_NE(error_of([&] { largest + largest; }).find("below 2^62"), std::string::npos);
  EXPECT_NE(error_of([&] { -largest - largest; }).find("below 2^62"), std::string::npos);
  EXPECT_NE(error_of([&] { largest * 2; }).find("below 2^62"), std::string::npos);
  EXPECT_NE(error_of([&] { largest * 4; }).find("4611686018427387903 * 4"), std::string::npos);
  EXPECT_NE(error_of([&] { Size(expr::constant(kLargest + 1)); }).find("below 2^62"),
            std::string::npos);
}

TEST(Size, RefusesToDivideByZero) {
  const Size n = symbolic_size("n", {1, 8}, 4);
  EXPECT_EQ(error_of([] { Size(7) / 0; }),
            "expected a divisor other than 0, given 7 // 0 (value error)");
  EXPECT_NE(error_of([] { Size(7) % 0; }).find("7 % 0"), std::string::npos);
  EXPECT_NE(error_of([&] { n / (n - n); }).find("n // 0"), std::string::npos);
}

TEST(Size, QuotientsAreRoundedUp) {
  EXPECT_EQ(divided_up(int64_t{0}, 4), 0);
  EXPECT_EQ(divided_up(int64_t{8}, 4), 2);
  EXPECT_EQ(divided_up(int64_t{9}, 4), 3);
  EXPECT_EQ(divided_up(size_t{7}, 7), 1u);
  EXPECT_EQ(divided_up(Size(9), 4).known(), 3);
  const Size n = symbolic_size("n", {1, 4096}, 8);
  EXPECT_EQ(divided_up(n, 4).to_text(), "(n + 3) // 4");
  EXPECT_EQ(divided_up(4 * n, 4).to_text(), "n");
}

TEST(Size, SymbolicArithmeticSimplifies) {
  const Size n = symbolic_size("n", {1, 4096}, 8);
  const Size m = symbolic_size("m", {1, 4096}, 5);
  EXPECT_TRUE(n.is_symbolic());
  EXPECT_EQ(n.known(), std::nullopt);
  EXPECT_EQ((2 * n + 1).to_text(), "2 * n + 1");
  EXPECT_EQ((n - n).known(), 0);
  EXPECT_EQ((n * m * 768 / 768).to_text(), "m * n");
  EXPECT_EQ((n * 12 % 4).known(), 0);
  EXPECT_EQ((n * m / m).to_text(), "n");
  EXPECT_EQ((n * m % n).known(), 0);
  EXPECT_EQ(((n - 1) / 2 + 1).to_text(), "(n + 1) // 2");
  EXPECT_EQ(min(n, 5000).to_text(), "n");
  EXPECT_EQ(max(n, 0).to_text(), "n");
  EXPECT_EQ(max(n, 2).to_text(), "max(2, n)");
  EXPECT_EQ((-n).to_text(), "-n");
  EXPECT_TRUE((n + m).is_same(m + n));
  EXPECT_EQ((n + m).hash(), (m + n).hash());
  EXPECT_FALSE(n.is_same(m));
  EXPECT_FALSE(n.is_same(8));
}

TEST(Size, APointRangeIsPlain) {
  EXPECT_EQ(symbolic_size("one", {1, 1}).known(), 1);
  EXPECT_EQ(Size(expr::constant(int64_t{5})).known(), 5);
}

TEST(Size, HintsLeaveNoGuard) {
  const auto log = std::make_shared<expr::GuardLog>();
  const Size n = symbolic_size("n", {1, 64}, 8, log);
  const Size unknown = symbolic_size("m", {1, 64}, std::nullopt, log);
  EXPECT_EQ((n * 3).hint_or(1), 24);
  EXPECT_EQ((n * unknown).hint_or(7), 7);
  EXPECT_EQ(Size(4).hint_or(7), 4);
  EXPECT_TRUE(log->guards().empty());
}

TEST(Size, ComparingLeavesAGuardAtTheLine) {
  const auto log = std::make_shared<expr::GuardLog>();
  const Size n = symbolic_size("n", {1, 64}, 8, log);
  EXPECT_TRUE(n >= 1 && n <= 64 && n != 0) << "provable";
  EXPECT_TRUE(log->guards().empty());
  const auto one_line = __LINE__ + 1;
  const bool is_one = n == 1;
  const auto more_line = __LINE__ + 1;
  const bool is_more = 4 < n;
  const auto value_line = __LINE__ + 1;
  const int64_t value = n.value();
  EXPECT_FALSE(is_one);
  EXPECT_TRUE(is_more);
  EXPECT_EQ(value, 8);
  const auto guards = log->guards();
  ASSERT_EQ(guards.size(), 3u);
  EXPECT_EQ(to_text(guards[0].condition), "n != 1");
  EXPECT_EQ(to_text(guards[1].condition), "4 < n");
  EXPECT_EQ(to_text(guards[2].condition), "n == 8");
  EXPECT_EQ(guards[0].where.line(), static_cast<uint32_t>(one_line));
  EXPECT_EQ(guards[1].where.line(), static_cast<uint32_t>(more_line));
  EXPECT_EQ(guards[2].where.line(), static_cast<uint32_t>(value_line));
  EXPECT_NE(std::string(guards[0].where.file_name()).find("size_test"), std::string::npos);
}

TEST(Size, ReadingWithoutAHintIsAnErrorAtTheLine) {
  const Size batch = symbolic_size("batch", {1, 64});
  const auto line = __LINE__ + 2;
  try {
    (batch + 1).value();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.given(), "the symbolic size batch + 1");
    EXPECT_EQ(error.where()->line(), static_cast<uint32_t>(line));
  }
  EXPECT_THROW(batch == 1, Error);
}

TEST(Size, CopiesShareAndMovesEmpty) {
  Size a = symbolic_size("n", {1, 64}, 8);
  const expr::Node* node = a.expression().get();
  Size b = a;
  EXPECT_EQ(b.expression().get(), node);
  const Size c = std::move(a);
  EXPECT_EQ(c.expression().get(), node);
  EXPECT_EQ(node->use_count(), 2u);
  b = b;  // NOLINT: assignment to itself must be harmless
  b = 3;
  EXPECT_EQ(node->use_count(), 1u);
  b = c;
  EXPECT_TRUE(b.is_same(c));
}

TEST(Size, ThreadsCopySymbolicSizes) {
  const auto log = std::make_shared<expr::GuardLog>();
  const Size n = symbolic_size("n", {1, 64}, 8, log);
  const Size shared = n * 2 + 1;
  const uint32_t owners = shared.expression()->use_count();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&shared] {
      std::vector<Size> copies;
      for (int i = 0; i < 2000; ++i) {
        copies.push_back(shared);
        if (i % 100 == 0) copies.assign(1, copies.back() + 1 - 1);
      }
      EXPECT_TRUE(copies.back() == shared);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shared.expression()->use_count(), owners);
  EXPECT_TRUE(log->guards().empty());
}

}  // namespace
}  // namespace ridge::size_test
