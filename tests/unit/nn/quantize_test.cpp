#include "ridge/nn/quantize.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../capture/compiled.h"
#include "ridge/aot/transforms.h"
#include "ridge/base/random.h"
#include "ridge/files/dequantize.h"
#include "ridge/nn/lora.h"
#include "ridge/nn/optimizer.h"
#include "ridge/ops/dequantize.h"

namespace ridge::testing::quantize_test {
namespace {

// Any bytes but those that make an f16 infinite, wherever it may stand.
Tensor random_blocks(int64_t rows, int64_t bytes, uint64_t seed) {
  const Tensor blocks = Tensor::empty({rows, bytes}, u8);
  SplitMix64 random(seed);
  for (int64_t i = 0; i < rows * bytes; ++i) {
    const auto byte = static_cast<uint8_t>(random.next());
    blocks.data<uint8_t>()[i] = (byte & 0x7c) == 0x7c ? byte & 0xfb : byte;
  }
  return blocks;
}

std::vector<float> by_definition(const Tensor& blocks, BlockFormat format) {
  const BlockLayout& layout = layout_of(format);
  const auto bytes = static_cast<size_t>(blocks.numel().value());
  std::vector<float> out(bytes / static_cast<size_t>(layout.bytes) *
                         static_cast<size_t>(layout.elements));
  files::dequantize(format, {reinterpret_cast<const std::byte*>(blocks.data<uint8_t>()), bytes},
                    out);
  return out;
}

class EachFormat : public ::testing::TestWithParam<BlockFormat> {
 protected:
  const BlockLayout& layout = layout_of(GetParam());
  int64_t blocks_in_row = layout.elements == 32 ? 5 : 2;
  Tensor blocks = random_blocks(7, layout.bytes* blocks_in_row, 11);
  int64_t width = layout.elements * blocks_in_row;
};

TEST_P(EachFormat, HasTheBitsOfItsDefinition) {
  const std::vector<float> expected = by_definition(blocks, GetParam());
  EXPECT_EQ(dequantize(blocks, GetParam()).to_vector<float>(), expected);
  const auto compiled = ridge::compile([&](const Tensor& b) { return dequantize(b, GetParam()); });
  EXPECT_EQ(compiled(blocks).to_vector<float>(), expected);
}

// One row, a few and a tile of them, and a gradient by x: all over the blocks, none over a copy of floats.
TEST_P(EachFormat, ProductsReadTheBlocks) {
  const Tensor dense = Tensor::of(by_definition(blocks, GetParam()), {7, width});
  for (const int64_t rows : {1, 3, 40}) {
    const Tensor x = random({rows, width}, 5) * 1e-3;
    const auto product = [&](const Tensor& in, const Tensor& b) {
      return quantized_linear(in, b, GetParam());
    };
    const std::vector<double> expected =
        cast(linear(cast(x, f64), cast(dense, f64)), f64).to_vector<double>();
    const std::vector<double> size =
        linear(cast(abs(x), f64), cast(abs(dense), f64)).to_vector<double>();
    const auto got = ridge::compile(product)(x, blocks).to_vector<float>();
    for (size_t i = 0; i < got.size(); ++i) {
      EXPECT_NEAR(got[i], expected[i], 1e-6 * (1 + size[i])) << rows << " rows, element " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, EachFormat, ::testing::ValuesIn([] {
                           std::vector<BlockFormat> all;
                           for (const BlockLayout& l : all_block_layouts()) all.push_back(l.format);
                           return all;
                         }()),
                         [](const auto& each) { return std::string(name(each.param)); });

TEST(Quantize, ProductsHaveNoFloatsOfTheWeight) {
  const auto product = ridge::compile(
      [](const Tensor& x, const Tensor& b) { return quantized_linear(x, b, BlockFormat::q4_1); });
  for (const int64_t rows : {1, 64}) {
    product(random({rows, 64}, 1), random_blocks(96, 40, 2));
  }
  // A kernel that stores the numbers would be one of "dequantize" alone.
  const std::string table = kernel_table(product);
  EXPECT_NE(table.find("dequantize batched_matmul"), std::string::npos) << table;
  EXPECT_EQ(table.find(" dequantize  "), std::string::npos) << table;
}

struct Net {
  nn::Embedding table;
  nn::Linear up, down;
  explicit Net(Generator& g) : table(10, 64, g), up(64, 96, g), down(96, 5, g) {}
  Tensor operator()(const Tensor& ids) const { return down(gelu(up(table(ids)))); }
  static void visit_tensors(auto& self, auto&& visit) {
    visit("table", self.table);
    visit("up", self.up);
    visit("down", self.down);
  }
};

struct QuantizeNet : ::testing::Test {
  Generator generator{7};
  Net net{generator};
  Tensor ids = Tensor::of<int64_t>({1, 4, 9}, {3});
};

TEST_F(QuantizeNet, ConvertsLayersAndSaysHowWell) {
  const Tensor before = net(ids);
  const auto layers = nn::quantize(net, {.format = BlockFormat::q8_0});
  ASSERT_EQ(layers.size(), 3U);
  for (const nn::QuantizedLayer& layer : layers) {
    EXPECT_TRUE(layer.is_quantized) << layer.path << layer.reason;
    EXPECT_GT(layer.error, 0.0005);
    EXPECT_LT(layer.error, 0.01);
    EXPECT_LT(layer.bytes_after * 3, layer.bytes_before);
  }
  const auto after = net(ids).to_vector<float>();
  for (size_t i = 0; i < after.size(); ++i) {
    EXPECT_NEAR(after[i], before.to_vector<float>()[i], 0.02);
  }
  const auto compiled = ridge::compile([](const Net& n, const Tensor& i) { return n(i); });
  const auto same = compiled(net, ids).to_vector<float>();
  for (size_t i = 0; i < after.size(); ++i) EXPECT_NEAR(same[i], after[i], 1e-5);
}

TEST_F(QuantizeNet, LeavesAloneWhatIsNotAskedForOrDoesNotFit) {
  nn::Linear odd(33, 4, generator);
  const auto layers = nn::quantize(odd);
  EXPECT_FALSE(layers.at(0).is_quantized);
  EXPECT_EQ(layers.at(0).reason, "rows of 33 are no blocks of 32");
  const auto some = nn::quantize(net, {.format = BlockFormat::q4_0, .layers = {"up"}});
  EXPECT_TRUE(net.up.format.has_value());
  EXPECT_FALSE(net.down.format.has_value());
  EXPECT_FALSE(net.table.format.has_value());
  EXPECT_EQ(nn::quantize(net, {.layers = {"up"}}).at(0).reason, "is q4_0 already");
}

TEST_F(QuantizeNet, BlocksAreNoParameters) {
  nn::quantize(net);
  std::vector<std::string> paths;
  for_each_parameter(net, [&](const std::string& path, const Tensor&) { paths.push_back(path); });
  EXPECT_EQ(paths, (std::vector<std::string>{"up.bias", "down.bias"}));
}

TEST_F(QuantizeNet, LoraTrainsOverBlocks) {
  nn::quantize(net, {.format = BlockFormat::q4_1});
  const auto before = net.up.weight.to_vector<uint8_t>();
  nn::Lora<Net> adapted(net, {.rank = 2}, generator);
  nn::AdamW optimizer(adapted, {.learning_rate = 0.05});
  const Tensor target = random({3, 5}, 3);
  const auto step = ridge::compile(
      [](nn::Lora<Net>& now, nn::AdamW<nn::Lora<Net>>& opt, const Tensor& in, const Tensor& out) {
        auto loss = [&](const nn::Lora<Net>& l) { return mse_loss(l.model()(in), out); };
        auto [value, gradient] = value_and_grad(loss)(now);
        opt.update(now, gradient);
        return value;
      });
  const double first = step(adapted, optimizer, ids, target).item<double>();
  double last = first;
  for (int i = 0; i < 30; ++i) last = step(adapted, optimizer, ids, target).item<double>();
  EXPECT_LT(last, 0.3 * first);
  EXPECT_EQ(net.up.weight.to_vector<uint8_t>(), before);
  const auto merged = adapted.merged()(ids).to_vector<float>();
  const auto with = adapted.model()(ids).to_vector<float>();
  for (size_t i = 0; i < with.size(); ++i) EXPECT_NEAR(merged[i], with[i], 1e-4);
}

TEST_F(QuantizeNet, ErrorsNameWhatIsWrong) {
  EXPECT_THROW(nn::quantize(net, {.format = BlockFormat::q6_k}), Error);
  EXPECT_THROW(nn::quantized_blocks(random({2, 33}, 1), BlockFormat::q8_0), Error);
  EXPECT_THROW(dequantize(random({2, 40}, 1), BlockFormat::q4_1), Error);
  EXPECT_THROW(dequantize(random_blocks(2, 41, 1), BlockFormat::q4_1), Error);
  const Tensor bad = full({1, 32}, std::numeric_limits<double>::infinity());
  EXPECT_THROW(nn::quantized_blocks(bad, BlockFormat::q8_0), Error);
}

// Numbers that e4m3 has come back as they are, others as the nearest: fewer than 2^-4 of themselves away.
TEST(Quantize, Fp8RoundsToTheNearest) {
  std::vector<float> numbers;
  for (int i = 0; i < 64; ++i)
    numbers.push_back(std::ldexp(static_cast<float>(i % 8 + 8), i / 8 - 5));
  numbers[63] = 448;  // so that the scale is 1 in the second block, and 2^-4 in the first
  numbers[31] = 28;
  const Tensor exact = Tensor::of(numbers, {1, 64});
  const Tensor same =
      dequantize(nn::quantized_blocks(exact, BlockFormat::f8_e4m3), BlockFormat::f8_e4m3);
  EXPECT_EQ(same.to_vector<float>(), numbers);

  const std::vector<float> given = random({4, 64}, 3).to_vector<float>();
  const Tensor blocks = nn::quantized_blocks(Tensor::of(given, {4, 64}), BlockFormat::f8_e4m3);
  const auto near = dequantize(blocks, BlockFormat::f8_e4m3).to_vector<float>();
  for (size_t i = 0; i < given.size(); ++i) {
    EXPECT_LE(std::fabs(near[i] - given[i]), std::fabs(given[i]) / 16 + 1e-5) << i;
  }
}

// What a scale or minimum in f16 cannot hold would come back as infinity.
TEST(Quantize, NumbersAtTheEdgesOfF16StayFinite) {
  for (const BlockFormat format :
       {BlockFormat::q8_0, BlockFormat::q4_0, BlockFormat::q4_1, BlockFormat::f8_e4m3}) {
    EXPECT_THROW(nn::quantized_blocks(full({1, 32}, 1e6), format), Error) << name(format);
    for (const double size : {0.0, 1e-44, 65504.0}) {
      const Tensor blocks = nn::quantized_blocks(
          cat(std::vector<Tensor>{full({1, 16}, size), full({1, 16}, -size)}, 1), format);
      for (const float x : dequantize(blocks, format).to_vector<float>()) {
        EXPECT_NEAR(std::fabs(x), size, 0.15 * size + 1e-7) << name(format);
      }
    }
  }
}

}  // namespace
}  // namespace ridge::testing::quantize_test
