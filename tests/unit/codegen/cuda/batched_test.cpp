// Many tensors in one launch: the text of the kernel, its table, and what it computes on the host.
#include "ridge/codegen/cuda/batched.h"

#include <gtest/gtest.h>

#include <cstring>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/execute/cuda_batch.h"
#include "ridge/linker/cuda_kernels.h"
#include "ridge/loop/interpreter.h"
#include "ridge/runtime/cuda/nvrtc.h"
#include "tests/unit/codegen/cuda/run_on_host.h"

namespace ridge::codegen::batched_test {
namespace {

// As schedule/batch_map.h makes it: whole vectors, then what is left over.
constexpr std::string_view kUpdate = R"(
kernel update(p: f32[n] in_out, g: f32[n] in, rate: f32[1] in, out: bf16[n] out; n) {
  for i0 in (n + 1023) // 1024 @gpu_block {
    for i1 in 256 @gpu_thread {
      if 1024 * i0 + 4 * i1 + 3 < n {
        for i2 in 4 @vector {
          let v0: f32 = p[1024 * i0 + 4 * i1 + i2] - rate[0] * g[1024 * i0 + 4 * i1 + i2]
          p[1024 * i0 + 4 * i1 + i2] = v0
          out[1024 * i0 + 4 * i1 + i2] = v0
        }
      }
      if i1 < n % 4 && n <= 1024 * i0 + 1024 {
        let v1: f32 = p[4 * (n // 4) + i1] - rate[0] * g[4 * (n // 4) + i1]
        p[4 * (n // 4) + i1] = v1
        out[4 * (n // 4) + i1] = v1
      }
    }
  }
}
)";

loop::Kernel update_kernel() {
  loop::Kernel kernel = loop::parse(kUpdate);
  loop::verify(kernel);
  return kernel;
}

CudaKernel batch_of(int entries, bool fits_32_bits, bool has_common_rate) {
  return generate(
      update_kernel(),
      {.fits_32_bits = fits_32_bits,
       .batch = {.entries = entries, .is_common = {false, false, has_common_rate, false}}});
}

// 16 bytes at a time, so that vectors are aligned; more than the elements, to see strays.
struct Tensors {
  struct alignas(16) Line {
    float values[4];
  };
  explicit Tensors(int64_t count, SplitMix64& random)
      : p(lines(count)), g(p.size()), out(p.size()) {
    for (std::vector<Line>* part : {&p, &g, &out}) {
      for (Line& line : *part) {
        for (float& value : line.values) value = static_cast<float>(random.uniform(-2, 2));
      }
    }
  }
  static size_t lines(int64_t count) { return static_cast<size_t>(count) / 4 + 8; }
  std::vector<Line> p, g, out;
};

bool is_same(const std::vector<Tensors::Line>& a, const std::vector<Tensors::Line>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

void expect_entries(const std::vector<int64_t>& counts, bool fits_32_bits, bool has_common_rate) {
  SplitMix64 random(5);
  std::vector<Tensors> ours;
  std::vector<std::vector<int64_t>> sizes;
  for (const int64_t count : counts) {
    ours.emplace_back(count, random);
    sizes.push_back({count});
  }
  std::vector<Tensors> theirs = ours;
  float rate = 0.37f;
  const CudaKernel kernel =
      batch_of(static_cast<int>(counts.size()), fits_32_bits, has_common_rate);
  execute::BatchTable table(linker::launch_of(kernel), sizes);
  for (size_t i = 0; i < counts.size(); ++i) {
    table.set_buffer(i, 0, ours[i].p.data());
    table.set_buffer(i, 1, ours[i].g.data());
    if (!has_common_rate) table.set_buffer(i, 2, &rate);
    table.set_buffer(i, 3, ours[i].out.data());
    loop::run(
        update_kernel(),
        std::vector<void*>{theirs[i].p.data(), theirs[i].g.data(), &rate, theirs[i].out.data()},
        sizes[i]);
  }
  float* rate_pointer = &rate;
  std::vector<const void*> arguments = {table.data()};
  if (has_common_rate) arguments.push_back(&rate_pointer);
  HostLibrary({kernel}).launch(kernel, arguments, table.blocks());
  for (size_t i = 0; i < counts.size(); ++i) {
    EXPECT_TRUE(is_same(ours[i].p, theirs[i].p)) << counts[i];
    EXPECT_TRUE(is_same(ours[i].out, theirs[i].out)) << counts[i];
  }
}

TEST(CudaBatch, EachEntryIsTheKernelByItself) {
  if (!has_host_compiler()) GTEST_SKIP() << "no C++ compiler on this machine";
  expect_entries({1, 3, 4, 1023, 1024, 1025, 5000, 2, 4099}, true, true);
  expect_entries({1026, 7}, false, false);
  expect_entries({11}, true, true);
}

TEST(CudaBatch, TheTableIsTheTypeInTheText) {
  const CudaKernel kernel = batch_of(3, true, true);
  for (const char* line :
       {"  float* p[3];", "  const float* g[3];", "  ridge::bf16* out[3];", "  int n[3];",
        "  int first_block[3];", "const __grid_constant__ Entries entries,",
        "    const float* rate) {", "entries.first_block[next] <= int(blockIdx.x)"}) {
    EXPECT_NE(kernel.source.find(line), std::string::npos) << line << kernel.source;
  }
  EXPECT_EQ(kernel.source.find("rate[3]"), std::string::npos) << kernel.source;
  const std::vector<std::vector<int64_t>> sizes = {{1024}, {1025}, {1}};
  const execute::BatchTable table(linker::launch_of(kernel), sizes);
  EXPECT_EQ(table.blocks(), 4);
  EXPECT_EQ(table.size(), 3 * (3 * 8 + 4 + 4));
  int32_t first[3];
  std::memcpy(first, static_cast<const std::byte*>(table.data()) + 3 * (3 * 8 + 4), sizeof first);
  EXPECT_EQ(first[0], 0);
  EXPECT_EQ(first[1], 1);
  EXPECT_EQ(first[2], 3);
}

TEST(CudaBatch, CompilesWithoutSpills) {
  const runtime::cuda::NvrtcAvailability& nvrtc = runtime::cuda::nvrtc_availability();
  if (!nvrtc.is_available) GTEST_SKIP() << nvrtc.reason;
  for (const int entries : {2, 150, 900}) {
    for (const char* arch : {"sm_90a", "sm_80"}) {
      const auto compiled = runtime::cuda::compile_cuda(batch_of(entries, true, true).source,
                                                        {.arch = arch, .want_usage = true});
      ASSERT_EQ(compiled.usage.size(), 1u) << compiled.log;
      EXPECT_EQ(compiled.log.find("warning"), std::string::npos) << compiled.log;
      EXPECT_NE(compiled.log.find(" 0 bytes stack frame, 0 bytes spill stores"), std::string::npos)
          << compiled.log;
    }
  }
}

}  // namespace
}  // namespace ridge::codegen::batched_test
