// Every sample on the host, against the loop interpreter.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <utility>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/core/tensor.h"
#include "ridge/expr/evaluate.h"
#include "ridge/loop/interpreter.h"
#include "tests/unit/codegen/cuda/run_on_host.h"
#include "tests/unit/codegen/cuda/sample_kernels.h"

namespace ridge::codegen::host_test {
namespace {

// The elements of a buffer, aligned as memory of a GPU is.
struct alignas(64) Line {
  std::byte bytes[64];
};
using Memory = std::vector<Line>;

int64_t elements_of(const loop::Buffer& buffer, std::span<const int64_t> sizes) {
  expr::Leaves leaves;
  leaves.param = [&](int index) { return expr::Number::of(sizes[static_cast<size_t>(index)]); };
  return expr::evaluate(buffer.elements, leaves).integer;
}

// Small integers, some negative, 0 and huge; reals on either side of 0.
Memory random_memory(const loop::Buffer& buffer, int64_t elements, SplitMix64& random) {
  Memory memory(bytes_for(buffer.dtype, elements) / 64 + 1);
  for (int64_t i = 0; i < elements; ++i) {
    expr::Number number = expr::Number::of(random.uniform(-3, 3));
    if (!is_floating(buffer.dtype)) {
      const auto small = static_cast<int64_t>(random.uniform(-5, 25));
      number = expr::Number::of(i % 7 == 3 ? static_cast<int64_t>(random.next()) : small);
    }
    if (is_boolean(buffer.dtype)) number = expr::Number::of(random.uniform(0, 1) < 0.5);
    store_element(buffer.dtype, memory[0].bytes, i, number);
  }
  return memory;
}

// Transcendental functions of floats differ in the last bits of what goes into a sum, which may be as
// large as the largest element and cancel in another.
void expect_close(const loop::Buffer& buffer, int64_t elements, const Memory& given,
                  const Memory& expected) {
  const double epsilon = std::max(ridge::epsilon(buffer.dtype), ridge::epsilon(f32));
  double largest = 1e-3;
  for (int64_t i = 0; i < elements && is_floating(buffer.dtype); ++i) {
    const double size = std::abs(load_element(buffer.dtype, expected[0].bytes, i).as_real());
    if (std::isfinite(size)) largest = std::max(largest, size);
  }
  for (int64_t i = 0; i < elements; ++i) {
    const expr::Number a = load_element(buffer.dtype, given[0].bytes, i);
    const expr::Number b = load_element(buffer.dtype, expected[0].bytes, i);
    if (a.type != expr::Type::real) {
      ASSERT_EQ(a.integer, b.integer) << buffer.name << "[" << i << "]";
    } else if (!std::isnan(b.real) || !std::isnan(a.real)) {
      ASSERT_NEAR(a.real, b.real, 8 * epsilon * largest) << buffer.name << "[" << i << "]";
    }
  }
}

// Runs the kernel on the host and in the interpreter, on the same random elements.
void expect_agreement(const HostLibrary& library, const loop::Kernel& kernel,
                      const CudaKernel& generated, std::span<const int64_t> sizes,
                      bool is_backwards) {
  SplitMix64 random(7);
  std::vector<Memory> ours, theirs;
  std::vector<int64_t> elements;
  for (const loop::Buffer& buffer : kernel.buffers) {
    if (buffer.space != loop::Space::global) continue;
    elements.push_back(elements_of(buffer, sizes));
    ours.push_back(random_memory(buffer, elements.back(), random));
  }
  theirs = ours;
  std::vector<void*> our_buffers, their_buffers;
  for (Memory& memory : ours) our_buffers.push_back(memory.data());
  for (Memory& memory : theirs) their_buffers.push_back(memory.data());
  const loop::Counts counts = loop::run(kernel, their_buffers, sizes);
  const int status = library.run(generated, our_buffers, sizes, {.is_backwards = is_backwards});
  EXPECT_EQ(status, static_cast<int>(counts.status));
  for (size_t i = 0; i < ours.size(); ++i) {
    expect_close(kernel.buffers[i], elements[i], ours[i], theirs[i]);
  }
}

CudaKernel generated(const Sample& sample) {
  return generate(loop::parse(sample.text),
                  {.fits_32_bits = sample.fits_32_bits, .streaming_loads = sample.streaming_loads});
}

const HostLibrary& library() {
  static const HostLibrary library = [] {
    std::vector<CudaKernel> kernels;
    for (const Sample& sample : samples()) kernels.push_back(generated(sample));
    return HostLibrary(kernels);
  }();
  return library;
}

class CudaOnHost : public testing::TestWithParam<Sample> {};

TEST_P(CudaOnHost, AgreesWithTheInterpreter) {
  if (!has_host_compiler()) GTEST_SKIP() << "no C++ compiler on this machine";
  const Sample& sample = GetParam();
  const loop::Kernel kernel = loop::parse(sample.text);
  const std::span<const int64_t> sizes = std::span(sample.sizes).first(kernel.sizes.size());
  for (const bool is_backwards : {false, true}) {
    expect_agreement(library(), kernel, generated(sample), sizes, is_backwards);
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, CudaOnHost, testing::ValuesIn(samples()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

// The kernels of a file: each ends with a brace in the first column.
std::vector<loop::Kernel> kernels_of(const std::filesystem::path& path) {
  std::vector<loop::Kernel> kernels;
  std::ifstream file(path);
  std::string line, text;
  while (std::getline(file, line)) {
    text += line + "\n";
    if (line == "}") kernels.push_back(loop::parse(std::exchange(text, "")));
  }
  return kernels;
}

TEST(CudaOnHostGolden, WhatTheSchedulerMakes) {
  if (!has_host_compiler()) GTEST_SKIP() << "no C++ compiler on this machine";
  std::vector<loop::Kernel> kernels;
  const std::filesystem::path folder = std::filesystem::path(RIDGE_SOURCE_DIR) / "tests/golden";
  for (const auto& entry : std::filesystem::directory_iterator(folder / "kernels")) {
    if (!entry.path().string().ends_with(".gpu.loop")) continue;
    for (loop::Kernel& kernel : kernels_of(entry.path())) kernels.push_back(std::move(kernel));
  }
  EXPECT_GT(kernels.size(), 10u);
  std::vector<CudaKernel> texts;
  for (const loop::Kernel& kernel : kernels) {
    texts.push_back(generate(kernel, {.fits_32_bits = texts.size() % 2 == 0}));
  }
  const HostLibrary all(texts);
  for (size_t i = 0; i < kernels.size(); ++i) {
    SCOPED_TRACE(kernels[i].name);
    const std::vector<int64_t> sizes(kernels[i].sizes.size(), 12);
    expect_agreement(all, kernels[i], texts[i], sizes, i % 2 == 0);
  }
}

CudaKernel by_hand(const std::string& name, const std::string& body, int threads) {
  return {.source = concat("extern \"C\" __global__ void ", name, "(int* out) {", body, "}\n"),
          .symbol = name,
          .blocks = 2,
          .threads = threads};
}

TEST(CudaOnHostShim, FindsBarriersThatAreMissing) {
  if (!has_host_compiler()) GTEST_SKIP() << "no C++ compiler on this machine";
  const std::string exchange =
      "__shared__ int s[64]; s[threadIdx.x] = threadIdx.x; @ "
      "out[64 * blockIdx.x + threadIdx.x] = s[63 - threadIdx.x]; @";
  const auto with = [&](const std::string& barrier) {
    return std::regex_replace(exchange, std::regex("@"), barrier);
  };
  const CudaKernel right = by_hand("right", with("__syncthreads();"), 64);
  const CudaKernel racy = by_hand("racy", with(""), 64);
  const CudaKernel part =
      by_hand("part", "if (threadIdx.x < 40) __syncthreads();\n__syncwarp();", 64);
  // Only some warps shuffle: the others wait at the barrier.
  const CudaKernel warps = by_hand(
      "warps",
      "int v = threadIdx.x; if (v < 32) v += __shfl_down_sync(0xffffffffu, v, 1); __syncthreads();"
      "if (threadIdx.x == 4) out[blockIdx.x] = v; if (threadIdx.x == 50) out[2 + blockIdx.x] = v;",
      64);
  const HostLibrary library({right, racy, part, warps});
  const auto run = [&](const CudaKernel& kernel, bool is_backwards) {
    std::vector<int> out(128, -1);
    void* const buffers[] = {out.data()};
    library.run(kernel, buffers, {}, {.is_backwards = is_backwards});
    return out;
  };
  EXPECT_EQ(run(right, false), run(right, true));
  EXPECT_EQ(run(right, false)[3], 60);
  EXPECT_NE(run(racy, false), run(racy, true));
  EXPECT_THROW(run(part, false), Error);
  EXPECT_EQ(run(warps, false)[0], 9);
  EXPECT_EQ(run(warps, true)[3], 50);
}

}  // namespace
}  // namespace ridge::codegen::host_test
