#include "ridge/base/knobs.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "ridge/base/error.h"

namespace ridge::knobs_test {
namespace {

// Sets a variable of the environment for a scope.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* before = ::getenv(name)) before_ = before;
    ::setenv(name, value, 1);
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;
  ~ScopedVariable() {
    if (before_) {
      ::setenv(name_, before_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

template <class Action>
std::string error_of(ErrorCode code, Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "no error";
}

TEST(KnobTable, IsPresentable) {
  for (const KnobInfo& info : knob_table()) {
    EXPECT_TRUE(info.name.starts_with("RIDGE_"));
    EXPECT_FALSE(info.help.empty());
    EXPECT_EQ(info.help.find('\n'), std::string_view::npos);
    EXPECT_EQ(&find_knob(info.name), &info);
    EXPECT_EQ(&knob_info(info.knob), &info);
    EXPECT_NO_THROW(ScopedKnob(info.knob, info.default_value));  // defaults obey their own range
  }
}

TEST(FindKnob, SuggestsTheNearest) {
  const auto find = [](const char* name) {
    return error_of(ErrorCode::unknown_name, [&] { find_knob(name); });
  };
  EXPECT_EQ(find("RIDGE_DEBGU"),
            "expected the name of a knob, given `RIDGE_DEBGU` (unknown name error); "
            "hint: did you mean `RIDGE_DEBUG`?");
  EXPECT_NE(find("THREAD").find("did you mean `RIDGE_THREADS`?"), std::string::npos);
  EXPECT_NE(find("RIDGE_SOMETHING").find("the knobs are RIDGE_DEBUG, RIDGE_LOG, "),
            std::string::npos);
}

TEST(ScopedKnob, OverridesAndRestores) {
  const ScopedKnob base(Knob::debug, 0);  // whatever the environment of the test says
  EXPECT_EQ(knob_int(Knob::debug), 0);
  EXPECT_FALSE(is_knob_set(Knob::debug));
  {
    const ScopedKnob outer(Knob::debug, 3);
    EXPECT_EQ(knob_int(Knob::debug), 3);
    EXPECT_TRUE(is_knob_set(Knob::debug));
    {
      const ScopedKnob inner(Knob::debug, "7");
      EXPECT_EQ(knob_int(Knob::debug), 7);
      EXPECT_EQ(knob_text(Knob::debug), "7");
    }
    EXPECT_EQ(knob_int(Knob::debug), 3);
  }
  EXPECT_EQ(knob_int(Knob::debug), 0);
}

TEST(ScopedKnob, ScopesMayEndInAnyOrder) {
  const ScopedKnob base(Knob::only, "");
  auto first = std::make_unique<ScopedKnob>(Knob::only, "first");
  auto second = std::make_unique<ScopedKnob>(Knob::only, "second");
  first.reset();
  EXPECT_EQ(knob_text(Knob::only), "second");
  second.reset();
  EXPECT_EQ(knob_text(Knob::only), "");
}

TEST(ScopedKnob, RefusesBadValuesAndChangesNothing) {
  const ScopedKnob base(Knob::debug, 2);
  const auto set = [](Knob knob, std::string_view value) {
    return error_of(ErrorCode::value, [&] { ScopedKnob scope(knob, value); });
  };
  EXPECT_TRUE(set(Knob::debug, "banana")
                  .starts_with("RIDGE_DEBUG: expected an integer, 0 to 7, given `banana` "
                               "(value error); hint: show more"));
  EXPECT_NE(set(Knob::verify, "4"), "no error");
  EXPECT_NE(set(Knob::threads, "-1"), "no error");
  EXPECT_NE(set(Knob::threads, "2x"), "no error");
  EXPECT_NE(set(Knob::threads, ""), "no error");
  EXPECT_NE(set(Knob::cache_limit, "99999999999999999999"), "no error");
  EXPECT_TRUE(set(Knob::cache_limit, "-2").find("-1 or more") != std::string::npos);
  EXPECT_EQ(knob_int(Knob::debug), 2);
}

TEST(KnobList, SplitsAndTrims) {
  const ScopedKnob none(Knob::disable, "");
  EXPECT_TRUE(knob_list(Knob::disable).empty());
  const ScopedKnob disabled(Knob::disable, " fuse-epilogues,, pad ,");
  EXPECT_EQ(knob_list(Knob::disable), (std::vector<std::string>{"fuse-epilogues", "pad"}));
}

TEST(KnobInt, IsForIntegers) {
  EXPECT_NE(error_of(ErrorCode::internal, [] { knob_int(Knob::dump); }), "no error");
}

TEST(CheckEnvironment, FindsUnknownNamesAndBadValues) {
  EXPECT_NO_THROW(check_environment());
  {
    const ScopedVariable variable("RIDGE_DEBGU", "1");
    const std::string text = error_of(ErrorCode::unknown_name, check_environment);
    EXPECT_NE(text.find("did you mean `RIDGE_DEBUG`?"), std::string::npos);
  }
  {
    const ScopedVariable variable("RIDGE_VERIFY", "9");
    EXPECT_TRUE(error_of(ErrorCode::value, check_environment).starts_with("RIDGE_VERIFY: "));
  }
  const ScopedVariable empty("RIDGE_VERIFY", "");  // set to nothing is not set
  EXPECT_NO_THROW(check_environment());
}

// The environment is read once per process, so these run in a fresh one.
class FreshProcess : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  [[noreturn]] static void print_debug_knob_and_exit() {
    for (int attempt = 0; attempt < 2; ++attempt) {  // an Error is repeated, not forgotten
      try {
        std::fprintf(stderr, "<%d>", static_cast<int>(knob_int(Knob::debug)));
      } catch (const Error& error) {
        std::fprintf(stderr, "<%s>", error.what());
      }
    }
    std::exit(0);
  }
};

TEST_F(FreshProcess, ReadsTheEnvironmentOnce) {
  EXPECT_EXIT(
      {
        ::setenv("RIDGE_DEBUG", "5", 1);
        knob_int(Knob::threads);
        ::setenv("RIDGE_DEBUG", "6", 1);
        print_debug_knob_and_exit();
      },
      testing::ExitedWithCode(0), "<5><5>");
}

TEST_F(FreshProcess, FirstReadChecksValues) {
  EXPECT_EXIT(
      {
        ::setenv("RIDGE_DEBUG", "banana", 1);
        print_debug_knob_and_exit();
      },
      testing::ExitedWithCode(0), "<RIDGE_DEBUG: .*banana.*><RIDGE_DEBUG: .*banana.*>");
}

TEST_F(FreshProcess, FirstReadChecksNames) {
  EXPECT_EXIT(
      {
        ::setenv("RIDGE_THREAD", "2", 1);
        print_debug_knob_and_exit();
      },
      testing::ExitedWithCode(0), "did you mean `RIDGE_THREADS`");
}

TEST(CacheFolder, FollowsTheKnobThenTheEnvironment) {
  const ScopedKnob unset(Knob::cache, "");
  {
    const ScopedVariable home("HOME", "/somewhere");
    const ScopedVariable relative("XDG_CACHE_HOME", "not/absolute");
    EXPECT_EQ(cache_folder(), "/somewhere/.cache/ridge");
    const ScopedVariable absolute("XDG_CACHE_HOME", "/caches");
    EXPECT_EQ(cache_folder(), "/caches/ridge");
    const ScopedKnob knob(Knob::cache, "/mine");
    EXPECT_EQ(cache_folder(), "/mine");
  }
}

TEST(Knobs, AreSharedByThreads) {
  const ScopedKnob base_level(Knob::debug, 0);
  const ScopedKnob base_topics(Knob::log, "");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 500; ++i) {
        const ScopedKnob level(Knob::debug, t);
        const ScopedKnob topics(Knob::log, "some,topics,long,enough,to,need,the,heap");
        EXPECT_LE(knob_int(Knob::debug), 3);
        EXPECT_EQ(knob_list(Knob::log).size(), 8u);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(knob_int(Knob::debug), 0);
  EXPECT_EQ(knob_text(Knob::log), "");
}

}  // namespace
}  // namespace ridge::knobs_test
