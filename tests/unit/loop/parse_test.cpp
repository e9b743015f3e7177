#include <gtest/gtest.h>

#include <array>
#include <string>

#include "ridge/base/error.h"
#include "ridge/base/random.h"
#include "ridge/loop/loop.h"
#include "tests/unit/loop/sample_kernels.h"

namespace ridge::loop::parse_test {
namespace {

class LoopSample : public testing::TestWithParam<std::string_view> {};

TEST_P(LoopSample, PrintsTheTextAgain) {
  const Kernel kernel = parse(GetParam());
  EXPECT_EQ(to_text(kernel), GetParam());
  EXPECT_NO_THROW(verify(kernel));
}

INSTANTIATE_TEST_SUITE_P(Samples, LoopSample,
                         testing::Values(kSoftmax, kMatmul, kBlockSum, kMixture));

TEST(LoopParse, NotesNamesAndTypesComeBack) {
  const Kernel kernel = parse(kSoftmax);
  EXPECT_EQ(kernel.notes, (std::vector<std::string>{"softmax over rows", "x f32[n, m]"}));
  EXPECT_EQ(kernel.values[0].name, "largest");
  EXPECT_EQ(kernel.values[4].name, "softmax");
  EXPECT_EQ(kernel.axis_count, 2);
  const Kernel mixture = parse(kMixture);
  const auto& loop = std::get<Loop>(mixture.body[1].kind);
  const auto& narrow = std::get<Let>(loop.body[1].kind);
  EXPECT_EQ(narrow.arithmetic, f64);
  EXPECT_EQ(narrow.rounds, bf16);
  EXPECT_EQ(mixture.values[2].dtype, f32);
  EXPECT_EQ(std::get<Let>(loop.body[0].kind).arithmetic, f64);
}

std::string message_of(std::string_view text) {
  try {
    parse(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::parse);
    return error.what();
  }
  return "";
}

TEST(LoopParse, HowManyEnterComesBack) {
  const auto with = [](const std::string& probability) {
    return "kernel k(x: f32[8] in, out: f32[8] out) {\n  for i0 in 8 {\n    if x[i0] < 0.0" +
           probability + " {\n      let v0: f32 = x[i0]\n      out[i0] = v0\n    }\n  }\n}\n";
  };
  EXPECT_EQ(to_text(parse(with(" probability 1/16"))), with(" probability 1/16"));
  EXPECT_EQ(to_text(parse(with(" probability 1/1"))), with(""));
  EXPECT_NE(message_of(with(" probability 1/x")), "");
  EXPECT_THROW(verify(parse(with(" probability 1/0"))), Error);
}

TEST(LoopParse, ErrorsSayLineAndColumn) {
  const std::string head = "# note\nkernel k(x: f32[n] in, out: f32[n] out; n) {\n";
  const auto message = [&](std::string body) { return message_of(head + body); };
  const auto expect = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(message("  let v0: f31 = x[0]\n}\n"), "but `f31` is none");
  expect(message("  let v0: f31 = x[0]\n}\n"), "line 3: `  let v0: f31 = x[0]`, column 14");
  expect(message("  let v0: f32 = y[0]\n}\n"), "line 3");
  expect(message("  let v0: f32 = y[0]\n}\n"), "`y` has none");
  expect(message("  let v0: f32 = x[0] +\n}\n"), "an operand");
  expect(message("  out[0] = v3\n}\n"), "v3 to be defined before");
  expect(message("  let v0: f32 = x[0]\n  v0 mean= v0\n}\n"), "line 4");
  expect(message("  for i0 in n @lanes {\n  }\n}\n"), "but `lanes` is none");
  expect(message("  for i0 in n {\n  }\n"), "expected `}`, given line 5");
  expect(message("}\nmore"), "expected the end, given line 4");
  expect(message("  let v0: f32 = 1.0\n  let v0: f32 = 1.0\n}\n"), "one definition of v0");
  expect(message("  let v123456789: f32 = 1.0\n}\n"), "a smaller number");
  expect(message("  nonsense\n}\n"), "`nonsense` is no buffer");
  expect(message_of(""), "expected `kernel`");
}

TEST(LoopParse, NestingHasALimit) {
  std::string text = "kernel k() {\n";
  for (int i = 0; i < 5000; ++i) text += "if true {\n";
  EXPECT_NE(message_of(text).find("levels of nesting"), std::string::npos);
}

// Whatever is done to a valid text, it is read or refused; what is read prints to a fixed point.
TEST(LoopParse, SurvivesMutations) {
  SplitMix64 random(11);
  const std::string alphabet = "iv01 (){}[]=+-*/%@#\":;,.<abcxef\n";
  const auto below = [&](size_t size) {
    return static_cast<size_t>(random.integer(0, static_cast<int64_t>(size) - 1));
  };
  int read_count = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::array samples = {kSoftmax, kMatmul, kBlockSum, kMixture};
    std::string text(samples[below(samples.size())]);
    for (int64_t changes = random.integer(1, 4); changes > 0; --changes) {
      const size_t at = below(text.size());
      switch (random.integer(0, 3)) {
        case 0: text[at] = alphabet[below(alphabet.size())]; break;
        case 1: text.erase(at, below(8) + 1); break;
        case 2: text.insert(at, 1, alphabet[below(alphabet.size())]); break;
        case 3: text.insert(at, text.substr(below(text.size()), below(20) + 1)); break;
      }
      if (text.empty()) text = "kernel";
    }
    std::string printed;
    try {
      printed = to_text(parse(text));
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::parse) << error.what() << "\n" << text;
      continue;
    }
    ++read_count;
    ASSERT_EQ(to_text(parse(printed)), printed) << text;
  }
  EXPECT_GT(read_count, 100);
}

}  // namespace
}  // namespace ridge::loop::parse_test
