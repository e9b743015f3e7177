#include "ridge/text/tokenizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/base/utf8.h"
#include "small_tokenizers.h"

namespace ridge::text::tokenizer_test {
namespace {

using Tokens = std::vector<std::string>;

template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Tokenizer, MergesTheBestPairFirst) {
  const Tokenizer t = byte_level_tokenizer();
  EXPECT_EQ(tokens_of(t, t.encode("the of then")), (Tokens{"the", "Ġof", "Ġthe", "n"}));
  EXPECT_EQ(t.decode(t.encode("the of then")), "the of then");
  const Tokenizer s = sentence_piece_tokenizer();
  EXPECT_EQ(tokens_of(s, s.encode("the the")), (Tokens{"▁the", "▁the"}));
  EXPECT_EQ(tokens_of(s, s.encode("x")), (Tokens{"▁", "<0x78>"}));
  EXPECT_EQ(s.decode(s.encode(" the x")), " the x");
}

// Merges of a SentencePiece text, found by looking at every pair each time.
Tokens slowly_merged(const Tokenizer& tokenizer, bool has_equal_scores, Tokens symbols) {
  for (;;) {
    size_t best = 0;
    int32_t best_rank = tokenizer.size();
    for (size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto id = tokenizer.find(symbols[i] + symbols[i + 1]);
      if (!id || tokenizer.is_special(*id)) continue;
      const int32_t rank = has_equal_scores ? 0 : *id;  // scores fall with the ids
      if (rank >= best_rank) continue;
      best = i;
      best_rank = rank;
    }
    if (best_rank == tokenizer.size()) return symbols;
    symbols[best] += symbols[best + 1];
    symbols.erase(symbols.begin() + static_cast<ptrdiff_t>(best) + 1);
  }
}

TEST(Tokenizer, MergesLongTextsAsASearchOfEveryPairDoes) {
  const Tokenizer different = sentence_piece_tokenizer();
  VocabularyData data = sentence_piece_data();
  std::ranges::fill(data.scores, -1.0f);
  const Tokenizer equal = make_tokenizer(std::move(data));
  SplitMix64 random(7);
  for (int round = 0; round < 100; ++round) {
    const bool has_equal_scores = round % 2 == 1;
    const Tokenizer& t = has_equal_scores ? equal : different;
    std::string text;
    Tokens symbols = {"▁"};
    for (int i = 0; i < 300; ++i) {
      const char c = "tttthhhee  s<>x"[random.next() % 15];
      text += c;
      symbols.push_back(c == ' ' ? "▁" : c == 'x' ? "<0x78>" : std::string(1, c));
    }
    EXPECT_EQ(tokens_of(t, t.encode(text)), slowly_merged(t, has_equal_scores, symbols)) << text;
  }
}

TEST(Tokenizer, KeepsSpecialTokensOfAUserAsText) {
  const Tokenizer t = byte_level_tokenizer();
  const int32_t end = t.id("<|im_end|>");
  const std::string text = "of<|im_end|>";
  EXPECT_EQ(t.encode(text, {.parse_special = true}), (std::vector<int32_t>{t.id("of"), end}));
  const std::vector<int32_t> plain = t.encode(text);
  EXPECT_EQ(std::ranges::count(plain, end), 0);
  EXPECT_EQ(t.decode(plain), text);
  // Merges by score could make a special token of its letters.
  const Tokenizer s = sentence_piece_tokenizer();
  EXPECT_EQ(std::ranges::count(s.encode("<s>"), s.id("<s>")), 0);
}

TEST(Tokenizer, EncodesPartsAsOneText) {
  const Tokenizer t = byte_level_tokenizer();
  const std::vector<TextPart> parts = {
      {"<|im_start|>t", true}, {"he<|im_end|>", false}, {"<|im_end|>", true}};
  const std::vector<int32_t> ids = t.encode(parts);
  EXPECT_EQ(ids.front(), t.id("<|im_start|>"));
  EXPECT_EQ(ids[1], t.id("the"));
  EXPECT_EQ(std::ranges::count(ids, t.id("<|im_end|>")), 1);
  EXPECT_EQ(t.decode(ids), "the<|im_end|>");
  EXPECT_EQ(t.decode(ids, {.skip_special = false}), "<|im_start|>the<|im_end|><|im_end|>");
}

TEST(Tokenizer, AddsWhatTheModelWantsAroundAText) {
  const Tokenizer s = sentence_piece_tokenizer();
  EXPECT_EQ(tokens_of(s, s.encode("the", {.add_special = true})), (Tokens{"<s>", "▁the"}));
  VocabularyData data = sentence_piece_data();
  data.add_bos = false;
  data.add_eos = true;
  const Tokenizer e = make_tokenizer(std::move(data));
  EXPECT_EQ(tokens_of(e, e.encode("the", {.add_special = true})), (Tokens{"▁the", "</s>"}));
}

// Bytes and characters of all kinds, with a few that tokenizers care about.
std::string random_text(SplitMix64& random) {
  static const std::vector<std::string> kPieces = {" ",
                                                   "\n",
                                                   "\t",
                                                   "the",
                                                   " of",
                                                   "'s",
                                                   "\xFF",
                                                   "\xC0\x80",
                                                   "\xED\xA0\x80",
                                                   "\xF4\x90\x80\x80",
                                                   "\xE2\x82",
                                                   std::string(1, '\0'),
                                                   "e\u0301",
                                                   "\u200d",
                                                   "🦙",
                                                   "<|im_end|>",
                                                   "<0x41>",
                                                   "▁",
                                                   "½",
                                                   "\u3000",
                                                   "漢",
                                                   "\r\n"};
  std::string text;
  for (int64_t count = random.integer(0, 24); count > 0; --count) {
    const int64_t kind = random.integer(0, 2);
    if (kind == 0) {
      text += static_cast<char>(random.integer(0, 255));
    } else if (kind == 1) {
      const int64_t point = random.integer(0, 0x10FFFF);
      if (point < 0xD800 || point > 0xDFFF) append_utf8(text, static_cast<char32_t>(point));
    } else {
      text +=
          kPieces[static_cast<size_t>(random.integer(0, static_cast<int64_t>(kPieces.size()) - 1))];
    }
  }
  return text;
}

TEST(Tokenizer, RoundTripsAnyBytes) {
  SplitMix64 random(1);
  std::vector<Tokenizer> tokenizers;
  for (const std::string_view split :
       {"gpt-2", "llama-bpe", "qwen2", "qwen35", "deepseek-llm", "deepseek-coder", "deepseek-v3",
        "smollm", "falcon", "default", "gpt-4o", "tekken", "bloom"}) {
    VocabularyData data = byte_level_data();
    data.pre = split;
    tokenizers.push_back(make_tokenizer(std::move(data)));
  }
  const Tokenizer pieces = sentence_piece_tokenizer();
  for (int i = 0; i < 10000; ++i) {
    const std::string text = random_text(random);
    const Tokenizer& tokenizer = tokenizers[static_cast<size_t>(i) % tokenizers.size()];
    ASSERT_EQ(tokenizer.decode(tokenizer.encode(text)), text) << i;
    // U+2581 is a blank to SentencePiece, here as there.
    if (text.find(kMetaspace) == std::string::npos) {
      ASSERT_EQ(pieces.decode(pieces.encode(text)), text) << i;
    }
  }
}

TEST(Tokenizer, ReadsAMegabyteOfOneCharacterInASecond) {
  for (const std::string_view split :
       {"gpt-2", "llama-bpe", "qwen2", "deepseek-llm", "deepseek-v3", "gpt-4o"}) {
    VocabularyData data = byte_level_data();
    data.pre = split;
    const Tokenizer tokenizer = make_tokenizer(std::move(data));
    for (const std::string_view unit :
         {"t", "th", " ", "\n", "1", "!", "A", "\u0316\u0301", "漢", "\xFF", " x"}) {
      std::string text;
      while (text.size() < 1'000'000) text += unit;
      const std::clock_t start = std::clock();
      const size_t count = tokenizer.encode(text).size();
      const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      EXPECT_GT(count, 0u);
      // A quadratic loop takes minutes; sanitizers take ten times as long.
      EXPECT_LT(seconds, 20) << split << " " << unit;
    }
  }
}

TEST(Tokenizer, ServesThreads) {
  const Tokenizer tokenizer = byte_level_tokenizer();
  const std::vector<int32_t> expected = tokenizer.encode("the end of the story");
  std::vector<std::vector<int32_t>> results(4);
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) result = tokenizer.encode("the end of the story");
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : results) EXPECT_EQ(result, expected);
}

TEST(StreamDecoder, NeverBreaksACharacter) {
  const Tokenizer tokenizer = byte_level_tokenizer();
  const std::string text =
      "aé漢🦙\xF0\x9F\xFF"
      "b\xE2";
  StreamDecoder stream(tokenizer);
  std::string streamed;
  for (const int32_t id : tokenizer.encode(text)) {
    const std::string part = stream.push(id);
    EXPECT_EQ(utf8_unfinished(part), 0u);
    streamed += part;
  }
  EXPECT_EQ(streamed, text.substr(0, text.size() - 1));
  EXPECT_EQ(stream.flush(), "\xE2");
  EXPECT_EQ(stream.flush(), "");
}

TEST(StreamDecoder, SaysWhatDecodeSays) {
  SplitMix64 random(2);
  const Tokenizer tokenizers[] = {byte_level_tokenizer(), sentence_piece_tokenizer()};
  for (const Tokenizer& tokenizer : tokenizers) {
    for (int i = 0; i < 500; ++i) {
      std::vector<int32_t> ids;
      for (int64_t count = random.integer(0, 20); count > 0; --count) {
        ids.push_back(static_cast<int32_t>(random.integer(0, tokenizer.size() - 1)));
      }
      StreamDecoder stream(tokenizer);
      std::string streamed;
      for (const int32_t id : ids) streamed += stream.push(id);
      streamed += stream.flush();
      ASSERT_EQ(streamed, tokenizer.decode(ids));
    }
  }
}

TEST(Tokenizer, RefusesIdsThatAreNone) {
  const Tokenizer t = byte_level_tokenizer();
  EXPECT_EQ(error_of([&] { t.decode(std::vector<int32_t>{263}); }),
            "decode: expected ids from 0 to 262, given 263 (index error)");
  EXPECT_EQ(error_of([&] { t.token(-1); }),
            "token: expected ids from 0 to 262, given -1 (index error)");
  EXPECT_EQ(
      error_of([&] { t.id("nothing"); }),
      "id: expected one of the 263 tokens of the vocabulary, given `nothing` (unknown name error)");
  EXPECT_EQ(t.find("nothing"), std::nullopt);
}

TEST(MakeTokenizer, RefusesWhatDoesNotFit) {
  const auto with = [](auto change) {
    VocabularyData data = byte_level_data();
    change(data);
    return error_of([&] { make_tokenizer(std::move(data)); });
  };
  EXPECT_NE(with([](auto& d) {
              d.model = "rwkv";
            }).find("expected a tokenizer of the models gpt2, llama"),
            std::string::npos);
  EXPECT_NE(with([](auto& d) {
              d.pre = "mystery";
            }).find("expected a pre-tokenizer among default, gpt-2"),
            std::string::npos);
  EXPECT_NE(with([](auto& d) { d.types.pop_back(); }).find("263 tokens, 0 scores, 262 types"),
            std::string::npos);
  EXPECT_NE(with([](auto& d) { d.merges.push_back("x q"); }).find("`xq`, which is no token"),
            std::string::npos);
  EXPECT_NE(with([](auto& d) { d.merges.push_back("alone"); }).find("two tokens and a space"),
            std::string::npos);
  EXPECT_NE(with([](auto& d) { d.merges.clear(); }).find("expected merges"), std::string::npos);
  EXPECT_NE(with([](auto& d) { d.tokens[1] = d.tokens[0]; }).find("expected tokens that differ"),
            std::string::npos);
  EXPECT_NE(with([](auto& d) { d.eos = 999; }).find("the id of the eos token below 263, given 999"),
            std::string::npos);
  VocabularyData data = sentence_piece_data();
  data.scores[5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(error_of([&] { make_tokenizer(std::move(data)); }).find("finite scores"),
            std::string::npos);
}

TEST(MakeTokenizer, RefusesWhatWouldGiveIdsThatAreNone) {
  // Unigram's unknown token is number 2 unless the file says so.
  VocabularyData data{.model = "t5", .tokens = {"a", "b"}, .scores = {-1, -2}};
  EXPECT_NE(error_of([&] { make_tokenizer(data); }).find("the id of the unknown token from 0 to 1"),
            std::string::npos);
}

// Every way to cut a token in two is tried, and each part is hashed.
TEST(MakeTokenizer, RefusesTokensTooLongToBeCut) {
  VocabularyData data = sentence_piece_data();
  data.tokens.emplace_back(1 << 20, 't');
  data.scores.push_back(-1);
  data.types.push_back(1);
  EXPECT_NE(error_of([&] { make_tokenizer(std::move(data)); }).find("at most 4096 bytes"),
            std::string::npos);
}

// The table: a trie of one unit for each byte, then texts.
TEST(MakeTokenizer, RefusesTablesOfLongTexts) {
  const auto table_with = [](size_t length) {
    // The root's children begin at unit 0: unit 'x' has a value, which is unit 'x' ^ 1.
    std::string units(4 * 256, '\0');
    const auto set = [&](size_t unit, uint32_t value) {
      for (size_t i = 0; i < 4; ++i) units[4 * unit + i] = static_cast<char>(value >> (8 * i));
    };
    set('x', static_cast<uint32_t>('x') | 0x100 | (1u << 10));
    set('x' ^ 1, 0x8000'0000);
    return std::string("\0\4\0\0", 4) + units + std::string(length, 'h') + '\0';
  };
  VocabularyData data = sentence_piece_data();
  data.model = "t5";
  data.precompiled_charsmap = table_with(1);
  const Tokenizer t = make_tokenizer(data);
  EXPECT_EQ(t.encode("x"), t.encode("h"));
  data.precompiled_charsmap = table_with(65);
  const Tokenizer long_texts = make_tokenizer(data);
  EXPECT_NE(error_of([&] { long_texts.encode("x"); }).find("texts of at most 64 bytes"),
            std::string::npos);
}

TEST(MakeTokenizer, RefusesTextWithoutTokensAndWithoutUnknown) {
  VocabularyData data = byte_level_data();
  data.tokens[to_byte_level("z").empty() ? 0 : 'z'] = "zz";
  const Tokenizer t = make_tokenizer(std::move(data));
  EXPECT_NE(error_of([&] { t.encode("z"); }).find("there is no unknown token, given `z`"),
            std::string::npos);
}

// DeepSeek's vocabularies: bytes that UTF-8 does not have were left out, and their characters of the byte
// alphabet added as words.
TEST(MakeTokenizer, TakesAddedTokensForPlainText) {
  for (const std::string_view split : {"deepseek-llm", "llama-bpe"}) {
    VocabularyData data = byte_level_data();
    data.pre = split;
    data.types[0xF6] = 4;
    const Tokenizer t = make_tokenizer(std::move(data));
    EXPECT_EQ(tokens_of(t, t.encode("wö")), (Tokens{"w", "ö"}));
    EXPECT_EQ(t.decode(t.encode("wörld, ö")), "wörld, ö");
    StreamDecoder stream(t);
    EXPECT_EQ(stream.push(t.id("ö")), "ö");
    EXPECT_NE(error_of([&] { t.encode("w\xF6"); }).find("given the byte 0xF6"), std::string::npos);
    EXPECT_NE(error_of([&] { t.encode("\xF6"); }).find("given the byte 0xF6"), std::string::npos);
  }
}

TEST(MakeTokenizer, TakesNoEndOfTextForAnUnknownToken) {
  VocabularyData data = byte_level_data();
  data.tokens[0xF6] = "<unk>";
  data.types[0xF6] = 2;
  data.unknown = 0xF6;
  const Tokenizer t = make_tokenizer(data);
  EXPECT_EQ(t.encode("a\xF6"), (std::vector<int32_t>{t.id("a"), t.id("<unk>")}));
  EXPECT_EQ(t.decode(t.encode("a\xF6"), {.skip_special = false}), "a<unk>");
  data.unknown = data.eos;
  const Tokenizer ends = make_tokenizer(data);
  EXPECT_NE(error_of([&] { ends.encode("a\xF6"); }).find("given the byte 0xF6"), std::string::npos);
  EXPECT_EQ(ends.unknown(), ends.eos());
}

}  // namespace
}  // namespace ridge::text::tokenizer_test
