// Runs the text of a kernel on vectors, and makes random ones.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/base/random.h"
#include "ridge/loop/interpreter.h"

namespace ridge::loop {

template <class... Vectors>
Counts run_text(std::string_view text, std::vector<int64_t> sizes, const Options& options,
                Vectors&... buffers) {
  const std::vector<void*> data = {const_cast<void*>(static_cast<const void*>(buffers.data()))...};
  return run(parse(text), data, sizes, options);
}

template <class T = float>
std::vector<T> random_vector(int64_t size, uint64_t seed, double low = -2, double high = 2) {
  SplitMix64 random(seed);
  std::vector<T> values;
  for (int64_t i = 0; i < size; ++i) values.push_back(T(random.uniform(low, high)));
  return values;
}

// The message of the internal error that running ends with.
template <class Run>
std::string refusal(Run run_it) {
  try {
    run_it();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
    return error.what();
  }
  return "";
}
inline void expect_part(const std::string& text, std::string_view part) {
  EXPECT_NE(text.find(part), std::string::npos) << "`" << text << "` lacks " << part;
}

}  // namespace ridge::loop
