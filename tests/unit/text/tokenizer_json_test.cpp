// What tokenizer.json may not say, and the steps that the frozen ones do not have.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
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

std::string repeated(std::string_view one, int times) {
  return join(std::vector<std::string_view>(static_cast<size_t>(times), one), ",");
}

// Forty steps that double a text, in a file of a few kilobytes.
TEST(TokenizerJson, RefusesStepsThatBlowATextUp) {
  const auto doubled = [](std::string_view kind, std::string_view list, std::string_view step) {
    return json_with(concat(", \"", kind, R"(": {"type": "Sequence", ")", list, "\": [",
                            repeated(step, 40), "]}"));
  };
  const std::string step = R"({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"})";
  const std::string expected = "steps that make at most 16 times a text";
  const auto refusal_of_a = [&](const std::string& json) {
    try {
      const Tokenizer t = parse_tokenizer_json(json);
      t.decode(t.encode("a"));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(refusal_of_a(doubled("normalizer", "normalizers", step)).find(expected),
            std::string::npos);
  EXPECT_NE(refusal_of_a(doubled("decoder", "decoders", step)).find(expected), std::string::npos);
  // Signs in turns, of which each puts itself in front of what the others split off.
  std::string signs;
  for (int i = 0; i < 40; ++i) {
    signs +=
        R"({"type": "Metaspace", "replacement": "x"}, {"type": "Metaspace", "replacement": "y"},)";
  }
  EXPECT_NE(
      refusal_of_a(json_with(concat(R"(, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [)",
                                    signs, R"({"type": "Whitespace"}]})")))
          .find(expected),
      std::string::npos);
  // Looked for in normalized text, so that it is normalized when the file is read.
  EXPECT_NE(
      refusal(
          doubled("normalizer", "normalizers", step)
              .insert(1, R"("added_tokens": [{"id": 7, "content": "aaa", "normalized": true}],)"))
          .find(expected),
      std::string::npos);
  EXPECT_NE(refusal(json_with(concat(R"(, "normalizer": {"type": "Prepend", "prepend": ")",
                                     std::string(65, 'a'), "\"}")))
                .find("at most 64 bytes"),
            std::string::npos);
}

TEST(TokenizerJson, RefusesSizesThatNoTokenizerHas) {
  EXPECT_NE(refusal(R"({"model": {"type": "BPE", "vocab": {"a": 4000000}, "merges": []}})")
                .find("ids from 0 to 65551"),
            std::string::npos);
  EXPECT_NE(refusal(json_with(R"(, "added_tokens": [{"id": 4000000, "content": "x"}])"))
                .find("ids from 0"),
            std::string::npos);
  EXPECT_NE(refusal(concat(R"({"model": {"type": "BPE", "vocab": {")", std::string(4097, 'a'),
                           R"(": 0}, "merges": []}})"))
                .find("tokens of at most 4096 bytes"),
            std::string::npos);
  EXPECT_NE(
      refusal(json_with(concat(R"(, "post_processor": {"type": "TemplateProcessing", "single": [)",
                               repeated(R"({"SpecialToken": {"id": "a"}})", 65), "]}")))
          .find("at most 64 tokens"),
      std::string::npos);
}

// GPT-2's end of text is one that is looked for in normalized text.
TEST(TokenizerJson, FindsSpecialTokensOfNormalizedTextInParts) {
  const Tokenizer t = parse_tokenizer_json(json_with(
      R"(, "normalizer": {"type": "Lowercase"},
      "added_tokens": [{"id": 7, "content": "<E>", "special": true, "normalized": true}])"));
  const std::vector<TextPart> parts = {{"<E>A", true}, {"<E>", false}, {"B<E>", true}};
  const std::vector<int32_t> ids = t.encode(parts);
  EXPECT_EQ(ids, (std::vector<int32_t>{7, 1, 0, 0, 0, 2, 7}));
}

// Hugging Face's decoder takes the added word for the byte F6, and says U+FFFD.
TEST(TokenizerJson, DecodesAddedTokensAsPlainText) {
  const Tokenizer t = parse_tokenizer_json(
      R"({"model": {"type": "BPE", "vocab": {"w": 0, "r": 1}, "merges": []},
      "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
      "decoder": {"type": "ByteLevel"}, "added_tokens": [{"id": 2, "content": "ö"}]})");
  EXPECT_EQ(t.encode("wör"), (std::vector<int32_t>{0, 2, 1}));
  EXPECT_EQ(t.decode(t.encode("wör")), "wör");
  EXPECT_THROW(t.encode("\xF6"), Error);
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

namespace fs = std::filesystem;

fs::path make_folder() {
  std::string pattern = (fs::temp_directory_path() / "ridge_text.XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) std::abort();
  return pattern;
}

TEST(TokenizerJson, TakesTheChatTemplateOfAFileOfItsOwn) {
  const fs::path folder = make_folder();
  std::ofstream(folder / "tokenizer.json") << json_with("");
  EXPECT_EQ(read_tokenizer_json(folder / "tokenizer.json").chat_template(), "");
  std::ofstream(folder / "tokenizer_config.json") << R"({"chat_template": "old"})";
  EXPECT_EQ(read_tokenizer_json(folder / "tokenizer.json").chat_template(), "old");
  std::ofstream(folder / "chat_template.jinja") << "new";
  EXPECT_EQ(read_tokenizer_json(folder / "tokenizer.json").chat_template(), "new");
  fs::remove_all(folder);
}

TEST(VocabularyAndMerges, AreReadFromTheirFiles) {
  const fs::path folder = make_folder();
  const auto read = [&](std::string_view vocabulary, std::string_view merges) {
    std::ofstream(folder / "vocab.json") << vocabulary;
    std::ofstream(folder / "merges.txt") << merges;
    return read_vocabulary_and_merges(folder / "vocab.json", folder / "merges.txt");
  };
  const auto refusal_of = [&](std::string_view vocabulary, std::string_view merges) {
    try {
      read(vocabulary, merges);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const Tokenizer t = read(R"({"b": 0, "a": 2, "ab": 1, "Ġ": 4, "<|endoftext|>": 5})",
                           "#version: 0.2\r\na b\r\n\n");
  EXPECT_EQ(t.encode("ab a"), (std::vector<int32_t>{1, 4, 2}));
  EXPECT_EQ(t.eos(), 5);
  EXPECT_EQ(t.decode(std::vector<int32_t>{1, 5, 2}), "aba");
  EXPECT_NE(refusal_of(R"({"a": 0, "b": 0})", "a b").find("`a` and `b` for 0"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"a": 4000000})", "a b").find("ids from 0"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"a": 0})", "a b").find("`b`, which is no token"), std::string::npos);
  EXPECT_NE(refusal_of("[]", "a b").find("an object"), std::string::npos);
  fs::remove_all(folder);
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
