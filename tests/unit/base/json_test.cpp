#include "ridge/base/json.h"

#include <gtest/gtest.h>

#include <string>

#include "ridge/base/error.h"
#include "ridge/base/utf8.h"

namespace ridge::json_test {
namespace {

std::string refusal(std::string_view text) {
  try {
    Json::parse(text, "t.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::parse);
    return error.what();
  }
  return "accepted";
}

TEST(Json, ReadsEveryKind) {
  const Json json =
      Json::parse(R"( {"a": [1, -2.5e1, true, null, "x\u00e4\ud83e\udd99\n"], "b": {}} )", "t");
  const Json::Array& all = json["a"].elements();
  EXPECT_EQ(all[0].integer(), 1);
  EXPECT_EQ(all[0].real(), 1.0);
  EXPECT_EQ(all[1].real(), -25);
  EXPECT_TRUE(all[2].flag());
  EXPECT_TRUE(all[3].is_null());
  EXPECT_EQ(all[4].text(), "xä🦙\n");
  EXPECT_TRUE(json["b"].members().empty());
  EXPECT_EQ(json.find("c"), nullptr);
  EXPECT_EQ(json.integer_or("c", 7), 7);
  EXPECT_EQ(Json::parse("18446744073709551616", "t").real(), 0x1p64);
  EXPECT_EQ(Json::parse(R"({"a": 1, "a": 2})", "t").integer("a"), 2);
}

TEST(Json, RefusesWhatIsNone) {
  EXPECT_EQ(refusal("{\"a\": 1,\n}"),
            "json: expected `\"`, given `}` in line 2 of `t.json` (parse error)");
  for (const std::string_view text :
       {"",         "{",         "[1,]",      "[1 2]",       "01",          "1.",
        "-",        "+1",        "1e",        "nul",         "'a'",         "\"a",
        "\"\\x\"",  "\"\\u12\"", "[1]]",      "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"",
        "\"\xFF\"", "\"a\nb\"",  "{\"a\" 1}", "{a: 1}",      "1e999",       "// x\n1"}) {
    EXPECT_NE(refusal(text), "accepted") << text;
  }
  EXPECT_EQ(refusal(std::string(64, '[') + std::string(64, ']')), "accepted");
  EXPECT_NE(refusal(std::string(100000, '[')).find("at most 64 deep"), std::string::npos);
}

TEST(Json, NamesTheMemberThatIsWrong) {
  const Json json = Json::parse(R"({"type": 3})", "t");
  try {
    json.text("type");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "json: expected `type` to be a text, given an integer (parse error)");
  }
  EXPECT_THROW(json["other"], Error);
  EXPECT_THROW(json["type"].elements(), Error);
}

TEST(Utf8, KnowsCharactersAndTheirStarts) {
  EXPECT_EQ(utf8_length("a"), 1u);
  EXPECT_EQ(utf8_length("🦙x"), 4u);
  for (const std::string_view text :
       {"", "\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
        "\xF8\x80\x80\x80", "\xE2\x82", "\xC3(", "\xFF"}) {
    EXPECT_EQ(utf8_length(text), 0u);
  }
  EXPECT_EQ(utf8_decode("🦙", 4), 0x1F999u);
  for (const auto& [text, count] : {std::pair<std::string_view, size_t>{"a", 0},
                                    {"a\xC3", 1},
                                    {"\xE2\x82", 2},
                                    {"\xF0\x9F\xA6", 3},
                                    {"\xF0", 1},
                                    {"\xE0", 1},
                                    {"\xE0\x80", 0},
                                    {"\xED\xA0", 0},
                                    {"\xF4\x90", 0},
                                    {"\xED\x9F", 2},
                                    {"\xFF", 0},
                                    {"\x80", 0},
                                    {"é", 0}}) {
    EXPECT_EQ(utf8_unfinished(text), count) << text;
  }
}

}  // namespace
}  // namespace ridge::json_test
