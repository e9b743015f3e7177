// Must fail, and say this: how the tests of this folder check one mistake.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ridge/ridge.h"

namespace ridge::testing {

struct Expected {
  ErrorCode code;
  std::string op;                    // empty: not checked
  std::vector<std::string> words{};  // each must occur in the text
};

// Runs `mistake` and checks the error it must end in: its code, op and words, one line of text and
// a location inside `file`. Then checks that the library still works.
template <class Mistake>
void expect_error(const Expected& expected, const char* file, Mistake&& mistake) {
  try {
    mistake();
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string text = error.what();
    SCOPED_TRACE(text);
    EXPECT_EQ(name(error.code()), name(expected.code));
    if (!expected.op.empty()) {
      EXPECT_TRUE(error.op() == expected.op || error.inside() == expected.op)
          << "op " << error.op() << ", inside " << error.inside();
    }
    for (const std::string& word : expected.words) {
      EXPECT_NE(text.find(word), std::string::npos) << "missing: " << word;
    }
    EXPECT_EQ(text.find('\n'), std::string::npos);
    ASSERT_TRUE(error.where().has_value()) << "no location";
    EXPECT_STREQ(error.where()->file_name(), file);
    EXPECT_NE(text.find(std::to_string(error.where()->line())), std::string::npos);
  }
  const Tensor two = add(Tensor::of<float>({1}, {1}), 1);
  EXPECT_EQ(two.to_vector<float>(), std::vector<float>{2});
}

}  // namespace ridge::testing

#define EXPECT_RIDGE_ERROR(mistake, ...)                                            \
  ::ridge::testing::expect_error(::ridge::testing::Expected{__VA_ARGS__}, __FILE__, \
                                 [&] { mistake; })
