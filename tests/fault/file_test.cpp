// Files that cannot be written: an error that names the file, nothing half written, and the next call works.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "ridge/base/knobs.h"
#include "ridge/calibrate/calibrate.h"
#include "ridge/cost/sheets.h"
#include "ridge/files/save.h"
#include "ridge/graph/pass.h"
#include "tests/fault/fault.h"

namespace ridge::fault {
namespace {

namespace fs = std::filesystem;

class FaultFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "ridge_fault.XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Files that were not renamed to what they are called in the end (base/files.cpp).
  std::vector<std::string> half_written() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      const bool is_temporary = entry.path().extension().string().size() == strlen(".XXXXXX");
      if (entry.is_regular_file() && is_temporary) names.push_back(entry.path().filename());
    }
    return names;
  }

  std::set<fs::path> folders() const {
    std::set<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.is_directory()) found.insert(entry.path());
    }
    return found;
  }

  fs::path folder_;
};

std::string text_of(const std::function<void()>& call, ErrorCode code) {
  try {
    call();
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(name(error.code()), name(code)) << error.what();
    return error.what();
  }
}

TEST_F(FaultFile, Dumps) {
  const ScopedKnob dump(Knob::dump, (folder_ / "dump").string());
  const Tensor x = ones({4, 6});
  const auto call = [&](Tensor& state) {
    return compile([](const Tensor& in, Tensor& kept) {
      kept += mean(in, {0});
      return softmax(in * 2, 1);
    })(x, state);
  };
  Tensor state = zeros({6});
  std::string expected;
  const int64_t count =
      requests_in(Request::file, [&] { expected = bytes_of(call(state)) + bytes_of(state); });
  ASSERT_GT(count, 8);
  for (const int64_t number : numbers_to_fail(count)) {
    SCOPED_TRACE(concat("operation ", number, " of ", count));
    Tensor own = zeros({6});
    {
      const Fault fault(Request::file, number);
      const std::string text = text_of([&] { call(own); }, ErrorCode::io);
      if (!fault.has_failed()) continue;  // kernels are kept, so fewer are dumped than at first
      EXPECT_NE(text.find(folder_.string()), std::string::npos) << text;
      EXPECT_NE(text.find("No space left"), std::string::npos) << text;
    }
    EXPECT_EQ(half_written(), std::vector<std::string>());
    EXPECT_TRUE(bytes_of(own) == bytes_of(zeros({6}))) << "arguments changed";
    EXPECT_TRUE(bytes_of(call(own)) + bytes_of(own) == expected);
  }
}

// What went wrong matters more than what could not be written about it.
TEST_F(FaultFile, Reproductions) {
  const ScopedKnob dump(Knob::dump, folder_.string());
  const graph::ReplacedPass wrong("simplify_algebra",
                                  [](graph::Graph, const graph::PassContext&) -> graph::Graph {
                                    throw Error({.expected = "a pass that works"});
                                  });
  const auto call = [&] { compile([](const Tensor& x) { return x * 2; })(ones({3})); };
  const int64_t count = requests_in(Request::file, [&] {
    EXPECT_NE(text_of(call, ErrorCode::internal).find("ridge repro"), std::string::npos);
  });
  ASSERT_GT(count, 8);
  size_t unwritten = 0;
  for (const int64_t number : numbers_to_fail(count)) {
    SCOPED_TRACE(concat("operation ", number, " of ", count));
    const auto before = folders();
    const Fault fault(Request::file, number);
    std::string text;
    try {
      call();
    } catch (const Error& error) {
      text = error.what();
    }
    if (text.find("no reproduction could be written") == std::string::npos) continue;
    ++unwritten;
    EXPECT_NE(text.find("a pass that works"), std::string::npos) << text;
    EXPECT_NE(text.find("No space left"), std::string::npos) << text;
    EXPECT_EQ(half_written(), std::vector<std::string>());
    EXPECT_EQ(folders(), before) << "part of a reproduction is left";
  }
  EXPECT_GE(unwritten, 8u);
}

TEST_F(FaultFile, Sheets) {
  const std::shared_ptr<const cost::Sheet> sheet = cost::find_sheet("h200");
  const fs::path path = folder_ / "cache" / "mine.sheet";
  const auto call = [&] { calibrate::write_sheet(*sheet, path.string()); };
  const int64_t count = requests_in(Request::file, call);
  ASSERT_GT(count, 2);
  for (const int64_t number : numbers_to_fail(count)) {
    SCOPED_TRACE(concat("operation ", number, " of ", count));
    fs::remove_all(folder_ / "cache");
    {
      const Fault fault(Request::file, number);
      EXPECT_NE(text_of(call, ErrorCode::io).find(folder_.string()), std::string::npos);
    }
    EXPECT_FALSE(fs::exists(path));
    EXPECT_EQ(half_written(), std::vector<std::string>());
    call();
    EXPECT_TRUE(fs::exists(path));
  }
}

// A save that fails leaves the file before it, and what it was to save as it is.
TEST_F(FaultFile, Saves) {
  const fs::path path = folder_ / "state.safetensors";
  std::map<std::string, Tensor> state = {{"weight", ones({3, 5})}, {"bias", zeros({5})}};
  files::save(path, state);
  const std::string before = bytes_of(state);
  state["bias"] = ones({5});
  const auto call = [&] { files::save(path, state); };
  const int64_t count = requests_in(Request::file, [&] { files::save(folder_ / "other", state); });
  ASSERT_GT(count, 5);
  // Of the last one, which brings the folder to the disk, the file is there already.
  for (int64_t number = 1; number < count; ++number) {
    SCOPED_TRACE(concat("operation ", number, " of ", count));
    {
      const Fault fault(Request::file, number);
      const std::string text = text_of(call, ErrorCode::io);
      EXPECT_NE(text.find(path.string()), std::string::npos) << text;
      EXPECT_NE(text.find("No space left"), std::string::npos) << text;
    }
    EXPECT_EQ(half_written(), std::vector<std::string>());
    std::map<std::string, Tensor> there = {{"weight", zeros({3, 5})}, {"bias", ones({5})}};
    files::load(path, there);
    EXPECT_TRUE(bytes_of(there) == before);
  }
}

}  // namespace
}  // namespace ridge::fault
