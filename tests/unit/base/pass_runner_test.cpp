// The frame of passes, around passes over a string.
#include "ridge/base/pass_runner.h"

#include <gtest/gtest.h>

#include <vector>

#include "ridge/base/error.h"
#include "ridge/base/knobs.h"

namespace ridge::pass_runner_test {
namespace {

struct Appender {
  std::string text;
  std::vector<PassRun> runs{};
  int verified = 0;

  void append(std::string_view what, bool is_optional = false, bool is_disabled = false) {
    const std::string before = text;
    runs.push_back(run_pass({"append_text", is_optional}, runs, is_disabled,
                            {.run = [&] { text += what; },
                             .verify = [&] { ++verified; },
                             .has_changed = [&] { return text != before; },
                             .text = [&] { return text + "\n"; },
                             .subject = "subject",
                             .ending = "txt"}));
  }
};

TEST(PassRunner, ReportsWhatChanged) {
  Appender appender{"a"};
  appender.append("b");
  appender.append("");
  appender.append("c", false, true);
  EXPECT_EQ(appender.text, "ab");
  EXPECT_EQ(appender.verified, 2);
  ASSERT_EQ(appender.runs.size(), 3U);
  EXPECT_EQ(appender.runs[0].outcome, PassRun::Outcome::changed);
  EXPECT_EQ(appender.runs[1].outcome, PassRun::Outcome::unchanged);
  EXPECT_EQ(to_text(appender.runs[2]), "append_text: skipped");
}

TEST(PassRunner, StopsOptionalPassesAlone) {
  const ScopedKnob stop(Knob::stop_after, 1);
  Appender appender;
  appender.append("a", true);
  appender.append("b", true);
  appender.append("c", false);
  EXPECT_EQ(appender.text, "ac");
}

TEST(PassRunner, ErrorsNameThePass) {
  try {
    run_pass({"break_it"}, {}, false,
             {.run = [] { throw Error({.code = ErrorCode::value, .op = "inner"}); },
              .verify = [] {},
              .has_changed = [] { return false; },
              .text = [] { return std::string(); },
              .subject = "",
              .ending = ""});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.op(), "pass break_it, inner");
  }
}

TEST(PassRunner, PrintsUnderDebug) {
  const ScopedKnob debug(Knob::debug, kDebugPasses);
  testing::internal::CaptureStderr();
  Appender{"a"}.append("b");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "// after append-text\nab\n");
  const ScopedKnob only(Knob::only, "other");
  testing::internal::CaptureStderr();
  Appender{"a"}.append("b");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(PassRunner, UnknownStagesAreErrors) {
  const std::vector<std::string> known = {"fuse", "map_product"};
  const ScopedKnob disable(Knob::disable, "map-product");
  EXPECT_TRUE(is_stage_disabled("map_product", known));
  EXPECT_FALSE(is_stage_disabled("fuse", known));
  const ScopedKnob wrong(Knob::disable, "fus");
  EXPECT_THROW(is_stage_disabled("fuse", known), Error);
}

}  // namespace
}  // namespace ridge::pass_runner_test
