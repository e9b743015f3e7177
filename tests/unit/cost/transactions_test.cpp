// The bytes that transactions move are priced from strides; the interpreter counts them access by
// access. The two must agree where a warp's access is whole.
#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/cost/price.h"
#include "ridge/cost/sheets.h"
#include "tests/unit/loop/run_kernel.h"

namespace ridge::cost::transactions_test {
namespace {

constexpr int64_t kSide = 64;

// A thread for each element of a matrix, which it reads at `index`.
std::string copy(std::string_view dtype, std::string_view index) {
  return concat("kernel copy(x: ", dtype, "[4096] in, out: ", dtype, R"([4096] out) {
  for i0 in 64 @gpu_block {
    for i1 in 64 @gpu_thread {
      let v0: f32 = x[)",
                index, R"(]
      out[64 * i0 + i1] = v0
    }
  }
}
)");
}

double counted(const std::string& text) {
  const auto x = loop::random_vector(kSide * kSide, 1);
  std::vector<float> out(kSide * kSide);
  const loop::Counts counts = loop::run_text(text, {}, {}, x, out);
  return 32.0 * static_cast<double>(counts.loads.sectors + counts.stores.sectors);
}

double priced(const std::string& text) {
  return price(nest_of(loop::parse(text), {}), *find_sheet("h200")).transaction_bytes;
}

TEST(Transactions, AreWhatTheInterpreterCounts) {
  const char* const indices[] = {
      "64 * i0 + i1",          // neighbors
      "64 * i1 + i0",          // every thread in another row
      "64 * i0",               // one element for all
      "2 * i1 + i0 * 4",       // every other one, from half a sector on
      "60 * i0 + i1",          // rows that start in a sector
      "64 * (i1 // 32) + i0",  // one for each warp
      "4032 - 64 * i0 + i1",   // rows from the last
  };
  for (const char* index : indices) {
    EXPECT_NEAR(priced(copy("f32", index)), counted(copy("f32", index)), 1e-6) << index;
  }
  // Eight threads share an element: a division, of which only the run as a whole is known.
  const std::string steps = copy("f32", "64 * i0 + (i1 // 8) * 8");
  EXPECT_NEAR(priced(steps), counted(steps), 0.15 * counted(steps));
}

// Four neighbors for each thread, of which a warp reads 512 bytes at once.
TEST(Transactions, OfWideAccessesAreWhatTheInterpreterCounts) {
  const auto wide = [](std::string_view index) {
    return concat(R"(kernel copy(x: f32[4096] in, out: f32[4096] out) {
  for i0 in 16 @gpu_block {
    for i1 in 64 @gpu_thread {
      for i2 in 4 @vector {
        let v0: f32 = x[)",
                  index, R"(]
        out[256 * i0 + 4 * i1 + i2] = v0
      }
    }
  }
}
)");
  };
  const std::string straight = wide("256 * i0 + 4 * i1 + i2");
  EXPECT_EQ(priced(straight), 2 * 4096 * 4);
  // One element of each thread at a time, from its own row or from its neighbor's row.
  for (const char* index :
       {"256 * i0 + 4 * i1 + i2", "256 * i0 + 64 * i2 + i1", "64 * i1 + i0 + 16 * i2"}) {
    EXPECT_NEAR(priced(wide(index)), counted(wide(index)), 1e-6) << index;
  }
}

TEST(Transactions, ARowInAnotherOrderCostsEightTimesTheBytes) {
  const double straight = counted(copy("f32", "64 * i0 + i1"));
  EXPECT_EQ(straight, 2 * 4096 * 4);
  EXPECT_EQ(counted(copy("f32", "64 * i1 + i0")) - straight / 2, 8 * 4096 * 4);
}

}  // namespace
}  // namespace ridge::cost::transactions_test
