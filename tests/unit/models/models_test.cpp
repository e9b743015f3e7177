// Each model on the weights that make_data.py exported, against PyTorch in f64: the error may be twice
// what PyTorch's own f32 has.
#include <gtest/gtest.h>

#include <cmath>

#include "../capture/compiled.h"
#include "ridge/files/weights.h"
#include "ridge/models/bert.h"
#include "ridge/models/gpt2.h"
#include "ridge/models/llama.h"
#include "ridge/models/skeleton.h"
#include "ridge/models/vit.h"
#include "ridge/nn/quantize.h"
#include "ridge/ops/dequantize.h"

namespace ridge::testing::models_test {
namespace {

std::filesystem::path data(const std::string& name) {
  return std::filesystem::path(RIDGE_SOURCE_DIR) / "tests/unit/models/data" / name;
}

struct Expected {
  files::WeightFile file;
  explicit Expected(const std::string& name)
      : file(files::open_weights(data(name) / "expected.safetensors")) {}
  Tensor input(const std::string& name) const { return file.tensor(name); }

  void check(const std::string& name, const Tensor& actual) const {
    const Tensor expected = file.tensor(name);
    ASSERT_EQ(to_text(actual.shape()), to_text(expected.shape()));
    const auto a = actual.to_vector<double>(), b = expected.to_vector<double>();
    double squares = 0;
    for (size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
    const double error = std::sqrt(squares / static_cast<double>(a.size()));
    const double allowed = 2 * file.tensor(name + ".f32_error").item<double>();
    EXPECT_LE(error, allowed) << name;
  }
};

// As called, and as one program.
template <class Model>
void check_logits(const std::string& name, const Model& model) {
  const Expected expected(name);
  const Tensor ids = expected.input("ids");
  expected.check("logits", model(ids));
  const auto run = ridge::compile([](const Model& m, const Tensor& x) { return m(x); });
  expected.check("logits", run(model, ids));
}

TEST(Models, Gpt2) { check_logits("gpt2", models::open_gpt2(data("gpt2"))); }
TEST(Models, LlamaWithScaledPositions) { check_logits("llama", models::open_llama(data("llama"))); }
TEST(Models, LlamaWithATiedHead) {
  const models::Llama model = models::open_llama(data("smollm2"));
  EXPECT_FALSE(model.head.weight.defined());
  check_logits("smollm2", model);
}
TEST(Models, Qwen2) {
  const models::Llama model = models::open_llama(data("qwen2"));
  EXPECT_TRUE(model.layers[0].attention.query.bias.defined());
  check_logits("qwen2", model);
}

TEST(Models, Bert) {
  const models::Bert model = models::open_bert(data("bert"));
  const Expected expected("bert");
  const Tensor ids = expected.input("ids"), mask = not_equal(expected.input("mask"), 0);
  expected.check("embedding", model.embed(ids, mask));
  expected.check("pooled", model.pool(model(ids, mask)));
}

TEST(Models, VitByAllNames) {
  for (const char* name : {"vit", "vit_hub"}) {
    const Expected expected(name);
    expected.check("logits", models::open_vit(data(name))(expected.input("images")));
  }
  const Expected expected("vit_torchvision");
  models::Vit model(
      {.image = 12, .patch = 4, .width = 24, .hidden = 40, .layers = 2, .heads = 4, .classes = 7});
  models::load(model, models::vit_torchvision_table(),
               files::open_weights(data("vit_torchvision") / "model.safetensors"));
  expected.check("logits", model(expected.input("images")));
  EXPECT_THROW(model(zeros({1, 3, 16, 16})), Error);
}

TEST(Models, BatchesOfBertDoNotSeeWhatIsFilledUp) {
  const models::Bert model = models::open_bert(data("bert"));
  const Tensor ids = Expected("bert").input("ids");
  const Tensor alone = model.embed(slice(slice(ids, 0, 1, 2), 1, 0, 6));
  const Tensor mask = not_equal(Expected("bert").input("mask"), 0);
  const Tensor both = model.embed(ids, mask);
  const auto a = alone.to_vector<float>(), b = both[1].to_vector<float>();
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5);
}

// The same model with numbers in place of its blocks.
template <class Model>
Model with_numbers(Model model) {
  int count = 0;
  const auto widen = [&](const std::string&, auto& layer) {
    if (!layer.format) return;
    layer.weight = dequantize(layer.weight, *layer.format);
    layer.format.reset();
    ++count;
  };
  nn::for_each_layer<nn::Linear>(model, widen);
  nn::for_each_layer<nn::Embedding>(model, widen);
  EXPECT_GT(count, 6);
  return model;
}

template <class Model>
Model quantized(Model model) {
  Generator generator(7);
  models::randomize(model, generator);
  nn::quantize(model);
  return model;
}

void expect_close(const Tensor& actual, const Tensor& expected) {
  ASSERT_EQ(to_text(actual.shape()), to_text(expected.shape()));
  const auto a = actual.to_vector<double>(), b = expected.to_vector<double>();
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5) << i;
}

// Tables that are sliced, heads that are tied, and a cache beside weights that are no floats.
TEST(Models, QuantizedOnesComputeWithTheNumbersOfTheirBlocks) {
  const Tensor ids = Tensor::of<int64_t>({3, 9, 4, 1}, {1, 4});
  const models::Gpt2 gpt2 = quantized(models::Gpt2(
      {.vocabulary = 31, .width = 32, .hidden = 64, .layers = 2, .heads = 4, .context = 8}));
  expect_close(gpt2(ids), with_numbers(gpt2)(ids));
  nn::KvCache cache = gpt2.make_cache(8);
  EXPECT_EQ(cache.layers[0].keys.dtype(), f32);
  expect_close(gpt2(ids, cache), select(gpt2(ids), 1, 3));

  const models::Bert bert = quantized(models::Bert(
      {.vocabulary = 31, .width = 32, .hidden = 64, .layers = 2, .heads = 4, .context = 8}));
  expect_close(bert(ids), with_numbers(bert)(ids));

  const models::Vit vit = quantized(models::Vit({.image = 16,
                                                 .patch = 8,
                                                 .channels = 2,
                                                 .width = 32,
                                                 .hidden = 64,
                                                 .layers = 2,
                                                 .heads = 4,
                                                 .classes = 5}));
  const Tensor images = random({2, 2, 16, 16}, 3);
  expect_close(vit(images), with_numbers(vit)(images));
}

}  // namespace
}  // namespace ridge::testing::models_test
