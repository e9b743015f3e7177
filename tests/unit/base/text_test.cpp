#include "ridge/base/text.h"

#include <gtest/gtest.h>

#include <limits>
#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::text_test {
namespace {

TEST(ToText, PicksTheUnitOfBytes) {
  EXPECT_EQ(to_text(Bytes(0)), "0 B");
  EXPECT_EQ(to_text(Bytes(1023)), "1023 B");
  EXPECT_EQ(to_text(Bytes(size_t{1024})), "1.0 KiB");
  EXPECT_EQ(to_text(Bytes(12900000)), "12.3 MiB");
  EXPECT_EQ(to_text(Bytes((1 << 20) - 1)), "1.0 MiB");  // not 1024.0 KiB
  EXPECT_EQ(to_text(Bytes(1.5 * 0x1p30)), "1.5 GiB");
  EXPECT_EQ(to_text(Bytes(-2048)), "-2.0 KiB");
}

TEST(ToText, PicksTheUnitOfTime) {
  EXPECT_EQ(to_text(Microseconds(0)), "0.0 ns");
  EXPECT_EQ(to_text(Microseconds(0.85)), "850.0 ns");
  EXPECT_EQ(to_text(Microseconds(4.21)), "4.2 us");
  EXPECT_EQ(to_text(Microseconds(12000)), "12.0 ms");
  EXPECT_EQ(to_text(Microseconds(999999)), "1.0 s");
  EXPECT_EQ(to_text(Microseconds(3.5e9)), "3500.0 s");
  EXPECT_EQ(to_text(Microseconds(std::numeric_limits<double>::infinity())), "inf s");
}

TEST(ToText, WritesNumbersShortAndExact) {
  EXPECT_EQ(to_text(3), "3");
  EXPECT_EQ(to_text(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(to_text(std::numeric_limits<uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(0.5f), "0.5");
  EXPECT_EQ(to_text(1e20), "1e+20");
  EXPECT_EQ(to_text(true), "true");
  EXPECT_EQ(to_text('c'), "c");
}

struct Point {
  int x, y;
};
std::string to_text(const Point& point) { return concat("<", point.x, " ", point.y, ">"); }

struct Named {
  std::string name;
  std::string to_text() const { return "%" + name; }
};

TEST(Join, TakesAnyRangeOfPrintableValues) {
  EXPECT_EQ(join(std::vector<int>{}, ", "), "");
  EXPECT_EQ(join(std::vector{2, 3}, ", "), "2, 3");
  EXPECT_EQ(join(std::list<std::string>{"a", "b", "c"}, "-"), "a-b-c");
  EXPECT_EQ(join(std::vector<Point>{{1, 2}, {3, 4}}, " "), "<1 2> <3 4>");
  EXPECT_EQ(join(std::vector<Named>{{"x"}, {"y"}}, ", "), "%x, %y");
  EXPECT_EQ(join(std::vector<Named>{{"x"}, {"y"}}, ", ", &Named::name), "x, y");
}

TEST(SplitAt, GivesOnePartMoreThanSeparators) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(split_at("a.bc.d", "."), (Parts{"a", "bc", "d"}));
  EXPECT_EQ(split_at("2x3X4", "xX"), (Parts{"2", "3", "4"}));
  EXPECT_EQ(split_at("abc", ","), Parts{"abc"});
  EXPECT_EQ(split_at("", ","), Parts{""});
  EXPECT_EQ(split_at(",a,,b,", ","), (Parts{"", "a", "", "b", ""}));
  EXPECT_EQ(split_at(" a, b ", ","), (Parts{" a", " b "}));
}

TEST(Concat, MixesTextAndValues) {
  const std::string name = "r";
  EXPECT_EQ(concat(name, 3, " = ", 0.5, ", ", true, '.', std::string_view("!")),
            "r3 = 0.5, true.!");
}

TEST(TextWriter, IndentationFollowsScopes) {
  TextWriter writer;
  writer.line("for i in ", 3, " {");
  {
    auto outer = writer.indent();
    writer.line("if x {");
    {
      auto inner = writer.indent();
      writer.line("a\n\nb");
    }
    writer.line("}");
    writer.line();
  }
  writer.line("}");
  EXPECT_EQ(writer.str(), "for i in 3 {\n  if x {\n    a\n\n    b\n  }\n\n}\n");
  const std::string taken = std::move(writer).str();
  EXPECT_TRUE(taken.ends_with("}\n"));
}

TEST(TextWriter, IndentsByWhatItIsTold) {
  TextWriter writer(4);
  const auto indent = writer.indent();
  writer.line("x");
  EXPECT_EQ(writer.str(), "    x\n");
}

TEST(EditDistance, CountsSingleCharacters) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("silu", "sliu"), 2u);
}

TEST(ClosestName, FindsTypos) {
  const std::vector<std::string> names = {"valley", "peak", "ridge", "water_shed"};
  EXPECT_EQ(closest_name("valleyy", names), "valley");
  EXPECT_EQ(closest_name("rigde", names), "ridge");
  EXPECT_EQ(closest_name("watershd", names), "water_shed");
  EXPECT_EQ(closest_name("convolution", names), std::nullopt);
  EXPECT_EQ(closest_name("xy", std::vector<std::string_view>{"ab"}), std::nullopt);
  EXPECT_EQ(closest_name("", names), std::nullopt);
}

// A name of a hostile file may be as long as the file.
TEST(Text, LongNamesHaveNoNearest) {
  const std::string longest(20'000'000, 'a');
  EXPECT_EQ(closest_name("aaa", std::vector<std::string>{longest, "aab"}), "aab");
  EXPECT_EQ(closest_name(longest, std::vector<std::string>{longest + "b", "aab"}), std::nullopt);
}

TEST(ClosestName, PrefersTheNearestThenTheFirst) {
  EXPECT_EQ(closest_name("hil", std::vector<std::string_view>{"his", "hill", "hint"}), "his");
  EXPECT_EQ(closest_name("hll", std::vector<std::string_view>{"his", "hill", "hall"}), "hill");
}

TEST(DidYouMean, IsEmptyWhenNothingIsClose) {
  const std::vector<std::string_view> names = {"peak"};
  EXPECT_EQ(did_you_mean("peek", names), "did you mean `peak`?");
  EXPECT_EQ(did_you_mean("logarithm", names), "");
}

}  // namespace
}  // namespace ridge::text_test
