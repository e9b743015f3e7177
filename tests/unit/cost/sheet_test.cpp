#include "ridge/cost/sheet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "ridge/base/error.h"

namespace ridge::cost::sheet_test {
namespace {

constexpr std::string_view kHeader = R"(ridge-sheet 1
name     h100-sxm
title    NVIDIA H100 SXM5 80 GB
kind     gpu
version  2026-11-15
source   nvidia  "NVIDIA H100 datasheet, table #3"  2024-07-01
)";
constexpr size_t kHeaderLines = 6;

std::string with(std::string_view lines) { return std::string(kHeader) + std::string(lines); }

// The text of the error of a sheet whose last line is `line`.
std::string error_of(const std::string& text) {
  try {
    parse_sheet(text, "a.sheet");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::parse);
    return error.what();
  }
  return "no error";
}

// The line behind the header must fail, there, with all of these words.
void expect_error(const std::string& line, std::initializer_list<const char*> words) {
  const std::string error = error_of(with(line + "\n"));
  EXPECT_TRUE(error.starts_with("a.sheet:7: ")) << line << "\n" << error;
  for (const char* word : words) {
    EXPECT_NE(error.find(word), std::string::npos) << line << "\n" << error << "\nlacks " << word;
  }
}

TEST(ParseSheet, ReadsEveryKindOfLine) {
  const Sheet sheet = parse_sheet(with(R"(
# a comment, in any language: naïve
of       h100
measured
device-name NVIDIA H100 80GB HBM3
device-name H100
figure   matrix.bf16  989.4 TFLOP/s  dense accumulate=f32 source=nvidia
figure   dram.peak    3.35 TB/s      source=nvidia   # as printed
figure   l2.bytes     50 MiB         spread=0.25 source=nvidia
figure   units        132            source=nvidia
figure   launch       2.5 us         source=nvidia
figure   link.device  450 GB/s       direction=one-way source=nvidia
check    matrix.bf16 = 1.83 GHz * 512 * 2 * 4 * units within 0.5%
check    launch = 5 us / 2
)"),
                                  "a.sheet");
  EXPECT_EQ(sheet.name, "h100-sxm");
  EXPECT_EQ(sheet.title, "NVIDIA H100 SXM5 80 GB");
  EXPECT_EQ(sheet.kind, SheetKind::gpu);
  EXPECT_EQ(sheet.version, "2026-11-15");
  EXPECT_EQ(sheet.of, "h100");
  EXPECT_EQ(sheet.device_names, (std::vector<std::string>{"NVIDIA H100 80GB HBM3", "H100"}));
  EXPECT_TRUE(sheet.describes("NVIDIA H100 80GB HBM3"));
  EXPECT_TRUE(sheet.describes("NVIDIA H100 80GB HBM3 MIG 1g.10gb"));
  EXPECT_FALSE(sheet.describes("NVIDIA H100"));
  EXPECT_TRUE(sheet.is_measured);
  EXPECT_EQ(sheet.source("nvidia")->title, "NVIDIA H100 datasheet, table #3");
  EXPECT_EQ(sheet.source("nvidia")->date, "2024-07-01");
  EXPECT_EQ(sheet.source("amd"), nullptr);

  EXPECT_DOUBLE_EQ(sheet.value("matrix.bf16").value(), 989.4e12);
  EXPECT_EQ(sheet.find("matrix.bf16")->unit, Unit::flops_per_second);
  EXPECT_EQ(sheet.find("matrix.bf16")->accumulate, "f32");
  EXPECT_EQ(sheet.value("l2.bytes"), 50.0 * 1024 * 1024);
  EXPECT_EQ(sheet.find("l2.bytes")->spread, 0.25);
  EXPECT_EQ(sheet.value("units"), 132);
  EXPECT_DOUBLE_EQ(sheet.value("launch").value(), 2.5e-6);
  EXPECT_EQ(sheet.find("link.device")->direction, "one-way");
  EXPECT_DOUBLE_EQ(sheet.ridge_point("matrix.bf16").value(), 989.4 / 3.35);

  ASSERT_EQ(sheet.checks.size(), 2u);
  EXPECT_EQ(sheet.checks[0].formula, "1.83 GHz * 512 * 2 * 4 * units");
  EXPECT_DOUBLE_EQ(sheet.checks[0].tolerance, 0.005);
  EXPECT_DOUBLE_EQ(sheet.checks[1].tolerance, 0.01);
}

TEST(ParseSheet, RoundTrips) {
  const Sheet sheet = parse_sheet(with(R"(
figure   matrix.f8.sparse 3.9 PFLOP/s  sparse accumulate=f32 source=nvidia
figure   dram.read   812345678901.2345 B/s  spread=0.0123456789 direction=read source=nvidia
figure   clock       0.1 GHz           source=nvidia
figure   launch      7.3 us            source=nvidia
check    clock = 100 MHz within 0.7%
)"),
                                  "a.sheet");
  const std::string text = to_text(sheet);
  EXPECT_EQ(parse_sheet(text, "b.sheet"), sheet);
  EXPECT_EQ(to_text(parse_sheet(text, "b.sheet")), text);
  EXPECT_NE(text.find("3.9 PFLOP/s"), std::string::npos) << text;
  EXPECT_NE(text.find("100 MHz"), std::string::npos) << text;
  EXPECT_NE(text.find("7.3 us"), std::string::npos) << text;
}

TEST(ParseSheet, AcceptsWindowsLineEnds) {
  std::string text(kHeader);
  for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\r\n");
  }
  EXPECT_EQ(parse_sheet(text, "a.sheet"), parse_sheet(kHeader, "a.sheet"));
}

TEST(ParseSheet, RefusesBrokenLines) {
  expect_error("figur units 2 source=nvidia", {"`figur`", "did you mean `figure`?"});
  expect_error("name other", {"one line `name`", "second"});
  expect_error("kind gpu", {"one line `kind`"});
  expect_error("of Not A Name", {"small letters"});
  expect_error("measured yes", {"nothing behind `measured`"});
  expect_error("source nvidia \"again\" 2024-01-01", {"each source once"});
  expect_error("source other \"no date\" yesterday", {"YYYY-MM-DD", "`yesterday`"});
  expect_error("source other \"month 13\" 2024-13-01", {"YYYY-MM-DD"});
  expect_error("source other unquoted 2024-01-01", {"source NAME"});
  expect_error("source other \"open 2024-01-01", {"closing quote"});
  expect_error("figure", {"a key behind `figure`"});
  expect_error("title \x01", {"printable ASCII", "byte 1"});
}

TEST(ParseSheet, RefusesBrokenFigures) {
  expect_error("figure matrix.b16 1 TFLOP/s source=nvidia", {"did you mean `matrix.bf16`?"});
  expect_error("figure dram.peak fast source=nvidia", {"a number behind `dram.peak`", "`fast`"});
  expect_error("figure dram.peak", {"a number behind `dram.peak`", "nothing"});
  expect_error("figure dram.peak 3 source=nvidia", {"dram.peak in B/s", "no unit"});
  expect_error("figure dram.peak 3 TFLOP/s source=nvidia", {"dram.peak in B/s", "`TFLOP/s`"});
  expect_error("figure dram.peak 3 TBps source=nvidia", {"dram.peak in B/s", "`TBps`"});
  expect_error("figure matrix.i8 3 TFLOP/s dense source=nvidia", {"matrix.i8 in OP/s"});
  expect_error("figure units 132 GB source=nvidia", {"units in a plain number", "`GB`"});
  expect_error("figure units 1.5 source=nvidia", {"a whole number", "1.5"});
  expect_error("figure units 2 source=amd", {"`source` line above", "`amd`"});
  expect_error("figure units 2 source=nvida", {"did you mean `nvidia`?"});
  expect_error("figure units 2", {"a source= for every figure"});
  expect_error("figure units 2 fast source=nvidia", {"accumulate=", "`fast`"});
  expect_error("figure matrix.f16 1 TFLOP/s accumulate=half source=nvidia", {"with a dtype"});
  expect_error("figure dram.peak 1 TB/s direction=up source=nvidia", {"read, write, copy"});
  expect_error("figure dram.read 1 TB/s spread=-1 source=nvidia", {"spread=", "`-1`"});
}

TEST(ParseSheet, RefusesWhatCannotBe) {
  for (const char* value :
       {"0 TB/s", "-3 TB/s", "nan TB/s", "inf TB/s", "1e999 TB/s", "5000 TB/s", "0.5 MB/s"}) {
    expect_error(std::string("figure dram.peak ") + value + " source=nvidia", {"dram.peak"});
  }
  expect_error("figure matrix.bf16 1e20 FLOP/s dense source=nvidia", {"10000 PFLOP/s"});
  expect_error("figure clock 5000 GHz source=nvidia", {"clock between"});
  expect_error("figure matrix.bf16 1979 TFLOP/s sparse source=nvidia", {"matrix.T.sparse"});
  expect_error("figure matrix.bf16.sparse 1979 TFLOP/s source=nvidia", {"the word `sparse`"});
  expect_error("figure link.device 900 GB/s source=nvidia", {"one-way", "halve"});
}

TEST(ParseSheet, RefusesAFigureTwice) {
  const std::string error =
      error_of(with("figure units 2 source=nvidia\nfigure units 2 source=nvidia\n"));
  EXPECT_TRUE(error.starts_with("a.sheet:8: ")) << error;
  EXPECT_NE(error.find("each figure once"), std::string::npos) << error;
}

TEST(ParseSheet, RefusesFailedAndBrokenChecks) {
  expect_error("check clock = 2 GHz\nfigure clock 3 GHz source=nvidia",
               {"clock = 2 GHz = 2 GHz within 1%", "given 3 GHz"});
  const std::string clock = "\nfigure clock 3 GHz source=nvidia";
  expect_error("check clock 3 GHz" + clock, {"check KEY ="});
  expect_error("check units = 3" + clock, {"key of a figure", "this sheet has no figure"});
  expect_error("check clock = speed" + clock, {"`speed`"});
  expect_error("check clock = 3 GHz 2" + clock, {"`*` or `/`", "`2`"});
  expect_error("check clock = 3 GHz *" + clock, {"a factor", "the end"});
  expect_error("check clock = 3 GHz / 0" + clock, {"a positive product"});
  expect_error("check clock = 3 GHz within 0%" + clock, {"a tolerance"});
  expect_error("check clock = 3 GHz within 1" + clock, {"a tolerance", "`1`"});
}

TEST(ParseSheet, RefusesIncompleteSheets) {
  EXPECT_EQ(error_of(""),
            "a.sheet:1: expected `ridge-sheet 1` at the top, given an empty file "
            "(parse error)");
  EXPECT_NE(error_of("name x\n").find("a.sheet:1: expected `ridge-sheet 1`"), std::string::npos);
  EXPECT_NE(error_of("ridge-sheet 2\n").find("`ridge-sheet 2`"), std::string::npos);
  for (const char* word : {"name", "title", "kind", "version"}) {
    std::string text(kHeader);
    const size_t begin = text.find(word);
    text.erase(begin, text.find('\n', begin) + 1 - begin);
    EXPECT_NE(error_of(text).find(std::string("a line `") + word + "`"), std::string::npos) << word;
  }
  EXPECT_EQ(std::ranges::count(kHeader, '\n'), static_cast<std::ptrdiff_t>(kHeaderLines));
}

TEST(Sheet, NeedNamesTheFigureAndWhoNeedsIt) {
  const Sheet sheet = parse_sheet(kHeader, "a.sheet");
  EXPECT_FALSE(sheet.value("dram.peak"));
  EXPECT_FALSE(sheet.ridge_point("matrix.bf16"));
  try {
    sheet.need("dram.peak", "the roofline");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::value);
    for (const char* word : {"dram.peak", "the roofline", "h100-sxm", "RIDGE_DEVICES"}) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace ridge::cost::sheet_test
