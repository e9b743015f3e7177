// Kernels over mapped tiles as text for sm_90a: the golden ones word by word, and what each must keep.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/expr/evaluate.h"
#include "tests/nvrtc_checks.h"
#include "tests/unit/codegen/cuda/tile_samples.h"

namespace ridge::codegen::tiles_test {
namespace {

constexpr int64_t kShared = 227 * 1024;  // of a block
// 192 sums and the function leave too few registers for four values, each once a tile.
const std::map<std::string, std::string> kSpills = {{"bias_gelu_128x192", "16 bytes"}};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}
loop::Kernel product_with(const std::string& from, const std::string& to) {
  return loop::parse(replaced(text_of_file(tiles_folder() / "product_mapped.loop"), from, to));
}
std::string refusal(const loop::Kernel& kernel, int arch = 90) {
  const Decision can = can_generate(kernel, {.arch = arch});
  return can.verdict ? "" : can.reason;
}
size_t position(const std::string& text, const std::string& part, size_t from = 0) {
  const size_t at = text.find(part, from);
  EXPECT_NE(at, text.npos) << part << "\n" << text;
  return at;
}

// `a >> 1 + b` is `a >> (1 + b)`.
TEST(CudaTiles, ShiftsInSumsHaveParentheses) {
  const std::regex trap("(>>|<<) \\w+ [-+*]");
  for (const std::string& name : mapped_samples()) {
    const std::string text = generated(mapped_sample(name)).source;
    std::smatch found;
    EXPECT_FALSE(std::regex_search(text, found, trap)) << name << ": " << found.str();
  }
}

TEST(CudaTiles, TextsOfTheGoldenKernels) {
  const std::vector<std::string> names = mapped_samples();
  EXPECT_GE(names.size(), 14u);
  for (const std::string& name : names) {
    const loop::Kernel kernel = mapped_sample(name);
    const std::string text = generated(kernel).source;
    EXPECT_EQ(generated(kernel).source, text) << "made again";
    const std::string given = without_helpers(text);
    if (given == text_of_file(tiles_folder() / (name + ".cu"))) continue;
    const auto kept = std::filesystem::path(::testing::TempDir()) / (name + ".cu");
    std::ofstream(kept) << given;
    ADD_FAILURE() << name << ": if it is meant, copy " << kept << " to " << tiles_folder();
  }
}

TEST(CudaTiles, CompileWithoutSpillsOrSerializedProducts) {
  RIDGE_NEEDS_NVRTC();
  const std::string head =
      concat("# NVRTC ", runtime::cuda::nvrtc_availability().version, ", sm_90a\n");
  std::string resources = head;
  for (const std::string& name : mapped_samples()) {
    const CudaKernel kernel = generated(mapped_sample(name));
    const auto compiled = runtime::cuda::compile_cuda(kernel.source, {.name = name,
                                                                      .arch = "sm_90a",
                                                                      .options = {"--no-cache"},
                                                                      .is_self_contained = true,
                                                                      .want_usage = true});
    const auto spills = kSpills.find(name);
    if (spills == kSpills.end()) {
      EXPECT_EQ(runtime::cuda::complaints(compiled.log), "") << name;
    } else {
      EXPECT_EQ(runtime::cuda::complaints(compiled.log, true), "") << name;
      EXPECT_NE(compiled.log.find(spills->second + " spill stores"), std::string::npos)
          << name << "\n"
          << compiled.log;
    }
    ASSERT_EQ(compiled.usage.size(), 1u) << compiled.log;
    EXPECT_LE(kernel.dynamic_shared_bytes + compiled.usage[0].shared_bytes, kShared) << name;
    resources += concat(name, ": ", kernel.threads, " threads, ", compiled.usage[0].registers,
                        " registers, ", kernel.dynamic_shared_bytes, " bytes\n");
  }
  // Registers are those of the launch: of 65536, what each of as many warps, in fours, can have.
  const std::string expected = text_of_file(tiles_folder() / "resources.txt");
  if (!expected.starts_with(head)) return;  // another NVRTC gives other numbers
  EXPECT_EQ(resources, expected);
}

TEST(CudaTiles, LaunchIsData) {
  const CudaKernel kernel = generated(mapped_sample("product_mapped"));
  EXPECT_EQ(kernel.threads, 288);
  EXPECT_EQ(kernel.dynamic_shared_bytes, 4 * 49152 + 4 * 8192 + 64);
  EXPECT_EQ(kernel.persistent_blocks_per_sm, 1);
  EXPECT_EQ(expr::evaluate(kernel.blocks, {.param =
                                               [](int i) {
                                                 return expr::Number::of(int64_t{std::array{
                                                     300, 513, 64}[static_cast<size_t>(i)]});
                                               }})
                .as_integer(),
            9);
  EXPECT_EQ(launched_blocks(kernel, 9, 132), 9);
  EXPECT_EQ(launched_blocks(kernel, 1000, 132), 132);
  using Kind = KernelArgument::Kind;
  std::vector<std::pair<Kind, int>> arguments;
  for (const KernelArgument& argument : kernel.arguments) {
    arguments.emplace_back(argument.kind, argument.index);
  }
  // What is only copied by maps has no pointer.
  const std::vector<std::pair<Kind, int>> expected = {
      {Kind::tensor_map, 0}, {Kind::tensor_map, 1}, {Kind::tensor_map, 2}, {Kind::pointer, 2},
      {Kind::size, 0},       {Kind::size, 1},       {Kind::size, 2}};
  EXPECT_EQ(arguments, expected);
  ASSERT_EQ(kernel.views.size(), 3u);
  EXPECT_EQ(kernel.views[2].buffer, 3);
  EXPECT_EQ(kernel.views[2].dtype, bf16);
  EXPECT_EQ(kernel.views[2].box, (std::vector<int64_t>{64, 64}));
  EXPECT_EQ(kernel.views[2].swizzle_bytes, 128);
}

// The order that hardware asks for between threads and copies.
TEST(CudaTiles, ThreadsFenceAndMeetBeforeACopyReads) {
  const std::string text = without_helpers(generated(mapped_sample("product_mapped")).source);
  const size_t wait = position(text, "ridge::wait_stores_read<1>()");
  const size_t meet = position(text, "ridge::barrier_sync(", wait);
  const size_t move = position(text, "ridge::store_matrices(", meet);
  const size_t fence = position(text, "ridge::fence_async_proxy();", move);
  const size_t meet_again = position(text, "ridge::barrier_sync(", fence);
  position(text, "ridge::store_box(", meet_again);
  EXPECT_LT(text.find("ridge::wgmma_wait<0>();"), text.find("mbarrier_arrive(&stages_empty"));
}

TEST(CudaTiles, AStripThatThreadsShareIsKeptApartByBarriersAlone) {
  const std::string text = without_helpers(generated(mapped_sample("bias_gelu_128x160")).source);
  const size_t tile = position(text, "ridge::grouped_tile");
  const size_t before = position(text, "ridge::barrier_sync(14 + i5, 128);", tile);
  const size_t load = position(text, "strip[128 * ", before);
  const size_t products = position(text, "ridge::wgmma_commit();", load);
  EXPECT_EQ(text.substr(load, products - load).find("fence_async_proxy"), std::string::npos);
  const size_t after = position(text, "ridge::barrier_sync(14 + i5, 128);", products);
  position(text, "ridge::load_wide<8>(strip_lanes", after);
}

// The other instance takes the slots that this one skips: whoever holds one would stop both.
TEST(CudaTiles, SlotsThatAreHeldGoBackBeforeOthersAreSkipped) {
  const std::string text = without_helpers(generated(mapped_sample("ping_pong_128x192")).source);
  EXPECT_NE(text.find("ridge::mbarrier_init(&stages_empty[slot], 4);"), std::string::npos);
  const size_t wait = position(text, "ridge::wgmma_wait<0>();");
  const size_t back = position(text, "for (; stages_held > 0; --stages_held) {", wait);
  position(text, "stages += unsigned((k + 63) >> 6);", back);
}

TEST(CudaTiles, SumsThatNoProductWroteAreZeroed) {
  const std::string text = without_helpers(generated(mapped_sample("product_mapped")).source);
  EXPECT_NE(text.find("sum_is_set = 0;"), std::string::npos);
  const size_t clear = position(text, "if (!sum_is_set) {");
  EXPECT_LT(position(text, "ridge::wgmma_commit();"), clear);
  EXPECT_LT(clear, position(text, "sum[4 * "));
}

TEST(CudaTiles, SizesBeyond32BitsAreLongLong) {
  const CudaKernel kernel =
      generate(mapped_sample("odd_result_128x128"), {.arch = 90, .are_distinct = true});
  EXPECT_EQ(kernel.size_bits, 64);
  EXPECT_NE(kernel.source.find("long long m,"), std::string::npos);
  RIDGE_NEEDS_NVRTC();
  const auto compiled = runtime::cuda::compile_cuda(
      kernel.source, {.arch = "sm_90a", .is_self_contained = true, .want_usage = true});
  EXPECT_EQ(runtime::cuda::complaints(compiled.log), "");
}

TEST(CudaTiles, SaysWhatItCannotPrint) {
  const loop::Kernel product = mapped_sample("product_mapped");
  EXPECT_EQ(refusal(product), "");
  EXPECT_EQ(refusal(product, 80), "its tiles are mapped to sm_90a");
  EXPECT_EQ(refusal(product_with("registers 232", "registers 240")),
            "its roles take 66560 registers of 64512");
  EXPECT_EQ(refusal(product_with("slots 4", "slots 5")), "278608 bytes of shared memory of 232448");
  EXPECT_EQ(refusal(product_with("f32[64, 256] accumulator", "f32[64, 252] accumulator")),
            "tile sum is no accumulator of 64 rows, 8 columns");
  EXPECT_EQ(
      refusal(product_with("      each i3", "      barrier_sync 14 threads 128\n      each i3")),
      "barrier 14 is one at which a role meets by itself");
  EXPECT_EQ(refusal(loop::parse(text_of_file(tiles_folder() / "product_unmapped.loop"))),
            "tile sum is not mapped");
  EXPECT_EQ(refusal(product_with("tile out_tile: bf16[64, 64]", "tile out_tile: f32[64, 32]")),
            "tile out_tile is moved, and not of 16 bits");
}

}  // namespace
}  // namespace ridge::codegen::tiles_test
