// What tokenizer.json may not say, and the steps that the frozen ones do not have.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/text/split_patterns.h"
#include "ridge/text/tokenizer.h"

namespace ridge::text::tokenizer_json_test {
namespace {

// A model of the letters a to d and the token "ab", with these other members.
std::string json_with(std::string_view members) {
  return concat(
      R"({"model": {"type": "BPE", "unk_token": "?", "vocab": {"?": 0, "a": 1, "b": 2, "c": 3, "d": 4,)",
      R"( "ab": 5, " ": 6}, "merges": [["a", "b"]]})", members, "}");
}

std::string refusal(std::string_view json) {
  try {
    parse_tokenizer_json(json);
  } catch (const Error& error) {
    EXPECT_NE(error.code(), ErrorCode::internal);
    return error.what();
  }
  return "accepted";
}

TEST(TokenizerJson, ReadsTheLeast) {
  const Tokenizer t = parse_tokenizer_json(json_with(""));
  EXPECT_EQ(t.encode("abcx"), (std::vector<int32_t>{5, 3, 0}));
  EXPECT_EQ(t.unknown(), 0);
  EXPECT_EQ(t.decode(t.encode("abc")), "ab c");  // without a decoder, tokens are joined by blanks
}

TEST(TokenizerJson, NamesTheKnownStepsForAnUnknownOne) {
  EXPECT_NE(
      refusal(json_with(R"(, "normalizer": {"type": "Nmt"})")).find("a normalizer among NFC, NFD"),
      std::string::npos);
  EXPECT_NE(refusal(json_with(R"(, "pre_tokenizer": {"type": "UnicodeScripts"})"))
                .find("among ByteLevel, Split"),
            std::string::npos);
  EXPECT_NE(refusal(json_with(R"(, "decoder": {"type": "CTC"})")).find("a decoder among ByteLevel"),
            std::string::npos);
  EXPECT_NE(
      refusal(json_with(R"(, "post_processor": {"type": "X"})")).find("among TemplateProcessing"),
      std::string::npos);
  const std::string split = refusal(json_with(
      R"(, "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "a|b"}, "behavior": "Isolated"})"));
  EXPECT_NE(split.find("one of these expressions"), std::string::npos);
  EXPECT_NE(split.find("given a|b"), std::string::npos);
}

TEST(TokenizerJson, RefusesWhatContradictsItself) {
  for (
      const std::string_view json :
      {"", "[]", "{}", R"({"model": {"type": "WordLevel", "vocab": {}}})",
       R"({"model": {"type": "BPE", "vocab": {"a": -1}, "merges": []}})",
       R"({"model": {"type": "BPE", "vocab": {"a": 99999999999}, "merges": []}})",
       R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 0}, "merges": []}})",
       R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]}})",
       R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [["a"]]}})",
       R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [], "unk_token": "u"}})",
       R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [], "dropout": 0.1}})",
       R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [], "end_of_word_suffix": "</w>"}})",
       R"({"model": {"type": "WordPiece", "vocab": {"a": 0}}})",
       R"({"model": {"type": "Unigram", "vocab": [["a"]]}})",
       R"({"model": {"type": "Unigram", "unk_id": 7, "vocab": [["a", 0]]}})",
       R"({"added_tokens": [{"id": 3, "content": "a"}], "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})",
       R"({"post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "X"}}]},
               "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})",
       R"({"normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"},
               "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})"}) {
    EXPECT_NE(refusal(json), "accepted") << json;
  }
}

TEST(TokenizerJson, TakesTheNamesOfAConfiguration) {
  const std::string json =
      json_with(R"(, "added_tokens": [{"id": 7, "content": "<e>", "special": true}])");
  const Tokenizer t =
      parse_tokenizer_json(json, R"({"eos_token": {"content": "<e>"}, "bos_token": "a",
      "pad_token": null, "chat_template": "x"})");
  EXPECT_EQ(t.eos(), 7);
  EXPECT_EQ(t.bos(), 1);
  EXPECT_EQ(t.chat_template(), "x");
  EXPECT_TRUE(t.is_end(7));
  EXPECT_FALSE(t.is_end(1));
}

std::vector<std::string> words(std::string_view regex, std::string_view text) {
  const Pattern pattern = find_pattern(regex);
  const CodePoints points(text);
  std::vector<std::string> words;
  for (size_t at = 0; at < points.size();) {
    const size_t end = pattern(points, at);
    if (end > at)
      words.emplace_back(text.substr(points.starts[at], points.starts[end] - points.starts[at]));
    at = end > at ? end : at + 1;
  }
  return words;
}

TEST(SplitPatterns, MatchAsTheirExpressionsSay) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(words(R"(\p{N}{1,3})", "1234 56"), (Words{"123", "4", "56"}));
  EXPECT_EQ(words(R"(\s+$)", "a  b  "), (Words{"  "}));
  EXPECT_EQ(words("[0-9][0-9][0-9]", "12345"), (Words{"123"}));
  EXPECT_EQ(words(R"(\s?\p{L}+)", "ab  cd"), (Words{"ab", " cd"}));
  EXPECT_EQ(words(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
                  "I'll  go\n"),
            (Words{"I", "'ll", " ", " go", "\n"}));
  for (const NamedSplit& split : named_splits()) EXPECT_FALSE(split.patterns.empty()) << split.name;
}

}  // namespace
}  // namespace ridge::text::tokenizer_json_test
