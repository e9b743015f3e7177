// Kernels over tiles on a CPU, at sizes around every edge of a tile, against the interpreter. Elements are
// small integers, so that sums are exact in any order.
#include "ridge/base/text.h"
#include "tests/unit/codegen/run_generated.h"

namespace ridge::codegen::tiles_test {
namespace {

// `columns` of s; how y lies in memory; what reads and writes what.
std::string text_of(int columns, std::string_view y) {
  const std::string n = std::to_string(columns);
  return concat(
      "kernel tiles(a: f32[m * k] in, b: f32[n * k] in, out: f32[m * n] out, "
      "best: f32[m] out, all: f32[m] out; m, n, k) {\n"
      "  tile x: f32[24, 20]\n  tile y: f32[20, ",
      n, "]\n  tile s: f32[24, ", n,
      "]\n  tile most: f32[24, 1]\n  tile total: f32[24, 1]\n"
      "  for i0 in (m + 23) // 24 @cpu_thread {\n"
      "    fill most = -100.0\n"
      "    fill total = 0.0\n"
      "    for i1 in (n + ",
      n, " - 1) // ", n,
      " {\n"
      "      fill s = 0.0\n"
      "      for i2 in (k + 19) // 20 {\n"
      "        load x[i3, i4] = a[k * (24 * i0 + i3) + 20 * i2 + i4] "
      "within m - 24 * i0, k - 20 * i2\n"
      "        load y[i4, i5] = b[",
      y, "] within k - 20 * i2, n - ", n,
      " * i1\n"
      "        dot s += x * y\n"
      "      }\n"
      "      fold most max= s along columns within m - 24 * i0, n - ",
      n,
      " * i1\n"
      "      fold total sum= s along columns within *, n - ",
      n,
      " * i1\n"
      "      each i3, i5 of s within m - 24 * i0, n - ",
      n,
      " * i1 {\n"
      "        read v0: f32 = s\n"
      "        read v1: f32 = most\n"
      "        let v2: f32 = v0 * 2.0 + v1\n"
      "        write s = v2\n"
      "        out[n * (24 * i0 + i3) + ",
      n,
      " * i1 + i5] = v2\n"
      "      }\n"
      "    }\n"
      "    each i3, i6 of most within m - 24 * i0, * {\n"
      "      read v3: f32 = most\n"
      "      read v4: f32 = total\n"
      "      best[24 * i0 + i3] = v3\n"
      "      all[24 * i0 + i3] = v4\n"
      "    }\n"
      "  }\n"
      "}\n");
}

std::vector<float> integers(int64_t size, uint64_t seed) {
  std::vector<float> values = random_vector(size, seed, -4, 4);
  for (float& value : values) value = std::trunc(value);
  return values;
}

void expect_like_interpreter(const std::string& text) {
  for (const int64_t m : {1, 8, 23, 24, 50}) {
    for (const int64_t n : {1, 16, 33, 40, 97}) {
      for (const int64_t k : {1, 20, 37}) {
        SCOPED_TRACE(concat(m, " x ", n, " x ", k));
        codegen::expect_like_interpreter(text, {m, n, k}, integers(m * k, 1), integers(n * k, 2),
                                         std::vector<float>(static_cast<size_t>(m * n), 77.0f),
                                         std::vector<float>(static_cast<size_t>(m), 77.0f),
                                         std::vector<float>(static_cast<size_t>(m), 77.0f));
      }
    }
  }
}

TEST(CpuTiles, AreWhatTheyMean) {
  expect_like_interpreter(text_of(40, "n * (20 * i2 + i4) + 40 * i1 + i5"));
}
TEST(CpuTiles, TransposeAsTheyLoad) {
  expect_like_interpreter(text_of(40, "k * (40 * i1 + i5) + 20 * i2 + i4"));
}
TEST(CpuTiles, MayBeNarrow) {
  expect_like_interpreter(text_of(16, "n * (20 * i2 + i4) + 16 * i1 + i5"));
  expect_like_interpreter(text_of(5, "k * (5 * i1 + i5) + 20 * i2 + i4"));
}

std::string refusal(std::string text, std::string_view part, std::string_view by) {
  text.replace(text.find(part), part.size(), by);
  const Decision can = can_generate(loop::parse(text));
  return can.verdict ? "" : can.reason;
}

TEST(CpuTiles, SayWhichOnesTheyAreNot) {
  const std::string text = text_of(40, "n * (20 * i2 + i4) + 40 * i1 + i5");
  EXPECT_EQ(refusal(text, "kernel", "kernel"), "");
  EXPECT_EQ(refusal(text, "tile x: f32[24, 20]", "tile x: f32[m, 20]"),
            "extents of tile x are no constants");
  EXPECT_EQ(refusal(text, "tile total: f32", "tile total: bf16"), "tile total is of bf16");
  EXPECT_EQ(refusal(text, "tile total: f32[24, 1]", "tile total: f32[24, 20000]"),
            "tiles of 3228064 bytes for a task");
  EXPECT_EQ(refusal(text, "dot s += x * y", "dot s += x * y\n        fill y = 0.0"),
            "a right operand that is not only loaded");
}

}  // namespace
}  // namespace ridge::codegen::tiles_test
