// TokenizerParts: what a tokenizer does, step by step, as the readers of its sources put it together.
//
//   text -> added tokens -> normalizers -> added tokens of normalized text -> pre-tokenizers -> model -> ids
//   ids -> prefix, suffix
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ridge/text/added_tokens.h"
#include "ridge/text/bpe.h"
#include "ridge/text/decoder.h"
#include "ridge/text/normalizer.h"
#include "ridge/text/pre_tokenizer.h"
#include "ridge/text/vocabulary.h"
#include "ridge/text/word_piece.h"

namespace ridge::text {

struct TokenizerParts {
  Vocabulary vocabulary{};
  std::vector<AddedToken> added{};
  std::vector<Normalizer> normalizers{};
  std::vector<PreTokenizer> pre_tokenizers{};
  std::variant<Bpe, WordPiece, Unigram> model{};
  std::vector<int32_t> prefix{}, suffix{};  // of `add_special`
  Decoder decoder{};
  std::optional<int32_t> bos{}, eos{}, unknown{}, padding{}, end_of_turn{};
  std::string chat_template{};

  // Made of `added` by Tokenizer: those of the text as it is, of the normalized text, and of a text of which
  // only parts may have special tokens.
  AddedTokens found_raw{}, found_normalized{}, found_in_parts{};
};

}  // namespace ridge::text
