#include "model_files.h"

#include <cstdlib>

namespace ridge::models_test {
namespace fs = std::filesystem;

fs::path folder_of(std::string_view model) {
  const fs::path folder = fs::path(RIDGE_SOURCE_DIR) / "build" / "models" / model;
  return fs::is_directory(folder) ? folder : fs::path();
}

bool must_be_there() {
  const char* ci = std::getenv("CI");
  return ci && std::string_view(ci) == "true";
}

text::VocabularyData vocabulary_of(const files::Gguf& gguf) {
  const auto key = [](std::string_view name) { return "tokenizer.ggml." + std::string(name); };
  const auto text_or_empty = [&](const std::string& name) {
    return gguf.has(name) ? std::string(gguf.text(name)) : std::string();
  };
  const auto id = [&](std::string_view name) -> std::optional<int32_t> {
    if (!gguf.has(key(name))) return std::nullopt;
    return static_cast<int32_t>(gguf.integer(key(name)));
  };
  const auto flag = [&](std::string_view name) -> std::optional<bool> {
    if (!gguf.has(key(name))) return std::nullopt;
    return gguf.flag(key(name));
  };
  text::VocabularyData data;
  data.model = text_or_empty(key("model"));
  data.pre = text_or_empty(key("pre"));
  for (const auto token : gguf.texts(key("tokens"))) data.tokens.emplace_back(token);
  if (gguf.has(key("merges"))) {
    for (const auto merge : gguf.texts(key("merges"))) data.merges.emplace_back(merge);
  }
  if (gguf.has(key("scores"))) {
    for (const double score : gguf.reals(key("scores")))
      data.scores.push_back(static_cast<float>(score));
  }
  if (gguf.has(key("token_type"))) {
    for (const int64_t type : gguf.integers(key("token_type")))
      data.types.push_back(static_cast<int32_t>(type));
  }
  if (gguf.has(key("precompiled_charsmap"))) {
    for (const int64_t byte : gguf.integers(key("precompiled_charsmap"))) {
      data.precompiled_charsmap += static_cast<char>(byte);
    }
  }
  data.bos = id("bos_token_id");
  data.eos = id("eos_token_id");
  data.unknown = id("unknown_token_id");
  data.separator = id("seperator_token_id");  // as GGUF spells it
  data.padding = id("padding_token_id");
  data.cls = id("cls_token_id");
  data.mask = id("mask_token_id");
  data.end_of_turn = id("eot_token_id");
  data.add_bos = flag("add_bos_token");
  data.add_eos = flag("add_eos_token");
  data.add_space_prefix = flag("add_space_prefix");
  data.remove_extra_whitespaces = flag("remove_extra_whitespaces");
  data.chat_template = text_or_empty("tokenizer.chat_template");
  return data;
}

}  // namespace ridge::models_test
