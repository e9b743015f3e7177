// Generates, loads and runs the text of a kernel, and compares with the loop interpreter.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ridge/base/random.h"
#include "ridge/codegen/llvm/generate.h"
#include "ridge/loop/interpreter.h"
#include "ridge/runtime/cpu/loader.h"
#include "ridge/runtime/cpu/thread_pool.h"

namespace ridge::codegen {

// A kernel that is ready to run.
struct Runnable {
  loop::Kernel kernel;
  std::shared_ptr<runtime::LoadedKernel> code;

  explicit Runnable(loop::Kernel its_kernel, const CpuTarget& target = host_target())
      : kernel(std::move(its_kernel)) {
    const Generated generated = generate(kernel, target);
    code = runtime::LoadedKernel::load(generated.object, generated.symbol);
  }
  explicit Runnable(std::string_view text, const CpuTarget& target = host_target())
      : Runnable(loop::parse(text), target) {}

  KernelStatus run(std::vector<void*> buffers, const std::vector<int64_t>& sizes) const {
    int32_t status = 0;
    code->function()(buffers.data(), sizes.data(), &runtime::kernel_runtime(), &status);
    return static_cast<KernelStatus>(status);
  }
  template <class... Vectors>
  KernelStatus operator()(const std::vector<int64_t>& sizes, Vectors&... buffers) const {
    return run({const_cast<void*>(static_cast<const void*>(buffers.data()))...}, sizes);
  }
};

// The machine's own vectors, and the narrower ones that every x86 has.
inline std::vector<CpuTarget> targets() {
  std::vector<CpuTarget> result = {host_target()};
#if defined(__x86_64__)
  if (host_target().vector_bytes == 64) {
    result.push_back({"haswell", "+avx2,+fma,+f16c,+bmi,+bmi2,+lzcnt,+popcnt", 32});
  }
  result.push_back({"x86-64", "+sse2", 16});
#endif
  return result;
}

template <class T = float>
std::vector<T> random_vector(int64_t size, uint64_t seed, double low = -2, double high = 2) {
  SplitMix64 random(seed);
  std::vector<T> values;
  for (int64_t i = 0; i < size; ++i) values.push_back(T(random.uniform(low, high)));
  return values;
}

// Each text is compiled once for each target.
inline const Runnable& compiled(std::string_view text, const CpuTarget& target) {
  static std::map<std::pair<std::string, std::string>, Runnable> kernels;
  const std::pair<std::string, std::string> key(text, target.cpu);
  const auto found = kernels.find(key);
  if (found != kernels.end()) return found->second;
  return kernels.emplace(key, Runnable(text, target)).first->second;
}

// Runs generated code and the interpreter on copies of the buffers; both must leave the same bytes.
template <class... Vectors>
void expect_like_interpreter(std::string_view text, const std::vector<int64_t>& sizes,
                             const Vectors&... buffers) {
  const loop::Kernel kernel = loop::parse(text);
  const auto bytes_of = [](const auto& vector) {
    const auto* data = reinterpret_cast<const char*>(vector.data());
    return std::vector<char>(data, data + vector.size() * sizeof(vector[0]));
  };
  const std::vector<std::vector<char>> given = {bytes_of(buffers)...};
  std::vector<std::vector<char>> expected = given;
  const auto pointers = [](std::vector<std::vector<char>>& memory) {
    std::vector<void*> result;
    for (auto& buffer : memory) result.push_back(buffer.data());
    return result;
  };
  const loop::Counts counts = loop::run(kernel, pointers(expected), sizes);
  for (const CpuTarget& target : targets()) {
    std::vector<std::vector<char>> actual = given;
    const KernelStatus status = compiled(text, target).run(pointers(actual), sizes);
    EXPECT_EQ(status, counts.status) << target.cpu;
    if (status != KernelStatus::ok) continue;
    for (size_t i = 0; i < actual.size(); ++i) {
      EXPECT_TRUE(actual[i] == expected[i])
          << target.cpu << ": buffer " << kernel.buffers[i].name << " differs in\n"
          << text;
    }
  }
}

}  // namespace ridge::codegen
