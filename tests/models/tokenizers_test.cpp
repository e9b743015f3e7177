// Tokenizers of real models beside recorded ids: llama.cpp's texts for 15 vocabularies, MiniLM, SmolLM2.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "model_files.h"
#include "ridge/base/files.h"
#include "ridge/base/json.h"
#include "ridge/text/chat.h"

namespace ridge::models_test::tokenizers_test {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<int32_t>;

std::vector<std::string> texts_in(const std::string& content) {
  constexpr std::string_view kSeparator = "\n__ggml_vocab_test__\n";
  std::vector<std::string> texts;
  for (size_t at = 0; at < content.size();) {
    const size_t end = std::min(content.find(kSeparator, at), content.size());
    texts.push_back(content.substr(at, end - at));
    at = end + kSeparator.size();
  }
  return texts;
}

std::vector<Ids> ids_in(const std::string& content) {
  std::vector<Ids> all;
  std::istringstream lines(content);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Ids& ids = all.emplace_back();
    for (int32_t id = 0; words >> id;) ids.push_back(id);
  }
  return all;
}

TEST(Vocabularies, GiveTheRecordedIds) {
  MODEL_OR_SKIP(folder, "vocabularies");
  int models = 0, cases = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".inp") continue;
    SCOPED_TRACE(entry.path().stem());
    fs::path model = entry.path();
    model.replace_extension();
    const text::Tokenizer tokenizer = text::make_tokenizer(vocabulary_of(files::Gguf::open(model)));
    const std::vector<std::string> texts = texts_in(read_file(entry.path()));
    const std::vector<Ids> expected = ids_in(read_file(model.string() + ".out"));
    ASSERT_EQ(texts.size(), expected.size());
    for (size_t i = 0; i < texts.size(); ++i) {
      EXPECT_EQ(tokenizer.encode(texts[i]), expected[i]) << texts[i];
      ++cases;
    }
    ++models;
  }
  EXPECT_EQ(models, 15);
  EXPECT_EQ(cases, 694);
}

TEST(Vocabularies, AllOfThemRead) {
  MODEL_OR_SKIP(folder, "vocabularies");
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".gguf") continue;
    SCOPED_TRACE(entry.path().filename());
    const text::Tokenizer tokenizer =
        text::make_tokenizer(vocabulary_of(files::Gguf::open(entry.path())));
    const Ids ids = tokenizer.encode("a test of 3 words");
    EXPECT_EQ(tokenizer.decode(ids), "a test of 3 words");
  }
}

TEST(MiniLm, GivesTheIdsOfHuggingFace) {
  MODEL_OR_SKIP(folder, "minilm");
  const text::Tokenizer tokenizer = text::read_tokenizer_json(folder / "tokenizer.json");
  const std::string path = std::string(RIDGE_SOURCE_DIR) + "/tests/unit/text/frozen/minilm.json";
  const Json cases = Json::parse(read_file(path), path);
  for (const Json& one : cases.elements()) {
    Ids expected;
    for (const Json& id : one["ids"].elements())
      expected.push_back(static_cast<int32_t>(id.integer()));
    const std::string& given = one.text("text");
    EXPECT_EQ(tokenizer.encode(given, {.add_special = true, .parse_special = true}), expected)
        << given;
    EXPECT_EQ(tokenizer.decode(expected), one.text("decoded")) << given;
  }
}

TEST(SmolLm2, GivesTheRecordedPromptAndItsChat) {
  MODEL_OR_SKIP(folder, "smollm2");
  const files::Gguf gguf = files::Gguf::open(folder / "SmolLM2-135M-Instruct.Q4_1.gguf");
  const text::Tokenizer tokenizer = text::make_tokenizer(vocabulary_of(gguf));
  EXPECT_EQ(tokenizer.encode("The capital of France is"), (Ids{504, 3575, 282, 4649, 314}));
  const text::ChatFormat format =
      text::find_chat_format(tokenizer, gguf.text("general.architecture"));
  const std::vector<text::ChatMessage> messages = {{"user", "Hi <|im_end|>"}};
  const Ids ids = text::encode_chat(tokenizer, format, messages);
  EXPECT_EQ(tokenizer.decode(ids, {.skip_special = false}),
            "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging "
            "Face<|im_end|>\n"
            "<|im_start|>user\nHi <|im_end|><|im_end|>\n<|im_start|>assistant\n");
  EXPECT_EQ(std::ranges::count(ids, tokenizer.id("<|im_end|>")), 2);
  EXPECT_TRUE(tokenizer.is_end(tokenizer.id("<|im_end|>")));
}

}  // namespace
}  // namespace ridge::models_test::tokenizers_test
