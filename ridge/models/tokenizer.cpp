#include "ridge/models/tokenizer.h"

#include <limits>

#include "ridge/base/text.h"
#include "ridge/models/config.h"
#include "ridge/models/model_folder.h"

namespace ridge::models {
namespace {

std::optional<int32_t> id_of(const files::Gguf& gguf, std::string_view name, Location where) {
  const std::string key = concat("tokenizer.ggml.", name, "_token_id");
  if (!gguf.has(key)) return {};
  const int64_t id = gguf.integer(key, where);
  RIDGE_CHECK(id >= 0 && id <= std::numeric_limits<int32_t>::max(), .code = ErrorCode::io,
              .op = "open_tokenizer", .expected = concat(key, " from 0 to 2^31 - 1"),
              .given = to_text(id), .where = where);
  return static_cast<int32_t>(id);
}

std::optional<bool> flag_of(const files::Gguf& gguf, std::string_view name, Location where) {
  const std::string key = concat("tokenizer.ggml.", name);
  if (!gguf.has(key)) return {};
  return gguf.flag(key, where);
}

template <class To, class From>
std::vector<To> converted(const std::vector<From>& list) {
  std::vector<To> result;
  result.reserve(list.size());
  for (const auto& element : list) result.push_back(static_cast<To>(element));
  return result;
}

}  // namespace

text::VocabularyData vocabulary_of(const files::Gguf& gguf, Location where) {
  text::VocabularyData data{
      .model = std::string(gguf.text("tokenizer.ggml.model", where)),
      .pre = std::string(gguf.text_or("tokenizer.ggml.pre", "", where)),
      .tokens = converted<std::string>(gguf.texts("tokenizer.ggml.tokens", where)),
      .bos = id_of(gguf, "bos", where),
      .eos = id_of(gguf, "eos", where),
      .unknown = id_of(gguf, "unknown", where),
      .separator = id_of(gguf, "seperator", where),  // so spelled in the format
      .padding = id_of(gguf, "padding", where),
      .cls = id_of(gguf, "cls", where),
      .mask = id_of(gguf, "mask", where),
      .end_of_turn = id_of(gguf, "eot", where),
      .add_bos = flag_of(gguf, "add_bos_token", where),
      .add_eos = flag_of(gguf, "add_eos_token", where),
      .add_space_prefix = flag_of(gguf, "add_space_prefix", where),
      .remove_extra_whitespaces = flag_of(gguf, "remove_extra_whitespaces", where),
      .chat_template = std::string(gguf.text_or("tokenizer.chat_template", "", where))};
  if (gguf.has("tokenizer.ggml.scores")) {
    data.scores = converted<float>(gguf.reals("tokenizer.ggml.scores", where));
  }
  if (gguf.has("tokenizer.ggml.token_type")) {
    data.types = converted<int32_t>(gguf.integers("tokenizer.ggml.token_type", where));
  }
  if (gguf.has("tokenizer.ggml.merges")) {
    data.merges = converted<std::string>(gguf.texts("tokenizer.ggml.merges", where));
  }
  if (gguf.has("tokenizer.ggml.precompiled_charsmap")) {
    for (const int64_t byte : gguf.integers("tokenizer.ggml.precompiled_charsmap", where)) {
      data.precompiled_charsmap += static_cast<char>(byte);
    }
  }
  return data;
}

text::Tokenizer open_tokenizer(const std::filesystem::path& given, Location where) {
  const std::filesystem::path path =
      std::filesystem::exists(given / "tokenizer.json") ? given : find_model(given, where);
  if (is_gguf(path))
    return text::make_tokenizer(vocabulary_of(files::Gguf::open(path, where), where));
  if (std::filesystem::exists(path / "tokenizer.json")) {
    return text::read_tokenizer_json(path / "tokenizer.json");
  }
  const bool has_merges =
      std::filesystem::exists(path / "vocab.json") && std::filesystem::exists(path / "merges.txt");
  RIDGE_CHECK(
      has_merges, .code = ErrorCode::io, .op = "open_tokenizer",
      .expected = "a GGUF file, or a folder with tokenizer.json, or vocab.json and merges.txt",
      .given = path.string(), .where = where);
  return text::read_vocabulary_and_merges(path / "vocab.json", path / "merges.txt");
}

std::string architecture_of(const std::filesystem::path& given, Location where) {
  const std::filesystem::path path = find_model(given, where);
  if (is_gguf(path)) {
    return std::string(files::Gguf::open(path, where).text("general.architecture", where));
  }
  return Config::open(path / "config.json").text("model_type", where);
}

}  // namespace ridge::models
