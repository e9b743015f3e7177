// Mapped kernels whose tiles pass between roles, or from one dot to the next in registers.
#include <cmath>

#include "tests/unit/loop/run_unverified.h"
#include "tests/unit/loop/tile_samples.h"

namespace ridge::loop::tile_chain_test {
namespace {

constexpr Completion kBoth[] = {Completion::late, Completion::early};

// A tile that two roles share, with a barrier for each way.
constexpr std::string_view kExchange =
    R"(kernel exchange(x: f32[n * 4096] in, out: f32[n * 4096] out; n) threads 256 {
  tile box: f32[64, 64] linear
  tile given: f32[64, 64] accumulator in first
  tile taken: f32[64, 64] accumulator in second
  role first warpgroups 1 {
    for i0 in n {
      load given[i1, i2] = x[4096 * i0 + 64 * i1 + i2]
      barrier_sync 2 threads 256
      move box = given
      barrier_arrive 1 threads 256
    }
  }
  role second warpgroups 1 {
    barrier_arrive 2 threads 256
    for i0 in n {
      barrier_sync 1 threads 256
      move taken = box
      barrier_arrive 2 threads 256
      store out[4096 * i0 + 64 * i1 + i2] = taken[i1, i2]
    }
  }
}
)";

std::string exchange_refusal(const std::string& text) {
  const auto x = random_vector(3 * 4096, 1);
  std::vector<float> out(x.size());
  const std::string message = refusal([&] { run_unverified(text, {3}, {}, x, out); });
  if (message.empty()) {
    EXPECT_EQ(out, x);
  }
  return message;
}

TEST(TileChain, RacesOnATileThatRolesShare) {
  const std::string text(kExchange);
  verify(parse(text));
  EXPECT_EQ(exchange_refusal(text), "");
  const std::string move = "      move box = given\n", sync = "      barrier_sync 2 threads 256\n";
  expect_part(
      exchange_refusal(replaced(text, sync + move, move + sync)),
      "a race at box[0, 0] between first 0 and second 0, at `move taken = box` in second 0");
  expect_part(exchange_refusal(replaced(text, sync, "")),
              "given another one of first 0, at `barrier");
  expect_part(exchange_refusal(replaced(text, "      barrier_sync 1 threads 256\n", "")),
              "when they are read, given box[0, 0], at `move taken = box` in second 0");
  // Handed over before it is written.
  expect_part(exchange_refusal(
                  replaced(text, "      move box = given\n      barrier_arrive 1 threads 256\n",
                           "      barrier_arrive 1 threads 256\n      move box = given\n")),
              "a race at box[0, 0]");
}

// The accumulator of one product, rounded, is the left operand of the next.
constexpr std::string_view kChain =
    R"(kernel chain(q: bf16[4096] in, k: bf16[s * 4096] in, out: f32[4096] out; s) threads 160 {
  view k_map = k[64 * s, 64] strides 64, 1 box 64, 64 swizzle 128
  ring keys slots 2
  tile key: bf16[64, 64] swizzle 128 in keys
  tile left: bf16[64, 64] operand in math
  tile scores: f32[64, 64] accumulator in math
  tile weights: bf16[64, 64] operand in math
  tile top: f32[64, 1] row_values in math
  tile sum: f32[64, 64] accumulator in math
  role math warpgroups 1 registers 232 {
    load left[i1, i2] = q[64 * i1 + i2]
    fill sum = 0.0
    for i0 in s {
      consume keys {
        fill scores = 0.0
        dot async scores += left * key transposed
        wait_dot 0 scores
        fill top = 1.0
        fold top max= scores along columns
        each i1, i2 of scores {
          read v0: f32 = scores
          read v1: f32 = top
          let v2: f32 = v0 / v1
          write scores = v2
        }
        move weights = scores
        dot async sum += weights * key
        wait_dot 0 sum, weights
      }
    }
    store out[64 * i1 + i2] = sum[i1, i2]
  }
  role load warps 1 registers 40 {
    for i0 in s {
      produce keys {
        copy key = k_map[64 * i0, 0]
      }
    }
  }
}
)";

TEST(TileChain, ChainThroughRegisters) {
  const int64_t s = 3;
  const auto q = random_vector<BFloat16>(4096, 1), k = random_vector<BFloat16>(s * 4096, 2);
  const auto at = [](const auto& matrix, int64_t row, int64_t column) {
    return float(matrix[static_cast<size_t>(64 * row + column)]);
  };
  for (const Completion completion : kBoth) {
    std::vector<float> out(4096);
    run_text(kChain, {s}, {.completion = completion}, q, k, out);
    for (int64_t row = 0; row < 64; ++row) {
      std::vector<float> sums(64);
      for (int64_t step = 0; step < s; ++step) {
        std::vector<float> scores(64);
        float top = 1;
        for (int64_t key = 0; key < 64; ++key) {
          float& score = scores[static_cast<size_t>(key)];
          for (int64_t i = 0; i < 64; ++i) {
            score = std::fma(at(q, row, i), at(k, 64 * step + key, i), score);
          }
          top = std::max(top, score);
        }
        for (int64_t key = 0; key < 64; ++key) {
          const float weight(BFloat16(scores[static_cast<size_t>(key)] / top));
          for (int64_t i = 0; i < 64; ++i) {
            float& sum = sums[static_cast<size_t>(i)];
            sum = std::fma(weight, at(k, 64 * step + key, i), sum);
          }
        }
      }
      for (int64_t i = 0; i < 64; ++i) {
        ASSERT_EQ(at(out, row, i), sums[static_cast<size_t>(i)]) << row << ", " << i;
      }
    }
  }
}

TEST(TileChain, AnOperandInRegistersWrittenInFlight) {
  const auto q = random_vector<BFloat16>(4096, 1), k = random_vector<BFloat16>(4096, 2);
  std::vector<float> out(4096);
  const std::string wait = "        wait_dot 0 sum, weights\n";
  const std::string text =
      replaced(std::string(kChain), wait, "        move weights = scores\n" + wait);
  for (const Completion completion : kBoth) {
    expect_part(
        refusal([&] { run_unverified(text, {1}, {.completion = completion}, q, k, out); }),
        "a wait_dot before weights is written, given 1 dots with operand weights in flight");
    // The second key's weights, after a wait that does not name them.
    const auto keys = random_vector<BFloat16>(2 * 4096, 2);
    const std::string unnamed = replaced(std::string(kChain), wait, "        wait_dot 0 sum\n");
    expect_part(
        refusal([&] { run_unverified(unnamed, {2}, {.completion = completion}, q, keys, out); }),
        "a wait_dot that names weights before it is written");
  }
}

}  // namespace
}  // namespace ridge::loop::tile_chain_test
