// Reproductions: only their owner can read them, and who reads one trusts nothing in it.
#include "ridge/verify/repro.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "ridge/base/files.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/driver/reproduce.h"
#include "ridge/graph/pass.h"
#include "ridge/ridge.h"
#include "ridge/verify/repro_text.h"

namespace ridge::repro_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGraph = "graph f(%0: f32[3, 2]) { %1 = neg(%0) : f32[3, 2] return %1 }";
constexpr const char* kInputs =
    "graph inputs() { %0 = constant [0, 1, 2, 3, 4, 5] : f32[3, 2] return %0 }";

class ReproFolder : public testing::Test {
 protected:
  ~ReproFolder() override { fs::remove_all(folder_); }

  void write(const char* name, std::string_view text) {
    write_file_atomically(folder_ / name, text);
  }
  // What reading says of these files.
  std::string refusal() {
    try {
      verify::read_reproduction(folder_);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::parse) << error.what();
      return error.what();
    }
    return "accepted";
  }
  void expect_refused(const char* file, std::string_view what) {
    const std::string given = refusal();
    EXPECT_EQ(given.find((folder_ / file).string()), 0U) << given;
    EXPECT_NE(given.find(what), std::string::npos) << given;
  }

  const fs::path folder_ = create_own_folder(fs::temp_directory_path(), "ridge_repro_test");
};

// Messages that are logged while it lives.
class Messages {
 public:
  Messages()
      : before_(set_log_callback(
            [this](LogLevel, std::string_view, std::string_view message) { text_ += message; })) {}
  ~Messages() { set_log_callback(std::move(before_)); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  LogCallback before_;
};

size_t entries_of(const fs::path& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST_F(ReproFolder, IsReadableByItsOwnerAlone) {
  const Tensor input = ones({4});
  const ScopedKnob dump(Knob::dump, folder_.string());
  const mode_t before = ::umask(0);
  verify::leave_reproduction(graph::parse("graph g(%0: f32[4]) { return %0 }"), {.name = "a/b"},
                             "why", std::span(&input, 1));
  ::umask(before);
  ASSERT_EQ(entries_of(folder_), 1U);
  const fs::path left = fs::directory_iterator(folder_)->path();
  EXPECT_TRUE(left.filename().string().starts_with("ridge_repro_a_b.")) << left;
  EXPECT_EQ(fs::status(left).permissions(), fs::perms(0700));
  size_t files = 0;
  for (const auto& file : fs::directory_iterator(left)) {
    EXPECT_EQ(file.status().permissions(), fs::perms(0600)) << file.path();
    ++files;
  }
  EXPECT_EQ(files, 6U);
  EXPECT_EQ(verify::read_reproduction(left).inputs.size(), 1U);
}

TEST_F(ReproFolder, OnlyDecisionsAreObeyed) {
  const std::string recorded =
      "RIDGE_OVERRIDE=/a\nRIDGE_STOP_AFTER=3\nRIDGE_NVRTC=/b.so\nRIDGE_DEVICES=/c\n"
      "RIDGE_CACHE=/d\nRIDGE_DUMP=/e\nRIDGE_LOG=all\n";
  const ScopedKnob nvrtc(Knob::nvrtc, "");  // whatever the environment of the test says
  {
    const Messages messages;
    const verify::RecordedKnobs knobs(recorded, verify::Trust::decisions);
    EXPECT_EQ(knob_int(Knob::stop_after), 3);
    for (const Knob knob : {Knob::override, Knob::nvrtc, Knob::devices, Knob::dump, Knob::log}) {
      EXPECT_FALSE(is_knob_set(knob)) << knob_info(knob).name;
    }
    EXPECT_NE(messages.text().find("RIDGE_OVERRIDE, RIDGE_NVRTC, RIDGE_DEVICES, RIDGE_CACHE"),
              std::string::npos)
        << messages.text();
    EXPECT_EQ(messages.text().find("RIDGE_STOP_AFTER"), std::string::npos) << messages.text();
  }
  const Messages messages;
  const verify::RecordedKnobs knobs(recorded, verify::Trust::everything);
  EXPECT_EQ(knob_text(Knob::override), "/a");
  EXPECT_EQ(knob_text(Knob::nvrtc), "/b.so");
  EXPECT_FALSE(is_knob_set(Knob::dump));
  EXPECT_EQ(messages.text(), "");
}

TEST_F(ReproFolder, RefusesAGraphThatContradictsItself) {
  write("graph.ir", "graph f(%0: f32[8]) {\n  %1 = neg(%0) : f32[9]\n  return %1\n}\n");
  expect_refused("graph.ir:2", "f32[9]");
}

TEST_F(ReproFolder, RefusesInputsOfOtherTypes) {
  write("graph.ir", kGraph);
  write("inputs.ir", kInputs);
  EXPECT_EQ(refusal(), "accepted");
  for (const char* inputs : {
           "graph inputs() { return }",
           "graph inputs() { %0 = constant [0, 1] : f32[2] return %0 }",
           "graph inputs() { %0 = constant [0, 1, 2, 3, 4, 5] : f64[3, 2] return %0 }",
           "graph inputs() { %0 = constant [0, 1, 2, 3, 4, 5] : f32[2, 3] return %0 }",
           "graph inputs() { %0 = constant [0, 1, 2, 3, 4, 5] : f32[3, 2] return %0, %0 }",
           "graph inputs(%0: f32[3, 2]) { return %0 }",
           "graph inputs() { %0 = zeros(shape=[3, 2], dtype=f32, device=cpu) : f32[3, 2] return %0 "
           "}",
       }) {
    write("inputs.ir", inputs);
    expect_refused("inputs.ir", "expected");
  }
}

TEST_F(ReproFolder, RefusesStridesOfOtherMemory) {
  write("graph.ir", kGraph);
  write("inputs.ir", kInputs);
  write("strides.txt", "1, 3\n");
  EXPECT_EQ(to_text(verify::read_reproduction(folder_).inputs.at(0).strides()), "[1, 3]");
  write("strides.txt", "1 3\n");  // as it was written before
  EXPECT_EQ(refusal(), "accepted");
  for (const char* strides : {"1\n", "1, 2, 3\n", "-1, 3\n", "1, -3\n", "1, 4611686018427387903\n",
                              "1, 99999999999999999999\n", "1.5, 3\n", "a, 3\n", "1, 3\n1, 3\n"}) {
    write("strides.txt", strides);
    expect_refused("strides.txt:", "expected");
  }
}

TEST_F(ReproFolder, RefusesKnobsThatAreNone) {
  write("graph.ir", kGraph);
  write("knobs.txt", "RIDGE_VERIFY=3\n\nRIDGE_DUMP=/a\n");
  EXPECT_EQ(refusal(), "accepted");
  for (const char* knobs : {"RIDGE_VERIFY\n", "RIDGE_NOSUCH=1\n", "RIDGE_VERIFY=abc\n"}) {
    write("knobs.txt", concat("RIDGE_DEBUG=1\n", knobs));
    expect_refused("knobs.txt:2", "expected");
  }
}

// Whoever made the folder writes to the terminal of who reads it.
TEST_F(ReproFolder, ShowsLittleOfWhatOthersWrote) {
  write("graph.ir", kGraph);
  write("version.txt", "\x1b]0;title\a" + std::string(100000, 'a'));
  const Messages messages;
  EXPECT_EQ(refusal(), "accepted");
  EXPECT_LT(messages.text().size(), 400U);
  EXPECT_EQ(messages.text().find('\x1b'), std::string::npos);
  write("inputs.ir", kInputs);
  write("strides.txt", "1, " + std::string(100000, 'a'));
  EXPECT_LT(refusal().size(), 1000U);
}

TEST_F(ReproFolder, AMisspelledStageIsNotBlamedOnAPass) {
  write("graph.ir", kGraph);
  const ScopedKnob disable(Knob::disable, "fuze");
  EXPECT_THROW(driver::bisect(verify::read_reproduction(folder_)), Error);
}

TEST_F(ReproFolder, RefusesABudgetThatIsNone) {
  write("graph.ir", kGraph);
  for (const char* budget : {"-1\n", "99999999999999999999\n", "many\n", "1 2\n"}) {
    write("budget.txt", budget);
    expect_refused("budget.txt:1", "bytes");
  }
}

// Equal for the sizes of the capture is not equal for these.
TEST_F(ReproFolder, VerifiesTheGraphForTheSizesOfItsInputs) {
  write("graph.ir",
        "graph f<n in [1, 100] = 3, m in [1, 100] = 3>(%0: f32[n], %1: f32[m]) {\n"
        "  %2 = add(%0, %1) : f32[n]\n  return %2\n}\n");
  EXPECT_EQ(refusal(), "accepted");
  write("inputs.ir",
        "graph inputs() { %0 = constant [1, 2] : f32[2] %1 = constant [1, 2] : f32[2] "
        "return %0, %1 }");
  EXPECT_EQ(refusal(), "accepted");
  write("inputs.ir",
        "graph inputs() { %0 = constant [1, 2, 3, 4] : f32[4] %1 = constant [1, 2] : f32[2] "
        "return %0, %1 }");
  expect_refused("inputs.ir", "[4] and [2]");
}

TEST_F(ReproFolder, RefusesStridesThatSizesMakeNegative) {
  write("graph.ir",
        "graph f<n in [1, 100] = 3>(%0: f32[n, 2]) { %1 = neg(%0) : f32[n, 2] return %1 }");
  write("inputs.ir", kInputs);
  write("strides.txt", "1, n\n");
  EXPECT_EQ(refusal(), "accepted");
  for (const char* strides : {"n - 10000000, 30000000\n", "n - 100, 1000\n", "i0, 1\n"}) {
    write("strides.txt", strides);
    expect_refused("strides.txt:", "expected");
  }
}

// Nothing says how large `m` is, so it would fit any size.
TEST_F(ReproFolder, RefusesSymbolsThatNoInputBinds) {
  write("graph.ir",
        "graph f<m in [1, inf]>(%0: bool[], %1: f32[4], %2: f32[2]) {\n"
        "  %3 = cond(%0, [%1, %2]) : f32[]\n"
        "    graph yes(%0: f32[m], %1: f32[m]) {\n"
        "      %2 = add(%0, %1) : f32[m]\n      %3 = sum(%2, dims=[0], keepdim=false) : f32[]\n"
        "      return %3\n    }\n"
        "    graph no(%0: f32[m], %1: f32[m]) {\n"
        "      %2 = sum(%0, dims=[0], keepdim=false) : f32[]\n      return %2\n    }\n"
        "  return %3\n}\n");
  EXPECT_EQ(refusal(), "accepted");
  write("inputs.ir",
        "graph inputs() { %0 = constant true : bool[] %1 = constant [1, 2, 3, 4] : f32[4] "
        "%2 = constant [1, 2] : f32[2] return %0, %1, %2 }");
  expect_refused("inputs.ir", "size m");
}

// More results than a loop carries would be written behind what it was given.
TEST_F(ReproFolder, RefusesBodiesThatReturnTooMuch) {
  write(
      "graph.ir",
      "graph f(%0: f32[2]) {\n"
      "  %1, %2 = while_loop([%0], [], max_steps=3) : f32[2], f32[2]\n"
      "    graph goes_on(%0: f32[2]) {\n      %1 = constant true : bool[]\n      return %1\n    }\n"
      "    graph step(%0: f32[2]) {\n      %1 = neg(%0) : f32[2]\n      return %1, %1\n    }\n"
      "  return %1\n}\n");
  expect_refused("graph.ir:2", "1 outputs of body step");
  write("graph.ir",
        "graph f(%0: bool[], %1: f32[2]) {\n"
        "  %2, %3 = cond(%0, [%1]) : f32[2], f32[2]\n"
        "    graph yes(%0: f32[2]) {\n      return %0\n    }\n"
        "    graph no(%0: f32[2]) {\n      return %0, %0\n    }\n"
        "  return %3\n}\n");
  expect_refused("graph.ir:2", "1 outputs of body no");
}

TEST_F(ReproFolder, StridesOfAProgramForAnySizesReadBack) {
  const graph::Graph graph = graph::parse(
      "graph f<n in [1, 100] = 3>(%0: f32[n, 2] strides [1, n]) { %1 = neg(%0) : f32[n, 2] "
      "return %1 }");
  verify::write_reproduction(folder_, graph, {.input_strides = {graph[graph.inputs[0]].strides}},
                             {}, "why");
  const verify::Reproduction kept = verify::read_reproduction(folder_);
  ASSERT_EQ(kept.options.input_strides.size(), 1U);
  EXPECT_EQ(to_text(*kept.options.input_strides[0]), "[1, n]");
}

graph::Graph throws_nothing_that_is_right(graph::Graph, const graph::PassContext&) {
  throw_error({.expected = "a right pass", .given = "a wrong one"});
}

TEST_F(ReproFolder, BisectLeavesNothingBehind) {
  const ScopedKnob dump(Knob::dump, folder_.string());
  write("graph.ir", kGraph);
  const size_t before = entries_of(folder_);
  const graph::ReplacedPass wrong("simplify_algebra", throws_nothing_that_is_right);
  const verify::Blame verdict = driver::bisect(verify::read_reproduction(folder_));
  EXPECT_EQ(verdict.kind, verify::Blame::Kind::pass) << to_text(verdict);
  for (const auto& entry : fs::directory_iterator(folder_)) {
    EXPECT_FALSE(entry.is_directory()) << entry.path();
  }
  EXPECT_GE(entries_of(folder_), before);  // what RIDGE_DUMP asks for is there
}

}  // namespace
}  // namespace ridge::repro_test
