// Golden graphs and kernels and shipped sheets, each with defects: read or refused, and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "mutate.h"
#include "ridge/base/hash.h"
#include "texts.h"
#include "tokenizers.h"

namespace ridge::parsers {
namespace {

namespace fs = std::filesystem;

constexpr int kMutations = 40;  // of each text

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> files_in(const std::string& folder, std::string_view ending) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(RIDGE_SOURCE_DIR) / folder)) {
    if (entry.is_regular_file() && entry.path().string().ends_with(ending)) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

// A file of kernels has several, each up to a brace at the start of a line.
std::vector<std::string> kernels_in(const std::string& text) {
  std::vector<std::string> kernels;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find("\n}\n", begin), text.size() - 3) + 3;
    kernels.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return kernels;
}

// The text is accepted, and so are some of those with defects, but not all.
class Mutated : public testing::Test {
 protected:
  void read(const Format& format, const std::string& text) {
    ASSERT_TRUE(format.read(text)) << text;
    SplitMix64 random(hash_bytes(text));
    for (int i = 0; i < kMutations; ++i) {
      const std::string defective = mutated(text, random);
      try {
        ++(format.read(defective) ? accepted_ : refused_);
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what() << "\nfor\n" << defective;
      }
    }
  }
  ~Mutated() override {
    EXPECT_GT(accepted_, 0);
    EXPECT_GT(refused_, accepted_);
  }

 private:
  int accepted_ = 0, refused_ = 0;
};

TEST_F(Mutated, Graphs) {
  for (const fs::path& file : files_in("tests/golden", ".ir")) {
    SCOPED_TRACE(file);
    read(find_format("graph"), content(file));
  }
}

TEST_F(Mutated, Kernels) {
  for (const fs::path& file : files_in("tests/golden/kernels", ".loop")) {
    SCOPED_TRACE(file);
    for (const std::string& kernel : kernels_in(content(file))) {
      read(find_format("kernel"), kernel);
    }
  }
}

TEST_F(Mutated, Sheets) {
  for (const fs::path& file : files_in("ridge/cost/devices", ".sheet")) {
    SCOPED_TRACE(file);
    read(find_format("sheet"), content(file));
  }
}

TEST_F(Mutated, Reproductions) {
  const std::string whole =
      content(fs::path(RIDGE_SOURCE_DIR) / "tests/parsers/corpus/reproduction/run.txt");
  for (int i = 0; i < 20; ++i) read(find_format("reproduction"), whole + std::string(i, '\n'));
}

// A text to start from that is refused at once would start nothing.
TEST(Corpus, TextsToStartFromAreAccepted) {
  for (const auto& [format, file] : std::initializer_list<std::pair<const char*, const char*>>{
           {"graph", "cond.ir"},
           {"graph", "symbols.ir"},
           {"kernel", "contraction.loop"},
           {"kernel", "cpu.loop"},
           {"kernel", "gpu.loop"},
           {"sheet", "small.sheet"},
           {"reproduction", "run.txt"},
           {"reproduction", "while_loop.txt"}}) {
    const fs::path path = fs::path(RIDGE_SOURCE_DIR) / "tests/parsers/corpus" / format / file;
    EXPECT_TRUE(find_format(format).read(content(path))) << path;
  }
}

// What libFuzzer found once, and texts to start from.
TEST(Corpus, IsReadOrRefused) {
  size_t count = 0;
  for (const Format& format : formats()) {
    for (const fs::path& file : files_in("tests/parsers/corpus/" + std::string(format.name), "")) {
      SCOPED_TRACE(file);
      EXPECT_NO_THROW(format.read(content(file)));
      ++count;
    }
  }
  EXPECT_GE(count, formats().size());
}

TEST_F(Mutated, Tokenizers) {
  for (const fs::path& file : files_in("tests/parsers/corpus/tokenizer", ".json")) {
    SCOPED_TRACE(file);
    read(find_format("tokenizer"), content(file));
  }
}

TEST(Encoded, AnyBytesComeBack) {
  for (const fs::path& file : files_in("tests/parsers/corpus/encode", "")) {
    SCOPED_TRACE(file);
    const std::string text = content(file);
    SplitMix64 random(hash_bytes(text));
    EXPECT_TRUE(read_encoded(text));
    for (int i = 0; i < kMutations; ++i) EXPECT_TRUE(read_encoded(mutated(text, random)));
  }
}

}  // namespace
}  // namespace ridge::parsers
