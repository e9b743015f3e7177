#include "ridge/base/json_reader.h"

#include "ridge/base/utf8.h"
#include "tests/unit/files/file_bytes.h"

namespace ridge {
namespace {

using files::expect_error;

void skip_all(std::string_view text) {
  JsonReader json(text, "test");
  json.skip();
  json.end();
}

std::string text_in(std::string_view quoted) {
  JsonReader json(quoted, "test");
  std::string text = json.text();
  json.end();
  return text;
}

TEST(JsonReader, ReadsValues) {
  JsonReader json(R"( {"a": [1, -2 , 3e2], "b": {"c": true, "d": null}, "e": "x"} )", "test");
  std::vector<double> numbers;
  std::string keys, text;
  json.object([&](const std::string& key) {
    keys += key;
    if (key == "a") {
      json.array([&] { numbers.push_back(json.real()); });
    } else if (key == "b") {
      EXPECT_EQ(json.kind(), JsonKind::object);
      json.skip();
    } else {
      text = json.text();
    }
  });
  json.end();
  EXPECT_EQ(keys, "abe");
  EXPECT_EQ(numbers, (std::vector<double>{1, -2, 300}));
  EXPECT_EQ(text, "x");
}

TEST(JsonReader, ReadsTexts) {
  EXPECT_EQ(text_in(R"("a\n\"\\\/\u00e9\ud83d\ude00")"), "a\n\"\\/é😀");
  EXPECT_EQ(text_in(json_text("quote \" back \\ tab \t é")), "quote \" back \\ tab \t é");
  for (const char* wrong : {R"("\ud83d")", R"("\ude00")", R"("\ud83dx")", R"("\u12g4")", R"("\x")",
                            "\"\n\"", "\"abc", "\"\\", R"("\u12)"}) {
    expect_error(ErrorCode::parse, {"`test`"}, [&] { text_in(wrong); });
  }
}

TEST(JsonReader, RefusesWhatIsNone) {
  for (const char* wrong :
       {"", "{", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":1,}", "{a:1}", "01", "-", "1.", "1e", ".5",
        "+1", "tru", "nul", "[1]x", "NaN", "'a'", "{\"a\":1}{}"}) {
    expect_error(ErrorCode::parse, {"`test`"}, [&] { skip_all(wrong); });
  }
  expect_error(ErrorCode::parse, {"UTF-8"}, [] { skip_all("\"\xff\""); });
}

TEST(JsonReader, LimitsDepthAndIntegers) {
  skip_all(std::string(64, '[') + std::string(64, ']'));
  expect_error(ErrorCode::parse, {"64 deep"}, [] { skip_all(std::string(100000, '[')); });
  EXPECT_EQ(JsonReader("9223372036854775807", "test").integer(), INT64_MAX);
  for (const char* wrong : {"9223372036854775808", "1.0", "1e2", "\"1\""}) {
    expect_error(ErrorCode::parse, {}, [&] { JsonReader(wrong, "test").integer(); });
  }
}

TEST(JsonReader, KnowsUtf8) {
  EXPECT_TRUE(is_utf8("aé日😀"));
  for (const char* wrong : {"\x80", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80",
                            "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe6\x97"}) {
    EXPECT_FALSE(is_utf8(wrong));
  }
}

}  // namespace
}  // namespace ridge
