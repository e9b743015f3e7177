// Files of trained models, where tools/get_model puts them; and a vocabulary out of a GGUF file.
#pragma once

#include <filesystem>
#include <string>

#include "ridge/files/gguf.h"
#include "ridge/text/tokenizer.h"

namespace ridge::models_test {

// The folder of a model; empty where it was not fetched. A test says MODEL_OR_SKIP.
std::filesystem::path folder_of(std::string_view model);
// Whether a missing model fails a test: CI=true.
bool must_be_there();

text::VocabularyData vocabulary_of(const files::Gguf& gguf);

}  // namespace ridge::models_test

// Sets `folder`, or ends the test: skipped with one line, failed where CI=true.
#define MODEL_OR_SKIP(folder, name)                                                       \
  const std::filesystem::path folder = ::ridge::models_test::folder_of(name);             \
  if (folder.empty() && ::ridge::models_test::must_be_there()) {                          \
    FAIL() << "build/models/" << name << " is not there: run tools/get_model " << name;   \
  }                                                                                       \
  if (folder.empty()) {                                                                   \
    GTEST_SKIP() << "build/models/" << name << " is not there: tools/get_model " << name; \
  }                                                                                       \
  static_assert(true)
