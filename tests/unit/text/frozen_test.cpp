// Small tokenizers of every family beside Hugging Face's own answers (make_frozen.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ridge/base/files.h"
#include "ridge/base/json.h"
#include "ridge/base/text.h"
#include "ridge/base/utf8.h"
#include "ridge/text/tokenizer.h"

namespace ridge::text::frozen_test {
namespace {

std::vector<int32_t> ids_of(const Json& json) {
  std::vector<int32_t> ids;
  for (const Json& id : json.elements()) ids.push_back(static_cast<int32_t>(id.integer()));
  return ids;
}

// What both say when bytes are no characters: U+FFFD for those that Hugging Face could not decode.
std::string without_replacements(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t length = utf8_length(text.substr(at));
    const std::string_view character = text.substr(at, length == 0 ? 1 : length);
    if (length != 0 && character != "\uFFFD") out += character;
    at += character.size();
  }
  return out;
}

TEST(FrozenTokenizers, GiveTheIdsOfHuggingFace) {
  const std::string path = concat(RIDGE_SOURCE_DIR, "/tests/unit/text/frozen/tokenizers.json");
  const Json all = Json::parse(read_file(path), path);
  ASSERT_GE(all.elements().size(), 18u);
  for (const Json& one : all.elements()) {
    SCOPED_TRACE(one.text("name"));
    const Tokenizer tokenizer = parse_tokenizer_json(one.text("tokenizer"));
    for (const Json& each : one["cases"].elements()) {
      const std::string& text = each.text("text");
      const std::vector<int32_t> ids = ids_of(each["ids"]);
      EXPECT_EQ(tokenizer.encode(text, {.add_special = true, .parse_special = true}), ids) << text;
      const auto is_special = [&](int32_t id) {
        return tokenizer.is_special(id) && id != tokenizer.unknown();
      };
      const std::vector<int32_t> plain = tokenizer.encode(text), theirs = ids_of(each["plain"]);
      EXPECT_TRUE(std::ranges::none_of(plain, is_special)) << text;
      // Their Unigram makes special tokens of letters that a user typed.
      if (std::ranges::none_of(theirs, is_special)) {
        EXPECT_EQ(plain, theirs) << text;
      }
      EXPECT_EQ(without_replacements(tokenizer.decode(ids)),
                without_replacements(each.text("decoded")))
          << text;
    }
  }
}

}  // namespace
}  // namespace ridge::text::frozen_test
