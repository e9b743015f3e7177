// Tokenizers of a few hundred tokens, made as GGUF metadata describe them.
#pragma once

#include <string>
#include <vector>

#include "ridge/text/tokenizer.h"
#include "ridge/text/vocabulary.h"

namespace ridge::text {

// Every byte, the merges of "the", " the" and " of", and two special tokens.
inline VocabularyData byte_level_data() {
  VocabularyData data{.model = "gpt2", .pre = "gpt-2"};
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    data.tokens.push_back(to_byte_level({&c, 1}));
  }
  for (const auto* merge : {"t h", "th e", "Ġ the", "o f", "Ġ of"}) {
    data.merges.emplace_back(merge);
    std::string token = merge;
    token.erase(token.find(' '), 1);
    data.tokens.push_back(token);
  }
  data.types.assign(data.tokens.size(), 1);
  for (const auto* special : {"<|im_start|>", "<|im_end|>"}) {
    data.tokens.emplace_back(special);
    data.types.push_back(3);
  }
  data.eos = static_cast<int32_t>(data.tokens.size()) - 1;
  return data;
}
inline Tokenizer byte_level_tokenizer() { return make_tokenizer(byte_level_data()); }

// As SentencePiece makes them: scores, bytes as tokens, U+2581 for a blank.
inline VocabularyData sentence_piece_data() {
  VocabularyData data{.model = "llama"};
  const auto add = [&](std::string token, float score, int32_t type) {
    data.tokens.push_back(std::move(token));
    data.scores.push_back(score);
    data.types.push_back(type);
  };
  add("<unk>", 0, 2);
  add("<s>", 0, 3);
  add("</s>", 0, 3);
  for (int byte = 0; byte < 256; ++byte) add(byte_token(static_cast<uint8_t>(byte)), 0, 6);
  const std::string blank(kMetaspace);
  float score = -1;
  for (const std::string& token :
       {std::string("th"), std::string("the"), blank + "the", blank + "t", blank, std::string("t"),
        std::string("h"), std::string("e"), std::string("s"), std::string("<"), std::string(">"),
        std::string("<s")}) {
    add(token, score, 1);
    score -= 1;
  }
  data.bos = 1;
  data.eos = 2;
  data.unknown = 0;
  return data;
}
inline Tokenizer sentence_piece_tokenizer() { return make_tokenizer(sentence_piece_data()); }

inline std::vector<std::string> tokens_of(const Tokenizer& tokenizer,
                                          const std::vector<int32_t>& ids) {
  std::vector<std::string> tokens;
  for (const int32_t id : ids) tokens.emplace_back(tokenizer.token(id));
  return tokens;
}

}  // namespace ridge::text
