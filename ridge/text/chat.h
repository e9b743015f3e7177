// Chat: messages as the text a chat model was trained on, and as its ids.
//
//   const text::ChatFormat format = text::find_chat_format(tokenizer, "llama");
//   ids = text::encode_chat(tokenizer, format, {{"user", "What is 2 + 2?"}});
//
//   <|im_start|>user
//   What is 2 + 2?<|im_end|>
//   <|im_start|>assistant
//
// Models carry a template in a language of its own (Jinja), which is not run: it is matched with the formats
// known here, each a function, and refused if it is none of them. Special tokens are parsed in what the
// format adds and never in a message.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/text/tokenizer.h"

namespace ridge::text {

struct ChatMessage {
  std::string role;  // system, user, assistant
  std::string text;
};

struct ChatFormat {
  enum class Kind { chatml, llama2, llama3, mistral };
  Kind kind = Kind::chatml;
  std::string default_system{};  // of a chat that starts without one
  std::string bos{};             // in front of all
  std::string eos{};             // behind what the assistant said, for llama2 and mistral
  // What llama3's editions from 3.1 on have in front of a system message, which is then always there: how
  // far the model's knowledge goes, and a date. The date is the template's own, or a chat would have other
  // ids each day.
  std::string system_preface{};
  // Where mistral's editions have blanks.
  bool blank_before_open = false, blank_after_open = true, blank_before_close = true,
       blank_before_answer = false;
  // And what else they do: the system message goes with the last message if that is the user's, not with the
  // first; white space around an answer goes.
  bool system_in_last = false, trims_answer = false;
};

std::string_view name(ChatFormat::Kind kind);  // "chatml"

// By the template of the tokenizer, or if it has none by its special tokens and the architecture (GGUF's
// general.architecture, model_type of config.json). Error{unknown_name} with the known formats.
ChatFormat find_chat_format(const Tokenizer& tokenizer, std::string_view architecture);

// The text in parts; with `opens_answer` it ends where the assistant starts to speak. Error{value} for a role
// that the format has no place for.
std::vector<TextPart> format_chat(const ChatFormat& format, std::span<const ChatMessage> messages,
                                  bool opens_answer = true);

std::vector<int32_t> encode_chat(const Tokenizer& tokenizer, const ChatFormat& format,
                                 std::span<const ChatMessage> messages, bool opens_answer = true);

}  // namespace ridge::text
