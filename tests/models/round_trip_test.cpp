// Text to ids and back, over all fetched vocabularies: exactly, or an error that names the byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "model_files.h"
#include "ridge/base/error.h"
#include "ridge/base/random.h"
#include "ridge/base/utf8.h"
#include "ridge/text/vocabulary.h"

namespace ridge::models_test::round_trip_test {
namespace {

namespace fs = std::filesystem;
using text::Tokenizer;

std::vector<fs::path> vocabularies_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".gguf") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

std::string one_byte(int byte) { return std::string(1, static_cast<char>(byte)); }

// Why a text cannot be encoded; empty if it can.
std::string refusal_of(const Tokenizer& tokenizer, std::string_view given) {
  try {
    tokenizer.encode(given);
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::value);
    return error.what();
  }
}

// What breaks tokenizers: words of the alphabet, marks of turns, runs of blanks, halves of characters.
constexpr std::array<std::string_view, 24> kHostile = {"ö",
                                                       "ü",
                                                       "ø",
                                                       "wörld!",
                                                       "Ġ",
                                                       "Ċ",
                                                       "  ",
                                                       "\t\n\r\n",
                                                       "                ",
                                                       "<|endoftext|>",
                                                       "<|im_end|>",
                                                       "<s>",
                                                       "<unk>",
                                                       "<0x0A>",
                                                       "##a",
                                                       "e\u0301\u0316",
                                                       "\u200B\uFEFF",
                                                       "👩‍👩‍👧",
                                                       "漢字かな",
                                                       "\xC3",
                                                       "\xF0\x9F",
                                                       "\xED\xA0\x80",
                                                       "1234567",
                                                       "'s 'LL"};

std::string random_text(SplitMix64& random, const Tokenizer& tokenizer) {
  std::string made;
  for (int64_t parts = random.integer(1, 10); parts > 0; --parts) {
    switch (random.integer(0, 3)) {
      case 0: made += one_byte(static_cast<int>(random.integer(0, 255))); break;
      case 1: {
        const int64_t point = random.integer(0, random.integer(0, 1) == 0 ? 0x3FF : 0x10FFFF);
        if (point < 0xD800 || point > 0xDFFF) append_utf8(made, static_cast<char32_t>(point));
        break;
      }
      case 2:
        made += tokenizer.token(static_cast<int32_t>(random.integer(0, tokenizer.size() - 1)));
        break;
      default: made += kHostile[static_cast<size_t>(random.integer(0, kHostile.size() - 1))];
    }
  }
  return made;
}

// What the vocabulary itself takes for another text: U+2581 is SentencePiece's blank, and behind an added
// token (Phi-3 has one that is not special) SentencePiece's blank in front is put again.
bool is_ambiguous(std::string_view given) {
  return given.find(text::kMetaspace) != std::string_view::npos ||
         given.find("</s>") != std::string_view::npos;
}

void check_text(const Tokenizer& tokenizer, const std::set<char>& no_tokens,
                const std::string& given) {
  const bool can_be_said =
      std::ranges::none_of(given, [&](char c) { return no_tokens.contains(c); });
  const std::string refusal = refusal_of(tokenizer, given);
  ASSERT_EQ(refusal.empty(), can_be_said) << given << refusal;
  if (!can_be_said) return;
  const std::vector<int32_t> ids = tokenizer.encode(given);
  ASSERT_EQ(tokenizer.decode(ids), given);
  text::StreamDecoder stream(tokenizer);
  std::string streamed;
  for (const int32_t id : ids) {
    ASSERT_FALSE(tokenizer.is_special(id)) << given;
    streamed += stream.push(id);
  }
  ASSERT_EQ(streamed + stream.flush(), given);
}

TEST(RoundTrip, GivesBytesBackOrNamesThem) {
  MODEL_OR_SKIP(folder, "vocabularies");
  for (const fs::path& path : vocabularies_in(folder)) {
    SCOPED_TRACE(path.filename());
    const text::VocabularyData data = vocabulary_of(files::Gguf::open(path));
    if (data.model == "bert" || data.model == "t5") continue;
    const Tokenizer tokenizer = text::make_tokenizer(data);
    std::set<char> no_tokens;
    for (int byte = 0; byte < 256; ++byte) {
      const std::string refusal = refusal_of(tokenizer, one_byte(byte));
      if (refusal.empty()) continue;
      no_tokens.insert(static_cast<char>(byte));
      const std::string name = text::byte_token(static_cast<uint8_t>(byte)).substr(1, 4);
      EXPECT_NE(refusal.find("given the byte " + name), std::string::npos) << refusal;
    }
    EXPECT_LE(no_tokens.size(),
              data.model == "gpt2" ? 28U : 0U);  // Falcon has no control characters
    for (int byte = 0; byte < 256; ++byte) check_text(tokenizer, no_tokens, one_byte(byte));
    for (const std::string_view text : kHostile)
      check_text(tokenizer, no_tokens, std::string(text));
    SplitMix64 random(1);
    for (int i = 0; i < 2000; ++i) {
      const std::string given = random_text(random, tokenizer);
      if (data.model == "gpt2" || !is_ambiguous(given)) check_text(tokenizer, no_tokens, given);
      if (HasFatalFailure()) return;
    }
  }
}

// Their words are normalized, so that no text comes back; what they cannot say is their unknown token.
TEST(RoundTrip, UnknownTokensStandForTheRest) {
  MODEL_OR_SKIP(folder, "vocabularies");
  for (const fs::path& path : vocabularies_in(folder)) {
    SCOPED_TRACE(path.filename());
    const text::VocabularyData data = vocabulary_of(files::Gguf::open(path));
    if (data.model != "bert" && data.model != "t5") continue;
    const Tokenizer tokenizer = text::make_tokenizer(data);
    SplitMix64 random(1);
    for (int i = 0; i < 2000; ++i) {
      const std::string given = random_text(random, tokenizer);
      for (const int32_t id : tokenizer.encode(given)) {
        ASSERT_TRUE(id == tokenizer.unknown() || !tokenizer.is_special(id)) << given;
      }
    }
    const std::vector<int32_t> ids = tokenizer.encode("\xC0");
    EXPECT_EQ(std::ranges::count(ids, *tokenizer.unknown()), 1);
  }
}

}  // namespace
}  // namespace ridge::models_test::round_trip_test
