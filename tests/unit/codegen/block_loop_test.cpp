// Rows of products of quantized weights, several at once: the bits of each row alone, and no byte that is not there.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "ridge/base/text.h"
#include "tests/unit/codegen/run_generated.h"

namespace ridge::codegen::block_loop_test {
namespace {

struct Format {
  std::string_view name;
  int64_t bytes;  // of a block of 32
  std::string_view number;
};

// Two scales beside each other, one scale, and one behind the codes that is read high byte first.
constexpr Format kFormats[] = {
    {"scale_and_minimum", 20, R"(
        let v1: i64 = w[AT]
        let v2: i64 = w[AT + 1]
        let v3: i64 = w[AT + 2]
        let v4: i64 = w[AT + 3]
        let v5: i64 = w[AT + i2 % 16 + 4]
        let v6: f32 = fma(f16_value(256 * v2 + v1), real(shift_right(v5, 4 * (i2 // 16 % 2)) % 16), f16_value(v3 + 256 * v4))
)"},
    {"scale", 34, R"(
        let v1: i64 = w[AT]
        let v2: i64 = w[AT + 1]
        let v5: i64 = w[AT + i2 % 32 + 2]
        let v6: f32 = f16_value(v1 + 256 * v2) * real((v5 + 128) % 256 - 128)
)"},
    {"scale_behind", 34, R"(
        let v1: i64 = w[AT + 33]
        let v2: i64 = w[AT + 32]
        let v5: i64 = w[AT + i2 % 32]
        let v6: f32 = f16_value(v1 + 256 * v2) * real(v5)
)"},
};

std::string product(const Format& format) {
  std::string number;
  const std::string at = concat(format.bytes, " * ((i0 * n + i1) * m // 32 + i2 // 32)");
  for (std::string_view rest = format.number; !rest.empty();) {
    const size_t next = rest.find("AT");
    number += rest.substr(0, next);
    if (next == std::string_view::npos) break;
    number += at;
    rest.remove_prefix(next + 2);
  }
  return concat(
      "kernel ", format.name, "(w: u8[b * n * m // 32 * ", format.bytes,
      "] in, x: f32[m] in, bias: f32[b * n] in, out: f32[b * n] out; b, n, m) grain 1000 {\n"
      "  for i0 in b @cpu_thread {\n    for i1 in n @cpu_thread {\n      var v0: f32 = 0.0\n"
      "      for i2 in m @vector {",
      number,
      "        let v7: f32 = x[i2]\n        v0 sum= v6 * v7\n      }\n"
      "      let v8: f32 = v0 + bias[i0 * n + i1]\n      out[i0 * n + i1] = v8\n    }\n  }\n}\n");
}

// Bytes that end where memory does.
class BytesAtTheEnd {
 public:
  explicit BytesAtTheEnd(std::span<const uint8_t> bytes) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t used = (bytes.size() + page - 1) / page * page;
    size_ = used + page;
    pages_ = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages_, used, PROT_READ | PROT_WRITE);
    data_ = static_cast<uint8_t*>(pages_) + used - bytes.size();
    std::memcpy(data_, bytes.data(), bytes.size());
  }
  BytesAtTheEnd(const BytesAtTheEnd&) = delete;
  BytesAtTheEnd& operator=(const BytesAtTheEnd&) = delete;
  ~BytesAtTheEnd() { munmap(pages_, size_); }

  uint8_t* data() const { return data_; }

 private:
  size_t size_;
  void* pages_;
  uint8_t* data_;
};

std::vector<uint8_t> random_blocks(const Format& format, int64_t count) {
  SplitMix64 random(7);
  std::vector<uint8_t> bytes;
  // No two of them are an f16 above 32.
  for (int64_t i = 0; i < format.bytes * count; ++i) {
    bytes.push_back(static_cast<uint8_t>(random.next() % 0x50));
  }
  return bytes;
}

std::vector<float> run(const Runnable& kernel, int64_t b, int64_t n, int64_t m,
                       std::span<const uint8_t> blocks, std::vector<float>& x,
                       std::span<const float> bias) {
  const BytesAtTheEnd w(blocks);
  std::vector<float> out(static_cast<size_t>(b * n), -7.0F);
  std::vector<float> own_bias(bias.begin(), bias.end());
  EXPECT_EQ(kernel.run({w.data(), x.data(), own_bias.data(), out.data()}, {b, n, m}),
            KernelStatus::ok);
  return out;
}

TEST(BlockLoop, RowsAtOnceHaveTheBitsOfEachAlone) {
  for (const Format& format : kFormats) {
    const std::string text = product(format);
    for (const CpuTarget& target : targets()) {
      const Runnable& kernel = compiled(text, target);
      for (const int64_t blocks : {1, 2, 3, 15, 16, 17, 18, 19, 33}) {
        for (int64_t rows = 1; rows <= 9; ++rows) {
          for (const int64_t batch : {1, 3}) {
            const int64_t m = 32 * blocks;
            const auto bytes = random_blocks(format, batch * rows * blocks);
            auto x = random_vector(m, 1);
            const auto bias = random_vector(batch * rows, 2);
            const auto together = run(kernel, batch, rows, m, bytes, x, bias);
            const auto row_bytes = static_cast<size_t>(format.bytes * blocks);
            for (size_t row = 0; row < together.size(); ++row) {
              const auto alone =
                  run(kernel, 1, 1, m, std::span(bytes).subspan(row * row_bytes, row_bytes), x,
                      std::span(bias).subspan(row, 1));
              ASSERT_EQ(together[row], alone[0])
                  << format.name << " for " << target.cpu << ": row " << row << " of " << batch
                  << " x " << rows << ", " << blocks << " blocks";
            }
          }
        }
      }
    }
  }
}

// Small integers, whose sum is exact in any order.
TEST(BlockLoop, RowsAtOnceTakeEachNumberOnce) {
  for (const Format& format : kFormats) {
    for (const int64_t blocks : {1, 2, 5, 16, 18, 35}) {
      const int64_t rows = 6, m = 32 * blocks;
      std::vector<uint8_t> bytes = random_blocks(format, 2 * rows * blocks);
      const bool is_behind = format.name == "scale_behind";
      for (size_t at = 0; at < bytes.size(); at += static_cast<size_t>(format.bytes)) {
        const size_t scale = at + (is_behind ? 32 : 0);
        bytes[scale + (is_behind ? 1 : 0)] = 0;
        bytes[scale + (is_behind ? 0 : 1)] = 0x40;                        // 2.0
        if (format.bytes == 20) bytes[at + 2] = 0, bytes[at + 3] = 0xbc;  // -1.0
      }
      std::vector<float> x;
      for (int64_t i = 0; i < m; ++i) x.push_back(static_cast<float>(i % 61 - 30));
      std::vector<float> bias(static_cast<size_t>(2 * rows), 3.0F);
      expect_like_interpreter(product(format), {2, rows, m}, bytes, x, bias,
                              std::vector<float>(static_cast<size_t>(2 * rows)));
    }
  }
}

// Blocks that a select leaves out are not read before the others.
TEST(BlockLoop, ScalesThatMayNotBeThereAreNotReadAhead) {
  const std::string text =
      R"(kernel chosen(w: u8[n * 68] in, x: f32[m] in, out: f32[n] out; n, m) grain 1000 {
  for i0 in n @cpu_thread {
    var v0: f32 = 0.0
    for i1 in m @vector {
      let v1: f32 = select(i1 < 64, f16_value(w[68 * i0 + 34 * (i1 // 32)] + 256 * w[68 * i0 + 34 * (i1 // 32) + 1]), 0.0)
      let v2: f32 = x[i1]
      v0 sum= v1 * v2
    }
    out[i0] = v0
  }
}
)";
  const std::vector<uint8_t> bytes = random_blocks(kFormats[1], 5 * 2);
  auto x = random_vector(512, 1);
  for (const CpuTarget& target : targets()) {
    const BytesAtTheEnd w(bytes);
    std::vector<float> out(5);
    EXPECT_EQ(compiled(text, target).run({w.data(), x.data(), out.data()}, {5, 512}),
              KernelStatus::ok);
  }
}

#if defined(__x86_64__)
TEST(BlockLoop, ScalesOfFourRowsAreConvertedBeforehand) {
  const std::string features = "+avx2,+fma,+f16c,+avx512f,+avx512bw,+avx512vl,+avx512dq";
  const loop::Kernel kernel = loop::parse(product(kFormats[0]));
  const auto count = [&](const CpuTarget& target, std::string_view what) {
    const std::string ir = generate(kernel, target, true).ir;
    size_t number = 0;
    for (size_t at = ir.find(what); at != std::string::npos; at = ir.find(what, at + 1)) ++number;
    return number;
  };
  // Two scales and two minima of each row in a round, by one instruction.
  EXPECT_EQ(count({"icelake-server", features, 64}, "fpext <4 x half>"), 4U);
  EXPECT_EQ(count({"haswell", "+avx2,+fma,+f16c", 32}, "fpext <4 x half>"), 0U);
}
#endif

}  // namespace
}  // namespace ridge::codegen::block_loop_test
