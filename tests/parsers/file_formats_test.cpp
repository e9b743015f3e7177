// Files with defects: read or refused, and nothing else.
#include "file_formats.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "ridge/base/hash.h"
#include "ridge/base/random.h"

namespace ridge::parsers::file_formats_test {
namespace {

namespace fs = std::filesystem;

constexpr int kDefects = 300;  // of each file

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// One to four defects: bytes replaced, parts left out, repeated or cut off.
std::string with_defects(std::string bytes, SplitMix64& random) {
  const auto below = [&](size_t count) { return static_cast<size_t>(random.next() % count); };
  for (size_t left = 1 + below(4); left-- > 0 && !bytes.empty();) {
    const size_t at = below(bytes.size()),
                 length = 1 + below(std::min<size_t>(16, bytes.size() - at));
    switch (below(5)) {
      case 0: bytes[at] = static_cast<char>(random.next()); break;
      case 1: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); break;
      case 2: bytes.erase(at, length); break;
      case 3: bytes.insert(at, bytes.substr(at, length)); break;
      case 4: bytes.replace(at, length, length, random.next() % 2 == 0 ? '\0' : '\xff'); break;
    }
  }
  return bytes;
}

TEST(FileFormats, DefectiveFilesAreReadOrRefused) {
  for (const FileFormat& format : file_formats()) {
    SCOPED_TRACE(format.name);
    int accepted = 0, refused = 0, files = 0;
    const fs::path folder = fs::path(RIDGE_SOURCE_DIR) / "tests/parsers/corpus" / format.name;
    for (const auto& entry : fs::directory_iterator(folder)) {
      SCOPED_TRACE(entry.path());
      const std::string bytes = content(entry.path());
      files += format.read(bytes) ? 1 : 0;
      SplitMix64 random(hash_bytes(bytes));
      for (int i = 0; i < kDefects; ++i) {
        EXPECT_NO_THROW(++(format.read(with_defects(bytes, random)) ? accepted : refused));
      }
    }
    EXPECT_GT(files, 0) << "no file to start from is accepted";
    EXPECT_GT(refused, 0);
  }
}

}  // namespace
}  // namespace ridge::parsers::file_formats_test
