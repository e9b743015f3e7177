#include "ridge/base/error.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <type_traits>

namespace ridge::error_test {
namespace {

static_assert(std::is_nothrow_copy_constructible_v<Error>);

std::string at(const Location& where) {
  return std::string(where.file_name()) + ":" + std::to_string(where.line());
}

Error shape_error() {
  return Error(
      {.code = ErrorCode::shape, .expected = "shapes that broadcast", .given = "[2, 3] and [4]"});
}

TEST(Error, ReadsAsOneLine) {
  Error error = shape_error();
  EXPECT_STREQ(error.what(), "expected shapes that broadcast, given [2, 3] and [4] (shape error)");
  const auto here = Location::current();
  error.name_op("add");
  error.locate("add", here);
  EXPECT_EQ(error.what(),
            "add: expected shapes that broadcast, given [2, 3] and [4] (shape error at " +
                at(here) + ")");
}

TEST(Error, NamesTheOpTheUserCalledWhenAnotherFailed) {
  Error error = shape_error();
  const auto here = Location::current();
  error.name_op("mean");
  error.name_op("layer_norm");  // the dispatcher calls this at every level: the first wins
  error.locate("layer_norm", here);
  EXPECT_EQ(error.op(), "mean");
  EXPECT_EQ(error.inside(), "layer_norm");
  EXPECT_EQ(error.what(),
            "mean: expected shapes that broadcast, given [2, 3] and [4] "
            "(shape error inside layer_norm at " +
                at(here) + ")");
}

TEST(Error, LocatingAnUnnamedErrorNamesIt) {
  Error error = shape_error();
  error.locate("add", Location::current());
  EXPECT_EQ(error.op(), "add");
  EXPECT_EQ(error.inside(), "");
}

TEST(Error, TheUsersLocationReplacesOneInsideTheLibrary) {
  Error error({.code = ErrorCode::state, .op = "item", .where = Location::current()});
  const auto user = Location::current();
  error.locate("item", user);
  ASSERT_TRUE(error.where().has_value());
  EXPECT_EQ(error.where()->line(), user.line());
}

TEST(Error, ReadsWellWhenPartsAreMissing) {
  EXPECT_STREQ(Error({}).what(), "internal error");
  EXPECT_STREQ(Error({.code = ErrorCode::io, .op = "load"}).what(), "load: io error");
  EXPECT_STREQ(Error({.code = ErrorCode::value, .given = "3"}).what(), "given 3 (value error)");
  EXPECT_STREQ(Error({.code = ErrorCode::unknown_name, .expected = "an op"}).what(),
               "expected an op (unknown name error)");
  EXPECT_STREQ(Error({.code = ErrorCode::dtype, .hint = "cast it"}).what(),
               "dtype error; hint: cast it");
}

TEST(Error, AppendsTheHint) {
  const Error error({.code = ErrorCode::shape,
                     .op = "add",
                     .expected = "equal ranks",
                     .given = "1 and 2",
                     .hint = "use reshape"});
  EXPECT_STREQ(error.what(),
               "add: expected equal ranks, given 1 and 2 (shape error); hint: use reshape");
}

TEST(Error, FlattensPartsOfSeveralLines) {
  const Error error({.code = ErrorCode::parse, .given = "a\nb"});
  EXPECT_STREQ(error.what(), "given a b (parse error)");
  EXPECT_EQ(error.given(), "a\nb");
}

TEST(Error, CopiesOutliveTheOriginalAndDoNotFollowIt) {
  auto original = std::make_unique<Error>(shape_error());
  const Error copy = *original;
  const Error moved = std::move(*original);
  original->name_op("add");  // a moved-from error is still a whole error
  EXPECT_STREQ(original->what(),
               "add: expected shapes that broadcast, given [2, 3] and [4] (shape error)");
  original.reset();
  EXPECT_STREQ(copy.what(), "expected shapes that broadcast, given [2, 3] and [4] (shape error)");
  EXPECT_STREQ(moved.what(), copy.what());
}

TEST(Error, GainsItsPlaceWhileItPassesThrough) {
  try {
    try {
      throw shape_error();
    } catch (Error& error) {
      error.name_op("add");
      throw;
    }
  } catch (const std::exception& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("add: "));
  }
}

TEST(Check, ThrowsItsPartsAndEvaluatesThemOnlyOnFailure) {
  int evaluated = 0;
  const auto given = [&] {
    ++evaluated;
    return std::string("3");
  };
  RIDGE_CHECK(1 + 1 == 2, .code = ErrorCode::index, .given = given());
  EXPECT_EQ(evaluated, 0);
  try {
    RIDGE_CHECK(1 + 1 == 3, .code = ErrorCode::index, .expected = "2", .given = given());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::index);
    EXPECT_STREQ(error.what(), "expected 2, given 3 (index error)");
  }
  EXPECT_EQ(evaluated, 1);
}

TEST(Check, NeedsNoParts) { EXPECT_THROW(RIDGE_CHECK(false), Error); }

TEST(Check, IsOneStatement) {
  if (true)
    RIDGE_CHECK(true, .code = ErrorCode::value);
  else
    FAIL();
}

TEST(InternalCheck, NamesTheConditionAndItsLine) {
  const int count = 3;
  const auto line = Location::current().line() + 2;
  try {
    RIDGE_INTERNAL_CHECK(count == 4, "count is " + std::to_string(count));
    FAIL();
  } catch (Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
    EXPECT_EQ(error.what(), std::string("expected `count == 4` in ") + __FILE__ + ":" +
                                std::to_string(line) +
                                ", given count is 3 (internal error); hint: this is a bug in "
                                "Ridge, please report it");
    EXPECT_FALSE(error.where().has_value());  // free for the line of the user
  }
}

}  // namespace
}  // namespace ridge::error_test
