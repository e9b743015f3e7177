// Golden kernels over mapped tiles on a real device: integers exactly, random numbers closely, at ragged sizes; and how
// fast they are beside cuBLASLt. Every test is skipped, with one line, where there is no such device.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/core/tensor.h"
#include "ridge/expr/evaluate.h"
#include "ridge/runtime/cuda/cublaslt_api.h"
#include "ridge/runtime/cuda/matmul.h"
#include "ridge/runtime/cuda/tensor_map.h"
#include "tests/gpu/runtime_on_gpu.h"
#include "tests/unit/codegen/cuda/tile_samples.h"

namespace ridge::runtime::cuda::tiles_gpu_test {
namespace {

using codegen::CudaKernel;

struct Sizes {
  int64_t m, n, k;
};
// Pitches of operands are multiples of 16 bytes; all else is ragged.
constexpr Sizes kSizes[] = {{8, 8, 8}, {136, 264, 72}, {520, 392, 200}, {264, 1160, 24}};
constexpr Sizes kOddSizes[] = {{1, 1, 8}, {131, 261, 72}};

class TilesGpuTest : public CudaGpuTest {
 protected:
  void SetUp() override {
    CudaGpuTest::SetUp();
    if (IsSkipped()) return;
    if (arch_name(device_properties(0)) != "sm_90a") GTEST_SKIP() << "kernels are for sm_90a";
  }
};

// A golden kernel, compiled and loaded.
class Product {
 public:
  explicit Product(const std::string& name)
      : name_(name), kernel_(codegen::mapped_sample(name)), text_(codegen::generated(kernel_)) {
    const CompiledCuda code =
        compile_cuda(text_.source, {.name = name, .arch = "sm_90a", .is_self_contained = true});
    loaded_ = Module::load(0, code.cubin, name)->kernel(text_.symbol);
  }

  const std::string& name() const { return name_; }
  DType dtype() const { return kernel_.buffers[0].dtype; }
  bool has_bias() const { return kernel_.buffers.size() == 4; }
  bool has_gelu() const { return name_.starts_with("bias_gelu"); }
  bool is_odd() const { return name_.starts_with("odd"); }
  // Of a in [m, k], else in [k, m]; of b in [n, k], else in [k, n].
  bool is_lhs_by_rows() const { return is_by_rows(0, 0); }
  bool is_rhs_by_rows() const { return is_by_rows(1, 1); }

  // Buffers in the order of the kernel's.
  void launch(const Sizes& given, const std::vector<void*>& buffers, Stream stream) const {
    const std::vector<int64_t> sizes = {given.m, given.n, given.k};
    std::vector<TensorMap> maps;
    std::vector<int> numbers(sizes.begin(), sizes.end());
    for (const TensorView& view : text_.views) {
      const void* const buffer = buffers[static_cast<size_t>(view.buffer)];
      maps.push_back(
          encode_tensor_map(view, sizes, reinterpret_cast<DevicePointer>(buffer), name_));
    }
    std::vector<const void*> arguments;
    for (const KernelArgument& argument : text_.arguments) {
      const auto index = static_cast<size_t>(argument.index);
      switch (argument.kind) {
        case KernelArgument::Kind::pointer: arguments.push_back(&buffers[index]); break;
        case KernelArgument::Kind::size: arguments.push_back(&numbers[index]); break;
        case KernelArgument::Kind::tensor_map: arguments.push_back(&maps[index]); break;
      }
    }
    const expr::Leaves leaves{
        .param = [&](int i) { return expr::Number::of(sizes[static_cast<size_t>(i)]); }};
    const int64_t tiles = expr::evaluate(text_.blocks, leaves).as_integer();
    const int64_t blocks =
        codegen::launched_blocks(text_, tiles, device_properties(0).multiprocessors);
    loaded_.launch({.grid = {static_cast<uint32_t>(blocks)},
                    .block = {static_cast<uint32_t>(text_.threads)},
                    .shared_bytes = static_cast<uint32_t>(text_.dynamic_shared_bytes),
                    .stream = stream},
                   arguments);
  }

 private:
  bool is_by_rows(size_t view, int size) const {
    const expr::Expr& first = kernel_.views[view].extents[0];
    return first->kind == expr::Kind::param && first->index == size;
  }

  std::string name_;
  loop::Kernel kernel_;
  CudaKernel text_;
  Kernel loaded_;
};

// 16-bit elements here and on the device.
class Elements {
 public:
  Elements(DType dtype, int64_t count, Stream stream, const std::function<double()>& next)
      : dtype_(dtype),
        values_(static_cast<size_t>(count)),
        bits_(values_.size()),
        block_(2 * values_.size(), stream) {
    for (size_t i = 0; i < values_.size(); ++i) {
      store_element(dtype, bits_.data(), static_cast<int64_t>(i), expr::Number::of(next()));
    }
    cuda_runtime().copy(block_.as<void>(), bits_.data(), 2 * bits_.size(), stream);
    read();
  }

  void fetch(Stream stream) {
    cuda_runtime().copy(bits_.data(), block_.as<void>(), 2 * bits_.size(), stream);
    cuda_runtime().synchronize(stream);
    read();
  }
  void* data() const { return block_.as<void>(); }
  double operator[](int64_t i) const { return values_[static_cast<size_t>(i)]; }

 private:
  void read() {
    for (size_t i = 0; i < values_.size(); ++i) {
      values_[i] = load_element(dtype_, bits_.data(), static_cast<int64_t>(i)).as_real();
    }
  }

  DType dtype_;
  std::vector<double> values_;
  std::vector<uint16_t> bits_;
  Block block_;
};

struct Operands {
  Elements lhs, rhs, bias, out;
  Operands(const Product& product, const Sizes& s, Stream stream,
           const std::function<double()>& next)
      : lhs(product.dtype(), s.m * s.k, stream, next),
        rhs(product.dtype(), s.n * s.k, stream, next),
        bias(product.dtype(), s.n, stream, next),
        out(product.dtype(), s.m * s.n, stream, [] { return std::nan(""); }) {}

  std::vector<void*> buffers(const Product& product) const {
    if (!product.has_bias()) return {lhs.data(), rhs.data(), out.data()};
    return {lhs.data(), rhs.data(), bias.data(), out.data()};
  }

  struct Expected {
    double value, magnitude;  // of the terms of the sum
  };
  Expected expected(const Product& product, const Sizes& s, int64_t m, int64_t n) const {
    double sum = 0, magnitude = 0;
    for (int64_t k = 0; k < s.k; ++k) {
      const double term = lhs[product.is_lhs_by_rows() ? m * s.k + k : k * s.m + m] *
                          rhs[product.is_rhs_by_rows() ? n * s.k + k : k * s.n + n];
      sum += term;
      magnitude += std::abs(term);
    }
    if (!product.has_bias()) return {sum, magnitude};
    sum += bias[n];
    if (!product.has_gelu()) return {std::max(sum, 0.0), magnitude};
    const double inner = 0.7978845608028654 * (sum + 0.044715 * sum * sum * sum);
    return {0.5 * sum * (1 + std::tanh(inner)), magnitude + std::abs(sum)};
  }
};

// Rounded once; sums in f32 are off by far less than 16 bits, the function by 2^-14 of its argument.
void expect_near(const Product& product, const Operands& operands, const Sizes& s, int64_t m,
                 int64_t n) {
  const Operands::Expected expected = operands.expected(product, s, m, n);
  const double given = operands.out[m * s.n + n];
  const double tolerance = epsilon(product.dtype()) * (std::abs(expected.value) + 1e-3) +
                           0x1p-13 * (product.has_gelu() ? expected.magnitude : 0) +
                           0x1p-20 * expected.magnitude;
  ASSERT_NEAR(given, expected.value, tolerance) << product.name() << " at " << m << ", " << n;
}

void check(const Product& product, const Sizes& s, bool is_exact) {
  SCOPED_TRACE(concat(product.name(), " of ", s.m, " x ", s.n, " x ", s.k));
  const OwnStream owner;
  SplitMix64 random(static_cast<uint64_t>(s.m + s.n + s.k));
  // Sums of integers up to 256 are exact in 16 bits.
  Operands operands(product, s, owner.stream, [&] {
    return is_exact ? static_cast<double>(random.integer(-1, 1)) : random.uniform(-1, 1);
  });
  product.launch(s, operands.buffers(product), owner.stream);
  operands.out.fetch(owner.stream);
  for (int64_t m = 0; m < s.m; ++m) {
    for (int64_t n = 0; n < s.n; ++n) {
      if (is_exact && !product.has_gelu()) {
        ASSERT_EQ(operands.out[m * s.n + n], operands.expected(product, s, m, n).value)
            << m << ", " << n;
      } else {
        expect_near(product, operands, s, m, n);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(TilesGpuTest, IntegersAreExact) {
  for (const std::string& name : codegen::mapped_samples()) {
    const Product product(name);
    for (const Sizes& sizes : kSizes) check(product, sizes, true);
    if (!product.is_odd()) continue;
    for (const Sizes& sizes : kOddSizes) check(product, sizes, true);
  }
}

TEST_F(TilesGpuTest, RandomNumbersAreClose) {
  for (const std::string& name : codegen::mapped_samples()) {
    const Product product(name);
    for (const Sizes& sizes : kSizes) check(product, sizes, false);
  }
}

// The same in ten runs, with other kernels' data in shared memory between them.
TEST_F(TilesGpuTest, RunsGiveTheSameBits) {
  const OwnStream owner;
  for (const std::string& name : codegen::mapped_samples()) {
    const Product product(name);
    const Sizes s{1000, 1160, 712};
    SplitMix64 random(3);
    Operands operands(product, s, owner.stream, [&] { return random.uniform(-1, 1); });
    std::vector<double> first;
    for (int run = 0; run < 10; ++run) {
      product.launch(s, operands.buffers(product), owner.stream);
      operands.out.fetch(owner.stream);
      std::vector<double> given;
      for (int64_t i = 0; i < s.m * s.n; ++i) given.push_back(operands.out[i]);
      if (first.empty()) first = given;
      ASSERT_EQ(given, first) << name;
    }
  }
}

// Alone for over a second, of which the second half counts: at the power limit, what ran before decides.
double seconds_each(const std::function<void()>& launch, Stream stream) {
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  constexpr double kHalf = 0.7;
  constexpr int kBatch = 50;
  double result = 0;
  for (int half = 0; half < 2; ++half) {
    const auto begin = Clock::now();
    int64_t count = 0;
    while (seconds_since(begin) < kHalf) {
      for (int i = 0; i < kBatch; ++i) launch();
      cuda_runtime().synchronize(stream);
      count += kBatch;
    }
    result = seconds_since(begin) / static_cast<double>(count);
  }
  return result;
}

TEST_F(TilesGpuTest, SpeedBesideTheLibrary) {
  if (!cublaslt_availability().is_available) GTEST_SKIP() << cublaslt_availability().reason;
  const OwnStream owner;
  for (const Sizes& s : {Sizes{4096, 4096, 4096}, Sizes{16384, 3072, 768}}) {
    const double flops =
        2.0 * static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
    SplitMix64 random(7);
    const Product plain("ping_pong_128x128");
    Operands operands(plain, s, owner.stream, [&] { return random.uniform(-1, 1); });
    const MatmulShape shape{.m = s.m,
                            .n = s.n,
                            .k = s.k,
                            .lhs = {DataType::bf16, s.k, 1},
                            .rhs = {DataType::bf16, 1, s.k},
                            .out = {DataType::bf16, s.n, 1}};
    const auto plan = matmul_plan(0, shape);
    ASSERT_NE(plan, nullptr);
    const Block workspace(std::max<size_t>(256, plan->workspace_bytes()), owner.stream);
    const auto report = [&](const std::string& name, double seconds) {
      std::printf("%-26s %6lld x %5lld x %5lld  %8.1f us  %6.1f TFLOP/s\n", name.c_str(),
                  static_cast<long long>(s.m), static_cast<long long>(s.n),
                  static_cast<long long>(s.k), seconds * 1e6, flops / seconds * 1e-12);
    };
    const auto time_library = [&] {
      report("cuBLASLt",
             seconds_each(
                 [&] {
                   plan->launch({operands.lhs.data(), operands.rhs.data(), operands.out.data(),
                                 workspace.as<void>(), owner.stream});
                 },
                 owner.stream));
    };
    time_library();
    for (const std::string& name : codegen::mapped_samples()) {
      const Product product(name);
      if (product.dtype() != bf16) continue;
      report(name, seconds_each([&] { product.launch(s, operands.buffers(product), owner.stream); },
                                owner.stream));
      operands.out.fetch(owner.stream);
      for (int i = 0; i < 200; ++i) {
        expect_near(product, operands, s, random.integer(0, s.m - 1), random.integer(0, s.n - 1));
        if (HasFatalFailure()) return;
      }
    }
    time_library();
  }
}

}  // namespace
}  // namespace ridge::runtime::cuda::tiles_gpu_test
