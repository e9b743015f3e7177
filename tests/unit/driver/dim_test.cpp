// Declared sizes: from the first call on, and errors where they contradict the function or the call.
#include <gtest/gtest.h>

#include "ridge/driver/entry.h"
#include "ridge/ridge.h"

namespace ridge::dim_test {
namespace {

Tensor values(const Shape& shape) {
  static Generator& generator = *new Generator(9);
  return normal(shape, generator);
}

template <class F>
Error error_of(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error({.code = ErrorCode::internal});
}

TEST(Dim, OneProgramFromTheFirstCallOn) {
  const auto f = compile([](const Tensor& x) { return softmax(x * 3, -1); },
                         {.argument_names = {"x"}, .dims = {{"x", 0, Dim("batch", 1, 64)}}});
  for (const int64_t n : {1, 64, 7}) {
    const Tensor x = values({n, 5});
    EXPECT_EQ(f(x).to_vector<float>().size(), static_cast<size_t>(5 * n));
  }
  ASSERT_EQ(f.programs().size(), 1u);
  EXPECT_NE(f.programs()[0]->sizes.to_text().find("batch in [1, 64]"), std::string::npos);
}

TEST(Dim, OutsideOfItsRange) {
  const auto f = compile([](const Tensor& x) { return x * 2; },
                         {.argument_names = {"x"}, .dims = {{"x", -2, Dim("batch", 2, 8)}}});
  const int line = static_cast<int>(std::source_location::current().line()) - 2;
  f(values({8, 3}));
  const Error error = error_of([&] { f(values({9, 3})); });
  EXPECT_EQ(error.code(), ErrorCode::value);
  EXPECT_NE(error.expected().find("batch in [2, 8]"), std::string::npos) << error.what();
  EXPECT_EQ(error.given(), "batch = 9");
  EXPECT_NEAR(static_cast<int>(error.where()->line()), line, 1);
  EXPECT_EQ(f(values({2, 3})).to_vector<float>().size(), 6u);
}

TEST(Dim, TwoNamesForSizesThatMustBeEqual) {
  const auto f = compile([](const Tensor& x, const Tensor& y) { return x + y; },
                         {.argument_names = {"x", "y"},
                          .dims = {{"x", 0, Dim("batch", 2, 64)}, {"y", 0, Dim("rows", 2, 64)}}});
  for (int again = 0; again < 2; ++again) {
    const Error error = error_of([&] { f(values({4, 3}), values({4, 3})); });
    EXPECT_EQ(error.code(), ErrorCode::shape);
    const std::string text = error.what();
    EXPECT_NE(text.find("batch"), std::string::npos) << text;
    EXPECT_NE(text.find("rows"), std::string::npos) << text;
    EXPECT_NE(error.hint().find("one name"), std::string::npos) << text;
  }
}

TEST(Dim, OneNameForSizesThatDiffer) {
  const Dim batch("batch", 1, 64);
  const auto f =
      compile([](const Tensor& x, const Tensor& y) { return matmul(x, y); },
              {.argument_names = {"x", "y"}, .dims = {{"x", 0, batch}, {"y", 1, batch}}});
  f(values({4, 3}), values({3, 4}));
  EXPECT_EQ(error_of([&] { f(values({4, 3}), values({3, 5})); }).code(), ErrorCode::shape);
  f(values({6, 3}), values({3, 6}));
  EXPECT_EQ(f.programs().size(), 1u);
}

TEST(Dim, RangesAndNamesThatContradict) {
  const auto twice = [](const Tensor& x) { return x * 2; };
  const Error ranges = error_of([&] {
    compile(twice, {.argument_names = {"x"},
                    .dims = {{"x", 0, Dim("batch", 1, 4)}, {"x", 1, Dim("batch", 8, 16)}}});
  });
  EXPECT_EQ(ranges.code(), ErrorCode::value);
  EXPECT_NE(std::string(ranges.what()).find("dim_test.cpp"), std::string::npos) << ranges.what();
  EXPECT_NE(ranges.given().find("[8, 16] for x"), std::string::npos) << ranges.what();
  const auto f = compile(
      twice, {.argument_names = {"x"}, .dims = {{"x", 0, Dim("batch")}, {"x", -2, Dim("rows")}}});
  const Error names = error_of([&] { f(values({4, 3})); });
  EXPECT_EQ(names.code(), ErrorCode::shape);
  EXPECT_NE(names.given().find("batch and rows"), std::string::npos) << names.what();
}

TEST(Dim, NothingAndOneAreInItsRange) {
  const auto centered = [](const Tensor& x) { return x - mean(x, {1}, true); };
  const auto f =
      compile(centered, {.argument_names = {"x"}, .dims = {{"x", 0, Dim("batch", 0, 64)}}});
  for (const int64_t n : {0, 1, 5, 0, 64}) {
    const Tensor x = values({n, 5});
    const auto got = f(x).to_vector<float>(), wanted = centered(x).to_vector<float>();
    ASSERT_EQ(got.size(), wanted.size());
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-6) << i;
  }
  EXPECT_EQ(f.programs().size(), 2u);  // what is empty has one of its own
}

TEST(Dim, AFunctionThatReadsIt) {
  const auto f = compile([](const Tensor& x) { return x * double(x.size(0).value()); },
                         {.argument_names = {"x"}, .dims = {{"x", 0, Dim("batch", 1, 64)}}});
  const Error error = error_of([&] { f(values({4, 3})); });
  EXPECT_EQ(error.code(), ErrorCode::shape);
  EXPECT_NE(std::string(error.what()).find("dim_test.cpp"), std::string::npos) << error.what();
  EXPECT_NE(error.given().find("batch = 4"), std::string::npos) << error.what();
}

TEST(Dim, NamesThatAreNone) {
  const auto f = compile([](const Tensor& x) { return x * 2; },
                         {.argument_names = {"image"}, .dims = {{"images", 0, Dim("batch")}}});
  const Error error = error_of([&] { f(values({4, 3})); });
  EXPECT_EQ(error.code(), ErrorCode::unknown_name);
  EXPECT_NE(error.hint().find("image"), std::string::npos) << error.what();
  const auto g = compile([](const Tensor& x) { return x * 2; },
                         {.argument_names = {"x"}, .dims = {{"x", 2, Dim("batch")}}});
  EXPECT_EQ(error_of([&] { g(values({4, 3})); }).code(), ErrorCode::index);
  EXPECT_EQ(error_of([] { Dim("batch", 8, 2); }).code(), ErrorCode::value);
}

}  // namespace
}  // namespace ridge::dim_test
