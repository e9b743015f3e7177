#include <algorithm>
#include <array>

#include "ridge/base/text.h"
#include "ridge/cost/sheet.h"
#include "ridge/cost/sheet_line.h"

namespace ridge::cost {
namespace {

constexpr std::array<std::string_view, 10> kLineWords = {
    "name", "title",       "kind",   "version", "measured",
    "of",   "device-name", "source", "figure",  "check"};

// Names stand in commands, in file names and behind `source=`.
bool is_name(std::string_view text) {
  const auto is_good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  };
  return !text.empty() && text.size() <= 64 && text.front() != '-' && text.front() != '.' &&
         std::ranges::all_of(text, is_good);
}

// Whether it starts with YYYY-MM-DD and ends there, or goes on after a blank.
bool starts_with_date(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  if (text.size() < kForm.size()) return false;
  for (size_t i = 0; i < kForm.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == 'd' ? !is_digit : text[i] != kForm[i]) return false;
  }
  const int month = (text[5] - '0') * 10 + text[6] - '0';
  const int day = (text[8] - '0') * 10 + text[9] - '0';
  const bool is_at_end = text.size() == kForm.size() || text[kForm.size()] == ' ';
  return is_at_end && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

void set_once(const SheetLine& line, std::string& field) {
  if (!field.empty()) line.fail(concat("one line `", line.word(), "`"), "a second one");
  if (line.rest().empty()) line.fail(concat("a text behind `", line.word(), "`"), "nothing");
  field = line.rest();
}

void set_name(const SheetLine& line, std::string& field) {
  set_once(line, field);
  if (!is_name(field)) {
    line.fail("a name of small letters, digits, `-`, `_` and `.`", quoted(field));
  }
}

SheetKind read_kind(const SheetLine& line) {
  for (const SheetKind kind : {SheetKind::gpu, SheetKind::tpu, SheetKind::cpu}) {
    if (line.rest() == name(kind)) return kind;
  }
  line.fail("gpu, tpu or cpu", quoted(line.rest()));
}

Source read_source(const SheetLine& line, const Sheet& sheet) {
  const auto& words = line.words();
  if (words.size() != 3 || words[1].size() < 2 || words[1].front() != '"') {
    line.fail("`source NAME \"TITLE\" YYYY-MM-DD`", quoted(line.rest()));
  }
  Source source{std::string(words[0]), std::string(words[1].substr(1)), std::string(words[2])};
  if (!is_name(source.name)) {
    line.fail("a name of small letters, digits, `-`, `_` and `.`", quoted(source.name));
  }
  if (!starts_with_date(source.date)) line.fail("a date, YYYY-MM-DD", quoted(source.date));
  if (sheet.source(source.name) != nullptr) {
    line.fail("each source once", concat(quoted(source.name), " again"));
  }
  return source;
}

// All lines but checks, which need every figure first.
void read_line(const SheetLine& line, Sheet& sheet, bool& has_kind) {
  const std::string_view word = line.word();
  if (word == "name") {
    set_name(line, sheet.name);
  } else if (word == "of") {
    set_name(line, sheet.of);
  } else if (word == "title") {
    set_once(line, sheet.title);
  } else if (word == "version") {
    set_once(line, sheet.version);
    if (!starts_with_date(sheet.version)) {
      line.fail("a version that starts with a date, YYYY-MM-DD", quoted(sheet.version));
    }
  } else if (word == "kind") {
    if (has_kind) line.fail("one line `kind`", "a second one");
    sheet.kind = read_kind(line);
    has_kind = true;
  } else if (word == "measured") {
    if (!line.rest().empty()) line.fail("nothing behind `measured`", quoted(line.rest()));
    sheet.is_measured = true;
  } else if (word == "device-name") {
    std::string name;
    set_once(line, name);
    sheet.device_names.push_back(std::move(name));
  } else if (word == "source") {
    sheet.sources.push_back(read_source(line, sheet));
  } else if (word == "figure") {
    read_figure(line, sheet);
  } else {
    line.fail(concat("a line that starts with one of ", join(kLineWords, ", ")), quoted(word),
              did_you_mean(word, kLineWords));
  }
}

}  // namespace

Sheet parse_sheet(std::string_view text, std::string_view file) {
  Sheet sheet;
  std::vector<SheetLine> checks;
  bool has_header = false;
  bool has_kind = false;
  size_t number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    SheetLine line(text.substr(begin, end - begin), file, ++number);
    begin = end + 1;
    if (line.is_empty()) continue;
    if (!has_header) {
      if (line.word() != "ridge-sheet" || line.rest() != "1") {
        line.fail("`ridge-sheet 1` at the top", quoted(concat(line.word(), " ", line.rest())));
      }
      has_header = true;
    } else if (line.word() == "check") {
      checks.push_back(std::move(line));
    } else {
      read_line(line, sheet, has_kind);
    }
  }
  const SheetLine end("", file, std::max<size_t>(number, 1));
  if (!has_header) end.fail("`ridge-sheet 1` at the top", "an empty file");
  const auto require = [&](std::string_view word, bool has_it) {
    if (!has_it) end.fail(concat("a line `", word, "`"), "a sheet without one");
  };
  require("name", !sheet.name.empty());
  require("title", !sheet.title.empty());
  require("kind", has_kind);
  require("version", !sheet.version.empty());
  for (const SheetLine& line : checks) sheet.checks.push_back(read_check(line, sheet));
  return sheet;
}

}  // namespace ridge::cost
