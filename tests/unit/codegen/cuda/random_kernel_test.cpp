// Random programs of a GPU thread with a vector loop: parts, wide and other accesses, values that
// live from part to part, partials, registers. Run on the host, they leave the same bytes as in the
// interpreter.
#include <gtest/gtest.h>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/loop/interpreter.h"
#include "tests/unit/codegen/cuda/run_on_host.h"

namespace ridge::codegen::random_kernel_test {
namespace {

constexpr int64_t kElements = 4096;
constexpr std::string_view kOwn = "128 * i0 + 4 * i1 + i2";  // the element of a lane

// The text of a kernel of 2 blocks of 32 threads with 4 lanes.
class RandomKernel {
 public:
  explicit RandomKernel(uint64_t seed) : random_(seed), name_(concat("random_kernel_", seed)) {}

  std::string text() {
    line("var v0: f32 = 0.5");
    line("var v1: f32 = -inf");
    values_ = 2;
    const bool has_loop_around = chance(3);
    if (has_loop_around) line("for i4 in 2 {");
    serial_ = has_loop_around ? " + 64 * i4" : "";
    line("for i2 in 4 @vector {");
    const std::string first = let("x[" + index() + "]");
    line("row[i2] = ", first);
    line("row[i2 + 4] = ", first);
    body(2);
    line("}");
    if (has_loop_around) line("}");
    line(chance(2) ? "warp_reduce sum v0 width 8" : "block_reduce sum v0");
    line("warp_reduce max v1");
    line("let v", values_, ": f32 = v0 + v1");
    line("sums[32 * i0 + i1] = v", values_);
    return concat("kernel ", name_, "(x: f32[4096] in, h: bf16[4096] in, p: f32[4096] in_out, ",
                  "out: f32[16384] out, small: bf16[4096] out, sums: f32[64] out) {\n",
                  "local row: f32[8]\nfor i0 in 2 @gpu_block {\nfor i1 in 32 @gpu_thread {\n",
                  text_, "}\n}\n}\n");
  }

 private:
  bool chance(uint64_t one_in) { return random_.next() % one_in == 0; }
  template <class... Parts>
  void line(const Parts&... parts) {
    text_ += concat(parts..., "\n");
  }

  // Within x, by neighbors, backwards, with gaps, the same for all lanes.
  std::string index() {
    constexpr std::string_view kForms[] = {kOwn,
                                           "4 * i1 + i2",
                                           "i2",
                                           "(4 * i1 + i2) % 64",
                                           "4 * i1",
                                           "4 * i1 + 3 - i2",
                                           "2 * i1 + i2",
                                           "8 * i1 + 2 * i2",
                                           "4 * i1 + i2 + 2",
                                           "(4 * i1 + i2) // 8 * 8 + i2"};
    return concat(kForms[random_.next() % std::size(kForms)], serial_);
  }
  std::string leaf() {
    switch (random_.next() % 8) {
      case 0: return concat("x[", index(), "]");
      case 1: return concat("h[", index(), "]");
      case 2: return concat("p[", kOwn, "]");
      case 3: return concat("row[i2", chance(2) ? " + 4]" : "]");
      case 4: return "real(i2)";
      case 5: return "0.75";
      default: return visible_.empty() ? "1.5" : visible_[random_.next() % visible_.size()];
    }
  }
  std::string expression() {
    const std::string a = leaf(), b = leaf();
    switch (random_.next() % 6) {
      case 0: return concat(a, " + ", b);
      case 1: return concat(a, " * ", b);
      case 2: return concat("max(", a, ", ", b, ")");
      case 3: return concat("select(", a, " < ", b, ", ", leaf(), ", ", b, ")");
      case 4: return concat(a, " - ", b);
      default: return a;
    }
  }
  std::string let(const std::string& e) {
    const std::string value = concat("v", values_++);
    line("let ", value, ": f32 = ", e);
    visible_.push_back(value);
    return value;
  }

  void body(int depth) {
    const size_t outer = visible_.size(), outer_vars = vars_.size();
    const uint64_t count = 2 + random_.next() % 4;
    for (uint64_t i = 0; i < count; ++i) statement(depth);
    visible_.resize(outer);
    vars_.resize(outer_vars);
  }
  void statement(int depth) {
    const std::string value = let(expression());
    switch (random_.next() % 11) {
      case 0: return line("out[", 256 * (stores_++ % 60), " + ", kOwn, "] = ", value);
      case 1: return line("p[", kOwn, "] = ", value);
      case 2: return line("small[", kOwn, "] = ", value);
      case 3: return line("row[i2] = ", value);
      case 4: return line("v0 sum= ", value);
      case 5: return line("v1 max= ", value);
      case 6: {
        const std::string var = concat("v", values_++);
        line("var ", var, ": f32 = ", value);
        visible_.push_back(var);
        vars_.push_back(var);
        return;
      }
      case 7:
        if (!vars_.empty()) line(vars_[random_.next() % vars_.size()], " sum= ", value);
        return;
      case 8: return block(depth, concat("if ", value, " < ", leaf(), " {"), "");
      case 9: return block(depth, "if i1 < 20 {", "");
      default: return block(depth, "for i3 in 3 {", " + 16 * i3");
    }
  }
  void block(int depth, const std::string& head, std::string_view serial) {
    if (depth == 0 || (!serial.empty() && is_in_serial_)) return;
    const std::string outer = serial_;
    const bool was_in_serial = is_in_serial_;
    serial_ += serial;
    is_in_serial_ |= !serial.empty();
    line(head);
    body(depth - 1);
    line("}");
    serial_ = outer;
    is_in_serial_ = was_in_serial;
  }

  SplitMix64 random_;
  std::string name_, text_, serial_;
  std::vector<std::string> visible_, vars_;
  int values_ = 0;
  int stores_ = 0;
  bool is_in_serial_ = false;
};

struct alignas(16) Buffers {
  float x[kElements], p[kElements], out[4 * kElements] = {}, sums[64] = {};
  alignas(16) uint16_t h[kElements], small[kElements] = {};

  explicit Buffers(SplitMix64 random) {
    for (int64_t i = 0; i < kElements; ++i) {
      x[i] = static_cast<float>(random.uniform(-2, 2));
      p[i] = static_cast<float>(random.uniform(-2, 2));
      h[i] = BFloat16(random.uniform(-2, 2)).bits;
    }
  }
  std::vector<void*> pointers() { return {x, h, p, out, small, sums}; }
};

template <class T, size_t kCount>
void expect_same(const T (&a)[kCount], const T (&b)[kCount], const std::string& message) {
  for (size_t i = 0; i < kCount; ++i) {
    // Zeros of either sign, and any NaN, are the same.
    const bool is_same = a[i] == b[i] || (a[i] != a[i] && b[i] != b[i]);
    ASSERT_TRUE(is_same) << "element " << i << ": " << a[i] << " and " << b[i] << "\n" << message;
  }
}

TEST(CudaRandomKernel, LikeTheInterpreter) {
  if (!has_host_compiler()) GTEST_SKIP() << "no C++ compiler on this machine";
  std::vector<std::string> texts;
  std::vector<CudaKernel> generated;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    texts.push_back(RandomKernel(seed).text());
    const loop::Kernel kernel = loop::parse(texts.back());
    loop::verify(kernel);
    generated.push_back(
        generate(kernel, {.are_distinct = seed % 2 == 0, .streaming_loads = seed % 3 == 0}));
  }
  const HostLibrary library(generated);
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto ours = std::make_unique<Buffers>(SplitMix64(i));
    const auto theirs = std::make_unique<Buffers>(SplitMix64(i));
    loop::run(loop::parse(texts[i]), theirs->pointers(), {});
    library.run(generated[i], ours->pointers(), {});
    const std::string message = texts[i] + generated[i].source;
    expect_same(ours->out, theirs->out, message);
    expect_same(ours->p, theirs->p, message);
    expect_same(ours->small, theirs->small, message);
    expect_same(ours->sums, theirs->sums, message);
  }
}

}  // namespace
}  // namespace ridge::codegen::random_kernel_test
