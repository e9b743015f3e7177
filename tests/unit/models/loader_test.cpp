#include "ridge/models/loader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "../capture/compiled.h"
#include "ridge/base/files.h"
#include "ridge/models/config.h"
#include "ridge/models/llama.h"
#include "ridge/models/model_folder.h"
#include "ridge/models/skeleton.h"
#include "ridge/models/vit.h"

namespace ridge::testing::loader_test {
namespace {

struct Pair {
  nn::Linear first, second;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("first", self.first);
    visit("second", self.second);
  }
};

files::StoredTensor stored(const std::string& name, const Ints& shape, float start = 0) {
  int64_t count = 1;
  Shape sizes;
  for (const int64_t size : shape) {
    count *= size;
    sizes.push_back(size);
  }
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(start + static_cast<float>(i));
  return {name, shape, Tensor::of(values, sizes)};
}

Pair empty_pair() { return {models::linear_layer(2, 3), models::linear_layer(2, 3)}; }

TEST(Loader, TransposesAndSplits) {
  Pair pair = empty_pair();
  const models::LoadTable table = {
      .prefixes = {"model."},
      .rules = {{"both.weight", {"first.weight", "second.weight"}, models::Change::transpose},
                {"both.bias", {"first.bias", "second.bias"}},
                {"mask.{}", {}}}};
  const files::WeightFile file(
      "a.bin", "test",
      {stored("model.both.weight", {2, 6}), stored("both.bias", {6}), stored("mask.3", {1})});
  models::load(pair, table, file);
  EXPECT_EQ(pair.first.weight.to_vector<float>(), (std::vector<float>{0, 6, 1, 7, 2, 8}));
  EXPECT_EQ(pair.second.weight.to_vector<float>(), (std::vector<float>{3, 9, 4, 10, 5, 11}));
  EXPECT_EQ(pair.second.bias.to_vector<float>(), (std::vector<float>{3, 4, 5}));
}

TEST(Loader, OneMessageNamesAllProblems) {
  Pair pair = empty_pair();
  const models::LoadTable table = {.prefixes = {},
                                   .rules = {{"a.weight", {"first.weight"}},
                                             {"a.bias", {"first.bias"}},
                                             {"b.weight", {"second.weight"}},
                                             {"b.bias", {"second.bias"}}}};
  const files::WeightFile file(
      "a.bin", "test",
      {stored("a.weight", {2, 3}), stored("a.bais", {3}), stored("b.weight", {3, 2})});
  try {
    models::load(pair, table, file);
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(error.code(), ErrorCode::value);
    for (const char* part : {"missing (2)", "a.bias  (nearest: a.bais)", "b.bias", "unexpected (1)",
                             "a.bais  (nearest: a.bias)", "misshapen (1)",
                             "f32[2, 3] a.weight, for first.weight [3, 2]"}) {
      EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
  }
  EXPECT_TRUE(pair.second.weight.is_meta()) << "nothing is half-loaded";
}

TEST(Loader, TheNearestNameIsOfTheSameLayer) {
  Pair pair = empty_pair();
  const models::LoadTable table = {.prefixes = {},
                                   .rules = {{"l.0.weight", {"first.weight"}},
                                             {"l.0.bias", {"first.bias"}},
                                             {"l.1.weight", {"second.weight"}},
                                             {"l.1.bias", {"second.bias"}}}};
  // l.0.weight is as far from l.1.weight as l.1.weights is, and comes first.
  const files::WeightFile file("a.bin", "test",
                               {stored("l.0.weight", {3, 2}), stored("l.0.bias", {3}),
                                stored("l.1.weights", {3, 2}), stored("l.1.bias", {3})});
  try {
    models::load(pair, table, file);
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("l.1.weight  (nearest: l.1.weights)"), std::string::npos) << text;
  }
}

// What fails while tensors are made leaves all fields as they were: here data of another size than it says.
TEST(Loader, LoadsAllOrNothing) {
  Pair pair = empty_pair();
  const models::LoadTable table = {
      .prefixes = {},
      .rules = {{"a", {"first.weight", "second.weight"}},
                {"b", {"first.bias", "second.bias"}, models::Change::flatten}}};
  files::StoredTensor damaged = stored("b", {6});
  damaged.data = Tensor::of<float>({1, 2}, {2});
  const files::WeightFile file("a.bin", "test", {stored("a", {6, 2}), damaged});
  EXPECT_THROW(models::load(pair, table, file), Error);
  EXPECT_TRUE(pair.first.weight.is_meta());
}

TEST(Loader, TwoNamesOfOneFieldAreOneTooMany) {
  Pair pair = empty_pair();
  const models::LoadTable table = {.prefixes = {},
                                   .rules = {{"w", {"first.weight", "second.weight"}},
                                             {"v", {"first.weight"}},
                                             {"b", {"first.bias", "second.bias"}}}};
  const files::WeightFile file("a.bin", "test",
                               {stored("w", {6, 2}), stored("v", {3, 2}), stored("b", {6})});
  EXPECT_THROW(models::load(pair, table, file), Error);
}

constexpr const char* kLlama = R"({"model_type": "mistral", "vocab_size": 8, "hidden_size": 16,
  "intermediate_size": 24, "num_hidden_layers": 1, "num_attention_heads": 4,
  "num_key_value_heads": 2, "max_position_embeddings": 64, "rope_theta": 1000000.0,
  "architectures": ["MistralForCausalLM"], "sliding_window": null)";

models::LlamaConfig llama_config(const std::string& more) {
  return models::LlamaConfig::read(models::Config::parse(kLlama + more + "}", "config.json"));
}

TEST(Config, ReadsSizesOfALlama) {
  const models::LlamaConfig config = llama_config("");
  EXPECT_EQ(config.head_width, 4);
  EXPECT_EQ(config.rotary.theta, 1000000.0);
  EXPECT_FALSE(config.is_tied);
  const models::LlamaConfig scaled = llama_config(
      R"(, "rope_scaling": {"type": "llama3", "factor": 8, "low_freq_factor": 1,
         "high_freq_factor": 4, "original_max_position_embeddings": 32})");
  EXPECT_EQ(scaled.rotary.scaling.factor, 8);
  EXPECT_EQ(scaled.rotary.scaling.context, 32);
}

TEST(Config, RefusesWhatIsNotSupported) {
  const auto error_of = [](const std::string& more) {
    try {
      llama_config(more);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_NE(error_of(R"(, "model_type": "mamba")").find("mamba"), std::string::npos);
  EXPECT_NE(error_of(R"(, "sliding_window": 16)").find("sliding window"), std::string::npos);
  EXPECT_NE(error_of(R"(, "sliding_window": 64)").find("none"), std::string::npos);
  EXPECT_NE(error_of(R"(, "hidden_act": "gelu")").find("hidden_act"), std::string::npos);
  EXPECT_NE(error_of(R"(, "rope_scaling": {"rope_type": "yarn"})").find("yarn"), std::string::npos);
  EXPECT_NE(error_of(R"(, "num_key_value_heads": 3)").find("heads"), std::string::npos);
  EXPECT_NE(error_of(R"(, "vocab_size": 1.5)").find("vocab_size"), std::string::npos);
  EXPECT_THROW(models::Config::parse("{}", "c").integer("vocab_size"), Error);
}

// Layers are made before the file is searched for their tensors, so a number from a damaged file is refused first.
TEST(Config, RefusesSizesThatNoModelHas) {
  EXPECT_THROW(llama_config(R"(, "num_hidden_layers": 4000000000)"), Error);
  EXPECT_THROW(llama_config(R"(, "hidden_size": 1e15)"), Error);
  const models::Config vit = models::Config::parse(
      R"({"image_size": 4e9, "patch_size": 1, "hidden_size": 4, "intermediate_size": 4,
          "num_hidden_layers": 1, "num_attention_heads": 1})",
      "config.json");
  EXPECT_THROW(models::VitConfig::read(vit), Error);
}

TEST(Folder, SaysWhatIsThereInstead) {
  const auto error_of = [](const std::filesystem::path& path) {
    try {
      models::open_folder(path);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::filesystem::path here = std::filesystem::path(RIDGE_SOURCE_DIR) / "tests/unit";
  EXPECT_NE(error_of(here / "absent.gguf").find("nothing there"), std::string::npos);
  EXPECT_NE(error_of(here / "models/make_data.py").find("no GGUF"), std::string::npos);
}

TEST(Folder, OfOneGgufFileIsThatFile) {
  const std::filesystem::path folder =
      create_own_folder(std::filesystem::temp_directory_path(), "ridge_folder_test");
  const auto write = [&](const char* name, const char* text) {
    std::ofstream(folder / name) << text;
    return folder / name;
  };
  write("notes.txt", "GGU");
  EXPECT_EQ(models::find_model(folder), folder);
  const std::filesystem::path only = write("only.gguf", "GGUF...");
  EXPECT_EQ(models::find_model(folder), only);
  EXPECT_EQ(models::find_model(only), only);
  const std::filesystem::path other = write("other.gguf", "GGUF...");
  EXPECT_THROW(models::find_model(folder), Error);
  std::filesystem::remove(other);
  write("config.json", "{}");
  EXPECT_EQ(models::find_model(folder), folder);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ridge::testing::loader_test
