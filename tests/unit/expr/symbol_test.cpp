#include "ridge/expr/symbol.h"

#include <gtest/gtest.h>

#include <thread>

#include "ridge/expr/text.h"

namespace ridge::expr::symbol_test {
namespace {

class SymbolTest : public testing::Test {
 protected:
  Expr make(std::string name, Interval range, std::optional<int64_t> hint) const {
    return symbol(make_ref<const Symbol>(std::move(name), range, hint, log_));
  }

  std::vector<std::string> logged() const {
    std::vector<std::string> texts;
    for (const Guard& guard : log_->guards()) texts.push_back(to_text(guard.condition));
    return texts;
  }

  std::shared_ptr<GuardLog> log_ = std::make_shared<GuardLog>();
  Expr n_ = make("n", {1, 64}, 8);
  Expr m_ = make("m", {1, 64}, 5);
  Expr unknown_ = make("batch", {1, 64}, std::nullopt);
};

TEST_F(SymbolTest, ProvesFromRangesAlone) {
  EXPECT_EQ(prove(Expr(0) < n_), true);
  EXPECT_EQ(prove(n_ < 65), true);
  EXPECT_EQ(prove(equal(n_, 100)), false);
  EXPECT_EQ(prove(n_ < n_ + 1), true);
  EXPECT_EQ(prove(equal(n_ * m_, m_ * n_)), true);
  EXPECT_EQ(prove(equal(mod(4 * n_, 4), 0)), true);
  EXPECT_EQ(prove(n_ < m_), std::nullopt);
  EXPECT_EQ(prove(n_), true) << "not zero";
}

TEST_F(SymbolTest, DecidingWhatIsProvenLeavesNoGuard) {
  EXPECT_TRUE(decide(n_ <= 64, Location::current()));
  EXPECT_FALSE(decide(equal(n_, n_ + 1), Location::current()));
  EXPECT_TRUE(decide(Expr(0) < unknown_, Location::current()));
  EXPECT_TRUE(log_->guards().empty());
}

TEST_F(SymbolTest, DecidingByHintLeavesAGuardThatHolds) {
  EXPECT_TRUE(decide(m_ < n_, Location::current()));
  EXPECT_FALSE(decide(equal(n_, 1), Location::current()));
  EXPECT_FALSE(decide(n_ < m_ + 2, Location::current()));
  EXPECT_EQ(logged(), (std::vector<std::string>{"m < n", "n != 1", "m + 1 < n"}));
}

TEST_F(SymbolTest, GuardsKeepTheFirstLineAndDoNotRepeat) {
  const Location first = Location::current();
  decide(equal(n_, 1), first);
  decide(not_equal(n_, 1), Location::current());
  decide(equal(1 + n_, 2), Location::current());
  ASSERT_EQ(log_->guards().size(), 1u);
  EXPECT_EQ(log_->guards()[0].where.line(), first.line());
}

TEST_F(SymbolTest, ReadingLeavesAnEqualityGuard) {
  EXPECT_EQ(read(n_ * 2 + 1, Location::current()), 17);
  EXPECT_EQ(logged(), (std::vector<std::string>{"n == 8"}));
  EXPECT_EQ(read(n_ - n_ + 3, Location::current()), 3);
  EXPECT_EQ(read(make("one", {1, 1}, std::nullopt), Location::current()), 1);
  EXPECT_EQ(log_->guards().size(), 1u);
}

TEST_F(SymbolTest, WithoutAHintItIsAnErrorAtTheLine) {
  const Location where = Location::current();
  try {
    read(unknown_ + 1, where);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::value);
    EXPECT_EQ(error.expected(), "a size that is known here");
    EXPECT_EQ(error.given(), "the symbolic size batch + 1");
    EXPECT_NE(error.hint().find("Dim"), std::string::npos);
    EXPECT_NE(error.hint().find("compile"), std::string::npos);
    EXPECT_EQ(error.where()->line(), where.line());
  }
  EXPECT_THROW(decide(unknown_ < n_, where), Error);
  EXPECT_TRUE(log_->guards().empty());
}

TEST_F(SymbolTest, GuardsGoToTheLogOfEachCapture) {
  const std::shared_ptr<GuardLog> other_log = std::make_shared<GuardLog>();
  const Expr other = symbol(make_ref<const Symbol>("k", Interval{1, 9}, 3, other_log));
  decide(other < n_, Location::current());
  EXPECT_EQ(log_->guards().size(), 1u);
  EXPECT_EQ(other_log->guards().size(), 1u);
  const Expr silent = symbol(make_ref<const Symbol>("s", Interval{1, 9}, 3, nullptr));
  EXPECT_TRUE(decide(equal(silent, 3), Location::current()));
}

TEST_F(SymbolTest, GuardsSpeakOfTheSameSymbols) {
  decide(equal(n_, 8), Location::current());
  const Guard guard = log_->guards().at(0);
  EXPECT_TRUE(same(guard.condition, equal(n_, 8)));
}

TEST_F(SymbolTest, ASizeThatOutlivesItsCaptureSaysSo) {
  auto short_lived = std::make_shared<GuardLog>();
  const Expr size = symbol(make_ref<const Symbol>("s", Interval{1, 9}, 3, short_lived));
  EXPECT_TRUE(decide(equal(size, 3), Location::current()));
  short_lived.reset();
  EXPECT_THROW(decide(equal(size, 4), Location::current()), Error);
}

TEST_F(SymbolTest, IdsTellSymbolsOfOneNameApart) {
  const Expr same_name = make("n", {1, 64}, 8);
  EXPECT_NE(same_name->symbol->id(), n_->symbol->id());
  EXPECT_EQ(prove(equal(same_name, n_)), std::nullopt);
}

TEST_F(SymbolTest, RefusesAHintOutsideTheRange) {
  EXPECT_THROW(make("n", {1, 4}, 5), Error);
  EXPECT_THROW(make("n", {4, 1}, std::nullopt), Error);
}

TEST_F(SymbolTest, ThreadsShareALog) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this] {
      for (int64_t k = 1; k <= 20; ++k) decide(n_ < k + m_, Location::current());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(log_->guards().size(), 20u);
}

}  // namespace
}  // namespace ridge::expr::symbol_test
