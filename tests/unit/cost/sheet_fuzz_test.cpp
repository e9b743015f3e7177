// Sheets come from people and from other machines, so the reader must survive anything: broken
// text is an Error, and what is accepted round-trips.
#include <gtest/gtest.h>

#include <string>

#include "ridge/base/error.h"
#include "ridge/base/random.h"
#include "ridge/cost/sheet.h"
#include "ridge/cost/sheets.h"

namespace ridge::cost::sheet_fuzz_test {
namespace {

size_t below(SplitMix64& random, size_t bound) {
  return static_cast<size_t>(random.next() % bound);
}

// One slip: a byte changed, inserted or removed, or a piece copied to another place.
void mutate(std::string& text, SplitMix64& random) {
  if (text.empty()) {
    text = "r";
    return;
  }
  const size_t at = below(random, text.size());
  switch (below(random, 5)) {
    case 0: text[at] = static_cast<char>(random.next()); break;
    case 1: text.insert(at, 1, static_cast<char>(random.next())); break;
    case 2: text.erase(at, 1 + below(random, 8)); break;
    case 3: text.insert(at, text.substr(below(random, text.size()), 1 + below(random, 40))); break;
    default: text[at] = "0123456789.e-+*/%=\"# \n"[below(random, 22)]; break;
  }
}

TEST(SheetFuzz, MutatedSheetsParseOrThrowAnError) {
  constexpr int kTexts = 20000;
  SplitMix64 random(1);
  const auto shipped = shipped_sheets();
  int accepted = 0;
  for (int i = 0; i < kTexts; ++i) {
    std::string text(shipped[below(random, shipped.size())].text);
    const size_t count = 1 + below(random, 6);
    for (size_t slip = 0; slip < count; ++slip) mutate(text, random);
    try {
      const Sheet sheet = parse_sheet(text, "fuzz.sheet");
      ++accepted;
      ASSERT_EQ(parse_sheet(to_text(sheet), "again.sheet"), sheet) << text;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::parse) << error.what();
    }
  }
  // Both ways out were taken often enough to mean something.
  EXPECT_GT(accepted, kTexts / 50);
  EXPECT_LT(accepted, kTexts);
}

}  // namespace
}  // namespace ridge::cost::sheet_fuzz_test
