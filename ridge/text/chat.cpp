#include "ridge/text/chat.h"

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/text/normalizer.h"

namespace ridge::text {
namespace {

using Kind = ChatFormat::Kind;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Collects parts; neighbors of the same trust stay apart, which encoding does not see.
class ChatWriter {
 public:
  void markup(std::string text) { parts_.push_back({std::move(text), true}); }
  void content(std::string text) { parts_.push_back({std::move(text), false}); }
  std::vector<TextPart> take() { return std::move(parts_); }

 private:
  std::vector<TextPart> parts_;
};

[[noreturn]] void refuse_role(const ChatFormat& format, const ChatMessage& message,
                              std::string_view expected) {
  throw_error({.code = ErrorCode::value,
               .op = "format_chat",
               .expected = concat(expected, " in the format ", name(format.kind)),
               .given = concat("the role `", message.role, "`")});
}

// ASCII white space, as the templates' `trim` takes it off.
std::string trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n\v\f";
  const size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kSpaces) + 1 - first));
}

void write_chatml(const ChatFormat& format, std::span<const ChatMessage> messages,
                  ChatWriter& out) {
  const bool has_system = !messages.empty() && messages[0].role == "system";
  if (!has_system && !format.default_system.empty()) {
    out.markup(concat("<|im_start|>system\n", format.default_system, "<|im_end|>\n"));
  }
  for (const ChatMessage& message : messages) {
    if (message.role.find_first_of("<|>\n") != std::string::npos) {
      refuse_role(format, message, "a role without `<`, `|`, `>` and line ends");
    }
    out.markup(concat("<|im_start|>", message.role, "\n"));
    out.content(message.text);
    out.markup("<|im_end|>\n");
  }
}

void write_llama3(const ChatFormat& format, std::span<const ChatMessage> messages,
                  ChatWriter& out) {
  out.markup(format.bos);
  if (!format.system_preface.empty()) {
    const bool has_system = !messages.empty() && messages[0].role == "system";
    out.markup(concat("<|start_header_id|>system<|end_header_id|>\n\n", format.system_preface));
    if (has_system) out.content(trimmed(messages[0].text));
    out.markup("<|eot_id|>");
    messages = messages.subspan(has_system ? 1 : 0);
  }
  for (const ChatMessage& message : messages) {
    if (message.role.find_first_of("<|>\n") != std::string::npos) {
      refuse_role(format, message, "a role without `<`, `|`, `>` and line ends");
    }
    out.markup(concat("<|start_header_id|>", message.role, "<|end_header_id|>\n\n"));
    out.content(trimmed(message.text));
    out.markup("<|eot_id|>");
  }
}

// Llama 2 and Mistral: [INST] around what the user says, the system message inside the first of them.
class InstructionWriter {
 public:
  InstructionWriter(const ChatFormat& format, ChatWriter& out) : format_(format), out_(out) {}

  void write(std::span<const ChatMessage> messages) {
    if (format_.kind == Kind::mistral) out_.markup(format_.bos);
    for (const ChatMessage& message : messages) {
      if (message.role == "system" && is_start_) {
        system_ = message.text;
      } else if (message.role == "user" && !asks_) {
        user(message.text, !format_.system_in_last || &message == &messages.back());
      } else if (message.role == "assistant" && asks_) {
        assistant(message.text);
      } else {
        refuse_role(format_, message, "a system message first, then users and assistants in turn");
      }
      is_start_ = false;
    }
  }

 private:
  void user(const std::string& text, bool takes_system) {
    const bool is_llama = format_.kind == Kind::llama2;
    if (is_llama) out_.markup(format_.bos);
    out_.markup(concat(format_.blank_before_open ? " " : "", "[INST]",
                       format_.blank_after_open ? " " : ""));
    if (!system_.empty() && takes_system) {
      if (is_llama) out_.markup("<<SYS>>\n");
      out_.content(system_);
      out_.markup(is_llama ? "\n<</SYS>>\n\n" : "\n\n");
      system_.clear();
    }
    out_.content(is_llama ? trimmed(text) : text);
    out_.markup(concat(format_.blank_before_close ? " " : "", "[/INST]"));
    asks_ = true;
  }

  void assistant(const std::string& text) {
    if (format_.kind == Kind::llama2) {
      out_.content(concat(" ", trimmed(text), " "));
    } else {
      out_.content(concat(format_.blank_before_answer ? " " : "",
                          format_.trims_answer ? trimmed(text) : text));
    }
    out_.markup(format_.eos);
    asks_ = false;
  }

  const ChatFormat& format_;
  ChatWriter& out_;
  std::string system_;
  bool is_start_ = true, asks_ = false;
};

// Whether what stands behind this much of a template is for chats without a system message: behind
// `if ... != 'system'`, as Qwen2 and SmolLM2 have it, or the `else` of `if ... == 'system'`, as Qwen2.5.
bool is_without_system(std::string_view before) {
  const std::string quoted = replaced(before, "\"", "'");
  if (contains(quoted, "!= 'system'")) return true;
  const size_t condition = quoted.rfind("== 'system'");
  return condition != std::string::npos && quoted.find("else", condition) != std::string::npos;
}

// The system message that a ChatML template has for chats without one, between its marks.
std::string default_system_of(std::string_view source) {
  // Line ends are escapes inside a template's strings.
  for (const std::string_view open : {"<|im_start|>system\\n", "<|im_start|>system\n"}) {
    for (size_t at = source.find(open); at != source.npos; at = source.find(open, at + 1)) {
      const std::string_view rest = source.substr(at + open.size());
      const std::string_view text = rest.substr(0, rest.find("<|im_end|>"));
      // Behind a quote or a bracket the message is put together of others.
      const bool is_literal = text.size() < rest.size() && !text.starts_with('\'') &&
                              !text.starts_with('"') && !contains(text, "{{");
      if (is_literal && is_without_system(source.substr(0, at))) {
        return replaced(text, "\\n", "\n");
      }
    }
  }
  return {};
}

std::string token_or(const Tokenizer& tokenizer, std::optional<int32_t> id,
                     std::string_view otherwise) {
  return std::string(id ? tokenizer.token(*id) : otherwise);
}

ChatFormat mistral_format(const Tokenizer& tokenizer, std::string_view source) {
  return {.kind = Kind::mistral,
          .bos = token_or(tokenizer, tokenizer.bos(), "<s>"),
          .eos = token_or(tokenizer, tokenizer.eos(), "</s>"),
          .blank_before_open = contains(source, "' [INST]") || contains(source, "\" [INST]"),
          .blank_after_open = source.empty() || contains(source, "[INST] "),
          .blank_before_close = source.empty() || contains(source, " [/INST]"),
          .blank_before_answer =
              contains(source, "' ' + message") || contains(source, "\" \" + message"),
          .system_in_last = contains(source, "loop.last and system_message"),
          .trims_answer = contains(source, "message[\"content\"]|trim + eos_token") ||
                          contains(source, "message['content']|trim + eos_token")};
}

ChatFormat llama2_format(const Tokenizer& tokenizer) {
  return {.kind = Kind::llama2,
          .bos = token_or(tokenizer, tokenizer.bos(), "<s>"),
          .eos = token_or(tokenizer, tokenizer.eos(), "</s>")};
}

// The quoted text behind a mark; nothing if there is none.
std::string_view quoted_behind(std::string_view source, std::string_view mark) {
  const size_t at = source.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = source.substr(at + mark.size());
  return rest.substr(0, rest.find(mark.back()));
}

ChatFormat llama3_format(const Tokenizer& tokenizer, std::string_view source) {
  constexpr std::string_view kKnowledge = "Cutting Knowledge Date: December 2023";
  ChatFormat format{.kind = Kind::llama3,
                    .bos = token_or(tokenizer, tokenizer.bos(), "<|begin_of_text|>")};
  const std::string_view date = quoted_behind(source, "set date_string = \"");
  if (contains(source, kKnowledge)) {
    format.system_preface =
        concat(kKnowledge, "\nToday Date: ", date.empty() ? "26 Jul 2024" : date, "\n\n");
  }
  return format;
}

}  // namespace

std::string_view name(ChatFormat::Kind kind) {
  switch (kind) {
    case Kind::chatml: return "chatml";
    case Kind::llama2: return "llama2";
    case Kind::llama3: return "llama3";
    case Kind::mistral: return "mistral";
  }
  return "";
}

ChatFormat find_chat_format(const Tokenizer& tokenizer, std::string_view architecture) {
  const std::string& source = tokenizer.chat_template();
  const bool is_silent = source.empty();
  const auto has = [&](std::string_view mark) {
    return is_silent ? tokenizer.find(mark).has_value() : contains(source, mark);
  };
  if (has("<|im_start|>"))
    return {.kind = Kind::chatml, .default_system = default_system_of(source)};
  if (has("<|start_header_id|>")) return llama3_format(tokenizer, source);
  // Editions from the seventh on have a mark for the system message, which is another format.
  if (contains(source, "[INST]") && !contains(source, "[SYSTEM_PROMPT]")) {
    return contains(source, "<<SYS>>") ? llama2_format(tokenizer)
                                       : mistral_format(tokenizer, source);
  }
  if (is_silent && architecture == "mistral") return mistral_format(tokenizer, "");
  if (is_silent && architecture == "llama") return llama2_format(tokenizer);
  throw_error({.code = ErrorCode::unknown_name,
               .op = "find_chat_format",
               .expected = "a chat template of the formats chatml, llama2, llama3, mistral",
               .given = is_silent ? concat("none, and the architecture `", architecture, "`")
                                  : concat("one that starts with `", source.substr(0, 60), "`")});
}

std::vector<TextPart> format_chat(const ChatFormat& format, std::span<const ChatMessage> messages,
                                  bool opens_answer) {
  ChatWriter out;
  switch (format.kind) {
    case Kind::chatml:
      write_chatml(format, messages, out);
      if (opens_answer) out.markup("<|im_start|>assistant\n");
      break;
    case Kind::llama3:
      write_llama3(format, messages, out);
      if (opens_answer) out.markup("<|start_header_id|>assistant<|end_header_id|>\n\n");
      break;
    case Kind::llama2:
    case Kind::mistral: InstructionWriter(format, out).write(messages); break;
  }
  return out.take();
}

std::vector<int32_t> encode_chat(const Tokenizer& tokenizer, const ChatFormat& format,
                                 std::span<const ChatMessage> messages, bool opens_answer) {
  return tokenizer.encode(format_chat(format, messages, opens_answer));
}

}  // namespace ridge::text
