// Where lanes read and write: neighbors, gathers, and nowhere else.
#include <sys/mman.h>
#include <unistd.h>

#include "ridge/core/dtype.h"
#include "tests/unit/codegen/run_generated.h"

namespace ridge::codegen::memory_test {
namespace {

TEST(CodegenMemory, EveryTail) {
  const Runnable kernel(R"(kernel axpy(x: f32[n] in, y: f32[n] in, out: f32[n] out; n) {
  for i0 in n @vector {
    let v0: f32 = 2.5 * x[i0] + y[i0]
    out[i0] = v0
  }
}
)");
  for (int64_t n = 0; n <= 70; ++n) {
    const auto x = random_vector(n, 1);
    const auto y = random_vector(n, 2);
    std::vector<float> out(static_cast<size_t>(n) + 8, 77);
    ASSERT_EQ(kernel({n}, x, y, out), KernelStatus::ok);
    for (size_t i = 0; i < out.size(); ++i) {
      const float expected = i < x.size() ? std::fma(2.5f, x[i], y[i]) : 77;
      ASSERT_NEAR(out[i], expected, 1e-6f) << n << " at " << i;
    }
  }
}

// Positions: reversed, strided by a constant and by a param, not linear, and loaded.

TEST(CodegenMemory, Gathers) {
  const std::string_view text =
      R"(kernel gathers(x: f32[5 * n] in, h: bf16[5 * n] in, index: i32[n] in, out: f32[3 * n] out; n, stride) {
  for i0 in n @vector {
    let v0: f32 = x[n - 1 - i0] + x[3 * i0 + 1]
    let v1: f32 = x[stride * i0] - h[i0 * 2]
    let v2: f32 = x[checked_index(index[i0], 5 * n)] + h[checked_index(index[i0], n)] + x[i0 // 3] + x[(i0 * 7) % n]
    out[3 * i0] = v0
    out[3 * i0 + 1] = v1
    out[2 + i0 * 3] = v2
  }
}
)";
  for (const int64_t n : {1, 2, 15, 16, 17, 40, 100}) {
    SplitMix64 random(static_cast<uint64_t>(n));
    std::vector<int32_t> index;
    for (int64_t i = 0; i < n; ++i) {
      index.push_back(static_cast<int32_t>(random.next() % static_cast<uint64_t>(n)));
    }
    expect_like_interpreter(text, {n, 4}, random_vector(5 * n, 1),
                            random_vector<BFloat16>(5 * n, 2), index,
                            std::vector<float>(static_cast<size_t>(3 * n)));
    index[static_cast<size_t>(n / 2)] = n % 2 == 0 ? -1 : static_cast<int32_t>(5 * n);
    expect_like_interpreter(text, {n, 4}, random_vector(5 * n, 1),
                            random_vector<BFloat16>(5 * n, 2), index,
                            std::vector<float>(static_cast<size_t>(3 * n)));
  }
}

// Floats between two pages that may not be touched: against the second one, or after the first.

class GuardedFloats {
 public:
  GuardedFloats(const std::vector<float>& values, bool at_end) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    bytes_ = 3 * page;
    pages_ =
        static_cast<char*>(mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(pages_ + page, page, PROT_READ | PROT_WRITE);
    const size_t used = values.size() * sizeof(float);
    data_ = pages_ + (at_end ? 2 * page - used : page);
    std::memcpy(data_, values.data(), used);
  }
  GuardedFloats(const GuardedFloats&) = delete;
  GuardedFloats& operator=(const GuardedFloats&) = delete;
  ~GuardedFloats() { munmap(pages_, bytes_); }

  void* data() const { return data_; }

 private:
  size_t bytes_;
  char* pages_;
  char* data_;
};

// A concatenation reads outside of both operands but for the guard: x beyond its end, y before its

// start. A lane that touches memory it did not choose is a fault.

TEST(CodegenMemory, SelectGuardsItsLoads) {
  const std::string_view text =
      R"(kernel concat(x: f32[n] in, y: f32[m] in, out: f32[n + m] out; n, m, far) {
  for i0 in n + m @vector {
    let v0: f32 = select(i0 < n, x[i0], y[i0 - n]) + select(far < 0, x[far], 1.0) + select(i0 < 0, x[i0 * far], 0.0)
    out[i0] = v0
  }
}
)";
  for (const CpuTarget& target : targets()) {
    for (const int64_t n : {1, 7, 16, 33}) {
      for (const int64_t m : {1, 16, 20}) {
        const auto x = random_vector(n, 1);
        const auto y = random_vector(m, 2);
        const GuardedFloats guarded_x(x, true);
        const GuardedFloats guarded_y(y, false);
        std::vector<float> out(static_cast<size_t>(n + m));
        ASSERT_EQ(
            compiled(text, target)
                .run({guarded_x.data(), guarded_y.data(), out.data()}, {n, m, int64_t{1} << 40}),
            KernelStatus::ok);
        for (size_t i = 0; i < out.size(); ++i) {
          ASSERT_EQ(out[i], (i < x.size() ? x[i] : y[i - x.size()]) + 1.0f);
        }
      }
    }
  }
}

// The tail of a vector loop stays inside of its buffers, to the byte.

TEST(CodegenMemory, TailsStayInside) {
  const std::string_view text = R"(kernel twice(x: f32[n] in, out: f32[n] out; n) {
  for i0 in n @vector {
    let v0: f32 = x[i0] + x[i0]
    out[i0] = v0
  }
}
)";
  for (const CpuTarget& target : targets()) {
    for (int64_t n = 1; n <= 40; ++n) {
      const auto x = random_vector(n, 1);
      const GuardedFloats guarded(x, true);
      const GuardedFloats out(x, true);
      ASSERT_EQ(compiled(text, target).run({guarded.data(), out.data()}, {n}), KernelStatus::ok);
      for (size_t i = 0; i < x.size(); ++i) {
        ASSERT_EQ(static_cast<const float*>(out.data())[i], 2 * x[i]);
      }
    }
  }
}

}  // namespace
}  // namespace ridge::codegen::memory_test
