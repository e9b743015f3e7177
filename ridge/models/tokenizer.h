// The tokenizer that comes with a model: in the metadata of a GGUF file, or tokenizer.json in its folder.
//
//   text::Tokenizer tokenizer = models::open_tokenizer("smollm2.gguf");
//   std::vector<int64_t> ids = models::to_ids(tokenizer.encode("The capital of France is"));
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ridge/files/gguf.h"
#include "ridge/text/tokenizer.h"

namespace ridge::models {

// What the file says under `tokenizer.`. Error{unknown_name} for a file without a vocabulary.
text::VocabularyData vocabulary_of(const files::Gguf& gguf, Location where = Location::current());

// A GGUF file or a folder with one, or a folder with tokenizer.json, or with vocab.json and merges.txt.
// Error{io} if the folder has none of these.
text::Tokenizer open_tokenizer(const std::filesystem::path& path,
                               Location where = Location::current());

// What kind of model it is: `general.architecture` of a GGUF file, `model_type` of config.json.
std::string architecture_of(const std::filesystem::path& path,
                            Location where = Location::current());

// As models take them.
inline std::vector<int64_t> to_ids(const std::vector<int32_t>& tokens) {
  return {tokens.begin(), tokens.end()};
}

}  // namespace ridge::models
