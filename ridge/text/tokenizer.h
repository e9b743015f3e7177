// Tokenizer: text to the ids that a model reads, and back.
//
//   const text::Tokenizer t = text::read_tokenizer_json("tokenizer.json");
//   t.encode("The capital of France is");            {504, 3575, 282, 4649, 314}
//   t.encode("Hi", {.add_special = true});           with what the model wants around a text: [CLS] hi [SEP]
//   t.decode(ids);                                   exactly the text, for byte-level tokenizers
//
//   text::StreamDecoder stream(t);
//   std::cout << stream.push(id);                    what is complete; never half a character
//
// Special tokens inside a text stay text unless `parse_special` says otherwise, so that a user cannot end
// his own turn. Texts are bytes: what is no UTF-8 is encoded byte by byte where the model has tokens for
// bytes. What has no token becomes the unknown token; without one, or with one that also starts or ends a
// text, encode throws Error{value} that names the byte. A tokenizer is immutable and cheap to copy; threads may share one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::text {

struct TokenizerParts;  // ridge/text/tokenizer_parts.h

struct EncodeOptions {
  bool add_special = false;    // what the model wants in front of and behind a text
  bool parse_special = false;  // special tokens in the text are those tokens
};

struct DecodeOptions {
  bool skip_special = true;
};

// A part of a text that is encoded as one, with special tokens in it or not.
struct TextPart {
  std::string text;
  bool parse_special = false;
};

class Tokenizer {
 public:
  // From the parts, checked to fit each other; the functions below make them.
  explicit Tokenizer(TokenizerParts parts);

  std::vector<int32_t> encode(std::string_view text, EncodeOptions options = {}) const;
  // The parts behind each other: a word may go across their border.
  std::vector<int32_t> encode(std::span<const TextPart> parts, bool add_special = false) const;
  // Error{index} for an id that is not of the vocabulary; so for token() and is_special().
  std::string decode(std::span<const int32_t> ids, DecodeOptions options = {}) const;

  int32_t size() const;  // one more than the highest id
  // The token as the vocabulary writes it ("Ġthe"); empty for an id in between that has none.
  std::string_view token(int32_t id) const;
  // Error{unknown_name} if there is none.
  int32_t id(std::string_view token) const;
  std::optional<int32_t> find(std::string_view token) const;
  bool is_special(int32_t id) const;

  // Nothing where the model has none.
  std::optional<int32_t> bos() const;
  std::optional<int32_t> eos() const;
  std::optional<int32_t> unknown() const;
  std::optional<int32_t> padding() const;
  // Whether generation stops here: eos, and the ends of turns that chat models have beside it.
  bool is_end(int32_t id) const;
  // The template of a chat model, as Jinja; empty where the source has none (ridge/text/chat.h).
  const std::string& chat_template() const;

 private:
  friend class StreamDecoder;
  void check_id(std::string_view function, int32_t id) const;

  std::shared_ptr<const TokenizerParts> parts_;
};

class StreamDecoder {
 public:
  explicit StreamDecoder(Tokenizer tokenizer, DecodeOptions options = {})
      : tokenizer_(std::move(tokenizer)), options_(options) {}

  // What the tokens so far say and was not returned yet, up to the last complete character. Bytes that can
  // be no part of a character are returned as they are.
  std::string push(int32_t id);
  // The rest, complete or not; the decoder is as new.
  std::string flush();

 private:
  Tokenizer tokenizer_;
  DecodeOptions options_;
  std::string pending_;
  bool is_first_ = true;
};

// Hugging Face's tokenizer.json; a tokenizer_config.json beside it names special tokens and the chat
// template, unless that is in a chat_template.jinja. Error{io} or Error{parse}.
Tokenizer read_tokenizer_json(const std::filesystem::path& path);
Tokenizer parse_tokenizer_json(std::string_view json, std::string_view config_json = {},
                               std::string_view chat_template = {});

// GPT-2's two files: tokens with ids, merges by line. `split` is a name of ridge/text/split_patterns.h.
Tokenizer read_vocabulary_and_merges(const std::filesystem::path& vocabulary_json,
                                     const std::filesystem::path& merges_txt,
                                     std::string_view split = "gpt-2");

// What the metadata of a GGUF file says under `tokenizer.`, whoever reads it.
struct VocabularyData {
  std::string model{};  // ggml.model: gpt2, llama, bert, t5, gemma4
  std::string pre{};    // ggml.pre
  std::vector<std::string> tokens{};
  std::vector<float> scores{};
  std::vector<int32_t> types{};  // 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte
  std::vector<std::string> merges{};
  std::string precompiled_charsmap{};
  std::optional<int32_t> bos{}, eos{}, unknown{}, separator{}, padding{}, cls{}, mask{},
      end_of_turn{};
  std::optional<bool> add_bos{}, add_eos{}, add_space_prefix{}, remove_extra_whitespaces{};
  std::string chat_template{};
};
// Error{unknown_name} for a model or a split that is not known, Error{parse} for what does not fit.
Tokenizer make_tokenizer(VocabularyData data);

}  // namespace ridge::text
