#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ridge/runtime/cpu/loader.h"

namespace ridge::runtime::imports_test {
namespace {

TEST(Imports, EachNameOnceAndCallable) {
  std::set<std::string_view> names;
  for (const Import& import : imports()) {
    EXPECT_TRUE(names.insert(import.name).second) << import.name;
    EXPECT_NE(import.address, nullptr);
  }
  const auto find = [&](std::string_view name) {
    return std::ranges::find(imports(), name, &Import::name)->address;
  };
  EXPECT_EQ(reinterpret_cast<double (*)(double)>(find("exp"))(1.5), std::exp(1.5));
  EXPECT_EQ(reinterpret_cast<float (*)(float, float)>(find("powf"))(1.5f, 2.5f),
            std::pow(1.5f, 2.5f));
  double sine = 0, cosine = 0;
  reinterpret_cast<void (*)(double, double*, double*)>(find("sincos"))(1.5, &sine, &cosine);
  EXPECT_EQ(sine, std::sin(1.5));
  EXPECT_EQ(cosine, std::cos(1.5));
}

}  // namespace
}  // namespace ridge::runtime::imports_test
